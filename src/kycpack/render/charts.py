"""Charts of a review: credits by month, the coverage ledger, the payment dates of streams. Amounts are minor units."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import count, cycle

from kycpack.models.dates import MONTHS, day_words, month_words
from kycpack.models.money import format_minor, from_minor
from kycpack.render.drawing import POINT, Box, Dot, Drawing, Label, Line, Mark, kept_inside
from kycpack.render.palette import (
    CASH_FILLS,
    DOUBTED,
    DOUBTED_FILLS,
    HAIRLINE,
    INK,
    IRREGULAR_FILLS,
    KNOWN_FILLS,
    MUTED,
    NAVY,
    REGULAR_FILLS,
    REST,
    WHITE,
    Colour,
)
from kycpack.render.text_runs import runs, width_of
from kycpack.render.typefaces import Face
from kycpack.render.wording import share_words
from kycpack.wealth.judge.coverage import CASH_OR_NAMED, IRREGULAR, KNOWN, REGULAR

WIDTH, STRIP_WIDTH = 174.0, 90.0
"""Width of every chart, and of the small one on page one, in millimetres."""

Month = tuple[int, int]
"""A year and a month, such as `(2025, 6)`."""

NATURE_FILLS: Mapping[str, tuple[Colour, ...]] = {
    KNOWN: KNOWN_FILLS,
    DOUBTED: DOUBTED_FILLS,
    REGULAR: REGULAR_FILLS,
    CASH_OR_NAMED: CASH_FILLS,
    IRREGULAR: IRREGULAR_FILLS,
}
"""The fills of each nature, in the bar on page one (the first of them) and in the charts by month."""

AXIS_LEFT = 17.0
"""The left end of an axis of amounts, in millimetres."""

_STEPS, _LONG = (1, 2, 5), 240  # the latter in days
_MOST_STEPS, _STRIP_STEPS = 5, 4  # of the small chart so many that each other one can be left out
_MOST_NAMES = 14  # names of months under one chart
_PARTS = 4  # of the distance of two such names, of which a name needs all but one
_SEAM = 0.1  # by which a box covers the one below it: where two only meet, some readers draw a white line
_LEGEND_COLUMNS, _LEGEND_ROW, _LEGEND_SIZE, _LEGEND_GAP = 3, 4.2, 7.0, 6.0


@dataclass(frozen=True, slots=True)
class Series:
    """Amounts of one source by month.

    Attributes:
        name: Name in the legend.
        by_month: Minor units by month, with months such as `(2025, 6)`.
        nature: Its nature, one of `NATURES`.
    """

    name: str
    by_month: Mapping[Month, int]
    nature: str = KNOWN


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the coverage ledger.

    Attributes:
        name: The disposition in words.
        total_minor: Its credits, in minor units.
        count: Their number.
        natures: Minor units by nature, one of `NATURES`; the rest of the bar is own transfers or was taken back.
    """

    name: str
    total_minor: int
    count: int
    natures: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The dates of a stream's payments, and the nature of most of its money, one of `NATURES`."""

    name: str
    dates: tuple[date, ...]
    nature: str = KNOWN


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of amounts in minor units: its ends, its step, and its height in millimetres."""

    low: int
    high: int
    step: int
    height: float

    @classmethod
    def over(cls, lowest: int, highest: int, height: float, most: int = _MOST_STEPS) -> Axis:
        """Return the axis that holds two amounts, the lower of which is at most 0, with `most` steps from 0 to the amount farther from it."""
        step = axis_step(max(highest, -lowest), most)
        return cls(-(-lowest // -step) * -step if lowest < 0 else 0, -(-highest // step) * step, step, height)

    @property
    def foot(self) -> float:
        """The lower end in millimetres."""
        return self.height + 3.0

    def y(self, minor: int) -> float:
        """Return the place of an amount in millimetres."""
        return self.foot - self.height * (minor - self.low) / max(self.high - self.low, 1)

    def marks(self, currency: str, width: float = WIDTH) -> list[Mark]:
        """Return a line and a label for each step, as wide as the chart."""
        found: list[Mark] = []
        for minor in range(self.low, self.high + 1, self.step):
            y, words = self.y(minor), short_amount(minor, currency)
            found.append(Line(AXIS_LEFT, y, width, y, HAIRLINE, 0.15))
            found.append(Label(AXIS_LEFT - 1.5, y + 0.9, words, 6.4, "right", MUTED, scale=True))
        return found


@dataclass(frozen=True, slots=True)
class Days:
    """An axis of days: its ends, its left end and its width in millimetres."""

    first: date
    last: date
    left: float
    room: float

    @classmethod
    def over(cls, days: Iterable[date], left: float, room: float) -> Days:
        """Return the axis that holds some days; without any it is empty."""
        held = sorted(days) or [date(2000, 1, 1), date(2000, 1, 2)]
        return cls(held[0], held[-1], left, room)

    @property
    def span(self) -> int:
        """The number of days from end to end."""
        return max((self.last - self.first).days, 1)

    @property
    def months(self) -> list[date]:
        """The first day of each month; that of the first month may be before the axis begins."""
        ends = {(day.year, day.month) for day in (self.first, self.last)}
        return [date(year, month, 1) for year, month in months_between(ends)]

    @property
    def words(self) -> str:
        """The two ends in words."""
        return f"{day_words(self.first)} to {day_words(self.last)}"

    def x(self, day: date) -> float:
        """Return the place of a day in millimetres."""
        return self.left + self.room * (day - self.first).days / self.span


def month_slots(
    months: Sequence[Month], part_months: frozenset[Month], foot: float, right: float = WIDTH
) -> Iterator[tuple[Month, float, float, Label]]:
    """Yield each month with the left edge and the width of its bar, and its label below an axis that ends at the right edge."""
    slot = (right - AXIS_LEFT) / max(len(months), 1)
    width = min(slot * 0.72, 9.0)
    labels = month_labels(months, part_months, int(_MOST_NAMES * (right - AXIS_LEFT) / (WIDTH - AXIS_LEFT)))
    for place, (month, words) in enumerate(zip(months, labels, strict=True)):
        x = AXIS_LEFT + place * slot + (slot - width) / 2
        yield month, x, width, month_mark(x + width / 2, foot + 3.6, words, "middle", right)


def chart_months(
    series: Sequence[Series],
    currency: str,
    *,
    part_months: frozenset[Month] = frozenset(),
    covered: Collection[Month] = (),
    height: float = 40.0,
    is_strip: bool = False,
) -> Drawing:
    """Draw credits by month, stacked by source.

    Args:
        series: The first is at the bottom of each stack.
        currency: ISO 4217 code of all amounts.
        part_months: Months that the data covers only in part; they are marked.
        covered: Months of the data; the axis shows them even without credits, so that a month without income is seen.
        height: Height of the tallest stack's axis in millimetres.
        is_strip: Whether it is the small chart: without the names of the sources, in the colours of the bar beside it.
    """
    months = months_between({month for one in series for month in one.by_month}.union(covered))
    totals = [sum(one.by_month.get(month, 0) for one in series) for month in months]
    axis = Axis.over(0, max(totals, default=0), height, _STRIP_STEPS if is_strip else _MOST_STEPS)
    wide = STRIP_WIDTH if is_strip else WIDTH
    marks = axis.marks(currency, wide)
    fills = [NATURE_FILLS[one.nature][0] for one in series] if is_strip else series_fills(series)
    for month, x, width, label in month_slots(months, part_months, axis.foot, wide):
        y = axis.foot
        for one, fill in zip(series, fills, strict=True):
            tall = height * one.by_month.get(month, 0) / max(axis.high, 1)
            if tall > 0:
                seam, y = _SEAM if y < axis.foot else 0.0, y - tall
                marks.append(Box(x, y, width, max(tall, 0.08) + seam, fill))
        marks.append(label)
    marks.append(Line(AXIS_LEFT, axis.foot, wide, axis.foot, INK, 0.25))
    named = [] if is_strip else [(one.name, fill) for one, fill in zip(series, fills, strict=True)]
    beside, rows = legend(named, AXIS_LEFT, axis.foot + 8.0)
    span = f", {month_words(*months[0])} to {month_words(*months[-1])}" if months else ""
    words = f"Credits by month in {currency}{span}, stacked by source"
    return Drawing(wide, axis.foot + (5.0 if is_strip else 6.0 + rows), (*marks, *beside), words)


def chart_coverage(bars: Sequence[Bar], currency: str) -> Drawing:
    """Draw the coverage ledger as a waterfall from zero to all booked credits.

    Args:
        bars: The dispositions, in the order in which they are shown.
        currency: ISO 4217 code of all amounts.
    """
    total = sum(bar.total_minor for bar in bars)
    left, row, room = 46.0, 6.2, WIDTH - 46.0 - 44.0
    marks: list[Mark] = []
    reached = 0
    shares = share_words([bar.total_minor for bar in bars])
    for index, bar in enumerate(bars):
        y = 1.0 + index * row
        x = start = left + room * reached / max(total, 1)
        length = room * bar.total_minor / max(total, 1)
        marks.append(Label(left - 2.0, y + 3.2, bar.name, 7.4, "right", INK, room=43.0))
        marks.append(Box(start, y, max(length, 0.25), row - 2.0, REST))
        for nature, fills in NATURE_FILLS.items():
            part = room * bar.natures.get(nature, 0) / max(total, 1)
            if part:
                marks.append(Box(x, y, max(part, 0.25), row - 2.0, fills[0]))
                x += part
        if index + 1 < len(bars):
            marks.append(Line(start + length, y, start + length, y + row, HAIRLINE, 0.2))
        share = f"{shares[index]} · {bar.count}"
        marks.append(Label(WIDTH, y + 3.2, format_minor(bar.total_minor, currency), 7.2, "right"))
        marks.append(Label(WIDTH - 27.0, y + 3.2, share, 6.6, "right", MUTED))
        reached += bar.total_minor
    y = 1.0 + len(bars) * row
    marks.append(Line(left, y, WIDTH, y, NAVY, 0.3))
    marks.append(Label(left - 2.0, y + 4.0, "All credits counted", 7.4, "right", NAVY, strong=True))
    marks.append(Label(WIDTH, y + 4.0, format_minor(total, currency), 7.4, "right", NAVY, strong=True))
    words = f"How {format_minor(total, currency)} of credits were counted"
    return Drawing(WIDTH, y + 6.0, tuple(marks), words)


def chart_rhythm(rhythms: Sequence[Rhythm]) -> Drawing:
    """Draw the dates of the payments of streams, with a line for each stream and a dot for each payment."""
    left, row = 46.0, 5.4
    days = Days.over((day for rhythm in rhythms for day in rhythm.dates), left + 2.0, WIDTH - left - 4.0)
    foot = 2.0 + len(rhythms) * row
    marks: list[Mark] = []
    for start in days.months:
        if start >= days.first:
            x, heavy = days.x(start), start.month == 1
            marks.append(Line(x, 1.0, x, foot, MUTED if heavy else HAIRLINE, 0.2 if heavy else 0.12))
            if days.span <= _LONG or start.month in {1, 4, 7, 10}:
                marks.append(month_mark(x, foot + 3.0, month_name((start.year, start.month)), "left"))
    for index, rhythm in enumerate(rhythms):
        y = 2.0 + (index + 0.5) * row
        marks.append(Label(left - 2.0, y + 0.9, rhythm.name, 7.0, "right", INK, room=43.0))
        marks.append(Line(left, y, WIDTH, y, HAIRLINE, 0.15))
        marks += [Dot(days.x(day), y, 0.75, NATURE_FILLS[rhythm.nature][0]) for day in rhythm.dates]
    words = f"Dates of the payments of each stream, from {days.words}"
    return Drawing(WIDTH, foot + 4.5, tuple(marks), words)


def chart_share(
    parts: Sequence[tuple[str, int, Colour]], width: float, *, with_legend: bool = False
) -> Drawing:
    """Draw one bar of parts that add up to a whole.

    Args:
        parts: Name, minor units and fill of each part.
        width: Width of the bar in millimetres.
        with_legend: Whether the names stand under the bar, beside their colours; the shares stand beside the drawing.
    """
    total = max(sum(minor for _, minor, _ in parts), 1)
    marks: list[Mark] = [Box(0, 0, width, 4.0, REST)]
    x = 0.0
    for _, minor, fill in parts:
        part = width * minor / total
        marks.append(Box(x, 0, part, 4.0, fill))
        x += part
        if 0 < x < width:
            marks.append(Line(x, 0, x, 4.0, WHITE, 0.4))
    shown = share_words([minor for _, minor, _ in parts])
    words = ", ".join(
        f"{share} {name}" for share, (name, minor, _) in zip(shown, parts, strict=True) if minor
    )
    if not with_legend:
        return Drawing(width, 4.0, tuple(marks), words)
    named = [(name, fill) for name, minor, fill in parts if minor]
    beside, rows = legend(named, 0.0, 8.5)
    return Drawing(width, 8.0 + rows, (*marks, *beside), words)


def series_fills(series: Sequence[Series]) -> list[Colour]:
    """Return a fill for each series, from the fills of its nature."""
    fills = {nature: cycle(every) for nature, every in NATURE_FILLS.items()}
    return [next(fills[one.nature]) for one in series]


def legend(entries: Sequence[tuple[str, Colour]], left: float, top: float) -> tuple[list[Mark], float]:
    """Return the marks of a legend in three columns, and its height in millimetres; a long name has more than one column.

    Args:
        entries: Name and fill of each series.
        left: Left edge in millimetres.
        top: Baseline of the first row in millimetres.
    """
    marks: list[Mark] = []
    column = (WIDTH - left) / _LEGEND_COLUMNS
    row = place = 0
    for name, fill in entries:
        wide = width_of(runs(name, Face.SANS), _LEGEND_SIZE) * POINT + _LEGEND_GAP
        span = int(min(-(-wide // column), _LEGEND_COLUMNS))
        if place + span > _LEGEND_COLUMNS:
            row, place = row + 1, 0
        x, y = left + column * place, top + _LEGEND_ROW * row
        marks.append(Box(x, y - 2.0, 2.6, 2.6, fill))
        marks.append(Label(x + 4.0, y + 0.2, name, _LEGEND_SIZE, room=column * span - _LEGEND_GAP))
        place += span
    return marks, (row + 1) * _LEGEND_ROW if marks else 0.0


def months_between(seen: set[Month]) -> list[Month]:
    """Return all months from the first to the last, including empty ones."""
    if not seen:
        return []
    (year, month), last = min(seen), max(seen)
    found = []
    while (year, month) <= last:
        found.append((year, month))
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return found


def axis_step(highest: int, most: int = _MOST_STEPS) -> int:
    """Return the step of an axis from 0 to an amount: 1, 2 or 5 times a power of ten, so that there are at most so many."""
    powers: Iterator[int] = (10**exponent for exponent in count())
    return next(each * power for power in powers for each in _STEPS if highest <= most * each * power)


def short_amount(minor: int, currency: str) -> str:
    """Return an amount for an axis, such as `2.5k`."""
    major, sign = from_minor(abs(minor), currency), "-" * (minor < 0)
    if major >= 1_000_000:
        return f"{sign}{major / 1_000_000:,.1f}m".replace(".0m", "m")
    if major >= 1_000:
        return f"{sign}{major / 1_000:,.1f}k".replace(".0k", "k")
    return f"{sign}{major:,f}" if major % 1 else f"{sign}{major:,.0f}"


def month_labels(months: Sequence[Month], part_months: frozenset[Month], most: int) -> list[str]:
    """Return the labels under months: the first and last, then part months with a star, then others at even distances, as far as there is room."""
    last, placed = len(months) - 1, [*enumerate(months)]
    least, near = (max(1, -(-len(months) * part // (_PARTS * most))) for part in (_PARTS, _PARTS - 1))
    # The last distance is as long as the others, or at least long enough for the label before it.
    edge = near + any(month in part_months for month in months[-1:])
    every = min(range(least, 2 * least + 1), key=lambda step: (last % step > 0, 0 < last % step < edge, step))
    named = [0, last]
    for place in (*(at for at, one in placed if one in part_months), *range(0, last, every)):
        if min(abs(place - other) for other in named) >= near:
            named.append(place)
    return [month_name(one) + "*" * (one in part_months) if at in named else "" for at, one in placed]


def month_mark(x: float, y: float, text: str, align: str, right: float = WIDTH) -> Label:
    """Return the label of a month below a chart, kept inside the drawing."""
    return kept_inside(Label(x, y, text, 6.0, align, MUTED, scale=True), right)


PART_MONTH = "* Part of a month: the data of an account begins or ends in it"
"""What the star of a month means."""


def has_part_month(drawing: Drawing) -> bool:
    """Return whether a month on the axis of a drawing has the star of a month that the data covers only in part."""
    return any(isinstance(mark, Label) and mark.scale and mark.text.endswith("*") for mark in drawing.marks)


def month_name(month: Month) -> str:
    """Return a month in the form `Jun 25`."""
    year, number = month
    return f"{MONTHS[number - 1]} {year % 100:02d}"
