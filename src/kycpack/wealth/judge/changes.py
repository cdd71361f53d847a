"""What happened within a stream: steps in its amount, dips, the longest time without a payment, and the rhythm of payments without a calendar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import pairwise
from statistics import median

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
    places = sorted(_step_places(amounts, 0, len(amounts), is_whole=True))
    levels = [0, *places, len(amounts)]
    steps = []
    for start, place, end in zip(levels, levels[1:], levels[2:], strict=False):
        before, since = amounts[start:place], amounts[place:end]
        odd = 0 if _are_apart(before, since) else len(_odd_payments(before, since))
        steps.append(Step(days[place], _middle(before), _middle(since), odd))
    return steps


def _step_places(amounts: Sequence[int], start: int, end: int, *, is_whole: bool) -> list[int]:
    """Return the places of the steps between two places.

    The payments of the whole stream may vary on both sides of a step that parts all of them. Beside odd payments, and within a part of the
    stream, they have to keep to their level, because a few varying payments are easily in order by chance.
    """
    found: list[tuple[int, float, int]] = []
    for place in range(start + _FEWEST_BEFORE, end - _FEWEST_BEFORE + 1):
        before, since = amounts[start:place], amounts[place:end]
        low, high = _middle(before), _middle(since)
        size = abs(high - low) / max(low, 1)
        if size < _SMALLEST_STEP:
            continue
        odd = _odd_payments(before, since)
        if is_whole and _are_apart(before, since):
            found.append((0, -size, place))
        elif _are_few(odd, before, since) and _keep_to_levels(before, since, odd):
            found.append((len(odd), -size, place))
    if not found:
        return []
    place = min(found)[-1]
    return [
        *_step_places(amounts, start, place, is_whole=False),
        place,
        *_step_places(amounts, place, end, is_whole=False),
    ]


def _are_apart(before: Sequence[int], since: Sequence[int]) -> bool:
    """Return whether every payment after a step is larger, or every one is smaller, than all before it."""
    return max(before) < min(since) or min(before) > max(since)


def _are_few(odd: set[int], before: Sequence[int], since: Sequence[int]) -> bool:
    of_before = sum(place < len(before) for place in odd)
    return (
        of_before <= len(before) // _PAYMENTS_FOR_ONE_ODD
        and len(odd) - of_before <= len(since) // _PAYMENTS_FOR_ONE_ODD
    )


def _odd_payments(before: Sequence[int], since: Sequence[int]) -> set[int]:
    """Return the places of the payments that are at least half a step away from the level on their side."""
    low, high = _middle(before), _middle(since)
    reach = abs(high - low) / 2
    levels = [low] * len(before) + [high] * len(since)
    every = zip([*before, *since], levels, strict=True)
    return {place for place, (amount, level) in enumerate(every) if abs(amount - level) >= reach}


def _keep_to_levels(before: Sequence[int], since: Sequence[int], odd: set[int]) -> bool:
    """Return whether the payments on both sides, without the odd ones, differ little compared with the step between them."""
    most = _STEADY_WITHIN * abs(_middle(since) - _middle(before))
    sides = (
        [amount for place, amount in enumerate(before) if place not in odd],
        [amount for place, amount in enumerate(since, len(before)) if place not in odd],
    )
    return all(max(side) - min(side) <= most for side in sides)


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
    """Return the longest time between two days with a payment; None if it is close to the usual one.

    Args:
        days: Days of the payments, in order.
        holes: First and last day of each hole in the feed, in order; a time that is usual apart from them is no gap.
    """
    spans = list(pairwise(sorted(set(days))))
    if len(spans) < _FEWEST_BEFORE:
        return None
    usual = _middle([_length(span) for span in spans])
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


def _middle(values: Sequence[int]) -> int:
    """Return the median; for an even number the mean of the middle two, rounded half-even."""
    ordered = sorted(values)
    return round(Fraction(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2], 2))
