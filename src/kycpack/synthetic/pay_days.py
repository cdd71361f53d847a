"""Actual pay days: nominal days, moved off weekends and bank holidays."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

import holidays

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
