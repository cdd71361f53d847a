"""The order of an account's payments within one day, where times of booking or running balances show it.

A date says which of two payments came first only if they are of different days. Of one day, each payment begins at the balance at which the one
before it ended. If the times or the balances of a whole day allow one order alone, it is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kycpack.wealth.prepare.coded import Codes, Mask, is_in, joint_code, sorted_by
from kycpack.wealth.prepare.intake import Book

_MOST_ROWS = 200  # of one account on one day
_MOST_TRIED = 12  # rows of a day that returns to a balance, whose orders are tried one by one


@dataclass(frozen=True, eq=False)
class _Days:
    """The payments of accounts and currencies, day after day.

    Args:
        rows: The rows, by account, currency and day.
        starts: Index into `rows` of the first payment of each day.
        holder: Account and currency of each day.
        moment: Account, currency and day as one number.
        opens: Balance before each payment, minor units.
        closes: Balance after each payment, minor units.
        next_: Index into `rows` of a payment of the day that opens at the balance at which each one closes; -1 if there is none.
        again: Whether several payments of each day open at one balance.
        loose: How many opening balances of each day are the closing balance of no other payment of the day; two if a balance is not known.
        begin: The only such balance of each day, minor units.
        end: The only closing balance of each day that no payment starts from, minor units.
    """

    rows: Codes
    starts: Codes
    holder: Codes
    moment: Codes
    opens: Codes
    closes: Codes
    next_: Codes
    again: Mask
    loose: Codes
    begin: Codes
    end: Codes


def turns_of(book: Book, counted: Mask, large: Mask) -> Codes:
    """Return the place of each row among those of its account, currency and day, from 1; 0 where the data does not show it, or nobody asks.

    Args:
        book: The transactions.
        counted: Which rows count.
        large: Which rows are of a size that matters: the order is worked out for days with such a credit and such a debit.
    """
    turn = np.zeros(len(book), dtype=np.int64)
    rows = np.flatnonzero(counted)
    into, out = (
        _moment(book, np.flatnonzero(counted & large & way)) for way in (book.amount > 0, book.amount < 0)
    )
    mine = rows[is_in(_moment(book, rows), into[is_in(into, out)])]
    if not mine.size:
        return turn
    _by_time(book, mine, joint_code(_moment(book, mine)), turn)
    days = _days(book, mine[turn[mine] == 0])
    _from_the_beginning(days, turn)
    _by_balance(days, (days.loose == 1) & days.again, turn)
    # A day that ends at the balance at which it begins: the days around it show which balance that is.
    level = days.loose == 0
    if level.any():
        around = _days(book, rows[np.isin(book.holdings(rows), days.holder[level])])
        _by_balance(around, np.isin(around.moment, days.moment[level]), turn)
    return turn


def _moment(book: Book, rows: Codes) -> Codes:
    return book.holdings(rows) * (1 << 20) + book.day[rows]


def _by_time(book: Book, rows: Codes, group: Codes, turn: Codes) -> None:
    """Fill in the places of days on which each payment has a time of its own."""
    timed = np.bincount(group, book.second[rows] > 0) == np.bincount(group)
    at = np.flatnonzero(timed[group])
    at = at[sorted_by(group[at], book.second[rows[at]])]
    second, of = book.second[rows[at]], group[at]
    again = (np.diff(of) == 0) & (np.diff(second) == 0)
    fine = ~np.isin(of, of[1:][again])
    place = np.arange(len(at)) - np.searchsorted(of, of) + 1
    turn[rows[at[fine]]] = place[fine]


def _days(book: Book, rows: Codes) -> _Days:
    rows = rows[sorted_by(_moment(book, rows), book.place[rows])]
    moment = _moment(book, rows)
    starts = np.flatnonzero(np.diff(moment, prepend=-1))
    size = np.diff(np.append(starts, len(rows)))
    group = np.repeat(np.arange(len(starts)), size)
    closes = book.balance[rows]
    opens = closes - book.amount[rows]
    node = joint_code(np.concatenate([group, group]), np.concatenate([opens, closes]))
    opened, closed = node[: len(rows)], node[len(rows) :]
    surplus = np.bincount(opened, minlength=len(node)) - np.bincount(closed, minlength=len(node))
    _, first = np.unique(opened, return_index=True)
    loose = np.zeros(len(starts), dtype=np.int64)
    np.add.at(loose, group[first], np.maximum(surplus[opened[first]], 0))
    known = book.balance_known[rows]
    loose[(np.bincount(group, known, minlength=len(starts)) < size) | (size > _MOST_ROWS)] = 2
    begin, end = np.zeros(len(starts), dtype=np.int64), np.zeros(len(starts), dtype=np.int64)
    begins, ends = surplus[opened] > 0, surplus[closed] < 0
    begin[group[begins]] = opens[begins]
    end[group[ends]] = closes[ends]
    opening = np.full(len(node), -1, dtype=np.int64)
    opening[opened] = np.arange(len(rows))
    again = np.bincount(group, opening[opened] != np.arange(len(rows))) > 0
    holder = book.holdings(rows[starts])
    return _Days(
        rows, starts, holder, moment[starts], opens, closes, opening[closed], again, loose, begin, end
    )


def _from_the_beginning(days: _Days, turn: Codes) -> None:
    """Fill in the places of days that return to no balance: from the payment that opens the day, each one leads to the next."""
    size = np.diff(np.append(days.starts, len(days.rows)))
    known = np.repeat((days.loose == 1) & ~days.again, size)
    at = np.flatnonzero(known & (days.opens == np.repeat(days.begin, size)))
    place = 0
    while at.size:
        place += 1
        turn[days.rows[at]] = place
        at = days.next_[at]
        at = at[(at >= 0) & (turn[days.rows[at]] == 0)]
    # Payments that only lead to one another are joined with no other of the day.
    lost = np.add.reduceat(turn[days.rows] == 0, days.starts) > 0
    turn[days.rows[known & np.repeat(lost, size)]] = 0


def _by_balance(days: _Days, asked: Mask, turn: Codes) -> None:
    """Fill in the places of days whose balances allow one order alone."""
    ends = np.append(days.starts[1:], len(days.rows))
    for one in np.flatnonzero(asked).tolist():
        begin = _begin(days, one)
        if begin is None:
            continue
        mine = slice(int(days.starts[one]), int(ends[one]))
        steps = list(zip(days.opens[mine].tolist(), days.closes[mine].tolist(), strict=True))
        order = _only_order(begin, steps)
        if order is not None:
            turn[days.rows[mine][order]] = np.arange(1, len(order) + 1)


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
