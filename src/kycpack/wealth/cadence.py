"""How often a payer pays: calendar hypotheses, scored by how many of their slots are filled.

Each class is a family of slots: every 7, 14 or 28 days from some phase; or a day of the month (the 25th, the last
Friday), every 1, 3, 6 or 12 months; or two days of every month. A slot that falls on a day when banks are closed moves to the business day before or
after it, or stays. A payment on its slot counts 1, one a few days beside it counts less, any other nothing. The score is
the harmonic mean of the filled share of payments and of slots, so that both a payment without a slot and a slot
without a payment cost.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.errors import InputError
from kycpack.wealth.calendars import (
    ROLLS,
    BusinessCalendar,
    Days,
    business_calendar,
    month_index,
    month_start,
    to_date,
)

CADENCES = (
    "monthly",
    "four_weekly",
    "weekly",
    "fortnightly",
    "semi_monthly",
    "quarterly",
    "semi_annual",
    "annual",
    "irregular",
)
IRREGULAR = CADENCES.index("irregular")

# The margin to the runner-up below which two classes are too close to call.
AMBIGUOUS_MARGIN = 0.05

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class _Family:
    """One class of slots.

    Args:
        name: Name of the class.
        unit: What `period` counts.
        period: Distance of two slots.
        tolerance_days: How far beside its slot a payment still counts for something.
        fewest: Fewest payments that can show it.
        weight: Below 1 where a class has more freedom to fit than the others.
    """

    name: str
    unit: str
    period: int
    tolerance_days: int
    fewest: int
    weight: float = 1.0


# In the order in which equal scores are decided: the usual before the unusual.
_FAMILIES = (
    _Family("monthly", "month", 1, 3, 3),
    _Family("four_weekly", "day", 28, 3, 3),
    _Family("weekly", "day", 7, 1, 3),
    _Family("fortnightly", "day", 14, 2, 3),
    _Family("semi_monthly", "half_month", 1, 2, 4, 0.98),
    _Family("quarterly", "month", 3, 6, 3),
    _Family("semi_annual", "month", 6, 10, 3),
    _Family("annual", "month", 12, 15, 2),
)
_NEAR_BEST, _NEAR_SPAN = (
    0.8,
    0.4,
)  # a payment one day beside its slot counts about 0.7, one at the tolerance 0.4
_VOTE_TOLERANCE = 3
_VOTE_REACH = _VOTE_TOLERANCE + 4  # Easter and Christmas move a slot by up to four days
_FLOOR, _FLOOR_SMALL_SAMPLE = 0.55, 0.9  # a score below 0.55 + 0.9 / payments may be chance
# Days of the month, the last one first, because ties go to it; then the first to fourth and the last of each weekday.
_DAYS_OF_MONTH = 31
_ORDINALS = ("first", "second", "third", "fourth", "last")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
_WEEKDAY_ANCHORS = len(_ORDINALS) * len(_WEEKDAYS)
_ANCHORS = np.array([31, *range(1, 31), *range(32, 32 + _WEEKDAY_ANCHORS)], dtype=np.int64)
_WEEKDAY_WEIGHT = 0.98  # these fit by chance more easily, and four-weekly payments fit them for a while
_BLOCK = 20_000  # streams scored at once; bounds the memory of the vote tables


@dataclass(frozen=True)
class Cadence:
    """What a list of payment dates looks like.

    Args:
        name: One of `CADENCES`.
        score: 0..1, of the best class, also where `name` is irregular.
        margin: Its distance to the runner-up, 0..1.
        runner_up: The next best class.
        ambiguous: The runner-up is too close to call; more history is needed.
        expected: Slots from the first to the last that is filled.
        filled: How many of them are.
        anchor: The slots in words, as in "last working day" or "every second Friday".
        next_on: The next expected date after the last payment; None when irregular.
    """

    name: str
    score: float
    margin: float
    runner_up: str
    ambiguous: bool
    expected: int
    filled: int
    anchor: str
    next_on: date | None


@dataclass(frozen=True, eq=False)
class Cadences:
    """Cadences of many streams, an element for each group.

    Args:
        code: Index into `CADENCES`.
        best: Index into `CADENCES` of the best regular class, also where `code` is irregular.
        runner_up: Likewise of the next best one.
        score: 0..1.
        margin: 0..1.
        ambiguous: Whether the runner-up is too close to call.
        expected: Slots from the first to the last filled one.
        filled: Filled slots.
        days: Days with a payment.
        phase: Days: phase of the slots; months: the day of the month. Two of them for half months.
        second_phase: The other day of the month, for half months.
        month_phase: Which months, for classes of several months.
        roll: Index into `calendars.ROLLS`.
        following: Shape (groups, 3): day numbers of the next three slots after the last filled one; -1 if irregular.
    """

    code: Days
    best: Days
    runner_up: Days
    score: Floats
    margin: Floats
    ambiguous: npt.NDArray[np.bool_]
    expected: Days
    filled: Days
    days: Days
    phase: Days
    second_phase: Days
    month_phase: Days
    roll: Days
    following: Days

    def of(self, groups: Days) -> Cadences:
        """Return the cadences of some groups, in their order."""
        return Cadences(**{name: getattr(self, name)[groups] for name in Cadences.__dataclass_fields__})

    def one(self, index: int) -> Cadence:
        """Return the cadence of one group."""
        return Cadence(
            name=CADENCES[self.code[index]],
            score=round(float(self.score[index]), 4),
            margin=round(float(self.margin[index]), 4),
            runner_up=CADENCES[self.runner_up[index]],
            ambiguous=bool(self.ambiguous[index]),
            expected=int(self.expected[index]),
            filled=int(self.filled[index]),
            anchor=self.anchor(index),
            next_on=to_date(int(self.following[index, 0])) if self.following[index, 0] >= 0 else None,
        )

    def anchor(self, index: int) -> str:
        """Return the slots of one group in words; empty when irregular."""
        name = CADENCES[self.code[index]]
        phase, roll = int(self.phase[index]), ROLLS[self.roll[index]]
        if name == "irregular":
            return ""
        if name in ("weekly", "fortnightly", "four_weekly"):
            weekday = ("Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday")[
                phase % 7
            ]
            return {
                "weekly": f"every {weekday}",
                "fortnightly": f"every second {weekday}",
                "four_weekly": f"every fourth {weekday}",
            }[name]
        if name == "semi_monthly":
            first, second = sorted((phase, int(self.second_phase[index])))
            return f"{_ordinal(first)} and {_ordinal(second)}"
        if phase == 31:
            return "last working day" if roll == "preceding" else "last day of the month"
        return _ordinal(phase) + ("" if roll == "none" else f", else the {roll} working day")


def _ordinal(day: int) -> str:
    if day > _DAYS_OF_MONTH:
        ordinal, weekday = divmod(day - _DAYS_OF_MONTH - 1, len(_WEEKDAYS))
        return f"{_ORDINALS[ordinal]} {_WEEKDAYS[weekday]}"
    if day == 31:
        return "last day"
    suffix = "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{suffix}"


def classify_cadence(dates: Iterable[date | datetime | str], country: str = "GB") -> Cadence:
    """Return the cadence of one list of payment dates.

    Args:
        dates: Dates, in any order; several on one day count once. ISO strings and timestamps are read too.
        country: Whose business days move the slots, as in `GB`, `GB-SCT`, `CZ`, `US`.

    Returns:
        The cadence; `irregular` for fewer than three days with a payment (annual: two).

    Raises:
        InputError: A date cannot be read, or the country is not known.
    """
    try:
        moments = pd.DatetimeIndex(list(dates))
    except (ValueError, TypeError) as error:
        raise InputError("a payment date cannot be read", place="dates") from error
    if moments.hasnans:
        raise InputError("a payment date is missing", place=f"dates[{int(np.argmax(moments.isna()))}]")
    if moments.tz is not None:
        moments = moments.tz_localize(None)
    days = moments.to_numpy().astype("datetime64[D]").astype(np.int64)
    if not days.size:
        return Cadence(
            "irregular", 0.0, 0.0, "irregular", ambiguous=False, expected=0, filled=0, anchor="", next_on=None
        )
    return classify_cadences(np.zeros_like(days), days, 1, country).one(0)


def classify_cadences(groups: Days, days: Days, count: int, country: str = "GB") -> Cadences:
    """Return the cadences of many lists of payment dates at once.

    Args:
        groups: Shape (payments,): which list, 0 .. count - 1.
        days: Shape (payments,): days since 1970-01-01.
        count: Number of lists.
        country: Whose business days move the slots.
    """
    if not days.size:
        return _blocks_joined([_empty(count)])
    calendar = business_calendar(country, int(days.min()), int(days.max()))
    span = int(days.max() - days.min()) + 1
    distinct = np.unique(groups * span + (days - days.min()))
    groups, days = distinct // span, distinct % span + int(days.min())
    blocks = []
    for start in range(0, count, _BLOCK):
        low, high = np.searchsorted(groups, [start, start + _BLOCK])
        blocks.append(
            _classify(groups[low:high] - start, days[low:high], min(_BLOCK, count - start), calendar)
        )
    return _blocks_joined(blocks)


@dataclass(frozen=True, eq=False)
class _Fit:
    """One family fitted to every group."""

    score: Floats
    expected: Days
    filled: Days
    last_slot: Days
    phase: Days
    second_phase: Days
    month_phase: Days
    roll: Days


def _classify(groups: Days, days: Days, count: int, calendar: BusinessCalendar) -> Cadences:
    if not days.size:
        return _empty(count)
    per_group = np.bincount(groups, minlength=count)
    week_votes, month_votes = _votes(groups, days, count, calendar)
    fits = [_fit(family, groups, days, per_group, week_votes, month_votes, calendar) for family in _FAMILIES]
    scores = np.stack([fit.score for fit in fits], axis=1)
    order = np.argsort(-np.round(scores, 9), axis=1, kind="stable")
    best, runner_up = order[:, 0], order[:, 1]
    rows = np.arange(count)
    score, second = scores[rows, best], scores[rows, runner_up]
    two_years = (best == CADENCES.index("annual")) & (per_group == 2)
    floor = np.where(two_years, _FLOOR, _FLOOR + _FLOOR_SMALL_SAMPLE / np.maximum(per_group, 1))
    regular = score >= floor
    margin = np.maximum(score - second, 0.0)
    chosen = {
        name: np.stack([getattr(fit, name) for fit in fits], axis=1)[rows, best]
        for name in ("expected", "filled", "last_slot", "phase", "second_phase", "month_phase", "roll")
    }
    following = np.stack(
        [_slot_days(best, chosen["last_slot"] + ahead, chosen, calendar) for ahead in (1, 2, 3)],
        axis=1,
    )
    following[~regular] = -1
    return Cadences(
        code=np.where(regular, best, IRREGULAR),
        best=best,
        runner_up=runner_up,
        score=score,
        margin=margin,
        ambiguous=regular & (margin < AMBIGUOUS_MARGIN),
        expected=chosen["expected"],
        filled=chosen["filled"],
        days=per_group,
        phase=chosen["phase"],
        second_phase=chosen["second_phase"],
        month_phase=chosen["month_phase"],
        roll=chosen["roll"],
        following=following,
    )


def _empty(count: int) -> Cadences:
    none = np.zeros(count, dtype=np.int64)
    nothing = np.zeros(count)
    return Cadences(
        code=np.full(count, IRREGULAR, dtype=np.int64),
        best=np.full(count, IRREGULAR, dtype=np.int64),
        runner_up=np.full(count, IRREGULAR, dtype=np.int64),
        score=nothing,
        margin=nothing,
        ambiguous=np.zeros(count, dtype=np.bool_),
        expected=none,
        filled=none,
        days=none,
        phase=none,
        second_phase=none,
        month_phase=none,
        roll=none,
        following=np.full((count, 3), -1, dtype=np.int64),
    )


def _blocks_joined(blocks: list[Cadences]) -> Cadences:
    names = Cadences.__dataclass_fields__
    return Cadences(**{name: np.concatenate([getattr(block, name) for block in blocks]) for name in names})


def _near(distance: Days, tolerance: int) -> Floats:
    """Return what a payment counts for at a distance of its slot, in days."""
    near = _NEAR_BEST - _NEAR_SPAN * distance / tolerance
    return np.where(distance == 0, 1.0, np.where(distance <= tolerance, near, 0.0))


def _votes(groups: Days, days: Days, count: int, calendar: BusinessCalendar) -> tuple[Floats, Floats]:
    """Return how well each phase fits each group.

    Returns:
        Shape (groups, rolls, 28) for phases of four weeks, and (groups, rolls, anchors) for days of the month in the order of
        `_ANCHORS`.
    """
    weeks = np.zeros(count * 3 * 28)
    width = len(_ANCHORS)
    months = np.zeros(count * 3 * width)
    offsets = np.arange(-_VOTE_REACH, _VOTE_REACH + 1, dtype=np.int64)
    present, where = np.unique(days, return_inverse=True)
    nominal = present[:, None] + offsets[None, :]
    month = month_index(nominal)
    start = month_start(month)
    day_of_month = nominal - start + 1
    is_last = nominal == month_start(month + 1) - 1
    is_last_week = nominal + 7 >= month_start(month + 1)
    week_of_month = (day_of_month - 1) // 7
    weekday = (nominal + 3) % 7
    for roll in range(len(ROLLS)):
        slots = calendar.rolled(nominal, np.int64(roll))
        weight = _near(np.abs(slots - present[:, None]), _VOTE_TOLERANCE)
        for column in np.flatnonzero(weight.any(axis=0)):
            counts = weight[where, column]
            cell = groups * 3 + roll
            weeks += np.bincount(cell * 28 + nominal[where, column] % 28, counts, minlength=weeks.size)
            anchor = day_of_month[where, column] % _DAYS_OF_MONTH  # 31 stands first in _ANCHORS
            months += np.bincount(cell * width + anchor, counts, minlength=months.size)
            # The last day of a short month is also where the 29th, 30th and 31st land.
            for later in (29, 30, 31):
                also = is_last[where, column] & (day_of_month[where, column] < later)
                if also.any():
                    at = cell[also] * width + later % _DAYS_OF_MONTH
                    months += np.bincount(at, counts[also], minlength=months.size)
            working = weekday[where, column] < len(_WEEKDAYS)
            for applies, ordinal in (
                (working & (week_of_month[where, column] < 4), week_of_month[where, column]),
                (working & is_last_week[where, column], np.full(len(where), 4)),
            ):
                at = cell * width + _DAYS_OF_MONTH + ordinal * len(_WEEKDAYS) + weekday[where, column]
                months += np.bincount(at[applies], counts[applies] * _WEEKDAY_WEIGHT, minlength=months.size)
    return weeks.reshape(count, 3, 28), months.reshape(count, 3, width)


def _best_cell(votes: Floats) -> tuple[Days, Days]:
    """Return roll and column of the highest vote of each group; the first of equals."""
    flat = np.round(votes.reshape(len(votes), -1), 6)
    best = np.argmax(flat, axis=1)
    return best // votes.shape[2], best % votes.shape[2]


def _fit(
    family: _Family,
    groups: Days,
    days: Days,
    per_group: Days,
    week_votes: Floats,
    month_votes: Floats,
    calendar: BusinessCalendar,
) -> _Fit:
    count = len(per_group)
    none = np.zeros(count, dtype=np.int64)
    second, month_phase = none, none
    if family.unit == "day":
        folded = week_votes.reshape(count, 3, 28 // family.period, family.period).sum(axis=2)
        roll, phase = _best_cell(folded)
        slot, distance = _nearest_period(days, phase[groups], family.period, roll[groups], calendar)
    else:
        plain = family.unit == "half_month"
        roll, column = _best_cell(month_votes[:, :, :_DAYS_OF_MONTH] if plain else month_votes)
        phase = _ANCHORS[column]
        slot, distance = _nearest_month(days, phase[groups], roll[groups], calendar)
    if family.unit == "half_month":
        second = _second_anchor(groups, days, distance, phase, family, count, calendar)
        other_slot, other_distance = _nearest_month(days, second[groups], roll[groups], calendar)
        takes_second = other_distance < distance
        later = (second > phase).astype(np.int64)[groups]
        slot = np.where(takes_second, 2 * other_slot + later, 2 * slot + 1 - later)
        distance = np.minimum(distance, other_distance)
    weight = _near(distance, family.tolerance_days)
    if family.unit == "month" and family.period > 1:
        tally = np.bincount(
            groups * family.period + slot % family.period, weight, minlength=count * family.period
        )
        month_phase = np.argmax(np.round(tally.reshape(count, family.period), 6), axis=1)
        weight = np.where(slot % family.period == month_phase[groups], weight, 0.0)
        slot = slot // family.period
    total, expected, filled, last_slot = _filled_slots(groups, slot, weight, count)
    score = np.where(filled >= family.fewest, 2 * total / np.maximum(per_group + expected, 1), 0.0)
    if family.unit == "half_month":
        twice = np.bincount(groups[(weight > 0) & (slot % 2 == 0)], minlength=count)
        once = np.bincount(groups[(weight > 0) & (slot % 2 == 1)], minlength=count)
        score = np.where((once >= 2) & (twice >= 2) & (second > 0), score, 0.0)
    score = (
        score * np.where(phase > _DAYS_OF_MONTH, _WEEKDAY_WEIGHT, 1.0) if family.unit == "month" else score
    )
    return _Fit(score * family.weight, expected, filled, last_slot, phase, second, month_phase, roll)


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
    named = anchor > _DAYS_OF_MONTH
    if named.any():
        ordinal, weekday = np.divmod(anchor - _DAYS_OF_MONTH - 1, len(_WEEKDAYS))
        counted = start + (weekday - (start + 3)) % 7 + 7 * ordinal
        from_end = after - 1 - ((after + 2) - weekday) % 7
        nominal = np.where(named, np.where(ordinal == len(_ORDINALS) - 1, from_end, counted), nominal)
    return calendar.rolled(nominal, roll)


def _nearest_month(days: Days, anchor: Days, roll: Days, calendar: BusinessCalendar) -> tuple[Days, Days]:
    month = month_index(days)
    candidates = np.stack([month, month - 1, month + 1])
    distances = np.abs(
        np.stack([_month_slot(candidate, anchor, roll, calendar) for candidate in candidates]) - days
    )
    nearest = np.argmin(distances, axis=0)
    rows = np.arange(len(days))
    return candidates[nearest, rows], distances[nearest, rows]


def _second_anchor(
    groups: Days,
    days: Days,
    distance: Days,
    first: Days,
    family: _Family,
    count: int,
    calendar: BusinessCalendar,
) -> Days:
    """Return the other day of the month of payments that come twice a month; 0 where there is none."""
    rest = distance > family.tolerance_days
    left = np.bincount(groups[rest], minlength=count)
    share = left / np.maximum(np.bincount(groups, minlength=count), 1)
    candidates = (left >= 2) & (share >= 0.25) & (share <= 0.75)
    second = np.zeros(count, dtype=np.int64)
    if not candidates.any():
        return second
    index = np.cumsum(candidates) - 1
    chosen = rest & candidates[groups]
    _, votes = _votes(index[groups[chosen]], days[chosen], int(candidates.sum()), calendar)
    _, column = _best_cell(votes[:, :, :_DAYS_OF_MONTH])
    anchor = _ANCHORS[column]
    apart = np.abs(anchor - first[candidates])
    second[candidates] = np.where((apart >= 10) & (apart <= 20), anchor, 0)
    return second


def _filled_slots(groups: Days, slot: Days, weight: Floats, count: int) -> tuple[Floats, Days, Days, Days]:
    """Return, a group: the weight of its filled slots, the slots from first to last filled, the filled ones, the last one."""
    hit = weight > 0
    groups, slot, weight = groups[hit], slot[hit], weight[hit]
    low = int(slot.min()) if slot.size else 0
    width = (int(slot.max()) - low + 1) if slot.size else 1
    key = groups * width + (slot - low)
    order = np.lexsort((-weight, key))
    key, weight = key[order], weight[order]
    is_first = np.ones(len(key), dtype=np.bool_)
    is_first[1:] = key[1:] != key[:-1]
    key, weight = key[is_first], weight[is_first]
    group, index = key // width, key % width
    total = np.bincount(group, weight, minlength=count)
    filled = np.bincount(group, minlength=count)
    first_slot = np.full(count, width, dtype=np.int64)
    last_slot = np.full(count, -1, dtype=np.int64)
    np.minimum.at(first_slot, group, index)
    np.maximum.at(last_slot, group, index)
    expected = np.where(filled > 0, last_slot - first_slot + 1, 0)
    return total, expected, filled, last_slot + low


def _slot_days(best: Days, slot: Days, chosen: dict[str, Days], calendar: BusinessCalendar) -> Days:
    """Return the day of a slot number of each group's best class."""
    result = np.full(len(best), -1, dtype=np.int64)
    for code, family in enumerate(_FAMILIES):
        mine = best == code
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
    return calendar.first + calendar.slots.shape[1] - 1


def _bounded_month_slot(month: Days, anchor: Days, roll: Days, calendar: BusinessCalendar) -> Days:
    limits = month_index(np.array([calendar.first, _last(calendar)], dtype=np.int64))
    return _month_slot(np.clip(month, limits[0], limits[1]), np.maximum(anchor, 1), roll, calendar)


def slot_calendar(cadences: Cadences, index: int, country: str, first_day: int, last_day: int) -> Days:
    """Return the expected days of one group's cadence within a range, as day numbers; none when irregular."""
    code = int(cadences.code[index])
    if code == IRREGULAR:
        return np.zeros(0, dtype=np.int64)
    calendar = business_calendar(country, first_day, last_day)
    family = _FAMILIES[code]
    if family.unit == "day":
        numbers = np.arange(first_day // family.period - 2, last_day // family.period + 3, dtype=np.int64)
    else:
        months = month_index(np.array([first_day, last_day], dtype=np.int64))
        scale = 2 if family.unit == "half_month" else 1
        step = 1 if family.unit == "half_month" else family.period
        numbers = np.arange(
            scale * months[0] // step - 2, scale * (months[1] + 1) // step + 3, dtype=np.int64
        )
    chosen = {
        name: np.repeat(getattr(cadences, name)[index], len(numbers))
        for name in ("phase", "second_phase", "month_phase", "roll")
    }
    days = _slot_days(np.repeat(np.int64(code), len(numbers)), numbers, chosen, calendar)
    return cast("Days", np.unique(days[(days >= first_day) & (days <= last_day)]))
