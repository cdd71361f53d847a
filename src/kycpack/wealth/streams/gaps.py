"""Gaps between payments: a habit that is plain from them although the days are beside any calendar's slots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from kycpack.wealth.streams.calendars import Days
from kycpack.wealth.streams.slots import FAMILIES, Floats

_CODES = {family.name: code for code, family in enumerate(FAMILIES)}

# Shortest and longest gap of each class, in days: a payment may be a day beside its slot, and the next a day on the other side.
# So wide, three payments at random within a year keep to one of these less than once in a hundred times.
_BOUNDS = (
    ("weekly", 5, 9),
    ("fortnightly", 12, 16),
    ("four_weekly", 26, 30),
    ("monthly", 28, 33),
    ("quarterly", 88, 95),
)
_SHORTEST_MONTHLY_MEAN = 29.5
_WEEKS = ("weekly", "fortnightly", "four_weekly")
_FEW_GAPS = 4
_LARGEST_DRIFT = 2.01
_WEEK = 7
_FEWEST_WEEKS = 20
_SINGLE_SHARE = 0.85

LOOSE = {_CODES["weekly"]: replace(FAMILIES[_CODES["weekly"]], tolerance_days=3)}
"""Families whose slots are this wide once the gaps have shown the class."""


def steady_gaps(groups: Days, days: Days, count: int) -> Days:
    """Return the class that the gaps of each group keep to, as an index into `FAMILIES`; -1 where there is none.

    Args:
        groups: Shape (payments,): ascending, 0 .. count - 1.
        days: Shape (payments,): day numbers, ascending within a group, distinct.
        count: Number of groups; each has three payments or more.

    Returns:
        A class where every gap is within its bounds; weekly also where, whatever the day, nearly every week has exactly one payment.
    """
    owner, gap = groups[1:], np.diff(days)
    inside = groups[1:] == groups[:-1]
    owner, gap = owner[inside], gap[inside]
    low, high = np.full(count, np.iinfo(np.int64).max), np.zeros(count, dtype=np.int64)
    np.minimum.at(low, owner, gap)
    np.maximum.at(high, owner, gap)
    mean = np.bincount(owner, gap, minlength=count) / np.maximum(np.bincount(owner, minlength=count), 1)
    found = np.full(count, -1, dtype=np.int64)
    found[_one_a_week(groups, days, count)] = _CODES["weekly"]
    number = np.bincount(owner, minlength=count)
    for name, shortest, longest in _BOUNDS:
        fits = (low >= shortest) & (high <= longest)
        if name in _WEEKS:
            # Payments a day beside their slots do not drift; a few gaps that are all longer, or all shorter, are chance.
            drift = np.abs(mean - (shortest + longest) / 2) * number
            fits &= (number > _FEW_GAPS) | (drift <= _LARGEST_DRIFT)
        if name == "monthly":
            fits &= mean >= _SHORTEST_MONTHLY_MEAN
        found[fits] = _CODES[name]
    return found


def median_gaps(groups: Days, days: Days, count: int) -> Floats:
    """Return the median of days between payments of each group, as of `steady_gaps`; of an even number the lower of the middle two."""
    owner, gap = groups[1:], np.diff(days)
    inside = groups[1:] == groups[:-1]
    owner, gap = owner[inside], gap[inside]
    order = np.lexsort((gap, owner))
    number = np.bincount(owner, minlength=count)
    start = np.cumsum(number) - number
    return np.asarray(gap[order][start + np.maximum(number - 1, 0) // 2], dtype=np.float64)


def _one_a_week(groups: Days, days: Days, count: int) -> npt.NDArray[np.bool_]:
    """Return which groups have exactly one payment in nearly each week, for weeks that begin on some weekday."""
    first, last = np.full(count, np.iinfo(np.int64).max), np.zeros(count, dtype=np.int64)
    np.minimum.at(first, groups, days)
    np.maximum.at(last, groups, days)
    best = np.zeros(count)
    for shift in range(_WEEK):
        start = (first - shift) // _WEEK
        weeks = (last - shift) // _WEEK - start + 1
        cells, payments = np.unique(
            groups * (int(weeks.max()) + 1) + (days - shift) // _WEEK - start[groups], return_counts=True
        )
        single = np.bincount((cells // (int(weeks.max()) + 1))[payments == 1], minlength=count)
        best = np.maximum(best, np.where(weeks >= _FEWEST_WEEKS, single / weeks, 0.0))
    return np.asarray(best >= _SINGLE_SHARE, dtype=np.bool_)
