"""What streams pay now: the latest payment, its monthly equivalent, the trend, and what is expected next."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from kycpack.wealth.judge.month_windows import BY_MONTH, GOING_ON, months_before, starts_of_windows
from kycpack.wealth.judge.statement import average_minor
from kycpack.wealth.judge.wording import LAST_PAYMENTS, TREND_PERCENT
from kycpack.wealth.prepare.coded import Codes, Mask
from kycpack.wealth.prepare.intake import Book, to_datetimes
from kycpack.wealth.streams.cadence import CADENCES
from kycpack.wealth.streams.grouping import Grouping
from kycpack.wealth.streams.streams import STATUSES, grouped_median

OUTLOOK_COLUMNS = ("latest_minor", "next_minor", "monthly_3_minor", "monthly_12_minor", "trend", "data_to_on")
RISING, FALLING, LEVEL = "rising", "falling", "level"

_SHORT, _LONG = 3, 12
_GOES_ON = tuple(STATUSES.index(name) for name in sorted(GOING_ON))
_BY_MONTH = tuple(CADENCES.index(name) for name in sorted(BY_MONTH))


def outlook_of(book: Book, rows: Codes, grouping: Grouping, chosen: Codes) -> dict[str, Any]:
    """Return the outlook for streams.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        grouping: Groups by payer.
        chosen: The groups that are streams.

    Returns:
        `OUTLOOK_COLUMNS` of frame `streams`: the latest payment; the next amount (median of the last three), if one is expected; the sum of the
        last 3 and of the last 12 months up to `data_to_on`, divided by the number of months, if the data goes back that far (see
        `starts_of_windows`); and how the first differs from the second. Amounts in minor units.
    """
    place = np.full(len(grouping.groups), -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    credit = np.flatnonzero(grouping.group >= 0)
    credit = credit[place[grouping.group[credit]] >= 0]
    stream, day, amount = place[grouping.group[credit]], book.day[rows[credit]], book.amount[rows[credit]]
    order = np.lexsort((amount, day, stream))
    stream, day, amount = stream[order], day[order], amount[order]
    count = np.bincount(stream, minlength=len(chosen))
    ends = np.cumsum(count)
    from_end = ends[stream] - np.arange(len(stream))
    recent = from_end <= LAST_PAYMENTS
    usual = grouped_median(stream[recent], amount[recent], np.minimum(count, LAST_PAYMENTS))
    first, last = _data_days(book)
    owner = grouping.customer[chosen]
    going_on = np.isin(grouping.status[chosen], _GOES_ON)
    expected = grouping.regular[chosen] & going_on
    by_month = np.isin(grouping.cadences.code[chosen], _BY_MONTH)
    end = last[owner]
    monthly = [
        _a_month(
            stream,
            day,
            amount,
            first[owner],
            (
                starts_of_windows(stream, day, end, months, by_month, going_on),
                months_before(end, months) if len(end) else end,
            ),
            months,
        )
        for months in (_SHORT, _LONG)
    ]
    columns = (
        amount[ends - 1],
        pd.arrays.IntegerArray(usual, ~expected),
        *(pd.array(values, dtype="Int64") for values in monthly),
        [_trend(*pair) for pair in zip(*monthly, strict=True)],
        to_datetimes(last[owner]),
    )
    return dict(zip(OUTLOOK_COLUMNS, columns, strict=True))


def _data_days(book: Book) -> tuple[Codes, Codes]:
    """Return the first and the last day of each customer's data."""
    counted = np.flatnonzero(book.counted)
    customer = book.customer.codes[counted]
    first = np.full(len(book.customer.distinct), np.iinfo(np.int64).max)
    last = np.zeros(len(book.customer.distinct), dtype=np.int64)
    np.minimum.at(first, customer, book.day[counted])
    np.maximum.at(last, customer, book.day[counted])
    return first, last


def _a_month(
    stream: Codes, day: Codes, amount: Codes, first: Codes, windows: tuple[Codes, Codes], months: int
) -> list[int | None]:
    from_start, whole = windows
    within = day > from_start[stream] if len(stream) else np.zeros(0, dtype=np.bool_)
    total = np.zeros(len(first), dtype=np.int64)
    np.add.at(total, stream[within], amount[within])
    seen: Mask = np.asarray(first <= whole + 1, dtype=np.bool_)
    return [
        average_minor(value, months) if ok else None for value, ok in zip(total.tolist(), seen, strict=True)
    ]


def _trend(short: int | None, long: int | None) -> str | None:
    if short is None or long is None:
        return None
    if abs(short - long) * 100 <= TREND_PERCENT * long:
        return LEVEL
    return RISING if short > long else FALLING
