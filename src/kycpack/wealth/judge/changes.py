"""What happened within a stream: a step in its amount, dips, the longest time without a payment."""

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


@dataclass(frozen=True)
class Step:
    """A day from which every payment is larger, or smaller, than all before it.

    Args:
        on: Date of the first payment after it.
        before_minor: Median before.
        since_minor: Median since.
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
        usual_days: Median of days between payments.
    """

    from_on: date
    to_on: date
    days: int
    usual_days: int


def step_of(days: Sequence[date], amounts: Sequence[int]) -> Step | None:
    """Return the largest step in amounts, None where they do not part into two levels.

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


def dips_of(days: Sequence[date], amounts: Sequence[int]) -> list[tuple[date, int]]:
    """Return payments between others that are below three quarters of the median."""
    usual = median(amounts)
    inner = list(zip(days, amounts, strict=True))[1:-1]
    return [(day, amount) for day, amount in inner if amount < _DIP * usual]


def gap_of(days: Sequence[date]) -> Gap | None:
    """Return the longest time between two payments, None where it is near the usual one."""
    gaps = [(after - before).days for before, after in pairwise(days)]
    if len(gaps) < _FEWEST_BEFORE:
        return None
    usual = int(median(gaps))
    longest = max(gaps)
    place = gaps.index(longest)
    return Gap(days[place], days[place + 1], longest, usual) if longest > _LONG_GAP * max(usual, 1) else None


def _middle(values: Sequence[int]) -> int:
    """Return the lower median, which was paid."""
    return sorted(values)[(len(values) - 1) // 2]
