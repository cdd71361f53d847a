"""Charts say what the numbers say, and stay readable without colour."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from kycpack.render.charts import Bar, Rhythm, Series, chart_coverage, chart_months, chart_rhythm
from kycpack.render.drawing import Box, Dot, Drawing, Label, render_svg
from kycpack.render.palette import BRASS, REST, SERIES, Colour

MONTHS = st.tuples(st.integers(2023, 2026), st.integers(1, 12))
AMOUNTS = st.integers(0, 10**9)


def lightness(colour: Colour) -> float:
    red, green, blue = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue


def labels(drawing: Drawing) -> list[str]:
    return [mark.text for mark in drawing.marks if isinstance(mark, Label)]


def inside(drawing: Drawing) -> bool:
    boxes = [mark for mark in drawing.marks if isinstance(mark, Box)]
    return all(
        box.x >= -0.01 and box.x + box.width <= drawing.width + 0.3 and box.y >= -0.01 and box.height >= 0
        for box in boxes
    )


def test_neighbours_in_a_stack_keep_apart_in_grey() -> None:
    fills = [*SERIES[:4], REST]
    assert all(abs(lightness(one) - lightness(other)) > 18 for one, other in pairwise(fills))
    assert abs(lightness(BRASS) - lightness(SERIES[0])) > 60


@given(st.lists(st.dictionaries(MONTHS, AMOUNTS, max_size=12), min_size=1, max_size=7))
def test_stacks_stay_inside_the_drawing_whatever_the_amounts(amounts: list[dict]) -> None:
    drawing = chart_months([Series(f"s{n}", by_month) for n, by_month in enumerate(amounts)], "GBP")
    assert inside(drawing)
    ET.fromstring(render_svg(drawing))  # noqa: S314 - our own drawing


def test_a_month_without_credits_keeps_its_place_on_the_axis() -> None:
    drawing = chart_months([Series("pay", {(2025, 1): 100, (2025, 4): 100})], "GBP")
    assert [text for text in labels(drawing) if text.endswith("25")] == [
        "Jan 25",
        "Feb 25",
        "Mar 25",
        "Apr 25",
    ]


def test_the_waterfall_names_every_part_and_the_sum() -> None:
    drawing = chart_coverage(
        [Bar("Streams", 123456, 3, explained=True), Bar("Unexplained", 44, 1, explained=False)], "GBP"
    )
    assert {"1,234.56 GBP", "0.44 GBP", "1,235.00 GBP"} <= set(labels(drawing))
    assert inside(drawing)


def test_each_payment_is_a_dot() -> None:
    days = tuple(date(2025, month, 28) for month in range(1, 13))
    drawing = chart_rhythm([Rhythm("pay", days), Rhythm("once", days[:1])])
    assert sum(isinstance(mark, Dot) for mark in drawing.marks) == 13


def test_no_months_draw_an_empty_axis() -> None:
    assert inside(chart_months([], "GBP"))
    assert inside(chart_rhythm([]))
    assert inside(chart_coverage([], "JPY"))


def test_a_hostile_label_is_text_in_svg() -> None:
    drawing = chart_months([Series("</text><script>alert(1)</script>\u202e", {(2025, 1): 1})], "GBP")
    page = render_svg(drawing)
    assert "<script" not in page
    assert "\u202e" not in page
    ET.fromstring(page)  # noqa: S314 - our own drawing
