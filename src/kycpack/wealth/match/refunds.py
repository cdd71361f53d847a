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
    wanted_key, wanted_texts = pd.factorize(party)
    number = {text: index for index, text in enumerate(wanted_texts)}
    of_debit, texts = pd.factorize(party_of(debits))
    key = np.array([number.get(text, -1) for text in texts], dtype=np.int64)[of_debit]
    debits, key = debits[key >= 0], key[key >= 0]
    wanted_rows = rows[candidates]
    both = _party(book, np.concatenate([debits, wanted_rows]), np.concatenate([key, wanted_key]), len(number))
    if account is not None:
        both = joint_code(both, account[np.concatenate([debits, wanted_rows])])
    code, wanted = both[: len(debits)], both[len(debits) :]
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
    pool = _Spent(-book.amount[debits])
    named = party != ""
    for index in np.flatnonzero((last > first) & named):
        taken = pool.take(int(first[index]), int(last[index]), int(book.amount[wanted_rows[index]]))
        if taken >= 0:
            refunded[candidates[index]] = debits[taken]
    return refunded


class _Spent:
    """The remainders of debits that can be paid back, as a tree of largest remainders: the search does not slow down with the number of debits.

    Args:
        amounts: Minor units of each debit.
    """

    def __init__(self, amounts: Codes) -> None:
        self._size = 1 << max(len(amounts) - 1, 0).bit_length()
        levels = [np.zeros(self._size, dtype=np.int64)]
        levels[0][: len(amounts)] = amounts
        while len(levels[-1]) > 1:
            levels.append(np.maximum(levels[-1][0::2], levels[-1][1::2]))
        self._most = [0, *np.concatenate(levels[::-1]).tolist()]

    def take(self, first: int, last: int, amount: int) -> int:
        """Return the last debit in a range with at least an amount left, and deduct the amount from it; -1 if there is none."""
        node = self._last_with(first + self._size, last + self._size, amount)
        if node < 0:
            return -1
        while node < self._size:
            node = 2 * node + (self._most[2 * node + 1] >= amount)
        found = node - self._size
        self._most[node] -= amount
        while node > 1:
            node //= 2
            self._most[node] = max(self._most[2 * node], self._most[2 * node + 1])
        return found

    def _last_with(self, low: int, high: int, amount: int) -> int:
        """Return the rightmost leaf in a range that has enough left."""
        lefts = []
        while low < high:
            if high & 1:
                high -= 1
                if self._most[high] >= amount:
                    return high
            if low & 1:
                lefts.append(low)
                low += 1
            low, high = low // 2, high // 2
        return next((node for node in reversed(lefts) if self._most[node] >= amount), -1)


def _party(book: Book, rows: Codes, key: Codes, keys: int) -> Codes:
    return book.owners(rows) * keys + key
