"""Slots: the days on which a payer with a habit is expected to pay, and how well a payment fits them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kycpack.wealth.prepare.coded import bounds_of, distinct_of
from kycpack.wealth.streams.calendars import ROLLS, BusinessCalendar, Days, month_index, month_start

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Family:
    """One class of slots.

    Args:
        name: Name of the class.
        unit: The unit of `period`.
        period: Distance between two slots.
        tolerance_days: How many days off its slot a payment still counts in part.
        fewest: Fewest payments that can show it.
        weight: Below 1 if a class fits by chance more easily than the others.
    """

    name: str
    unit: str
    period: int
    tolerance_days: int
    fewest: int
    weight: float = 1.0

    @property
    def days(self) -> float:
        """Average number of days between two slots."""
        return {"day": 1.0, "month": 30.44, "half_month": 15.22}[self.unit] * self.period


# In the order in which ties are decided: the more usual first.
FAMILIES = (
    Family("monthly", "month", 1, 3, 3),
    Family("four_weekly", "day", 28, 3, 3),
    Family("weekly", "day", 7, 1, 3),
    Family("fortnightly", "day", 14, 3, 3),
    Family("semi_monthly", "half_month", 1, 2, 5, 0.98),
    Family("quarterly", "month", 3, 6, 3),
    Family("semi_annual", "month", 6, 10, 3),
    Family("annual", "month", 12, 15, 3),
)
_NEAR_BEST, _NEAR_SPAN = (
    0.8,
    0.4,
)  # a payment one day off its slot counts about 0.7, one at the tolerance 0.4
_VOTE_TOLERANCE = 3
_VOTE_REACH = _VOTE_TOLERANCE + 4  # Easter and Christmas move a slot by up to four days
# Days of the month, with the last one first because it wins ties; then the first to fourth and the last of each weekday.
DAYS_OF_MONTH = 31
_ORDINALS = ("first", "second", "third", "fourth", "last")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_WEEKDAY_ANCHORS = len(_ORDINALS) * len(_WEEKDAYS)
_ANCHORS = np.array([31, *range(1, 31), *range(32, 32 + _WEEKDAY_ANCHORS)], dtype=np.int64)
_PHASES = (7, 28, len(_ANCHORS))  # of `Votes`
_KEPT_CALENDARS = 4
_WEEKDAY_WEIGHT = 0.98  # these fit by chance more easily, and four-weekly payments fit them for some time


@dataclass(frozen=True, eq=False)
class Fit:
    """One family fitted to every group."""

    score: Floats
    expected: Days
    filled: Days
    near: Days
    last_slot: Days
    phase: Days
    second_phase: Days
    month_phase: Days
    roll: Days


def day_of_month_words(day: int) -> str:
    """Return a day of the month, or a weekday within it, in words."""
    if day > DAYS_OF_MONTH:
        ordinal, weekday = divmod(day - DAYS_OF_MONTH - 1, len(_WEEKDAYS))
        return f"{_ORDINALS[ordinal]} {_WEEKDAYS[weekday]}"
    if day == 31:
        return "last day"
    suffix = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{suffix}"


def _near(distance: Days, tolerance: int) -> Floats:
    """Return how much a payment counts at a distance from its slot, in days."""
    near = _NEAR_BEST - _NEAR_SPAN * distance / tolerance
    return np.where(distance == 0, 1.0, np.where(distance <= tolerance, near, 0.0))


@dataclass(frozen=True, eq=False)
class Votes:
    """How well each roll and phase fits each group.

    Attributes:
        week: Shape (groups, rolls, 7): phases of a week.
        four_weeks: Shape (groups, rolls, 28): phases of four weeks.
        month: Shape (groups, rolls, anchors): days of the month in the order of `_ANCHORS`.
    """

    week: Floats
    four_weeks: Floats
    month: Floats


def votes(groups: Days, days: Days, count: int, calendar: BusinessCalendar) -> Votes:
    """Return how well each phase fits each group.

    Args:
        groups: Shape (payments,): group of each payment, ascending, each of 0 .. count - 1 at least once.
        days: Shape (payments,): day numbers.
        count: Number of groups.
        calendar: Business days.
    """
    cast = _votes_cast(calendar)
    where = days - calendar.first
    new = distinct_of(where[~cast.known[where]])
    if new.size:
        cast.add(new, _votes_of_days(new + calendar.first, calendar))
    found = np.empty((count, cast.counts.shape[1]))
    starts = np.searchsorted(groups, np.arange(count + 1)).tolist()
    for group, (start, end) in enumerate(itertools.pairwise(starts)):
        cast.counts[where[start:end]].sum(axis=0, out=found[group])
    return _as_votes(found)


class _VotesCast:
    """How much a payment on each day of a calendar counts for each phase, for the days requested so far: many customers are paid on the same days."""

    def __init__(self, days: int) -> None:
        self.known = np.zeros(days, dtype=np.bool_)
        self.counts = np.zeros((days, len(ROLLS) * sum(_PHASES)))

    def add(self, where: Days, found: Floats) -> None:
        """Keep the results for some days; a caller that reads a day in the meantime works it out again."""
        self.counts[where] = found
        self.known[where] = True


@lru_cache(maxsize=_KEPT_CALENDARS)
def _votes_cast(calendar: BusinessCalendar) -> _VotesCast:
    return _VotesCast(len(calendar.business))


def _as_votes(counts: Floats) -> Votes:
    """Return the columns of a table of votes, divided by class."""
    parts = np.split(counts, len(ROLLS) * np.cumsum(_PHASES[:-1]), axis=1)
    shapes = ((len(counts), len(ROLLS), phases) for phases in _PHASES)
    return Votes(*(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))


def _votes_of_days(days: Days, calendar: BusinessCalendar) -> Floats:
    """Return how much a payment on each day counts for each phase."""
    nominal = days[:, None] + np.arange(-_VOTE_REACH, _VOTE_REACH + 1, dtype=np.int64)[None, :]
    month = month_index(nominal)
    start, after = month_start(month), month_start(month + 1)
    day_of_month = nominal - start + 1
    weekday = (nominal + 3) % 7
    working = weekday < len(_WEEKDAYS)
    week_of_month = (day_of_month - 1) // 7
    named = DAYS_OF_MONTH + weekday  # the columns of named weekdays come after those of days
    anchors = [(np.ones_like(working), day_of_month % DAYS_OF_MONTH)]  # 31 comes first in _ANCHORS
    # The last day of a short month is also where the 29th, 30th and 31st land.
    anchors += [
        ((nominal == after - 1) & (day_of_month < day), np.full_like(nominal, day % DAYS_OF_MONTH))
        for day in (29, 30, 31)
    ]
    anchors.append((working & (week_of_month < 4), named + week_of_month * len(_WEEKDAYS)))
    anchors.append((working & (nominal + 7 >= after), named + 4 * len(_WEEKDAYS)))
    found = Votes(*(np.zeros((len(days), len(ROLLS), phases)) for phases in _PHASES))
    row = np.broadcast_to(np.arange(len(days))[:, None], nominal.shape)
    for roll in range(len(ROLLS)):
        slots = calendar.rolled(nominal, np.full(1, roll, dtype=np.int64))
        weight = _near(np.abs(slots - days[:, None]), _VOTE_TOLERANCE)
        np.add.at(found.four_weeks[:, roll], (row, nominal % 28), weight)
        # Around Christmas a payment can be near the slots of two weeks, although it is only one payment.
        np.maximum.at(found.week[:, roll], (row, nominal % 7), weight)
        for applies, column in anchors:
            counts = np.where(column[applies] < DAYS_OF_MONTH, 1.0, _WEEKDAY_WEIGHT) * weight[applies]
            np.add.at(found.month[:, roll], (row[applies], column[applies]), counts)
    every = (found.week, found.four_weeks, found.month)
    return np.concatenate([one.reshape(len(days), -1) for one in every], axis=1)


def _best_cell(tally: Floats) -> tuple[Days, Days]:
    """Return roll and column with the highest vote of each group; on a tie, the first."""
    flat = np.round(tally.reshape(len(tally), -1), 6)
    best = np.argmax(flat, axis=1)
    return best // tally.shape[2], best % tally.shape[2]


@dataclass(frozen=True, eq=False)
class Monthly:
    """The day of the month that fits each group best, whatever the number of months between two payments.

    Args:
        phase: Day of the month of each group.
        roll: Index into `calendars.ROLLS` of each group.
        slot: Nearest month of each payment.
        distance: Days between the payment and that day of the month.
    """

    phase: Days
    roll: Days
    slot: Days
    distance: Days


def nearest_months(groups: Days, days: Days, tally: Votes, calendar: BusinessCalendar) -> Monthly:
    """Return what all families with slots whole months apart have in common."""
    roll, column = _best_cell(tally.month)
    phase = _ANCHORS[column]
    return Monthly(phase, roll, *_nearest_month(days, phase[groups], roll[groups], calendar))


def fit(
    family: Family,
    groups: Days,
    days: Days,
    per_group: Days,
    tally: Votes,
    monthly: Monthly,
    calendar: BusinessCalendar,
) -> Fit:
    """Return how well one family of slots fits each group, with the phase that fits best."""
    count = len(per_group)
    none = np.zeros(count, dtype=np.int64)
    second, month_phase = none, none
    if family.unit == "day":
        folded = tally.four_weeks.reshape(count, 3, 28 // family.period, family.period).sum(axis=2)
        roll, phase = _best_cell(tally.week if family.period == 7 else folded)
        slot, distance = _nearest_period(days, phase[groups], family.period, roll[groups], calendar)
    elif family.unit == "month":
        roll, phase, slot, distance = monthly.roll, monthly.phase, monthly.slot, monthly.distance
    else:
        roll, column = _best_cell(tally.month[:, :, :DAYS_OF_MONTH])
        phase = _ANCHORS[column]
        slot, distance = _nearest_month(days, phase[groups], roll[groups], calendar)
        second = _second_anchor(groups, days, distance, phase, family, count, calendar)
        other_slot, other_distance = _nearest_month(days, second[groups], roll[groups], calendar)
        takes_second = other_distance < distance
        later = (second > phase).astype(np.int64)[groups]
        slot = np.where(takes_second, 2 * other_slot + later, 2 * slot + 1 - later)
        distance = np.minimum(distance, other_distance)
    weight = _near(distance, family.tolerance_days)
    if family.unit == "month" and family.period > 1:
        in_phase = np.bincount(
            groups * family.period + slot % family.period, weight, minlength=count * family.period
        )
        month_phase = np.argmax(np.round(in_phase.reshape(count, family.period), 6), axis=1)
        weight = np.where(slot % family.period == month_phase[groups], weight, 0.0)
        slot = slot // family.period
    total, expected, filled, near, last_slot = _filled_slots(groups, slot, weight, count)
    score = np.where(filled >= family.fewest, 2 * total / np.maximum(per_group + expected, 1), 0.0)
    if family.unit == "half_month":
        twice = np.bincount(groups[(weight > 0) & (slot % 2 == 0)], minlength=count)
        once = np.bincount(groups[(weight > 0) & (slot % 2 == 1)], minlength=count)
        score = np.where((once >= 2) & (twice >= 2) & (second > 0), score, 0.0)
    score = score * np.where(phase > DAYS_OF_MONTH, _WEEKDAY_WEIGHT, 1.0) if family.unit == "month" else score
    return Fit(score * family.weight, expected, filled, near, last_slot, phase, second, month_phase, roll)


def _nearest_period(
    days: Days, phase: Days, period: int, roll: Days, calendar: BusinessCalendar
) -> tuple[Days, Days]:
    slot = (days - phase) // period
    distance = np.abs(calendar.rolled(phase + period * slot, roll) - days)
    beyond = np.abs(calendar.rolled(phase + period * (slot + 1), roll) - days)
    return np.where(beyond < distance, slot + 1, slot), np.minimum(distance, beyond)


def _month_slot(month: Days, anchor: Days, roll: Days, calendar: BusinessCalendar) -> Days:
    start, after = month_start(month), month_start(month + 1)
    nominal = np.minimum(start + anchor, after) - 1
    named = anchor > DAYS_OF_MONTH
    if named.any():
        ordinal, weekday = np.divmod(anchor - DAYS_OF_MONTH - 1, len(_WEEKDAYS))
        counted = start + (weekday - (start + 3)) % 7 + 7 * ordinal
        from_end = after - 1 - ((after + 2) - weekday) % 7
        nominal = np.where(named, np.where(ordinal == len(_ORDINALS) - 1, from_end, counted), nominal)
    return calendar.rolled(nominal, roll)


def _nearest_month(days: Days, anchor: Days, roll: Days, calendar: BusinessCalendar) -> tuple[Days, Days]:
    month = month_index(days)
    candidates = np.stack([month, month - 1, month + 1])
    distances = np.abs(_month_slot(candidates, anchor, roll, calendar) - days)
    nearest = np.argmin(distances, axis=0)
    rows = np.arange(len(days))
    return candidates[nearest, rows], distances[nearest, rows]


def _second_anchor(
    groups: Days,
    days: Days,
    distance: Days,
    first: Days,
    family: Family,
    count: int,
    calendar: BusinessCalendar,
) -> Days:
    """Return the other day of the month for payments that come twice a month; 0 if there is none."""
    rest = distance > family.tolerance_days
    left = np.bincount(groups[rest], minlength=count)
    share = left / np.maximum(np.bincount(groups, minlength=count), 1)
    candidates = (left >= 2) & (share >= 0.25) & (share <= 0.75)
    second = np.zeros(count, dtype=np.int64)
    if not candidates.any():
        return second
    index = np.cumsum(candidates) - 1
    chosen = rest & candidates[groups]
    tally = votes(index[groups[chosen]], days[chosen], int(candidates.sum()), calendar)
    _, column = _best_cell(tally.month[:, :, :DAYS_OF_MONTH])
    anchor = _ANCHORS[column]
    apart = np.abs(anchor - first[candidates])
    second[candidates] = np.where((apart >= 10) & (apart <= 20), anchor, 0)
    return second


def _filled_slots(
    groups: Days, slot: Days, weight: Floats, count: int
) -> tuple[Floats, Days, Days, Days, Days]:
    """Return, for each group: the weight of its filled slots, the number of slots from the first to the last filled one, the number filled, of these the number whose payment came early or late, the last one."""
    hit = weight > 0
    groups, slot, weight = groups[hit], slot[hit], weight[hit]
    low = int(slot.min()) if slot.size else 0
    width = (int(slot.max()) - low + 1) if slot.size else 1
    key = groups * width + (slot - low)
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    group, index = np.divmod(key[order[starts]], width)
    best = np.maximum.reduceat(weight[order], starts)
    total = np.bincount(group, best, minlength=count).astype(np.float64)
    filled = np.bincount(group, minlength=count)
    near = np.bincount(group[best < 1], minlength=count)
    first_slot, last_slot = bounds_of(group, index, count)
    expected = np.where(filled > 0, last_slot - first_slot + 1, 0).astype(np.int64)
    return total, expected, filled.astype(np.int64), near, np.where(filled > 0, last_slot, -1) + low


def slot_days(best: Days, slot: Days, chosen: dict[str, Days], calendar: BusinessCalendar) -> Days:
    """Return the day of a slot number in each group's best class."""
    result = np.full(len(best), -1, dtype=np.int64)
    for code, family in enumerate(FAMILIES):
        mine = best == code
        if not mine.any():
            continue
        phase, roll, number = chosen["phase"][mine], chosen["roll"][mine], slot[mine]
        if family.unit == "day":
            nominal = phase + family.period * number
            days = calendar.rolled(np.clip(nominal, calendar.first, _last(calendar)), roll)
        elif family.unit == "half_month":
            second = chosen["second_phase"][mine]
            anchor = np.where(number % 2 == 0, np.minimum(phase, second), np.maximum(phase, second))
            days = _bounded_month_slot(number // 2, anchor, roll, calendar)
        else:
            month = number * family.period + chosen["month_phase"][mine]
            days = _bounded_month_slot(month, phase, roll, calendar)
        result[mine] = days
    return result


def _last(calendar: BusinessCalendar) -> int:
    return calendar.first + len(calendar.business) - 1


def _bounded_month_slot(month: Days, anchor: Days, roll: Days, calendar: BusinessCalendar) -> Days:
    limits = month_index(np.array([calendar.first, _last(calendar)], dtype=np.int64))
    return _month_slot(np.clip(month, limits[0], limits[1]), np.maximum(anchor, 1), roll, calendar)
