"""Pay that was too much and may have gone back without a word: what a firm paid beyond the usual amount is sent to it to the penny."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np

from kycpack.wealth.match.refunds import Texts
from kycpack.wealth.prepare.coded import Codes, Mask, first_of_each, joint_code
from kycpack.wealth.prepare.intake import Book

_FEWEST_USUAL = 3
_RETURNED_DAYS = 31  # who pays monthly finds it by the next payday


def match_excess(
    book: Book, rows: Codes, candidates: Codes, spent: Mask, payer: Codes, named: Callable[[Codes], Texts]
) -> tuple[Codes, Codes]:
    """Return the debit that may have given back all of each credit, and the one that may have given back a part of it; -1 if there is none.

    A debit may give it back if it is the only one of its amount to the same name from the account that was overpaid, within a month.
    A credit was too much if it is larger by that amount than what its payer usually pays there, or is a smaller payment beside it.

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
    debits = np.flatnonzero(spent & np.isin(-book.amount, excess) & np.isin(book.account, book.account[rows[over]]))
    if not debits.size:
        return whole, part
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

    It is what exceeds the usual amount of its group by less than as much again; all of a smaller amount that was paid only once.
    """
    if not len(amount):
        return amount
    cells = joint_code(group, amount)
    count = np.bincount(cells)[cells]
    groups = joint_code(group)
    most = first_of_each(groups, -amount, -count)
    usual = np.where(count[most] >= _FEWEST_USUAL, amount[most], 0)[groups]
    more = amount - usual
    return np.where((more > 0) & (more < usual), more, np.where((more < 0) & (count == 1), amount, 0))
