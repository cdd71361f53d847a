"""Actual pay days, moved off weekends and bank holidays, and random pay days, rises and amounts."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from random import Random

import holidays

from kycpack.synthetic.ledger import HouseholdLedger

LAST_DAY = 31
"""The number that means the last day of the month."""


@dataclass(frozen=True, slots=True)
class PayRule:
    """When a payer pays.

    Args:
        cadence: One of the nine classes of the statement's vocabulary.
        days: Days of the month; a day that a month does not have becomes its last day.
        months: Months of the year; empty means all of them.
        step_days: Days from one payment to the next, counted from `anchor`; 0 for rules by month.
        anchor: A day with a payment.
        last_weekday: Weekday (Monday is 0) whose last occurrence in the month is the pay day; None for rules by day.
        roll: before, after or none: how a day that is not a business day is moved.
    """

    cadence: str
    days: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    step_days: int = 0
    anchor: date | None = None
    last_weekday: int | None = None
    roll: str = "before"


def pay_dates(rule: PayRule, start: date, end: date) -> list[date]:
    """Return the pay days from `start` to `end`, both included, after moving them to business days."""
    margin = timedelta(days=7)
    nominal = _nominal_dates(rule, start - margin, end + margin)
    return [day for day in (roll_day(day, rule.roll) for day in nominal) if start <= day <= end]


def roll_day(day: date, roll: str) -> date:
    """Return the business day in England that a day is moved to; `none` leaves it unchanged."""
    if roll == "none":
        return day
    step = timedelta(days=1 if roll == "after" else -1)
    while is_closed(day):
        day += step
    return day


@cache
def is_closed(day: date) -> bool:
    """Return whether banks in England are closed."""
    return day.weekday() >= 5 or day in _holidays(day.year)


@cache
def _holidays(year: int) -> frozenset[date]:
    return frozenset(holidays.country_holidays("GB", subdiv="ENG", years=year))


def _nominal_dates(rule: PayRule, start: date, end: date) -> list[date]:
    if rule.step_days:
        if rule.anchor is None:
            raise ValueError("a rule by steps needs an anchor")
        first = rule.anchor + timedelta(days=-((rule.anchor - start).days // rule.step_days) * rule.step_days)
        count = (end - first).days // rule.step_days + 1
        return [first + timedelta(days=rule.step_days * index) for index in range(count)]
    found = []
    for index in range(start.year * 12 + start.month - 1, end.year * 12 + end.month):
        year, month = index // 12, index % 12 + 1
        if rule.months and month not in rule.months:
            continue
        last = calendar.monthrange(year, month)[1]
        if rule.last_weekday is not None:
            found.append(
                date(year, month, last - (date(year, month, last).weekday() - rule.last_weekday) % 7)
            )
        found.extend(date(year, month, min(day, last)) for day in rule.days)
    return found


MONTHLY_PAY_DAYS = (
    (PayRule("monthly", days=(LAST_DAY,)), 5),
    (PayRule("monthly", days=(28,)), 3),
    (PayRule("monthly", days=(25,)), 3),
    (PayRule("monthly", days=(30,)), 2),
    (PayRule("monthly", days=(15,)), 2),
    (PayRule("monthly", days=(20,)), 1),
    (PayRule("monthly", days=(1,), roll="after"), 1),
    (PayRule("monthly", last_weekday=4), 1),
)


def draw_monthly(rng: Random) -> PayRule:
    """Return a monthly rule."""
    rules = [rule for rule, _ in MONTHLY_PAY_DAYS]
    weights = [weight for _, weight in MONTHLY_PAY_DAYS]
    return rng.choices(rules, weights=weights)[0]


def every(ledger: HouseholdLedger, days: int, cadence: str, roll: str = "before") -> PayRule:
    """Return a rule for a payment every so many days, from a weekday near the beginning of the history."""
    monday = ledger.start - timedelta(days=ledger.start.weekday())
    weekday = ledger.rng.choice((1, 2, 3, 4, 4))
    anchor = monday + timedelta(days=weekday + 7 * ledger.rng.randrange(max(1, days // 7)))
    return PayRule(cadence, step_days=days, anchor=anchor, roll=roll)


def raised(
    dates: Sequence[date], usual: int, yearly: float, *, jitter: float = 0.0, rng: Random | None = None
) -> list[tuple[date, int]]:
    """Return the same amount on each day, raised every April."""
    paid = []
    for day in dates:
        rises = (day.year - dates[0].year) + (day.month >= 4) - (dates[0].month >= 4)
        minor = round(usual * yearly**rises)
        paid.append((day, around(rng, minor, jitter) if rng and jitter else minor))
    return paid


def around(rng: Random, usual: int, spread: float) -> int:
    """Return an amount that differs from the usual one by at most a share of it."""
    return max(1, round(usual * rng.uniform(1 - spread, 1 + spread)))
