"""Charts over time: balances, money in and out by month, and the dates of checks and payments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import cycle, pairwise
from math import hypot

from kycpack.models.dates import day_words
from kycpack.models.money import format_minor
from kycpack.render.charts import (
    AXIS_LEFT,
    WIDTH,
    Axis,
    Days,
    Month,
    legend,
    month_mark,
    month_name,
    month_slots,
    months_between,
)
from kycpack.render.drawing import Box, Dot, Drawing, Label, Line, Mark
from kycpack.render.palette import ACCOUNTS, HAIRLINE, INK, MONEY_OUT, MUTED, NAVY, Colour

DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (1.6, 0.9),
    (0.5, 0.7),
    (2.4, 0.6, 0.5, 0.6),
    (0.9, 0.4),
    (1.4, 0.5, 0.4, 0.5, 0.4, 0.5),
)
"""The lines of accounts: the lengths of dashes and of the gaps after them, in millimetres; empty for a line without gaps."""

_Point = tuple[float, float]
_WEEK = 7
_HEIGHT = 32.0  # height of the axis in millimetres


@dataclass(frozen=True, slots=True)
class Balances:
    """The balance of an account at the end of days on which it moved, in minor units."""

    name: str
    by_day: Mapping[date, int]


@dataclass(frozen=True, slots=True)
class Event:
    """An event on one day, or from one day to another."""

    name: str
    first: date
    last: date


def chart_balances(accounts: Sequence[Balances], currency: str) -> Drawing:
    """Draw the balance of accounts over time, with one point per week.

    Args:
        accounts: At most six, all in one currency.
        currency: ISO 4217 code of all amounts.
    """
    days = Days.over((day for account in accounts for day in account.by_day), AXIS_LEFT, WIDTH - AXIS_LEFT)
    amounts = [minor for account in accounts for minor in account.by_day.values()]
    axis = Axis.over(min([0, *amounts]), max([0, *amounts]), _HEIGHT)
    marks = axis.marks(currency)
    for index, account in enumerate(accounts):
        points = [(days.x(day), axis.y(minor)) for day, minor in _weekly(account.by_day)]
        colour = ACCOUNTS[index % len(ACCOUNTS)]
        steps = [corner for (x1, y1), (x2, _) in pairwise(points) for corner in ((x1, y1), (x2, y1))]
        marks += _line([*steps, *points[-1:]], colour, DASHES[index % len(DASHES)])
        marks += [Dot(x, y, 0.6, colour) for x, y in points[-1:]]
    marks += _month_labels(days, axis.foot + 3.6)
    named = [(account.name, ACCOUNTS[index % len(ACCOUNTS)]) for index, account in enumerate(accounts)]
    beside, rows = legend(named, AXIS_LEFT, axis.foot + 8.0)
    beside = [
        *_samples([mark for mark in beside if isinstance(mark, Box)]),
        *(mark for mark in beside if isinstance(mark, Label)),
    ]
    words = f"Balance of each account in {currency} from {days.words}"
    return Drawing(WIDTH, axis.foot + 6.0 + rows, (*marks, *beside), words)


def chart_flows(
    money_in: Mapping[Month, int],
    money_out: Mapping[Month, int],
    currency: str,
    *,
    part_months: frozenset[Month] = frozenset(),
) -> Drawing:
    """Draw money in above the line and money out below it, by month.

    Args:
        money_in: Minor units by month.
        money_out: Minor units by month, as positive numbers.
        currency: ISO 4217 code of all amounts.
        part_months: Months that the data covers only in part; they are marked.
    """
    months = months_between({*money_in, *money_out})
    axis = Axis.over(-max([0, *money_out.values()]), max([0, *money_in.values()]), _HEIGHT)
    marks = axis.marks(currency)
    zero = axis.y(0)
    for month, x, width, label in month_slots(months, part_months, axis.foot):
        for minor, fill in ((money_in.get(month, 0), NAVY), (-money_out.get(month, 0), MONEY_OUT)):
            y = axis.y(minor)
            if minor:
                marks.append(Box(x, min(y, zero), width, max(abs(zero - y), 0.08), fill))
        marks.append(label)
    marks.append(Line(AXIS_LEFT, zero, WIDTH, zero, INK, 0.25))
    beside, _ = legend([("Money in", NAVY), ("Money out", MONEY_OUT)], AXIS_LEFT, axis.foot + 8.0)
    ins, outs = sum(money_in.values()), sum(money_out.values())
    words = f"{format_minor(ins, currency)} in and {format_minor(outs, currency)} out, by month"
    return Drawing(WIDTH, axis.foot + 10.2, (*marks, *beside), words)


def chart_timeline(events: Sequence[Event]) -> Drawing:
    """Draw a timeline with one line per event and its days in words at the right."""
    left, right, row = 46.0, 46.0, 5.4
    ends = (day for event in events for day in (event.first, event.last))
    days = Days.over(ends, left + 2.0, WIDTH - left - right - 4.0)
    marks: list[Mark] = []
    for index, event in enumerate(events):
        y = 2.0 + (index + 0.5) * row
        start, end = days.x(event.first), days.x(event.last)
        marks.append(Label(left - 2.0, y + 0.9, event.name, 7.0, "right", INK, room=43.0))
        marks.append(Line(left, y, WIDTH - right, y, HAIRLINE, 0.15))
        if event.last > event.first:
            marks.append(Line(start, y, end, y, NAVY, 0.9))
        marks += [Dot(x, y, 0.9, NAVY) for x in dict.fromkeys((start, end))]
        days_ = day_words(event.first)
        words = days_ if event.last == event.first else f"{days_} to {day_words(event.last)}"
        marks.append(Label(WIDTH, y + 0.9, words, 6.6, "right", MUTED))
    words = f"Events from {days.words}"
    return Drawing(WIDTH, 4.0 + len(events) * row, tuple(marks), words)


def _weekly(by_day: Mapping[date, int]) -> list[tuple[date, int]]:
    """Return the last balance of each week from Monday on, the same weeks for every account, and the first and last balance of all."""
    days = sorted(by_day)
    last_of_week = {(day.toordinal() - 1) // _WEEK: day for day in days}
    return [(day, by_day[day]) for day in sorted({*last_of_week.values(), *days[:1]})]


def _line(points: Sequence[_Point], colour: Colour, dashes: Sequence[float]) -> list[Mark]:
    """Return the lines through points, with dashes that go on around corners."""
    if not dashes:
        return [Line(*start, *end, colour, 0.45) for start, end in pairwise(points)]
    marks: list[Mark] = []
    lengths = cycle(enumerate(dashes))
    place, left = next(lengths)
    for (x1, y1), (x2, y2) in pairwise(points):
        whole = hypot(x2 - x1, y2 - y1)
        done = 0.0
        while done < whole:
            part = min(left, whole - done)
            if place % 2 == 0:
                at, to = (done / whole, (done + part) / whole)
                ends = [(x1 + share * (x2 - x1), y1 + share * (y2 - y1)) for share in (at, to)]
                marks.append(Line(*ends[0], *ends[1], colour, 0.45))
            done, left = done + part, left - part
            if left <= 0:
                place, left = next(lengths)
    return marks


def _samples(boxes: Sequence[Box]) -> Iterator[Mark]:
    """Yield a piece of the line of each account, where a legend has a box."""
    for index, box in enumerate(boxes):
        y = box.y + box.height / 2
        yield from _line([(box.x, y), (box.x + box.width + 0.9, y)], box.fill, DASHES[index % len(DASHES)])


def _month_labels(days: Days, y: float) -> list[Mark]:
    end = days.last - timedelta(days=min(days.span // 20, 20))
    every = max(1, -(-len(days.months) // 14))
    return [
        month_mark(days.x(start), y, month_name((start.year, start.month)), "left")
        for start in days.months[::every]
        if days.first <= start <= end
    ]
