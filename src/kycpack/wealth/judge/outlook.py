"""What streams pay now: the latest payment, its monthly equivalent, the trend, and what is expected next.

A trend is stated only if the payments show it themselves, so that no single payment or unusual month makes one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.judge.dispositions import Repeats
from kycpack.wealth.judge.outlook_words import (
    BEGAN,
    FEWEST_COMPARED,
    FEWEST_MORE,
    GOING_ON,
    IN_SILENCE,
    LAST_PAYMENTS,
    MAYBE_BACK,
    MAYBE_TWICE,
    NOT_SHOWN,
    ONE_PAYMENT,
    SELDOM,
    TOO_SELDOM,
    TOO_SHORT,
    TREND_PERCENT,
    a_month,
    months_before,
    starts_of_windows,
)
from kycpack.wealth.prepare.coded import Codes, Mask, distinct_of, ordinals, pick, sorted_by
from kycpack.wealth.prepare.feed_holes import Silences
from kycpack.wealth.prepare.intake import Book, to_datetimes
from kycpack.wealth.streams.cadence import CADENCES, IRREGULAR
from kycpack.wealth.streams.grouping import Grouping
from kycpack.wealth.streams.streams import STATUSES, grouped_median

OUTLOOK_COLUMNS = (
    "latest_minor",
    "next_minor",
    "next_most_minor",
    "monthly_3_minor",
    "monthly_3_least_minor",
    "monthly_3_paid_minor",
    "monthly_3_sum_minor",
    "monthly_3_from_on",
    "monthly_12_minor",
    "monthly_12_least_minor",
    "monthly_12_paid_minor",
    "monthly_12_sum_minor",
    "monthly_12_from_on",
    "trend",
    "trend_unknown",
    "silent_from_on",
    "silent_to_on",
    "data_to_on",
)
RISING, FALLING, LEVEL = "rising", "falling", "level"

_SHORT, _LONG = 3, 12
_LATE_DAYS = 45  # after the longer window began: no regular payment that was there before is as late
_GOES_ON = tuple(STATUSES.index(name) for name in sorted(GOING_ON))
_QUARTERS_BEFORE = 3  # the 9 months before the last 3


def outlook_of(
    book: Book, rows: Codes, grouping: Grouping, chosen: Codes, repeats: Repeats, silences: Silences
) -> dict[str, Any]:
    """Return the outlook for streams.

    Args:
        book: Transactions.
        rows: Rows of the credits.
        grouping: Groups by payer.
        chosen: The groups that are streams.
        repeats: Credits that may be counted twice, or were partly taken back.
        silences: Times in which payments may be missing: no trend is stated over one.

    Returns:
        `OUTLOOK_COLUMNS` of frame `streams`: the latest payment; the next amount (median of the last three days with a payment, each with the sum
        of its payments that are not possibly counted twice, and of all), if one is expected; what the last 3 and the last 12 months up to `data_to_on`,
        in whole periods of the calendar, come to in a month, if the data goes back that far and the time holds a whole period (see `starts_of_windows`):
        without what was taken back, at the least, and as it was paid, with the sum that is divided and the first day of the time; and how the first differs from the second, if that does not depend on where
        the time ends, nor on what may be counted twice or may have been taken back, nor on what may be missing, the payments themselves show it (see `shown_by_payments`), and they did not begin in that time; otherwise why that is not known.
        Then the silence in which the next payment of a ceased stream was expected, or for which there is no trend of another one.
        Amounts in minor units.
    """
    credit, stream = grouping.credits_of(chosen)
    day, amount = book.day[rows[credit]], book.amount[rows[credit]]
    order = sorted_by(stream, day, amount)
    stream, day, amount = stream[order], day[order], amount[order]
    ends = np.cumsum(np.bincount(stream, minlength=len(chosen)))
    ordered = credit[order]
    once = repeats.of_credit[ordered] < 0
    net = amount - repeats.returned[ordered]
    least = net - repeats.twice[ordered] - repeats.may_be_returned[ordered]
    those = once | (np.bincount(stream[once], minlength=len(chosen)) == 0)[stream]
    usual, usual_most = (
        _usual(stream, day, amount, which, len(chosen))
        for which in (those, np.ones(len(stream), dtype=np.bool_))
    )
    first, last = _data_days(book)
    owner = grouping.customer[chosen]
    going_on = np.isin(grouping.status[chosen], _GOES_ON)
    expected = grouping.regular[chosen] & going_on
    code = grouping.cadences.code[chosen]
    cadence = np.array(CADENCES, dtype=object)[code]
    end = last[owner]
    monthly: list[list[int | None]] = []
    windows, starts = list[tuple[Any, ...]](), list[Codes]()
    for months in (_SHORT, _LONG):
        start = starts_of_windows(stream, day, end, months, cadence, going_on)
        starts.append(start)
        whole = np.minimum(start, months_before(end, months)) if len(end) else end
        seen = first[owner] <= whole + 1
        if months == _SHORT:
            seen &= ~np.isin(cadence, sorted(SELDOM))
        within = day > start[stream]
        sums = []
        for paid in (net, least, amount):
            total = np.zeros(len(chosen), dtype=np.int64)
            np.add.at(total, stream[within], paid[within])
            sums.append(total)
        monthly += [
            [
                a_month(value, months, name) if ok else None
                for value, name, ok in zip(total.tolist(), cadence.tolist(), seen.tolist(), strict=True)
            ]
            for total in sums
        ]
        begins = np.where(seen, to_datetimes(start + 1), np.datetime64("NaT", "s"))
        windows.append((pd.arrays.IntegerArray(sums[0], ~seen), begins))
    one = np.where(code == IRREGULAR, grouping.groups.median[chosen], 0) / _SHORT
    of_most, of_least = (
        [_trend(*values) for values in zip(monthly[place], monthly[place + 3], one.tolist(), strict=True)]
        for place in (0, 1)
    )
    unsure = np.array([high != low for high, low in zip(of_most, of_least, strict=True)], dtype=np.bool_)
    counted_once = Payments(*(values[those] for values in (stream, day, net)))
    not_shown = _not_shown(of_most, *shown_by_payments(counted_once, starts, np.where(expected, usual, -1)))
    # The last window is the longer one.
    account = book.account[rows[ordered]]
    silence = _silence(stream, account, start, end, silences)
    began = grouping.regular[chosen] & (day[np.append(0, ends)[:-1]] > start + _LATE_DAYS)
    twice = np.zeros(len(chosen), dtype=np.int64)
    np.add.at(twice, stream[within], repeats.twice[ordered][within])
    why = np.select(
        [
            unsure & (twice > 0),
            silence >= 0,
            np.isin(cadence, sorted(SELDOM)),
            ~seen,
            began,
            unsure,
            not_shown,
        ],
        [MAYBE_TWICE, IN_SILENCE, TOO_SELDOM, TOO_SHORT, BEGAN, MAYBE_BACK, NOT_SHOWN],
        ONE_PAYMENT,
    )
    hidden = (unsure | (silence >= 0) | began | not_shown).tolist()
    trends = [None if one else trend for one, trend in zip(hidden, of_most, strict=True)]
    columns = (
        amount[ends - 1],
        pd.arrays.IntegerArray(usual, ~expected),
        pd.arrays.IntegerArray(usual_most, ~expected),
        *map(_integers, monthly[:3]),
        *windows[0],
        *map(_integers, monthly[3:]),
        *windows[1],
        trends,
        [word if trend is None else None for trend, word in zip(trends, why.tolist(), strict=True)],
        *_silent_days(grouping, chosen, stream, account, silence, silences),
        to_datetimes(last[owner]),
    )
    return dict(zip(OUTLOOK_COLUMNS, columns, strict=True))


def _not_shown(trends: list[str | None], falls: Mask, rises: Mask) -> Mask:
    """Return which of the trends go up or down and are not shown by the payments."""
    is_down, is_up = (
        np.array([one == trend for one in trends], dtype=np.bool_) for trend in (FALLING, RISING)
    )
    return np.asarray((is_down & ~falls) | (is_up & ~rises), dtype=np.bool_)


def _integers(values: list[int | None]) -> pd.arrays.IntegerArray:
    missing = np.array([value is None for value in values], dtype=np.bool_)
    return pd.arrays.IntegerArray(np.array([value or 0 for value in values], dtype=np.int64), missing)


def _usual(stream: Codes, day: Codes, amount: Codes, counted: Mask, size: int) -> Codes:
    """Return the median of the sums of the last days with a payment of each stream; payments are in order of stream and day."""
    stream, day, amount = stream[counted], day[counted], amount[counted]
    begins = np.flatnonzero((np.diff(stream, prepend=-1) != 0) | (np.diff(day, prepend=-1) != 0))
    sums = np.add.reduceat(amount, begins) if len(begins) else amount
    stream = stream[begins]
    count = np.bincount(stream, minlength=size)
    recent = np.cumsum(count)[stream] - np.arange(len(stream)) <= LAST_PAYMENTS
    return grouped_median(stream[recent], sums[recent], np.minimum(count, LAST_PAYMENTS))


def _silent_days(
    grouping: Grouping, chosen: Codes, stream: Codes, account: Codes, silence: Codes, silences: Silences
) -> Iterator[npt.NDArray[np.datetime64]]:
    """Yield the first and the last days of the silences of streams: of a ceased one that in which its next payment was expected, or that given."""
    ceased = grouping.status[chosen] == STATUSES.index("ceased")
    due = grouping.cadences.of(chosen).following[:, 0]
    silence = np.where(ceased, _silence(stream, account, due - 1, due, silences), silence)
    for days in (silences.start, silences.end):
        yield np.where(silence >= 0, to_datetimes(pick(days, silence, 0)), np.datetime64("NaT", "s"))


def _silence(stream: Codes, account: Codes, start: Codes, end: Codes, silences: Silences) -> Codes:
    """Return the latest silence of an account that receives each stream that reaches into a window; -1 where none does.

    Args:
        stream: Index of the stream of each payment.
        account: Account of each payment.
        start: The day before the window of each stream, days since 1970-01-01.
        end: Its last day.
        silences: The silences.
    """
    found = np.full(len(end), -1, dtype=np.int64)
    if not len(silences.account):
        return found
    into, of = np.divmod(distinct_of(account * len(end) + stream), len(end))
    by_account = np.argsort(silences.account, kind="stable")
    of_accounts = silences.account[by_account]
    for_each = np.searchsorted(of_accounts, into)
    number = np.searchsorted(of_accounts, into, side="right") - for_each
    at = by_account[ordinals(np.repeat(np.arange(len(of)), number)) + np.repeat(for_each, number)]
    of = np.repeat(of, number)
    inside = (silences.end[at] - 1 > start[of]) & (silences.start[at] < end[of])
    of, at = of[inside], at[inside]
    by_end = sorted_by(silences.end[at], silences.start[at])
    found[of[by_end]] = at[by_end]
    return found


def _data_days(book: Book) -> tuple[Codes, Codes]:
    """Return the first and the last day of each customer's data."""
    counted = np.flatnonzero(book.counted)
    customer = book.customer.codes[counted]
    first = np.full(len(book.customer.distinct), np.iinfo(np.int64).max)
    last = np.zeros(len(book.customer.distinct), dtype=np.int64)
    np.minimum.at(first, customer, book.day[counted])
    np.maximum.at(last, customer, book.day[counted])
    return first, last


def _trend(short: int | None, long: int | None, one: float) -> str | None:
    """Return how the last 3 months differ from the last 12; None if that is not known.

    Args:
        short: The last 3 months, minor units a month.
        long: The last 12 months, minor units a month.
        one: What one payment more or less in the 3 months changes, for a stream without a calendar: such a change has to leave the answer as it is.
    """
    if short is None or long is None:
        return None
    slack = TREND_PERCENT * long / 100
    if abs(short - long) <= slack:
        return LEVEL
    if short > long:
        return RISING if short - one - long > slack else None
    return FALLING if long - short - one > slack else None


class Payments(NamedTuple):
    """Payments in order of stream and day: the index of their stream, their day, and their amount in minor units."""

    stream: Codes
    day: Codes
    amount: Codes


def shown_by_payments(payments: Payments, starts: Sequence[Codes], expected: Codes) -> tuple[Mask, Mask]:
    """Return which streams the payments show to be falling, and which to be rising.

    The sums of the days with a payment in the last 3 months have a median that differs by more than `TREND_PERCENT` from that of the months before, with at
    least `FEWEST_COMPARED` such days in each; or there are at least `FEWEST_MORE` such days more, or fewer, than in 3 of the months before.

    Args:
        payments: The payments, without those that may be counted twice.
        starts: The day before the last 3 months of each stream, and that before the last 12, days since 1970-01-01.
        expected: The next amount of each stream, minor units, which must not contradict a trend; -1 if none is expected.
    """
    short, long = starts
    stream, day, amount = payments
    begins = np.flatnonzero((np.diff(stream, prepend=-1) != 0) | (np.diff(day, prepend=-1) != 0))
    sums = np.add.reduceat(amount, begins) if len(begins) else amount
    stream, day = stream[begins], day[begins]
    is_last = day > short[stream]
    counts, medians = [], []
    for within in (is_last, ~is_last & (day > long[stream])):
        count = np.bincount(stream[within], minlength=len(short))
        counts.append(count)
        medians.append(grouped_median(stream[within], sums[within], count))
    (last, before), (median, usual) = counts, medians
    compared = (last >= FEWEST_COMPARED) & (before >= FEWEST_COMPARED)
    shown = []
    for sign in (-1, 1):
        by_amount = compared & (100 * sign * (median - usual) > TREND_PERCENT * usual)
        more = sign * (_QUARTERS_BEFORE * last - before)
        by_number = (more >= FEWEST_MORE * _QUARTERS_BEFORE) & (100 * more > TREND_PERCENT * before)
        agrees = (expected < 0) | (before == 0) | (sign * (expected - usual) >= 0)
        shown.append((by_amount | by_number) & agrees)
    return shown[0], shown[1]
