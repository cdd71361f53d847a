"""The last months of a stream, and sentences about what it pays now and next, from its payments.

The months are counted in whole periods of its calendar, so that level payments come to the same sum whenever the data ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.models.dates import day_words
from kycpack.models.listed import counted
from kycpack.models.money import divided, format_minor
from kycpack.wealth.prepare.coded import Codes, Mask
from kycpack.wealth.prepare.lexicon import OTHER

BY_MONTH = frozenset({"semi_monthly", "monthly", "quarterly", "semi_annual", "annual"})
"""The cadences that count in calendar months."""

PERIOD_DAYS = {"weekly": 7, "fortnightly": 14, "four_weekly": 28}
"""Days in one period of the cadences that count in weeks."""

PERIODS = {
    3: {"weekly": 13, "fortnightly": 6, "four_weekly": 3},
    12: {"weekly": 52, "fortnightly": 26, "four_weekly": 13},
}
"""By number of months: how many periods of the cadences in `PERIOD_DAYS` stand for them."""

SELDOM = frozenset({"semi_annual", "annual"})
"""The cadences without a whole period in three months."""

GOING_ON = frozenset({"early", "active", "late"})
"""The statuses of streams from which a payment is expected."""

NEAR_DAYS = 5
"""The days by which weekends and holidays move a payment at most."""

FEWEST_COMPARED = 3
"""Number of days with a payment in the last 3 months, and in the months before, from which on their medians show a trend."""

FEWEST_MORE = 2
"""Number of days with a payment more, or fewer, than usual in the last 3 months that show a trend."""

TREND_RULE = (
    f"it is rising or falling only if the payments show it too: their median in the last 3 months against that in the months before, with at least "
    f"{FEWEST_COMPARED} payments in each, or at least {FEWEST_MORE} payments more or fewer than in 3 of the months before; and only if the next amount does not contradict it"
)
LAST_PAYMENTS = 3
"""Number of latest payments whose median is the next amount."""

TREND_PERCENT = 5
"""Percentage difference between the last 3 and the last 12 months above which an income is rising or falling."""

CONTRADICTED = ", which other evidence contradicts"
"""What is added to the nature of a stream whose evidence disagrees."""

TWICE = "may be counted twice"
_PERHAPS_BACK = "may have been taken back"
_TAKEN_BACK = "was taken back"
LESS = (TWICE, _PERHAPS_BACK, _TAKEN_BACK)
"""What is said of the parts of a total, in the order of `parts_of`."""

IN_SILENCE, TOO_SELDOM, TOO_SHORT, BEGAN, MAYBE_TWICE, MAYBE_BACK, ONE_PAYMENT, NOT_SHOWN = (
    "silence",
    "seldom",
    "short",
    "began",
    "twice",
    "taken_back",
    "one_payment",
    "not_shown",
)
NOT_STATED = {
    IN_SILENCE: "payments may be missing from the data",
    TOO_SELDOM: "it comes once or twice a year",
    TOO_SHORT: "there are less than 12 months of data",
    BEGAN: "it began in the last 12 months, so an average over these would be too low",
    MAYBE_TWICE: f"it depends on what {TWICE}",
    MAYBE_BACK: f"it depends on what {_PERHAPS_BACK}",
    ONE_PAYMENT: "one payment more or less at the end of the data would change it",
    NOT_SHOWN: "one payment or one unusual month makes the difference",
}
"""Why the trend of a stream is not stated, by `trend_unknown`."""

_CADENCES = {
    "four_weekly": "four-weekly",
    "semi_monthly": "twice a month",
    "semi_annual": "half-yearly",
    "annual": "yearly",
    "irregular": "irregular",
}


def starts_of_windows(
    stream: Codes, day: Codes, end: Codes, months: int, cadence: npt.NDArray[np.object_], going_on: Mask
) -> Codes:
    """Return the day before the last months of each stream, days since 1970-01-01.

    Paid on the last working day, three months may hold four payments, or two: a window with a payment at both of its ends begins later, and one
    with a payment at neither of them, but just before it, begins earlier. A window of weeks begins midway between two expected payments.

    Args:
        stream: Index of the stream of each payment.
        day: Booking day of each payment, days since 1970-01-01.
        end: Last day of the window of each stream.
        months: Length of the window, a key of `PERIODS`.
        cadence: Cadence of each stream, one of `CADENCES`.
        going_on: Which streams have a status of `GOING_ON`.
    """
    if not len(end):
        return end
    start = months_before(end, months)

    def has(since: Codes, until: Codes) -> Mask:
        found = np.zeros(len(end), dtype=np.bool_)
        found[stream[(day > since[stream]) & (day <= until[stream])]] = True
        return found

    at_start, at_end = has(start, start + NEAR_DAYS), has(end - NEAR_DAYS, end)
    before = has(start - NEAR_DAYS, start)
    by_month = np.isin(cadence, sorted(BY_MONTH))
    later = by_month & at_start & at_end
    earlier = by_month & going_on & before & ~at_start & ~at_end
    start = start + NEAR_DAYS * later - NEAR_DAYS * earlier
    last = np.full(len(end), np.iinfo(np.int64).min)
    np.maximum.at(last, stream, day)
    for name, period in PERIOD_DAYS.items():
        overdue = np.maximum((end - min(NEAR_DAYS, period // 2) - last) // period, 0)
        begins = last + (overdue - PERIODS[months][name]) * period + period // 2
        start = np.where(cadence == name, begins, start)
    return np.asarray(start, dtype=np.int64)


def a_month(total_minor: int, months: int, cadence: str) -> int:
    """Return what the sum of a window comes to in a month, rounded as in `divided`.

    Args:
        total_minor: Sum of the payments in the window, minor units.
        months: Length of the window, a key of `PERIODS`.
        cadence: One of `CADENCES`; the periods of one that counts in weeks are taken at 52 weeks a year.
    """
    if cadence in PERIOD_DAYS:
        total_minor, months = total_minor * PERIODS[12][cadence], 12 * PERIODS[months][cadence]
    return divided(total_minor, months)


def months_before(days: Codes, months: int) -> Codes:
    """Return the same days a number of months earlier, or the last day of a shorter month; days since 1970-01-01."""
    date = days.astype("datetime64[D]")
    month = date.astype("datetime64[M]")
    same = (month - months).astype("datetime64[D]") + (date - month.astype("datetime64[D]"))
    last = (month - months + 1).astype("datetime64[D]") - 1
    return np.asarray(np.minimum(same, last), dtype=np.int64)


def silence_words(row: Mapping[str, Any]) -> str:
    """Return the time without any transaction in which payments of a stream may be missing, in words; empty if there is none.

    Args:
        row: A row of frame `streams`.
    """
    from_on: Any = row.get("silent_from_on")
    if from_on is None or pd.isna(from_on):
        return ""
    first, last = (day_words(pd.Timestamp(day)) for day in (from_on, row["silent_to_on"]))
    return f"an account that receives it shows no transaction between {first} and {last}"


def not_stated_words(row: Mapping[str, Any]) -> str:
    """Return why the trend of a stream is not stated, with the days of a time in which payments may be missing.

    Args:
        row: A row of frame `streams` without a trend.
    """
    why = str(row["trend_unknown"])
    silence = silence_words(row) if why == IN_SILENCE else ""
    return f"{silence}, and {NOT_STATED[why]}" if silence else NOT_STATED[why]


def cadence_words(cadence: str) -> str:
    """Return a class of cadence in everyday words."""
    return _CADENCES.get(cadence, cadence)


def without_doubt(row: Mapping[str, Any]) -> str:
    """Return the description of a stream without the words that other evidence contradicts its nature.

    Args:
        row: A row of frame `streams`. Its payer's name, which comes first in the description, may hold the same words.
    """
    described = str(row["description"])
    if not row["doubtful"] or row["type"] == OTHER:
        return described
    before, _, after = described.rpartition(CONTRADICTED)
    return f"{before}{after}"


def amounts_of(payments: pd.DataFrame) -> list[int]:
    """Return the amounts of credits, minor units.

    Args:
        payments: Rows of frame `credits`.
    """
    return [int(amount) for amount in payments["amount_minor"]]


def parts_of(payments: pd.DataFrame) -> tuple[int, int, int]:
    """Return how much of the sum of credits may be counted twice, may have been taken back, and was taken back, in minor units.

    Args:
        payments: Rows of frame `credits`.
    """
    twice, perhaps, back = (
        int(payments[f"{name}_minor"].sum()) for name in ("may_be_twice", "may_be_returned", "returned")
    )
    return twice, perhaps, back


def unsure_words(credit: Any) -> str:
    """Return that a credit may be counted twice, or that it or a part of it may have been taken back; empty if neither.

    Args:
        credit: A row of frame `credits` with least_minor, most_minor and may_be_twice_minor.
    """
    if credit.least_minor == credit.most_minor:
        return ""
    return TWICE if credit.may_be_twice_minor else _PERHAPS_BACK


def outlook_lines(row: Mapping[str, Any], payments: pd.DataFrame) -> Iterator[str]:
    """Yield what the last months come to in a month, the trend, and what is expected next, each with its basis.

    Args:
        row: A row of frame `streams`.
        payments: Its rows of frame `credits`, in order of date.
    """
    end = pd.Timestamp(row["data_to_on"])
    for months in PERIODS:
        if not pd.isna(row[f"monthly_{months}_minor"]):
            yield _months(row, payments[payments["booked_on"] >= row[f"monthly_{months}_from_on"]], months)
    if pd.isna(row["trend"]):
        yield f"Trend: not stated, because {not_stated_words(row)}."
    else:
        yield f"Trend: {row['trend']}, comparing a month of the first of these two periods with a month of the second; a difference of at most {TREND_PERCENT}% counts as level, and {TREND_RULE}."
    if not pd.isna(row["next_minor"]) and not pd.isna(row["next_on"]):
        numbers = payments["booked_on"].to_numpy().astype("datetime64[D]").astype(np.int64)
        yield _next(row, numbers.tolist(), end, twice=bool(payments["may_repeat_txn_id"].notna().any()))


def _months(row: Mapping[str, Any], inside: pd.DataFrame, months: int) -> str:
    currency, cadence = row["currency"], row["cadence"]
    first, last = (pd.Timestamp(row[name]) for name in (f"monthly_{months}_from_on", "data_to_on"))
    days = f"{day_words(first)} to {day_words(last)}"
    if not len(inside):
        return f"In the last {months} months, {days}: no payment."
    paid, parts = sum(amounts_of(inside)), parts_of(inside)
    twice, perhaps, back = parts
    most = paid - back
    least = most - twice - perhaps
    column = f"monthly_{months}"
    monthly = _range(int(row[f"{column}_least_minor"]), int(row[f"{column}_minor"]), currency)
    unsure = [what for minor, what in zip(parts, LESS, strict=True) if minor and what != _TAKEN_BACK]
    count = counted(len(inside), "payment") + (f", some of which {' or '.join(unsure)}" if unsure else "")
    if back:
        count += f", without {format_minor(back, currency)} that {_TAKEN_BACK}"
    sums = f"{_range(least, most, currency)} in {count}"
    as_paid = f"; {format_minor(int(row[f'{column}_paid_minor']), currency)} a month as paid" if back else ""
    if cadence in PERIOD_DAYS:
        periods = f"{PERIODS[months][cadence]} {cadence_words(cadence)} periods"
        basis = f"{PERIODS[12][cadence]} such periods count as 12 months"
        return f"Over the last {periods}, {days}: {monthly} a month ({sums}; {basis}){as_paid}."
    return f"In the last {months} months, {days}: {monthly} a month ({sums}, divided by {months}){as_paid}."


def _next(row: Mapping[str, Any], days: Sequence[int], end: pd.Timestamp, *, twice: bool) -> str:
    distinct = sorted(set(days))[-LAST_PAYMENTS:]
    several = sum(day in distinct for day in days) > len(distinct)
    last_ones = "sums of the last {} days with a payment" if several else "last {} payments"
    begins, on = ("Overdue", ", expected on") if row["next_on"] <= end else ("Expected next", " on")
    amount = format_minor(int(row["next_minor"]), row["currency"])
    expected = f"{begins}: {amount}{on} {day_words(pd.Timestamp(row['next_on']))}"
    return (
        f"{expected}, by its calendar and the median of the {last_ones.format(len(distinct))}"
        f"{f', without what {TWICE}' if twice else ''}."
    )


def _range(least: int, most: int, currency: str) -> str:
    """Return an amount, or the range of it."""
    if least == most:
        return format_minor(most, currency)
    return f"between {format_minor(least, currency)} and {format_minor(most, currency)}"


def less_lines(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield how much of a total is left without what was, or may have been, taken back, and without what may be counted twice.

    Args:
        row: A source, as `sources_of` returns it.
    """
    least, most, twice = (
        int(row[name]) for name in ("least_total_minor", "most_total_minor", "may_be_twice_minor")
    )
    parts = (twice, most - least - twice, int(row["total_minor"]) - most)
    said = [
        f"{format_minor(minor, row['currency'])} {what}"
        for minor, what in zip(parts, LESS, strict=True)
        if minor
    ]
    if said:
        left = format_minor(least, row["currency"])
        yield f"{f'At least {left}' if least < most else f'{left} net'}: {', and '.join(said)}."
