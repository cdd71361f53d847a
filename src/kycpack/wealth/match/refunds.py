"""Money that comes back to where it came from, by names, sums and dates.

A credit no larger than what is left of an earlier debit to the same party is a refund. Pay or rent may go back without a word: all of
it, or what was paid beyond the usual amount, is sent to the payer to the penny.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from kycpack.wealth.match.other_names import Texts
from kycpack.wealth.prepare.coded import Codes, Mask, first_of_each, is_in, joint_code, sorted_by
from kycpack.wealth.prepare.intake import Book

_FEWEST_USUAL = 3
_MOST_LOOKED_AT = 40  # latest debits of which two may make up one refund
_RETURNED_DAYS = 31  # who pays monthly finds it by the next payday


def match_refunds(
    book: Book,
    credits_: Codes,
    spent: Mask,
    left: Codes,
    party: Texts,
    party_of: Callable[[Codes], Texts],
    within_days: int,
    account: Codes | None = None,
) -> Codes:
    """Return the debit that each credit pays back.

    Args:
        book: Transactions.
        credits_: Rows of credits that nothing else explains.
        spent: Rows of the book that are debits and count.
        left: What is left of each debit of the book after earlier refunds, minor units; changed in place.
        party: Text that names the payer of each credit; empty if there is none.
        party_of: Returns the text that names the other party of rows of the book, in the same form.
        within_days: Number of days before the credit in which the debit may lie.
        account: Account of each row of the book in which both must be; None if they may be in different ones.

    Returns:
        For each credit a row of the book, the latest of those that fit, or the later of two that fit together; -1 if none fits.
    """
    refunded = np.full(len(credits_), -1, dtype=np.int64)
    if not credits_.size:
        return refunded
    customers = np.zeros(len(book.customer.distinct), dtype=np.bool_)
    customers[book.customer.codes[credits_]] = True
    debits = np.flatnonzero(spent & customers[book.customer.codes])
    every = np.concatenate([debits, credits_])
    text = pd.factorize(np.concatenate([party_of(debits), party]))[0].astype(np.int64)
    both = joint_code(book.owners(every), text, *([] if account is None else [account[every]]))
    wanted = both[len(debits) :]
    near = is_in(both[: len(debits)], wanted)
    debits, code = debits[near], both[: len(debits)][near]
    place, amount, day = book.account[debits], book.amount[debits], book.day[debits]
    order = sorted_by(code, day, amount, place, book.place[debits])
    debits, code = debits[order], code[order]
    low = int(book.day.min()) - within_days
    span = int(book.day.max()) - low + 2
    moment = code * span + (book.day[debits] - low)
    at = wanted * span + (book.day[credits_] - low)
    first = np.searchsorted(moment, at - within_days, side="left")
    last = np.searchsorted(moment, at, side="right")
    mine = left[debits]
    for index in np.flatnonzero((last > first) & (party != "")):
        earlier, wanted_minor = mine[first[index] : last[index]], int(book.amount[credits_[index]])
        taken = take_from_last(earlier, wanted_minor)
        if taken < 0:
            taken = take_from_two(earlier, wanted_minor)
        if taken >= 0:
            refunded[index] = debits[first[index] + taken]
    left[debits] = mine
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


def take_from_two(left: Codes, amount: int) -> int:
    """Return the index of the later of two debits whose sum an amount is, the latest such pair, and leave nothing of both; -1 if there is none.

    Args:
        left: What is left of each debit, minor units; changed in place.
        amount: Minor units.
    """
    later: dict[int, int] = {}
    for at in range(len(left) - 1, max(len(left) - 1 - _MOST_LOOKED_AT, -1), -1):
        minor = int(left[at])
        other = later.get(amount - minor)
        if minor and other is not None:
            left[[at, other]] = 0
            return other
        later.setdefault(minor, at)
    return -1


def match_excess(
    book: Book, rows: Codes, candidates: Codes, spent: Mask, payer: Codes, named: Callable[[Codes], Texts]
) -> tuple[Codes, Codes]:
    """Return the debit that may have given back all of each credit, and the one that may have given back a part of it; -1 if there is none.

    A debit may give it back if it is the only one of its amount to the same name from the account that was overpaid, within a month.
    A credit was too much if it is larger by that amount than what its payer usually pays there, or if it is of that amount and no larger than
    what is usual: the debit gave back a smaller payment beside the usual one, or the usual one itself.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        candidates: Credits, as indexes into `rows`, that nothing else takes back.
        spent: Rows of the book that are debits and may take something back.
        payer: Code of each credit's payer.
        named: Returns the words that name the other party of rows of the book.
    """
    whole, part = np.full(len(rows), -1, dtype=np.int64), np.full(len(rows), -1, dtype=np.int64)
    amount = book.amount[rows[candidates]]
    excess = _excess(amount, joint_code(book.holdings(rows[candidates]), payer[candidates]))
    over, excess = candidates[excess > 0], excess[excess > 0]
    debits = np.flatnonzero(
        spent & np.isin(-book.amount, excess) & np.isin(book.account, book.account[rows[over]])
    )
    if not debits.size:
        return whole, part
    near = is_in(excess, -book.amount[debits]) & is_in(book.account[rows[over]], book.account[debits])
    over, excess = over[near], excess[near]
    back: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    for debit, key in zip(debits.tolist(), _keys(book, debits, -book.amount[debits], named), strict=True):
        back[key].append(debit)
    used: set[int] = set()
    paid = zip(over.tolist(), _keys(book, rows[over], excess, named), strict=True)
    for one, key in sorted(paid, key=lambda each: -int(book.day[rows[each[0]]])):
        sent = back.get(key, [])
        if not key[-1] or len(sent) != 1 or sent[0] in used:
            continue
        if 0 <= int(book.day[sent[0]] - book.day[rows[one]]) <= _RETURNED_DAYS:
            found = whole if -book.amount[sent[0]] == book.amount[rows[one]] else part
            found[one] = sent[0]
            used.add(sent[0])
    return whole, part


def _keys(
    book: Book, rows: Codes, amount: Codes, named: Callable[[Codes], Texts]
) -> Iterator[tuple[int, int, str]]:
    """Return account and currency, an amount, and the other party's name of rows."""
    return zip(book.holdings(rows).tolist(), amount.tolist(), named(rows).tolist(), strict=True)


def _excess(amount: Codes, group: Codes) -> Codes:
    """Return how much of each amount is too much; 0 if nothing is.

    It is what exceeds the usual amount of its group by less than as much again; all of the usual amount, and of a smaller one that was paid only once.
    """
    if not len(amount):
        return amount
    cells = joint_code(group, amount)
    count = np.bincount(cells)[cells]
    groups = joint_code(group)
    most = first_of_each(groups, -amount, -count)
    usual = np.where(count[most] >= _FEWEST_USUAL, amount[most], 0)[groups]
    more = amount - usual
    all_of_it = (usual > 0) & ((more == 0) | ((more < 0) & (count == 1)))
    return np.where((more > 0) & (more < usual), more, np.where(all_of_it, amount, 0))
