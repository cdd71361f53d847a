"""Gaps between payments: a habit that the gaps show clearly although the days do not keep to the slots of a calendar."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kycpack.wealth.prepare.coded import bounds_of, sorted_by
from kycpack.wealth.streams.calendars import Days
from kycpack.wealth.streams.slots import FAMILIES, Floats

_CODES = {family.name: code for code, family in enumerate(FAMILIES)}


@dataclass(frozen=True)
class _Bounds:
    """The bounds of gaps that keep to a class.

    Args:
        name: Name of the class.
        fewest: Number of gaps from which these bounds apply, up to the next higher number of the class; any row of one number is enough.
        shortest: Shortest gap in days.
        longest: Longest gap in days.
        drift: How far all gaps together may differ from that many periods, in days.
        spread: By how many days the distances of the payments from weekly slots may differ.
    """

    name: str
    fewest: int
    shortest: int
    longest: int
    drift: float
    spread: float = np.inf


# A payment may be some days off its slot, and the next one off it on the other side. With more gaps, wider bounds are allowed: each row is narrow
# enough that, of payments at random within two to four months, fewer than one list in three hundred keeps to it.
# Three payments show less than four: gaps of 14 and 15 days fit two payments a month as well, and 26 and 30 days differ the most of all near four
# weeks. With them, of three payments at random over some spans more than one list in a hundred would be regular.
_BOUNDS = (
    _Bounds("weekly", 3, 6, 9, 1.0),
    _Bounds("weekly", 4, 5, 9, np.inf, 2),
    _Bounds("weekly", 5, 5, 9, np.inf),
    _Bounds("fortnightly", 2, 13, 15, 0.0),
    _Bounds("fortnightly", 2, 13, 14, 1.0),
    _Bounds("fortnightly", 3, 12, 16, 0.0),
    _Bounds("fortnightly", 4, 11, 17, 3.0),
    _Bounds("fortnightly", 5, 10, 18, 6.0),
    _Bounds("fortnightly", 7, 8, 20, 6.0),
    _Bounds("four_weekly", 2, 26, 29, 1.0),
    _Bounds("four_weekly", 2, 27, 30, 1.0),
    _Bounds("four_weekly", 3, 25, 31, 2.0),
    _Bounds("four_weekly", 4, 22, 34, 6.0),
    _Bounds("monthly", 2, 29, 32, 1.2),
    _Bounds("monthly", 3, 27, 34, 2.5),
    _Bounds("monthly", 4, 24, 37, 6.0),
    _Bounds("quarterly", 2, 88, 95, np.inf),
    _Bounds("quarterly", 3, 84, 98, 8.0),
)
# If one payer pays one amount three or four times, that is seldom chance, so each payment may be a day off its slot.
_BOUNDS_OF_ONE_AMOUNT = (
    _Bounds("weekly", 2, 5, 9, 2.0),
    _Bounds("weekly", 4, 5, 9, np.inf),
    _Bounds("fortnightly", 2, 12, 16, 2.0),
    _Bounds("fortnightly", 4, 10, 18, 6.0),
)
_WEEK = 7
# From this number of weeks, so large a share of weeks with exactly one payment is not chance.
_WEEKS_WITH_ONE = ((11, 1.0), (13, 0.92), (20, 0.85))

LOOSE = {_CODES["weekly"]: replace(FAMILIES[_CODES["weekly"]], tolerance_days=3)}
"""Families whose slots are this wide if the gaps have shown the class."""


def steady_gaps(
    groups: Days, days: Days, count: int, one_amount: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Return which classes the gaps of each group keep to.

    Args:
        groups: Shape (payments,): group of each payment, ascending, 0 .. count - 1.
        days: Shape (payments,): day numbers, ascending within a group, distinct.
        count: Number of groups; each has at least three payments.
        one_amount: Shape (groups,): whether all payments are known to have the same amount.

    Returns:
        Shape (groups, families): whether every gap is within the bounds of a class; weekly also if, whatever the day, nearly every week has
        exactly one payment.
    """
    owner, gap = _gaps(groups, days)
    low, high = bounds_of(owner, gap, count)
    span, number = np.bincount(owner, gap, minlength=count), np.bincount(owner, minlength=count)
    earliest, latest = bounds_of(groups, days - _WEEK * _order_in_group(groups), count)
    found = np.zeros((count, len(FAMILIES)), dtype=np.bool_)
    for table, holds_for in ((_BOUNDS, np.ones(count, dtype=np.bool_)), (_BOUNDS_OF_ONE_AMOUNT, one_amount)):
        for bounds in table:
            code = _CODES[bounds.name]
            later = min(
                (row.fewest for row in table if row.name == bounds.name and row.fewest > bounds.fewest),
                default=np.inf,
            )
            found[:, code] |= (
                holds_for
                & (number >= bounds.fewest)
                & (number < later)
                & (low >= bounds.shortest)
                & (high <= bounds.longest)
                & (np.abs(span - number * FAMILIES[code].days) <= bounds.drift)
                & (latest - earliest <= bounds.spread)
            )
    found[:, _CODES["weekly"]] |= _one_a_week(groups, days, count)
    return found


def median_gaps(groups: Days, days: Days, count: int) -> Floats:
    """Return the median number of days between payments of each group, as for `steady_gaps`; for an even number, the lower of the middle two."""
    owner, gap = _gaps(groups, days)
    order = sorted_by(owner, gap)
    number = np.bincount(owner, minlength=count)
    start = np.cumsum(number) - number
    return np.asarray(gap[order][start + np.maximum(number - 1, 0) // 2], dtype=np.float64)


def _order_in_group(groups: Days) -> Days:
    """Return how many payments of its group come before each payment."""
    return np.arange(len(groups)) - np.searchsorted(groups, groups)


def _gaps(groups: Days, days: Days) -> tuple[Days, Days]:
    """Return the group and the number of days of each gap between two payments."""
    inside = groups[1:] == groups[:-1]
    return groups[1:][inside], np.diff(days)[inside]


def _one_a_week(groups: Days, days: Days, count: int) -> npt.NDArray[np.bool_]:
    """Return which groups have exactly one payment in nearly every week, for weeks that begin on one of the weekdays."""
    first, last = bounds_of(groups, days, count)
    found = np.zeros(count, dtype=np.bool_)
    for shift in range(_WEEK):
        weeks = (last - shift) // _WEEK - (first - shift) // _WEEK + 1
        # A payment is the only one of its week if both of its neighbours are in another week or group.
        apart = (np.diff(groups) != 0) | (np.diff((days - shift) // _WEEK) != 0)
        single = np.bincount(groups[np.append(True, apart) & np.append(apart, True)], minlength=count)
        for fewest, share in _WEEKS_WITH_ONE:
            found |= (weeks >= fewest) & (single >= share * weeks)
    return found
