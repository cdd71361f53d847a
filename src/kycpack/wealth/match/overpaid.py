"""Pay that was too much and may have gone back without a word: what a firm paid beyond the usual amount is sent to it to the penny."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from kycpack.wealth.match.refunds import Texts
from kycpack.wealth.prepare.coded import Codes, Mask, joint_code
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
    debits = np.flatnonzero(spent)
    if not over.size or not debits.size:
        return whole, part
    places = np.concatenate([book.holdings(rows[over]), book.holdings(debits)])
    key = joint_code(places, np.concatenate([excess, -book.amount[debits]]))
    wanted, of_debit = key[: len(over)], key[len(over) :]
    near = np.isin(of_debit, wanted)
    debits, of_debit = debits[near], of_debit[near]
    back: dict[tuple[int, str], list[int]] = defaultdict(list)
    for debit, code, name in zip(debits.tolist(), of_debit.tolist(), named(debits).tolist(), strict=True):
        back[code, name].append(debit)
    used: set[int] = set()
    names = named(rows[over]).tolist()
    for one, code, name in sorted(
        zip(over.tolist(), wanted.tolist(), names, strict=True),
        key=lambda each: -int(book.day[rows[each[0]]]),
    ):
        sent = back.get((code, name), [])
        if not name or len(sent) != 1 or sent[0] in used:
            continue
        if 0 <= int(book.day[sent[0]] - book.day[rows[one]]) <= _RETURNED_DAYS:
            found = whole if -book.amount[sent[0]] == book.amount[rows[one]] else part
            found[one] = sent[0]
            used.add(sent[0])
    return whole, part


def _excess(amount: Codes, group: Codes) -> Codes:
    """Return how much of each amount is too much; 0 if nothing is.

    It is what exceeds the usual amount of its group by less than as much again; all of a smaller amount that was paid only once.
    """
    if not len(amount):
        return amount
    cells = joint_code(group, amount)
    count = np.bincount(cells)[cells]
    order = np.lexsort((amount, count, group))
    last = order[np.append(np.diff(group[order]) > 0, True)]
    usual = np.zeros(int(group.max()) + 1, dtype=np.int64)
    usual[group[last]] = np.where(count[last] >= _FEWEST_USUAL, amount[last], 0)
    more = amount - usual[group]
    return np.where((more > 0) & (more < usual[group]), more, np.where((more < 0) & (count == 1), amount, 0))
