"""The width of a text in a chart, and charts of balances: their weeks, their months and their highest line."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from tests.render.test_charts import labels, spans

from kycpack.render.charts import (
    WIDTH,
    Axis,
    Series,
    chart_months,
    chart_share,
    month_labels,
    short_amount,
)
from kycpack.render.drawing import Drawing, Label, Line, flattened, render_svg
from kycpack.render.history_charts import (
    Balances,
    _weekly,
    chart_balances,
)
from kycpack.render.palette import REST, SERIES


def test_a_text_keeps_its_width_in_svg_whatever_the_face() -> None:
    """A reader without our faces has wider ones, and the end of a legend was outside the drawing."""
    drawing = chart_share([("cash, or explained only by the sender", 1, REST)], WIDTH, with_legend=True)
    texts = [one for one in ET.fromstring(render_svg(drawing)) if one.tag.endswith("text")]  # noqa: S314 - our own drawing
    (span,) = spans(
        replace(
            drawing, marks=tuple(replace(mark, room=0.0) for mark in drawing.marks if isinstance(mark, Label))
        )
    )
    assert float(texts[0].attrib["textLength"]) == pytest.approx(span[2] - span[1], abs=0.01)
    assert texts[0].attrib["lengthAdjust"] == "spacingAndGlyphs"


def test_balances_run_from_the_first_day_to_the_last() -> None:
    by_day = {date(2026, 1, 5): 100_00, date(2026, 2, 2): 50_00, date(2026, 3, 2): 75_00}
    drawing = chart_balances([Balances("A1", by_day)], "GBP")
    assert drawing.words == "Balance of each account in GBP from 5 Jan 2026 to 2 Mar 2026"
    steps = [mark for mark in drawing.marks if isinstance(mark, Line) and mark.colour == SERIES[0]]
    assert max(mark.x2 for mark in steps) == drawing.width
    assert min(mark.x1 for mark in steps) < drawing.width / 4


def test_balances_begin_with_the_very_first_one_where_its_week_has_later_ones() -> None:
    by_day = {date(2026, 1, 5): 100_00, date(2026, 1, 7): 90_00, date(2026, 3, 2): 75_00}
    drawing = chart_balances([Balances("A1", by_day)], "GBP")
    rules = [mark for mark in drawing.marks if isinstance(mark, Line)]
    axis = min(mark.x1 for mark in rules if mark.colour != SERIES[0])
    assert min(mark.x1 for mark in rules if mark.colour == SERIES[0]) == axis


@pytest.mark.parametrize(
    ("first", "last", "named"),
    [
        (date(2026, 1, 1), date(2026, 4, 30), ["Jan 26", "Feb 26", "Mar 26", "Apr 26"]),
        (date(2026, 1, 2), date(2026, 4, 30), ["Feb 26", "Mar 26", "Apr 26"]),
        (date(2026, 1, 1), date(2026, 4, 5), ["Jan 26", "Feb 26", "Mar 26", "Apr 26"]),
        (date(2026, 1, 1), date(2026, 4, 4), ["Jan 26", "Feb 26", "Mar 26"]),
    ],
)
def test_balances_name_each_month_at_its_first_day_but_not_at_the_edge(
    first: date, last: date, named: list[str]
) -> None:
    drawing = chart_balances([Balances("A1", {first: 100, last: 200})], "GBP")
    assert [text for text in labels(drawing) if text.endswith("26")] == named


@pytest.mark.parametrize("count", [1, 2, 13, 15, 24, 25, 40])
def test_a_star_for_a_part_of_a_month_stands_at_a_name(count: int) -> None:
    months = [(2024 + number // 12, number % 12 + 1) for number in range(count)]
    said = month_labels(months, frozenset({months[0], months[-1]}), 14)
    assert "*" not in said
    assert said[0].startswith("Jan 24")
    assert said[0].endswith("*")
    assert said[-1].endswith("*")
    named = [place for place, words in enumerate(said) if words]
    assert len(named) <= 15
    assert count < 15 or min(later - earlier for earlier, later in pairwise(named)) >= 2


def test_a_star_has_the_name_of_its_month_or_is_left_out_where_it_would_touch_another() -> None:
    months = [(2024 + number // 12, number % 12 + 1) for number in range(25)]
    said = month_labels(months, frozenset({months[0], months[1], months[8], months[-1]}), 7)
    assert [words for words in said if "*" in words] == ["Jan 24*", "Sep 24*", "Jan 26*"]
    assert "*" not in said


def test_the_name_before_a_last_month_with_a_star_leaves_room_for_it_at_an_even_distance() -> None:
    months = [(2024 + number // 12, number % 12 + 1) for number in range(24)]
    said = month_labels(months, frozenset({months[0], months[-1]}), 6)
    assert [at for at, words in enumerate(said) if words] == [0, 6, 12, 18, 23]


@pytest.mark.parametrize("count", range(8, 40))
def test_the_names_of_months_stand_at_even_distances_up_to_the_last(count: int) -> None:
    """The name before the last was left out, and the distance to the last was nearly twice that of the others."""
    said = month_labels([(2024 + number // 12, number % 12 + 1) for number in range(count)], frozenset(), 6)
    *even, last = (
        later - earlier for earlier, later in pairwise([at for at, word in enumerate(said) if word])
    )
    assert len(set(even)) == 1
    assert last <= 1.5 * even[0]
    assert last * 6 * 4 >= 3 * count


@pytest.mark.parametrize("share", [1.0, 0.6])
@pytest.mark.parametrize("highest", [95_00, 2_100_00, 2_500_00, 9_800_00, 23_000_00, 41_000_00, 150_000_00])
def test_the_small_chart_has_amounts_besides_its_ends(highest: int, share: float) -> None:
    """0 and the top were the only amounts of an axis of five steps, and of one of three where the chart was low."""
    drawn = chart_months([Series("A", {(2025, 1): highest})], "GBP", height=17.0, is_strip=True)
    beside = [
        mark.text
        for mark in flattened(drawn, share).marks
        if isinstance(mark, Label) and mark.align == "right"
    ]
    assert len(beside) >= 3


def test_the_balances_of_two_accounts_are_those_at_the_end_of_the_same_weeks() -> None:
    """5 Jan 2026 is a Monday; the second account begins in the middle of a week."""
    days = [date(2026, 1, 5) + timedelta(days=n) for n in range(28)]
    points = _weekly(dict.fromkeys(days, 1)), _weekly(dict.fromkeys(days[3:], 1))
    first, second = ([day for day, _ in one] for one in points)
    assert first[1:] == second[1:] == [date(2026, 1, day) for day in (11, 18, 25)] + [date(2026, 2, 1)]


@pytest.mark.parametrize("share", [1.0, 0.8, 0.6, 0.45, 0.3])
@pytest.mark.parametrize("highest", [503_000, 950_000, 480_000])
def test_the_highest_line_of_a_flat_chart_keeps_its_figure(highest: int, share: float) -> None:
    axis = Axis.over(0, highest, 17.0)
    drawing = flattened(Drawing(90.0, 25.0, tuple(axis.marks("GBP", 90.0)), "amounts"), share)
    labels = [mark for mark in drawing.marks if isinstance(mark, Label)]
    lines = [mark for mark in drawing.marks if isinstance(mark, Line)]
    assert labels[0].text == "0"
    assert labels[-1].text == short_amount(axis.high, "GBP")
    assert labels[-1].y - 0.9 * share == pytest.approx(min(line.y1 for line in lines))
    apart = [low.y - high.y for low, high in pairwise(labels)]
    assert min(apart) > 2.0
    assert len(lines) == len(labels)
    assert max(apart) == pytest.approx(min(apart), abs=0.9)  # the lowest keeps its distance from the line


def test_the_steps_of_an_axis_of_small_sums_are_no_zeros() -> None:
    drawing = chart_months([Series("A", {(2025, 1): 48})], "GBP")
    assert {"0", "0.10", "0.50"} <= set(labels(drawing))
