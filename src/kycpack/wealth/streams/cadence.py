"""How often a payer pays: calendar hypotheses, scored by how many of their slots are filled.

Each class is a family of slots: every 7, 14 or 28 days from a starting day; or a day of the month (the 25th, the last
Friday), every 1, 3, 6 or 12 months; or two days of every month. A slot on a day when banks are closed moves to the business day before or
after it, or stays. A payment on its slot counts 1, one a few days from it counts less, any other counts 0. The score is
the harmonic mean of the filled share of payments and the filled share of slots, so both a payment without a slot and a slot
without a payment lower it.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.errors import InputError
from kycpack.wealth.prepare.coded import distinct_of
from kycpack.wealth.streams.calendars import (
    ROLLS,
    BusinessCalendar,
    Days,
    business_calendar,
    month_index,
    to_date,
)
from kycpack.wealth.streams.gaps import LOOSE, median_gaps, steady_gaps
from kycpack.wealth.streams.slots import (
    FAMILIES,
    Fit,
    Floats,
    day_of_month_words,
    fit,
    nearest_months,
    slot_days,
    votes,
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

PAYMENTS_A_YEAR = {
    "weekly": 52,
    "fortnightly": 26,
    "four_weekly": 13,
    "semi_monthly": 24,
    "monthly": 12,
    "quarterly": 4,
    "semi_annual": 2,
    "annual": 1,
}

# If the margin to the runner-up is below this, two classes are too close to call.
AMBIGUOUS_MARGIN = 0.05


# A score below floor + slope / filled slots may be chance, because payments away from the slots show no habit. Chance is likelier if slots with their tolerance cover much of the calendar, as
# weekly slots do.
_WEEKDAYS = ("Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday")
_WEEKEND = frozenset({"Saturday", "Sunday"})
_FLOOR, _SLOPE = 0.5, 1.05
_SPARSE_FLOOR, _SPARSE_SLOPE = 0.42, 1.29
_SPARSE = tuple(code for code, family in enumerate(FAMILIES) if family.unit == "month" or family.period == 28)
# By the number of payments: a few payments easily fill most of some slots, with one payment off its slot or one empty slot.
_FLOOR_OF_FEW = np.array([1.0, 1.0, 1.0, 1.0, 0.83, 0.75, 0.74, 0.0])
# Three payments on weekly slots and one off them also occur by chance.
_FLOOR_OF_FEW_WEEKS = np.where(np.arange(len(_FLOOR_OF_FEW)) == 4, 0.86, _FLOOR_OF_FEW)
_LONGEST_NEAR = 31.0
_LONGEST_STEP = 1.75
_PERIODS = np.array([family.days for family in FAMILIES])
FEWEST_PAYMENTS = 3
"""Fewer payments show no habit: two payments a year apart may just as well be chance."""


@dataclass(frozen=True)
class Cadence:
    """The cadence of a list of payment dates.

    Args:
        name: One of `CADENCES`.
        score: 0..1, of the best class, also if `name` is irregular.
        margin: Its lead over the runner-up, 0..1.
        runner_up: The second-best class.
        ambiguous: Whether the runner-up is too close to call; then more history is needed.
        expected: Number of slots from the first to the last filled one.
        filled: Number of those slots that are filled.
        anchor: The slots in words, such as "last working day" or "every second Friday".
        next_on: The next expected date after the last payment; None if irregular.
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
    """Cadences of many streams, one element per group.

    Args:
        code: Index into `CADENCES`.
        runner_up: Index into `CADENCES` of the second-best class.
        score: 0..1, of the best class.
        margin: Lead of the best class over the runner-up, 0..1.
        ambiguous: Whether the runner-up is too close to call.
        expected: Number of slots from the first to the last filled one.
        filled: Number of filled slots.
        near: Number of those whose payment came some days early or late.
        days: Number of days with a payment.
        phase: For classes in days, the phase of the slots; for classes in months, the day of the month. Half months have two.
        second_phase: The other day of the month, for half months.
        month_phase: Which months, for classes of several months.
        roll: Index into `calendars.ROLLS`.
        following: Shape (groups, 3): day numbers of the next three slots after the last filled one and the last payment; -1 if irregular.
        overtaken: Whether the slot after the last filled one had passed when the last payment came.
    """

    code: Days
    runner_up: Days
    score: Floats
    margin: Floats
    ambiguous: npt.NDArray[np.bool_]
    expected: Days
    filled: Days
    near: Days
    days: Days
    phase: Days
    second_phase: Days
    month_phase: Days
    roll: Days
    following: Days
    overtaken: npt.NDArray[np.bool_]

    def of(self, groups: Days) -> Cadences:
        """Return the cadences of the given groups, in their order."""
        return Cadences(**{name: getattr(self, name)[groups] for name in Cadences.__dataclass_fields__})

    def put(self, groups: Days, found: Cadences) -> None:
        """Set the cadences of the given groups, in their order."""
        for name in Cadences.__dataclass_fields__:
            getattr(self, name)[groups] = getattr(found, name)

    def without(self, groups: npt.NDArray[np.bool_]) -> Cadences:
        """Return the cadences with the given groups set to irregular."""
        fields = {name: getattr(self, name) for name in Cadences.__dataclass_fields__}
        fields["code"] = np.where(groups, IRREGULAR, self.code)
        fields["ambiguous"] = self.ambiguous & ~groups
        fields["following"] = np.where(groups[:, None], -1, self.following)
        return Cadences(**fields)

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
        """Return the slots of one group in words; empty if irregular."""
        name = CADENCES[self.code[index]]
        phase, roll = int(self.phase[index]), ROLLS[self.roll[index]]
        if name == "irregular":
            return ""
        if name in ("weekly", "fortnightly", "four_weekly"):
            weekday = _WEEKDAYS[phase % 7]
            if weekday in _WEEKEND and roll != "none":  # the day on which the bank books it
                weekday = "Monday" if roll == "following" else "Friday"
            return {
                "weekly": f"every {weekday}",
                "fortnightly": f"every second {weekday}",
                "four_weekly": f"every fourth {weekday}",
            }[name]
        if name == "semi_monthly":
            first, second = sorted((phase, int(self.second_phase[index])))
            return f"{day_of_month_words(first)} and {day_of_month_words(second)}"
        if phase == 31:
            return "last working day" if roll == "preceding" else "last day of the month"
        return day_of_month_words(phase) + ("" if roll == "none" else f", else the {roll} working day")


def classify_cadence(dates: Iterable[date | datetime | str], country: str = "GB") -> Cadence:
    """Return the cadence of one list of payment dates.

    Args:
        dates: Dates, in any order; several on one day count once. ISO strings and timestamps are also accepted.
        country: Country whose business days move the slots, as in `GB`, `GB-SCT`, `CZ`, `US`.

    Returns:
        The cadence; `irregular` for fewer than three days with a payment.

    Raises:
        InputError: A date cannot be read, or the country is not known.
        TypeError: `dates` is not a list of dates.
    """
    given: object = dates
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise TypeError(f"dates must be a list of dates, not {type(given).__name__}")
    values = list(dates)
    if any(isinstance(value, numbers.Integral) for value in values):
        raise InputError("a payment date cannot be read: it is a number", place="dates")
    try:
        moments = pd.DatetimeIndex(values)
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


def classify_cadences(
    groups: Days,
    days: Days,
    count: int,
    country: str = "GB",
    one_amount: npt.NDArray[np.bool_] | None = None,
) -> Cadences:
    """Return the cadences of many lists of payment dates at once.

    Args:
        groups: Shape (payments,): the list that each payment belongs to, 0 .. count - 1.
        days: Shape (payments,): booking days, in days since 1970-01-01.
        count: Number of lists.
        country: Country whose business days move the slots.
        one_amount: Shape (count,): whether all payments of a list have the same amount; None if that is not known.
    """
    if not days.size:
        return _empty(count)
    one_amount = np.zeros(count, dtype=np.bool_) if one_amount is None else one_amount
    calendar = business_calendar(country, int(days.min()), int(days.max()))
    span = int(days.max() - days.min()) + 1
    distinct = distinct_of(groups * span + (days - days.min()))
    groups, days = distinct // span, distinct % span + int(days.min())
    per_group = np.bincount(groups, minlength=count)
    # Most payers pay only once; only the others need the calculation.
    shown = np.flatnonzero(per_group >= FEWEST_PAYMENTS)
    member = per_group[groups] >= FEWEST_PAYMENTS
    index = np.searchsorted(shown, groups[member])
    days = days[member]
    everything = _empty(count)
    if shown.size:
        everything.put(shown, _classify(index, days, len(shown), calendar, one_amount[shown]))
    everything.days[:] = per_group
    return everything


def _classify(
    groups: Days, days: Days, count: int, calendar: BusinessCalendar, one_amount: npt.NDArray[np.bool_]
) -> Cadences:
    per_group = np.bincount(groups, minlength=count)
    tally = votes(groups, days, count, calendar)
    monthly = nearest_months(groups, days, tally, calendar)
    fits = [fit(family, groups, days, per_group, tally, monthly, calendar) for family in FAMILIES]
    scores = np.stack([fit.score for fit in fits], axis=1)
    order = np.argsort(-np.round(scores, 9), axis=1, kind="stable")
    best, runner_up = order[:, 0], order[:, 1]
    rows = np.arange(count)
    sparse = np.isin(best, _SPARSE)
    slope = np.where(sparse, _SPARSE_SLOPE, _SLOPE)
    filled = np.stack([fit.filled for fit in fits], axis=1)[rows, best]
    floor = np.where(sparse, _SPARSE_FLOOR, _FLOOR) + slope / np.maximum(filled, 1)
    few = np.minimum(per_group, len(_FLOOR_OF_FEW) - 1)
    least = np.where(sparse, _FLOOR_OF_FEW[few], _FLOOR_OF_FEW_WEEKS[few])
    # With slots whole months apart, payments at random seldom fit.
    floor = np.where(_PERIODS[best] > _LONGEST_NEAR, floor, np.maximum(floor, least))
    regular = np.round(scores[rows, best], 9) >= floor
    # If the usual step is two slots, as with money every two months, the slots belong to another habit.
    regular &= median_gaps(groups, days, count) < _LONGEST_STEP * _PERIODS[best]
    # Gaps that keep to one period show a habit even if the days are off their slots.
    keeps = steady_gaps(groups, days, count, one_amount) & ~regular[:, None]
    for code in LOOSE:
        if keeps[:, code].any():
            loose = fit(LOOSE[code], groups, days, per_group, tally, monthly, calendar)
            fits[code] = _where(keeps[:, code], loose, fits[code])
    scores = np.stack([fit.score for fit in fits], axis=1)
    steady = np.where(keeps.any(axis=1), np.argmax(np.where(keeps, scores, -1.0), axis=1), -1)
    held = steady >= 0
    runner_up = np.where(held & (best != steady), best, runner_up)
    best = np.where(held, steady, best)
    score = scores[rows, best]
    regular |= held
    margin = np.maximum(score - scores[rows, runner_up], 0.0)
    chosen = {
        name: np.stack([getattr(fit, name) for fit in fits], axis=1)[rows, best]
        for name in ("expected", "filled", "near", "phase", "second_phase", "month_phase", "roll")
    }
    next_slot = np.stack([fit.last_slot for fit in fits], axis=1)[rows, best] + 1
    late, last = np.flatnonzero(regular), days[np.cumsum(per_group) - 1]
    overtaken = np.zeros(count, dtype=np.bool_)
    while (late := late[_slot_days_of(late, best, next_slot, chosen, calendar) <= last[late]]).size:
        next_slot[late] += 1
        overtaken[late] = True
    thrice = {name: np.repeat(values, 3) for name, values in chosen.items()}
    ahead = np.repeat(next_slot, 3) + np.tile(np.arange(3), count)
    following = slot_days(np.repeat(best, 3), ahead, thrice, calendar).reshape(count, 3)
    following[~regular] = -1
    return Cadences(
        code=np.where(regular, best, IRREGULAR),
        runner_up=runner_up,
        score=score,
        margin=margin,
        ambiguous=regular & (margin < AMBIGUOUS_MARGIN),
        days=per_group,
        following=following,
        overtaken=overtaken,
        **chosen,
    )


def _slot_days_of(
    groups: Days, best: Days, slot: Days, chosen: dict[str, Days], calendar: BusinessCalendar
) -> Days:
    """Return the day of a slot number in the best class of some of the groups."""
    mine = {name: values[groups] for name, values in chosen.items()}
    return slot_days(best[groups], slot[groups], mine, calendar)


def _where(mask: npt.NDArray[np.bool_], one: Fit, other: Fit) -> Fit:
    return Fit(
        **{
            name: np.where(mask, getattr(one, name), getattr(other, name))
            for name in Fit.__dataclass_fields__
        }
    )


def _empty(count: int) -> Cadences:
    irregular = np.full(count, IRREGULAR, dtype=np.int64)
    others = ("expected", "filled", "near", "days", "phase", "second_phase", "month_phase", "roll")
    return Cadences(
        code=irregular,
        runner_up=irregular.copy(),
        score=np.zeros(count),
        margin=np.zeros(count),
        ambiguous=np.zeros(count, dtype=np.bool_),
        following=np.full((count, 3), -1, dtype=np.int64),
        overtaken=np.zeros(count, dtype=np.bool_),
        **{name: np.zeros(count, dtype=np.int64) for name in others},
    )


def slot_calendar(cadences: Cadences, index: int, country: str, first_day: int, last_day: int) -> Days:
    """Return the expected days of one group's cadence within a range, as day numbers; empty if irregular."""
    code = int(cadences.code[index])
    if code == IRREGULAR:
        return np.zeros(0, dtype=np.int64)
    calendar = business_calendar(country, first_day, last_day)
    family = FAMILIES[code]
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
    days = slot_days(np.repeat(np.int64(code), len(numbers)), numbers, chosen, calendar)
    return distinct_of(days[(days >= first_day) & (days <= last_day)])
