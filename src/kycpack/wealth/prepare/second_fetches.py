"""Finds a history that was fetched twice, with new ids the second time: every payment of an account occurs twice.

One pair of equal payments on a day is two payments. If every payment occurs twice on several days in a row, or in a whole account, the
history was fetched twice.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.coded import Codes, distinct_of
from kycpack.wealth.prepare.intake import Book

_FEWEST_KINDS = 5
_FEWEST_CONTENTS = 8
_FEWEST_OF_WHOLE = 6
_FEWEST_OPEN = 3
_OPEN_SHARE = 0.8


def find_second_fetches(
    book: Book, rows: Codes, content: Codes, kind_of: Callable[[Codes], Codes]
) -> tuple[Codes, Codes]:
    """Return which rows repeat another row of the same account.

    Args:
        book: Transactions.
        rows: Rows that count and are not repeats by id.
        content: Code for the day, amount, currency and text of each of them.
        kind_of: Returns a code for the amount, currency and text of rows.

    Returns:
        For each row of the book the row it repeats, otherwise -1: first the certain repeats, because several days in a row with several
        kinds of payments, or a whole account, are repeated; then the possible ones, because nearly a whole account is.
    """
    sure, maybe = np.full(len(book), -1, dtype=np.int64), np.full(len(book), -1, dtype=np.int64)
    key = book.account[rows] * (int(content.max(initial=0)) + 1) + content
    # Only accounts with enough repeated rows are examined.
    again = pd.Series(key).duplicated().to_numpy()
    often = np.bincount(book.account[rows[again]], minlength=len(book.account_ids)) >= _FEWEST_OPEN
    near = often[book.account[rows]]
    rows, key = rows[near], key[near]
    kind = kind_of(rows)
    distinct, first, where, counts = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    account = book.account[rows[first]]
    several = np.bincount(account[counts > 1], minlength=len(book.account_ids))
    for one in np.flatnonzero(several >= _FEWEST_OPEN).tolist():
        mine = np.flatnonzero(account == one)
        days, kinds, number = book.day[rows[first[mine]]], kind[first[mine]], counts[mine]
        times = np.zeros(len(distinct), dtype=np.int64)
        for run in _runs(days, number):
            whole = len(run) == len(mine) and len(run) >= _FEWEST_OF_WHOLE
            if whole or (len(run) >= _FEWEST_CONTENTS and len(distinct_of(kinds[run])) >= _FEWEST_KINDS):
                times[mine[run]] = gcd(*number[run].tolist())
        _name(book, rows, where, times, sure)
        rest = mine[times[mine] == 0]
        open_ = rest[counts[rest] > 1]
        if len(open_) >= max(_FEWEST_OPEN, _OPEN_SHARE * len(rest)):
            times[:] = 0
            times[open_] = gcd(*counts[open_].tolist())
            _name(book, rows, where, times, maybe)
    return sure, maybe


def _runs(days: Codes, number: Codes) -> list[Codes]:
    """Return the contents of each run of days on which every payment is repeated."""
    order = np.argsort(days, kind="stable")
    distinct, day = np.unique(days[order], return_inverse=True)
    single = np.bincount(day[number[order] == 1], minlength=len(distinct)) > 0
    run_of_day = np.cumsum(np.diff(single.astype(np.int64), prepend=-1) != 0)
    run = run_of_day[day]
    return [order[run == one] for one in distinct_of(run_of_day[~single]).tolist()]


def _name(book: Book, rows: Codes, where: Codes, times: Codes, named: Codes) -> None:
    """Set the row that each row of a repeated content repeats."""
    mine = np.flatnonzero(times[where] > 1)
    if not mine.size:
        return
    ids = book.evidence_id
    rank = np.argsort(np.argsort(ids.distinct.astype(str), kind="stable"), kind="stable")
    fetch = np.append(rank, -1)[ids.codes[rows[mine]]]
    order = mine[np.lexsort((book.place[rows[mine]], fetch, where[mine]))]
    start = np.searchsorted(where[order], where[order], side="left")
    place = np.arange(len(order)) - start
    size = np.bincount(where, minlength=len(times))[where[order]] // times[where[order]]
    repeats = place >= size
    named[rows[order[repeats]]] = rows[order[start[repeats] + place[repeats] % size[repeats]]]
