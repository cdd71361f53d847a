"""What happened within a stream: a step in its amount, dips, the longest time without a payment, and the rhythm of payments without a calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from statistics import median

_FEWEST_BEFORE = 2
_SMALLEST_STEP = 0.01
_DIP = 0.75
_LONG_GAP = 1.6
_NEARLY_USUAL = 1.25
_FEWEST_OF_A_RHYTHM = 4
_STEADY_SHARE = 0.15
_DAYS_OF_A_MONTH = 30.44
_MONTHS_FROM_DAYS = 45


@dataclass(frozen=True)
class Step:
    """A day from which every payment is larger, or every payment is smaller, than all before it.

    Args:
        on: Date of the first payment after the step.
        before_minor: Median before it, minor units.
        since_minor: Median since then, minor units.
    """

    on: date
    before_minor: int
    since_minor: int


@dataclass(frozen=True)
class Gap:
    """The longest time between two payments.

    Args:
        from_on: The payment before it.
        to_on: The payment after it.
        days: Days between the two.
        usual_days: Median number of days between payments.
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


def step_of(days: Sequence[date], amounts: Sequence[int]) -> Step | None:
    """Return the largest step in the amounts; None if they do not separate into two levels.

    Args:
        days: Dates of payments, in order.
        amounts: Minor units.
    """
    best: tuple[float, Step] | None = None
    for place in range(_FEWEST_BEFORE, len(amounts) - _FEWEST_BEFORE + 1):
        before, since = amounts[:place], amounts[place:]
        if max(before) < min(since) or min(before) > max(since):
            low, high = _middle(before), _middle(since)
            size = abs(high - low) / max(low, 1)
            if size >= _SMALLEST_STEP and (best is None or size > best[0]):
                best = (size, Step(days[place], low, high))
    return None if best is None else best[1]


def dips_of(days: Sequence[date], amounts: Sequence[int]) -> list[Dip]:
    """Return the runs of payments below three quarters of the median that have other payments before and after them."""
    usual = median(amounts)
    low = [amount < _DIP * usual for amount in amounts]
    others = [amount for amount, below in zip(amounts, low, strict=True) if not below]
    dips: list[Dip] = []
    at = 0
    while at < len(amounts):
        end = at
        while end < len(amounts) and low[end]:
            end += 1
        if 0 < at < end < len(amounts):
            dips.append(Dip(days[at], days[end - 1], end - at, min(amounts[at:end]), _middle(others)))
        at = max(end, at + 1)
    return dips


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
    """Return the longest time between two payments; None if it is close to the usual one.

    Args:
        days: Days of the payments, in order.
        holes: First and last day of each hole in the feed, in order; a time that is usual apart from them is no gap.
    """
    gaps = [(after - before).days for before, after in pairwise(days)]
    if len(gaps) < _FEWEST_BEFORE:
        return None
    usual = int(median(gaps))
    places = [place for place, span in enumerate(pairwise(days)) if not _explained(span, holes, usual)]
    if not places:
        return None
    place = max(places, key=gaps.__getitem__)
    longest = gaps[place]
    return Gap(days[place], days[place + 1], longest, usual) if longest > _LONG_GAP * max(usual, 1) else None


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


def _middle(values: Sequence[int]) -> int:
    """Return the lower median, which is an amount that was paid."""
    return sorted(values)[(len(values) - 1) // 2]
