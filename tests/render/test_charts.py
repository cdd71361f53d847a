"""Charts say what the numbers say, and stay readable without colour."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from decimal import Decimal
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.render.charts import (
    NATURE_FILLS,
    WIDTH,
    Bar,
    Rhythm,
    Series,
    chart_coverage,
    chart_months,
    chart_rhythm,
    chart_share,
    has_part_month,
    series_fills,
)
from kycpack.render.document_parts import Paragraph
from kycpack.render.drawing import POINT, Box, Dot, Drawing, Label, Line, flattened, render_svg
from kycpack.render.history_charts import (
    DASHES,
    Balances,
    Event,
    chart_balances,
    chart_flows,
    chart_timeline,
)
from kycpack.render.palette import ACCOUNTS, MONEY_OUT, REST, SERIES, UNEXPLAINED_FILL, Colour
from kycpack.render.review.coverage import coverage_section
from kycpack.render.review.share_sums import shares_of
from kycpack.render.review.shares import NATURE_WORDS, Shares
from kycpack.render.text_runs import runs, width_of
from kycpack.render.typefaces import Face
from kycpack.render.wording import ADJUSTED, is_adjusted, percents, share_words
from kycpack.wealth.judge.coverage import CASH_OR_NAMED, IRREGULAR, KNOWN, NATURES

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
    assert abs(lightness(UNEXPLAINED_FILL) - lightness(REST)) > 18


def luminance(colour: Colour) -> float:
    parts = [value / 255 for value in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_fill_of_a_chart_reaches_three_to_one_against_the_page() -> None:
    for fill in (
        *SERIES,
        *ACCOUNTS,
        REST,
        MONEY_OUT,
        *(fill for fills in NATURE_FILLS.values() for fill in fills),
    ):
        assert 1.05 / (luminance(fill) + 0.05) >= 3


def strength(colour: Colour) -> int:
    return max(colour) - min(colour)


def test_what_is_not_known_is_stronger_than_all_that_is_and_what_nothing_explains_the_strongest() -> None:
    unknown = [fill for nature in NATURES if nature != KNOWN for fill in NATURE_FILLS[nature]]
    weakest = min(map(strength, unknown))
    assert all(strength(fill) < weakest for fill in (*SERIES, *NATURE_FILLS[KNOWN]))
    assert all(strength(fill) < strength(UNEXPLAINED_FILL) for fill in unknown if fill != UNEXPLAINED_FILL)
    for fills in NATURE_FILLS.values():
        assert all(abs(lightness(one) - lightness(other)) > 18 for one, other in pairwise(fills))


def test_a_stack_has_the_colour_of_its_nature_in_the_bar_of_page_one() -> None:
    bar = {
        words.removeprefix("not counted as known: "): fill
        for words, _, fill in Shares("GBP", dict.fromkeys(NATURES, 1), {}, 0).parts
    }
    stacks = [Series(nature, {(2025, 1): 1}, nature) for nature in NATURES]
    fills = [mark.fill for mark in chart_months(stacks, "GBP").marks if isinstance(mark, Box)]
    assert fills[:4] == [bar[NATURE_WORDS[nature]] for nature in NATURES]
    assert fills[4:] == fills[:4]  # the legend
    shades = [set(every) for every in NATURE_FILLS.values()]
    assert len(set.union(*shades)) == sum(map(len, shades))


def test_no_two_stacks_of_a_full_chart_have_one_colour() -> None:
    """Page one names five streams; beside them are the other credits by nature."""
    for nature in NATURES:
        named = [Series(str(place), {(2025, 1): 1}, nature) for place in range(5)]
        others = [Series(one, {(2025, 1): 1}, one) for one in NATURES]
        fills = series_fills([*named, *others])
        assert len(set(fills)) == len(fills)


def test_no_gap_shows_between_the_boxes_of_a_stack() -> None:
    drawn = chart_months([Series(name, {(2025, 1): 7}, KNOWN) for name in "ABC"], "GBP", is_strip=True)
    boxes = [mark for mark in drawn.marks if isinstance(mark, Box)]
    assert len(boxes) == 3
    assert all(over.y + over.height > under.y for under, over in pairwise(boxes))


@pytest.mark.parametrize("share", [1.0, 0.6])
@pytest.mark.parametrize("highest", [2_300_000, 780_000, 95_00])
def test_no_label_of_a_chart_touches_another_one_however_low_it_is(share: float, highest: int) -> None:
    months = {(2025, 1): 1_00, (2025, 2): highest}
    drawn = flattened(chart_months([Series("A", months)], "GBP", height=17.0, is_strip=True), share)
    marks = [mark for mark in drawn.marks if isinstance(mark, Label)]
    beside, below = (
        [mark for mark in marks if (mark.align == "right") == is_axis] for is_axis in (True, False)
    )
    assert {"0"} < {mark.text for mark in beside}
    for under, over in pairwise(beside):
        assert under.y - over.y > 1.5 * under.size * POINT
    assert all(mark.y - beside[0].y > mark.size * POINT for mark in below)
    assert all(mark.y < drawn.height for mark in marks)


def test_the_axis_shows_the_whole_time_of_the_data_and_marks_its_part_months() -> None:
    pay = [Series("pay *", {(2025, month): 100 for month in range(2, 5)})]
    drawing = chart_months(pay, "GBP", covered={(2025, 1), (2025, 6)}, part_months=frozenset({(2025, 6)}))
    assert {"Jan 25", "Jun 25*"} <= set(labels(drawing))
    assert has_part_month(drawing)
    assert not has_part_month(chart_months(pay, "GBP", part_months=frozenset({(2025, 6)})))


def test_the_bar_of_page_one_is_strongest_where_least_is_known() -> None:
    parts = Shares("GBP", dict.fromkeys(NATURE_WORDS, 100), {}, 0).parts
    known, *others = (strength(fill) for _, _, fill in parts)
    assert all(known < other <= others[-1] for other in others)


def test_a_month_that_the_data_covers_in_part_is_marked() -> None:
    months = {(2025, month): 100 for month in range(1, 5)}
    for drawing in (
        chart_months([Series("pay", months)], "GBP", part_months=frozenset({(2025, 1)})),
        chart_flows(months, {}, "GBP", part_months=frozenset({(2025, 1)})),
    ):
        assert "Jan 25*" in labels(drawing)
        assert "Feb 25" in labels(drawing)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([1, 99_999], ["under 0.1%", "over 99.9%"]),
        ([0, 5], ["0.0%", "100.0%"]),
        ([1, 999], ["0.1%", "99.9%"]),
        ([0, 0], ["–", "–"]),
    ],
)
def test_what_is_small_is_not_called_nothing_and_what_is_not_all_is_not_called_all(
    parts: list[int], words: list[str]
) -> None:
    assert share_words(parts) == words


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=8).filter(any))
def test_shares_add_up_to_one_hundred(parts: list[int]) -> None:
    shown = percents(parts)
    assert sum(int(text.removesuffix("%").replace(".", "")) for text in shown) == 1000
    assert all(
        abs(Decimal(text.removesuffix("%")) - Decimal(100 * part) / sum(parts)) < Decimal("0.1")
        for text, part in zip(shown, parts, strict=True)
    )
    apart = any(
        abs(Decimal(text.removesuffix("%")) - Decimal(100 * part) / sum(parts)) > Decimal("0.0500000001")
        for text, part in zip(shown, parts, strict=True)
    )
    assert not apart or is_adjusted(parts)


@pytest.mark.parametrize(
    ("parts", "adjusted"), [([1, 1, 1], True), ([1, 3], False), ([8, 1, 3], False), ([0], False)]
)
def test_shares_that_were_lifted_or_lowered_are_known(parts: list[int], adjusted: bool) -> None:  # noqa: FBT001
    assert is_adjusted(parts) is adjusted


def test_where_a_share_was_lifted_both_pages_and_the_ledger_say_so() -> None:
    nature = pd.DataFrame(
        {
            "currency": "GBP",
            "nature": [NATURES[0], NATURES[1], NATURES[3]],
            "evidence_level": ["code", "none", "none"],
            "count": 1,
            "total_minor": 100,
            "least_minor": 100,
        }
    )
    coverage = pd.DataFrame(
        {
            "currency": "GBP",
            "disposition": ["stream", "one_off", "unexplained"],
            "count": 1,
            "total_minor": 100,
        }
    )
    (share,) = shares_of(nature, coverage)
    assert (share.known_percent, [*share.percents.values()]) == ("33.3%", ["33.3%", "33.4%", "0.0%", "33.3%"])
    assert share.rounding == ADJUSTED
    assert ADJUSTED.removesuffix(".") in share.in_words
    assert ADJUSTED not in share.sentence
    (level,) = shares_of(nature.head(1), coverage.head(0))
    assert level.rounding == ""
    thirds = Shares("GBP", {KNOWN: 300}, dict.fromkeys(("code", "pattern", "keyword"), 100), 0)
    assert thirds.sentence.endswith(ADJUSTED)
    assert thirds.rounding == ADJUSTED
    ledger = coverage_section(coverage.to_dict("records"), [])
    assert any(isinstance(block, Paragraph) and block.text == ADJUSTED for block in ledger.blocks)
    alone = coverage_section(coverage.head(1).to_dict("records"), [])
    assert not any(isinstance(block, Paragraph) and block.text == ADJUSTED for block in alone.blocks)


@given(
    st.dictionaries(st.dates(date(2024, 1, 1), date(2026, 1, 1)), st.integers(-(10**9), 10**9), min_size=1),
    st.dictionaries(MONTHS, AMOUNTS),
)
def test_balances_and_flows_stay_inside_the_drawing(balances: dict, flows: dict) -> None:
    drawing = chart_balances([Balances("A1", balances)], "GBP")
    for mark in drawing.marks:
        if isinstance(mark, Line):
            assert min(mark.y1, mark.y2) >= -0.01
            assert max(mark.y1, mark.y2) <= drawing.height
    assert inside(chart_flows(flows, dict(reversed(flows.items())), "GBP"))


def test_a_timeline_says_its_days_in_words() -> None:
    drawing = chart_timeline([Event("S1 created", date(2026, 1, 5), date(2026, 1, 5))])
    assert {"S1 created", "5 Jan 2026"} <= set(labels(drawing))


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
        [Bar("Streams", 123456, 3, {KNOWN: 123456}), Bar("Unexplained", 44, 1, {IRREGULAR: 44})], "GBP"
    )
    assert {"1,234.56 GBP", "0.44 GBP", "1,235.00 GBP"} <= set(labels(drawing))
    assert inside(drawing)


def test_no_chart_of_sources_shows_money_of_unknown_nature_in_the_colour_of_known_money() -> None:
    """Of each chart that shows sources: what it draws for money of one nature alone."""
    day = date(2025, 1, 5)
    for nature in NATURES:
        drawings = {
            "months": chart_months([Series("pay", {(2025, 1): 100}, nature)], "GBP"),
            "strip": chart_months([Series("pay", {(2025, 1): 100}, nature)], "GBP", is_strip=True),
            "coverage": chart_coverage([Bar("Streams", 100, 1, {nature: 100})], "GBP"),
            "rhythm": chart_rhythm([Rhythm("pay", (day,), nature)]),
            "share": chart_share(Shares("GBP", {nature: 100}, {}, 0).parts, WIDTH),
        }
        for name, drawing in drawings.items():
            boxes = {mark.fill for mark in drawing.marks if isinstance(mark, Box)} - {REST}
            dots = {mark.colour for mark in drawing.marks if isinstance(mark, Dot)}
            assert boxes | dots == {NATURE_FILLS[nature][0]}, name


def test_a_stream_of_mixed_nature_has_the_colours_of_its_parts_in_the_ledger() -> None:
    drawing = chart_coverage([Bar("Streams", 100, 2, {KNOWN: 25, CASH_OR_NAMED: 75})], "GBP")
    widths = {mark.fill: mark.width for mark in drawing.marks if isinstance(mark, Box)}
    assert widths[NATURE_FILLS[CASH_OR_NAMED][0]] == pytest.approx(3 * widths[NATURE_FILLS[KNOWN][0]])


def test_accounts_of_one_chart_differ_in_hue_and_in_their_dashes() -> None:
    days = {date(2025, 1, 1): 100, date(2025, 6, 30): 900}
    drawing = chart_balances([Balances(f"A{number}", days) for number in range(6)], "GBP")
    colours = [mark.colour for mark in drawing.marks if isinstance(mark, Dot)]
    assert len(set(colours)) == len(set(DASHES)) == 6
    for one, other in combinations(colours, 2):
        assert sum(abs(left - right) for left, right in zip(one, other, strict=True)) >= 90
    drawn = Counter(mark.colour for mark in drawing.marks if isinstance(mark, Line))
    assert drawn[colours[0]] < min(drawn[colour] for colour in colours[1:])
    assert not [mark for mark in drawing.marks if isinstance(mark, Box)]


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


def spans(drawing: Drawing) -> list[tuple[str, float, float]]:
    """Return the text of each label with its left and right edge, in millimetres."""
    found = []
    for mark in drawing.marks:
        if isinstance(mark, Label) and not mark.room:
            wide = width_of(runs(mark.text, Face.STRONG if mark.strong else Face.SANS), mark.size) * 25.4 / 72
            left = mark.x - {"left": 0.0, "middle": wide / 2, "right": wide}[mark.align]
            found.append((mark.text, left, left + wide))
    return found


@pytest.mark.parametrize("last", [date(2026, 11, day) for day in (1, 2, 9, 21, 25, 30)])
@pytest.mark.parametrize(
    "first", [date(2024, 11, 26), date(2025, 11, 3), date(2026, 6, 8), date(2026, 10, 20)]
)
def test_no_label_of_a_chart_is_cut_at_its_edges_or_covers_another(first: date, last: date) -> None:
    ends = {(first.year, first.month): 100, (last.year, last.month): 100}
    partial = frozenset(ends)
    for drawing in (
        chart_months([Series("pay", ends)], "GBP", part_months=partial),
        chart_flows(ends, ends, "GBP", part_months=partial),
        chart_balances([Balances("A1", {first: 1, last: 2})], "GBP"),
        chart_rhythm([Rhythm("pay", (first, last))]),
    ):
        assert [span for span in spans(drawing) if span[1] < -0.01 or span[2] > drawing.width + 0.01] == []
        months = [span for span in spans(drawing) if re.fullmatch(r"[A-Z][a-z]{2} \d\d\*?", span[0])]
        assert months
        assert all(one[2] < other[1] for one, other in pairwise(months))


@given(
    st.lists(
        st.sampled_from(["Pay", "Other credits: cash, or explained only by the sender", "a" * 70]), max_size=9
    )
)
def test_a_legend_cuts_no_name_that_a_line_has_room_for(names: list[str]) -> None:
    drawing = chart_months([Series(name, {(2025, 1): 1}) for name in names], "GBP")
    shown = [mark for mark in drawing.marks if isinstance(mark, Label) and mark.room]
    assert [mark.text for mark in shown] == names
    edges: dict[float, float] = {}
    for mark in shown:
        wide = width_of(runs(mark.text, Face.SANS), mark.size) * 25.4 / 72
        assert wide <= mark.room
        assert edges.get(mark.y, 0.0) < mark.x
        edges[mark.y] = mark.x + wide
    assert all(edge <= WIDTH for edge in edges.values())
    assert max(edges, default=0.0) < drawing.height


def test_a_label_cut_to_its_room_is_written_in_the_order_in_which_it_is_read() -> None:
    label = Label(0, 5, "يوسف بن عمر of the branch at Glasgow", room=30)
    assert ">يوسف بن عمر of the…</text>" in render_svg(Drawing(40, 10, (label,), "a name"))
