"""What happened within a stream.

Steps in its amount, dips, payments far from its median or on days that its calendar does not expect, the longest time without a payment, and the rhythm of
payments without a calendar; with sentences about steps, dips and such payments.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise
from statistics import median
from typing import Any

import numpy as np
import pandas as pd

from kycpack.models.dates import day_words
from kycpack.models.listed import counted, listed
from kycpack.models.money import divided, format_minor
from kycpack.wealth.judge.red_flags.flag import to_date
from kycpack.wealth.prepare.coded import Codes

_FEWEST_BEFORE = 2
_SMALLEST_STEP = 0.01
_PAYMENTS_FOR_ONE_ODD = 5  # one odd payment among so many does not hide a step
_STEADY_WITHIN = 0.5  # how far the payments on one side of a step may differ, as a share of the step
_DIP = 0.75
_LONG_GAP = 1.6
_NEARLY_USUAL = 1.25
_FEWEST_OF_A_RHYTHM = 4
_STEADY_SHARE = 0.15
_DAYS_OF_A_MONTH = 30.44
_MONTHS_FROM_DAYS = 45
_MOST_DIPS = 2
FAR = 3
"""An amount is far from the median if it is more than so many times the median, or less than the median divided by it."""

_FEWEST_BESIDE_ODD = 3  # of fewer payments none is usual
_MOST_ODD_SHARE = (
    4  # if more than one payment in so many is far from the median, the amounts have no usual size
)
_MOST_ODD_NAMED = 3
Odd = tuple[int, int]
"""Day, in days since 1970-01-01, and minor units of a payment."""


@dataclass(frozen=True)
class Step:
    """A day from which payments are larger, or smaller, than before.

    Args:
        on: Date of the first payment after the step.
        before_minor: Median of the payments since the step before, minor units.
        since_minor: Median of the payments up to the next step, minor units.
        odd_count: Payments that are at least half a step away from the level on their side; 0 if every payment since is larger, or every one is
            smaller, than all before.
    """

    on: date
    before_minor: int
    since_minor: int
    odd_count: int = 0


@dataclass(frozen=True)
class Gap:
    """The longest time between two payments.

    Args:
        from_on: The payment before it.
        to_on: The payment after it.
        days: Days between the two.
        usual_days: Median number of days between days with a payment.
    """

    from_on: date
    to_on: date
    days: int
    usual_days: int


@dataclass(frozen=True)
class Dip:
    """Consecutive payments that are far below the usual amount before and after them.

    Args:
        from_on: Date of the first of these payments.
        to_on: Date of the last one.
        count: Number of these payments.
        lowest_minor: The lowest of them, minor units.
        usual_minor: Median of the other payments, minor units.
    """

    from_on: date
    to_on: date
    count: int
    lowest_minor: int
    usual_minor: int


def steps_of(days: Sequence[date], amounts: Sequence[int]) -> list[Step]:
    """Return the steps in the amounts, in order of date; none if the amounts do not separate into levels.

    Args:
        days: Dates of payments, in order.
        amounts: Minor units.
    """
    levels = [0, *_step_places(amounts, 0, len(amounts), is_whole=True), len(amounts)]
    steps = []
    for start, place, end in zip(levels, levels[1:], levels[2:], strict=False):
        sides = _Sides(sorted(amounts[start:place]), sorted(amounts[place:end]))
        odd = 0 if sides.are_apart() else sum(sides.odd_counts())
        steps.append(Step(days[place], sides.low, sides.high, odd))
    return steps


def _step_places(amounts: Sequence[int], start: int, end: int, *, is_whole: bool) -> list[int]:
    """Return the places of the steps between two places, in order.

    The payments of the whole stream may vary on both sides of a step that parts all of them. Beside odd payments, and within a part of the
    stream, they have to keep to their level, because a few varying payments are easily in order by chance.
    """
    found: list[tuple[int, float, int]] = []
    first = start + _FEWEST_BEFORE
    before, since = sorted(amounts[start : first - 1]), sorted(amounts[first - 1 : end])
    for place in range(first, end - _FEWEST_BEFORE + 1):
        insort(before, amounts[place - 1])
        del since[bisect_left(since, amounts[place - 1])]
        sides = _Sides(before, since)
        size = abs(sides.high - sides.low) / max(sides.low, 1)
        if size < _SMALLEST_STEP:
            continue
        if is_whole and sides.are_apart():
            found.append((0, -size, place))
        elif sides.have_few_odd() and sides.keep_to_levels():
            found.append((sum(sides.odd_counts()), -size, place))
    if not found:
        return []
    place = min(found)[-1]
    return [
        *_step_places(amounts, start, place, is_whole=False),
        place,
        *_step_places(amounts, place, end, is_whole=False),
    ]


class _Sides:
    """The payments before and since a possible step, each in order of amount.

    Attributes:
        low: Median of those before, minor units.
        high: Median of those since, minor units.
    """

    def __init__(self, before: Sequence[int], since: Sequence[int]) -> None:
        self._both = (before, since)
        self.low, self.high = _middle(before), _middle(since)
        reach = abs(self.high - self.low) / 2
        # The payments less than half a step away from the level on their side; the others are odd.
        self._kept = [
            side[bisect_right(side, level - reach) : bisect_left(side, level + reach)]
            for side, level in zip(self._both, (self.low, self.high), strict=True)
        ]

    def are_apart(self) -> bool:
        """Return whether every payment after a step is larger, or every one is smaller, than all before it."""
        before, since = self._both
        return before[-1] < since[0] or before[0] > since[-1]

    def odd_counts(self) -> list[int]:
        return [len(side) - len(kept) for side, kept in zip(self._both, self._kept, strict=True)]

    def have_few_odd(self) -> bool:
        return all(
            odd <= len(side) // _PAYMENTS_FOR_ONE_ODD
            for odd, side in zip(self.odd_counts(), self._both, strict=True)
        )

    def keep_to_levels(self) -> bool:
        """Return whether the payments on both sides, without the odd ones, differ little compared with the step between them."""
        most = _STEADY_WITHIN * abs(self.high - self.low)
        return all(kept[-1] - kept[0] <= most for kept in self._kept)


def dips_of(days: Sequence[date], amounts: Sequence[int]) -> list[Dip]:
    """Return the runs of payments below three quarters of the median that have other payments before and after them."""
    usual = median(amounts)
    low = [amount < _DIP * usual for amount in amounts]
    others = [amount for amount, below in zip(amounts, low, strict=True) if not below]
    runs = ([*run] for below, run in groupby(range(len(amounts)), low.__getitem__) if below)
    return [
        Dip(days[run[0]], days[run[-1]], len(run), min(amounts[at] for at in run), _middle(sorted(others)))
        for run in runs
        if run[0] > 0 and run[-1] + 1 < len(amounts)
    ]


def rhythm_of(days: Sequence[date]) -> str | None:
    """Return how often payments come if their gaps are steady but fit no calendar, as in "every two months"; None if they are not steady."""
    distinct = sorted(set(days))
    gaps = [(after - before).days for before, after in pairwise(distinct)]
    if len(distinct) < _FEWEST_OF_A_RHYTHM:
        return None
    usual = float(median(gaps))
    if any(abs(gap - usual) > _STEADY_SHARE * usual for gap in gaps):
        return None
    if usual >= _MONTHS_FROM_DAYS:
        months = round(usual / _DAYS_OF_A_MONTH)
        return f"every {_NUMBERS.get(months, str(months))} months"
    return f"every {round(usual)} days"


_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 8: "eight", 9: "nine", 10: "ten"}


def gap_of(days: Sequence[date], holes: Sequence[tuple[date, date]] = ()) -> Gap | None:
    """Return the longest time between two days with a payment; None if it is close to the usual one.

    Args:
        days: Days of the payments, in order.
        holes: First and last day of each hole in the feed, in order; a time that is usual apart from them is no gap.
    """
    spans = list(pairwise(sorted(set(days))))
    if len(spans) < _FEWEST_BEFORE:
        return None
    usual = int(median(map(_length, spans)))
    longest = max((span for span in spans if not _explained(span, holes, usual)), key=_length, default=None)
    if longest is None or _length(longest) <= _LONG_GAP * usual:
        return None
    return Gap(*longest, _length(longest), usual)


def _length(span: tuple[date, date]) -> int:
    return (span[1] - span[0]).days


def lacks_payment(days: Sequence[date], start: date, end: date) -> bool:
    """Return whether a payment may be missing between two days: those around are further apart than usual, or the next one is due.

    Args:
        days: Days of the payments, in order; the first is not after `start`, and none lies between.
        start: First day of a hole in the feed.
        end: Its last day.
    """
    usual = median([(after - before).days for before, after in pairwise(days)] or [0])
    before = max(day for day in days if day <= start)
    after = next((day for day in days if day >= end), None)
    if after is None:
        return (start - before).days <= _LONG_GAP * usual < _LONG_GAP * (end - before).days
    return (after - before).days > _LONG_GAP * usual


def _explained(span: tuple[date, date], holes: Sequence[tuple[date, date]], usual: int) -> bool:
    """Return whether a hole lies within the time, and what is left of it before and after is no longer than usual."""
    inside = [(start, end) for start, end in holes if span[0] <= start and end <= span[1]]
    edges = [span[0], *(day for hole in inside for day in hole), span[1]]
    left = [(after - before).days for before, after in zip(edges[::2], edges[1::2], strict=True)]
    return bool(inside) and max(left) <= usual * _NEARLY_USUAL


def _middle(ordered: Sequence[int]) -> int:
    """Return the median of values in order; for an even number the mean of the middle two, rounded as in `divided`."""
    return divided(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2], 2)


def dip_lines(days: Sequence[date], amounts: Sequence[int], currency: str) -> Iterator[str]:
    """Yield a sentence about each dip, or one about all of them if there are many.

    Args:
        days: Dates of payments, in order.
        amounts: Minor units.
        currency: ISO 4217.
    """
    dips = dips_of(days, amounts)
    if len(dips) > _MOST_DIPS:
        count, lowest = sum(dip.count for dip in dips), min(dip.lowest_minor for dip in dips)
        which = f"Dips: {count} payments on {len(dips)} occasions, the lowest {format_minor(lowest, currency)}, are"
        yield f"{which} {_below(dips[0], currency)}"
        return
    for dip in dips:
        lowest_words = format_minor(dip.lowest_minor, currency)
        which = (
            f"A dip: the payment on {day_words(dip.from_on)}, {lowest_words}, is"
            if dip.count == 1
            else f"A dip: {dip.count} payments from {day_words(dip.from_on)} to {day_words(dip.to_on)}, the lowest {lowest_words}, are"
        )
        yield f"{which} {_below(dip, currency)}"


def _below(dip: Dip, currency: str) -> str:
    return f"below three quarters of the median; the median of the others is {format_minor(dip.usual_minor, currency)}."


def step_lines(days: Sequence[date], amounts: Sequence[int], currency: str) -> Iterator[str]:
    """Yield the sentence about the steps in the amounts of a stream, if there are any.

    Args:
        days: Dates of payments, in order.
        amounts: Minor units.
        currency: ISO 4217.
    """
    steps = steps_of(days, amounts)
    if len(steps) > 1:
        levels = "".join(
            f", {format_minor(step.since_minor, currency)} since {day_words(step.on)}" for step in steps
        )
        yield (
            f"The amounts changed in {len(steps)} steps: median {format_minor(steps[0].before_minor, currency)} at first{levels}."
        )
    elif steps:
        (step,) = steps
        side = "larger" if step.since_minor > step.before_minor else "smaller"
        medians = f"median {format_minor(step.before_minor, currency)} before, {format_minor(step.since_minor, currency)} since"
        if step.odd_count:
            odd = f"{counted(step.odd_count, 'payment does', 'payments do')} not fit this"
            yield f"Since {day_words(step.on)} payments have been {side}: {medians}; {odd}."
        else:
            yield f"Since {day_words(step.on)} every payment has been {side} than any before: {medians}."


def odd_payments(stream: Codes, day: Codes, amount: Codes, median: Codes) -> dict[int, list[Odd]]:
    """Return the payments that are far from the median of their stream, by the index of the stream, in order of day and amount.

    Args:
        stream: Index of the stream of each payment.
        day: Booking day of each payment, days since 1970-01-01.
        amount: Amount of each payment, minor units.
        median: Median of each stream, minor units.
    """
    usual = np.maximum(median[stream], 1).astype(np.float64)
    enough = np.bincount(stream, minlength=len(median))[stream] >= _FEWEST_BESIDE_ODD
    far = enough & ((amount > FAR * usual) | (FAR * amount.astype(np.float64) < usual))
    found: dict[int, list[Odd]] = defaultdict(list)
    for one, when, minor in sorted(
        zip(stream[far].tolist(), day[far].tolist(), amount[far].tolist(), strict=True)
    ):
        found[one].append((when, minor))
    return found


def odd_words(odd: Sequence[Odd], count: int, currency: str) -> str | None:
    """Return what is said of the payments of a stream that are far from its median; None if there are none.

    Args:
        odd: As returned by `odd_payments`.
        count: Number of all payments of the stream, without those that may be counted twice.
        currency: ISO 4217.
    """
    if not odd:
        return None
    amounts = [minor for _, minor in odd]
    ends = f"{format_minor(min(amounts), currency)} to {format_minor(max(amounts), currency)}"
    days = f"{day_words(to_date(odd[0][0]))} to {day_words(to_date(odd[-1][0]))}"
    whole = f"{format_minor(sum(amounts), currency)} in all"
    if len(odd) <= _MOST_ODD_NAMED:
        each = [f"{format_minor(minor, currency)} on {day_words(to_date(day))}" for day, minor in odd]
        return f"far from the median: {listed(each)}"
    if len(odd) * _MOST_ODD_SHARE > count:
        return f"the amounts have no usual size: {len(odd)} are far from the median, {ends}, {whole}"
    return f"far from the median: {len(odd)} payments of {ends}, {whole}, from {days}"


def expected_words(row: Mapping[str, Any], anchor: str) -> list[str]:
    """Return how many of the expected payments were seen, how many of them on another day than expected, and how many, without what may be counted twice, that were not expected; nothing for an irregular stream.

    Args:
        row: A row of frame `streams`.
        anchor: The slots in words; empty if irregular.
    """
    if not anchor:
        return []
    unseen = f", {row['silent_count']} more in a hole in the feed" if row["silent_count"] else ""
    near = f" ({row['near_count']} of them early or late)" if row["near_count"] else ""
    # What was expected after the last payment of a stream that has ceased is not among them.
    until = f" up to {day_words(pd.Timestamp(row['last_on']).date())}" if row["status"] == "ceased" else ""
    said = [
        f"{row['filled_count']} of {row['expected_count']} expected payments{until} were seen{near}{unseen}"
    ]
    more = int(row["count"]) - int(row["may_be_twice_count"]) - int(row["filled_count"])
    # Before a change of the calendar other days were expected.
    if more > 0 and pd.isna(row["calendar_changed_on"]):
        said.append(
            counted(
                more,
                "further payment came that was not expected",
                "further payments came that were not expected",
            )
        )
    return said
