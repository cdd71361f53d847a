"""The order of an account's payments within one day, where times of booking or running balances show it.

A date says which of two payments came first only if they are of different days. Of one day, each payment begins at the balance at which the one
before it ended. If the times or the balances of a whole day allow one order alone, it is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.coded import Codes, Mask, joint_code
from kycpack.wealth.prepare.feed_holes import balance_known, balances_of
from kycpack.wealth.prepare.intake import Book

_MOST_ROWS = 200  # of one account on one day
_MOST_TRIED = 12  # rows of a day that returns to a balance, whose orders are tried one by one


@dataclass(frozen=True, eq=False)
class _Days:
    """The payments of an account and currency, day after day.

    Args:
        starts: Index of the first payment of each day.
        group: Day of each payment, as an index into `starts`.
        holder: Account and currency of each day.
        opens: Balance before each payment, minor units.
        closes: Balance after each payment, minor units.
        loose: How many opening balances of each day are the closing balance of no other payment of the day.
        begin: The only such balance of each day, minor units.
        end: The only closing balance of each day that no payment starts from, minor units.
    """

    starts: Codes
    group: Codes
    holder: Codes
    opens: Codes
    closes: Codes
    loose: Codes
    begin: Codes
    end: Codes


def turns_of(book: Book, transactions: pd.DataFrame, counted: Mask, large: Mask) -> Codes:
    """Return the place of each row among those of its account, currency and day, from 1; 0 where the data does not show it, or nobody asks.

    Args:
        book: The transactions as read by `take_in`.
        transactions: The same rows as given, for `balance_after_minor`.
        counted: Which rows count.
        large: Which rows are of a size that matters: the order is worked out for days with such a credit and such a debit.
    """
    turn = np.zeros(len(book), dtype=np.int64)
    rows = np.flatnonzero(counted)
    rows = rows[np.lexsort((book.place[rows], book.day[rows], book.holdings(rows)))]
    if not rows.size:
        return turn
    holder, day = book.holdings(rows), book.day[rows]
    group = np.cumsum(np.r_[False, (np.diff(holder) != 0) | (np.diff(day) != 0)])
    size = np.bincount(group)
    into, out = (
        np.bincount(group, large[rows] & way) > 0 for way in (book.amount[rows] > 0, book.amount[rows] < 0)
    )
    asked = into & out & (size <= _MOST_ROWS)
    _by_time(book, rows, group, asked, turn)
    asked &= turn[rows[np.r_[0, np.cumsum(size)[:-1]]]] == 0
    known = balance_known(transactions)[rows]
    whole = np.bincount(group, known) == size
    if (asked & whole).any():
        mine = whole[group]
        days = _days(book, rows[mine], holder[mine], balances_of(transactions, rows[mine]), group[mine])
        _by_balance(days, rows[mine], asked[whole], turn)
    return turn


def _by_time(book: Book, rows: Codes, group: Codes, asked: Mask, turn: Codes) -> None:
    """Fill in the places of days on which each payment has a time of its own."""
    timed = asked & (np.bincount(group, book.second[rows] > 0) == np.bincount(group))
    at = np.flatnonzero(timed[group])
    at = at[np.lexsort((book.second[rows[at]], group[at]))]
    second, of = book.second[rows[at]], group[at]
    again = (np.diff(of) == 0) & (np.diff(second) == 0)
    tied = np.unique(of[1:][again])
    place = np.arange(len(at)) - np.searchsorted(of, of) + 1
    fine = ~np.isin(of, tied)
    turn[rows[at[fine]]] = place[fine]


def _days(book: Book, rows: Codes, holder: Codes, closes: Codes, group: Codes) -> _Days:
    """Return the days of which every payment has a balance, numbered from 0."""
    group = np.unique(group, return_inverse=True)[1].astype(np.int64)
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    opens = closes - book.amount[rows]
    node = joint_code(np.concatenate([group, group]), np.concatenate([opens, closes]))
    size = len(rows)
    surplus = np.bincount(node[:size], minlength=len(node)) - np.bincount(node[size:], minlength=len(node))
    excess = np.zeros(len(node), dtype=np.int64)
    excess[node[:size]] = np.maximum(surplus[node[:size]], 0)
    _, first = np.unique(node[:size], return_index=True)
    loose = np.zeros(len(starts), dtype=np.int64)
    np.add.at(loose, group[first], excess[node[first]])
    begin, end = np.zeros(len(starts), dtype=np.int64), np.zeros(len(starts), dtype=np.int64)
    begins, ends = surplus[node[:size]] > 0, surplus[node[size:]] < 0
    begin[group[begins]] = opens[begins]
    end[group[ends]] = closes[ends]
    return _Days(starts, group, holder[starts], opens, closes, loose, begin, end)


def _by_balance(days: _Days, rows: Codes, asked: Mask, turn: Codes) -> None:
    """Fill in the places of days whose balances allow one order alone."""
    ends = np.r_[days.starts[1:], len(rows)]
    for one in np.flatnonzero(asked & (days.loose <= 1)).tolist():
        begin = _begin(days, one)
        if begin is None:
            continue
        mine = slice(int(days.starts[one]), int(ends[one]))
        steps = list(zip(days.opens[mine].tolist(), days.closes[mine].tolist(), strict=True))
        order = _only_order(begin, steps)
        if order is not None:
            turn[rows[mine][order]] = np.arange(1, len(order) + 1)


def _begin(days: _Days, one: int) -> int | None:
    """Return the balance at which a day begins; of a day that ends where it began, the days around it show which balance that is."""
    if days.loose[one]:
        return int(days.begin[one])
    for step, balance in ((-1, days.end), (1, days.begin)):
        near = one + step
        while 0 <= near < len(days.starts) and days.holder[near] == days.holder[one]:
            if days.loose[near]:
                if days.loose[near] > 1:
                    break
                return int(balance[near])
            near += step
    return None


def _only_order(begin: int, steps: Sequence[tuple[int, int]]) -> list[int] | None:
    """Return the only order in which each step opens where the one before it closed; None if there is none, or several."""
    by_open: dict[int, list[int]] = {}
    for index, (opens, _) in enumerate(steps):
        by_open.setdefault(opens, []).append(index)
    if len(by_open) < len(steps) and len(steps) > _MOST_TRIED:
        return None
    found = _orders(begin, steps, by_open)
    first = next(found, None)
    return first if next(found, None) is None else None


def _orders(
    begin: int, steps: Sequence[tuple[int, int]], by_open: dict[int, list[int]]
) -> Iterator[list[int]]:
    """Yield the orders of all steps that join, from a balance on."""
    taken: list[int] = []
    options = [iter(by_open.get(begin, ()))]
    while options:
        step = next((one for one in options[-1] if one not in taken), None)
        if step is None:
            options.pop()
            if taken:
                taken.pop()
        elif len(taken) + 1 == len(steps):
            yield [*taken, step]
        else:
            taken.append(step)
            options.append(iter(by_open.get(steps[step][1], ())))
