"""Money that comes back: a credit no larger than what is left of an earlier debit to the same party."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.prepare.coded import Codes, Mask, joint_code, rank_of_tied
from kycpack.wealth.prepare.intake import Book

Texts = npt.NDArray[np.object_]


def match_refunds(
    book: Book,
    rows: Codes,
    candidates: Codes,
    spent: Mask,
    party: Texts,
    party_of: Callable[[Codes], Texts],
    within_days: int,
    account: Codes | None = None,
) -> Codes:
    """Return the debit that each credit pays back.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        candidates: Credits, as indexes into `rows`, that nothing else explains.
        spent: Rows of the book that are debits and count.
        party: Text that names the payer of each candidate; empty if there is none.
        party_of: Returns the text that names the other party of rows of the book, in the same form.
        within_days: Number of days before the credit in which the debit may lie.
        account: Account of each row of the book in which both must be; None if they may be in different ones.

    Returns:
        For each credit a row of the book, the latest of those that fit; -1 if none fits.
    """
    refunded = np.full(len(rows), -1, dtype=np.int64)
    if not candidates.size:
        return refunded
    customers = np.zeros(len(book.customer.distinct), dtype=np.bool_)
    customers[book.customer.codes[rows[candidates]]] = True
    debits = np.flatnonzero(spent & customers[book.customer.codes])
    wanted_rows = rows[candidates]
    every = np.concatenate([debits, wanted_rows])
    text = pd.factorize(np.concatenate([party_of(debits), party]))[0].astype(np.int64)
    both = joint_code(book.owners(every), text, *([] if account is None else [account[every]]))
    wanted = both[len(debits) :]
    near = np.isin(both[: len(debits)], wanted)
    debits, code = debits[near], both[: len(debits)][near]
    place, amount, day = book.account[debits], book.amount[debits], book.day[debits]
    rank = rank_of_tied(book.txn_id[debits], joint_code(place, amount, day, code))
    order = np.lexsort((rank, place, amount, day, code))
    debits, code = debits[order], code[order]
    low = int(book.day.min()) - within_days
    span = int(book.day.max()) - low + 2
    moment = code * span + (book.day[debits] - low)
    at = wanted * span + (book.day[wanted_rows] - low)
    first = np.searchsorted(moment, at - within_days, side="left")
    last = np.searchsorted(moment, at, side="right")
    left = -book.amount[debits]
    for index in np.flatnonzero((last > first) & (party != "")):
        taken = take_from_last(left[first[index] : last[index]], int(book.amount[wanted_rows[index]]))
        if taken >= 0:
            refunded[candidates[index]] = debits[first[index] + taken]
    return refunded


def take_from_last(left: Codes, amount: int) -> int:
    """Return the index of the last of some debits with at least an amount left, and deduct the amount from it; -1 if there is none.

    Args:
        left: What is left of each debit, minor units; changed in place.
        amount: Minor units.
    """
    enough = np.flatnonzero(left >= amount)
    if not enough.size:
        return -1
    left[enough[-1]] -= amount
    return int(enough[-1])
