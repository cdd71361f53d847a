"""The share of known nature on page one, with its bar and its chart."""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import replace
from decimal import Decimal
from html import unescape
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from kycpack.render import ReviewContents, render_review_pdf
from kycpack.render.charts import (
    NATURE_FILLS,
    PART_MONTH,
    STRIP_WIDTH,
    WIDTH,
    Series,
    chart_months,
    chart_share,
)
from kycpack.render.document_parts import Cell
from kycpack.render.drawing import POINT, Box, Drawing, Label
from kycpack.render.pdf_pages import MARGIN, TEXT_WIDTH, Sheet
from kycpack.render.review import pdf
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.reasons import Reason
from kycpack.render.review.shares import Shares
from kycpack.render.text_runs import runs, width_of
from kycpack.render.typefaces import Face
from kycpack.render.wording import disposition_words, percents
from kycpack.wealth.judge.coverage import DISPOSITIONS, IRREGULAR, KNOWN


def test_the_bar_in_the_page_names_its_colours(contents: ReviewContents) -> None:
    bar = chart_share(contents.shares[0].parts, WIDTH, with_legend=True)
    named = [mark.text for mark in bar.marks if isinstance(mark, Label)]
    fills = [mark.fill for mark in bar.marks if isinstance(mark, Box)]
    assert named == [words for words, minor, _ in contents.shares[0].parts if minor]
    assert fills[-len(named) :] == [fill for _, minor, fill in contents.shares[0].parts if minor]


def test_the_page_gives_each_share_once_as_text_below_the_bar(contents: ReviewContents) -> None:
    """As text it can be copied, read on a phone and compared with the figures; the bar only names its colours."""
    page = unescape(render_summary_html(contents))
    (picture,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', page)
    drawn = re.findall(r"<text[^>]*>([^<]*)", b64decode(picture).decode())
    beside = re.sub(r"<img [^>]*>", "", page)
    (share,) = contents.shares
    for percent, (words, minor, _) in zip(share.percents.values(), share.parts, strict=True):
        if minor:
            assert beside.count(f"{percent} {words}") == 1
            assert unescape(" ".join(drawn)).count(words) == 1
    assert not any("%" in text for text in drawn)


def test_page_one_calls_no_part_of_the_credits_by_a_word_of_the_ledger(contents: ReviewContents) -> None:
    """The ledger says how each credit is counted, page one whether its nature is known: two things, two words."""
    parts = {words for words, _, _ in contents.shares[0].parts}
    assert not parts & {disposition_words(name).lower() for name in DISPOSITIONS}


def test_the_chart_is_lower_before_a_reason_loses_its_room(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    heights: list[float] = []
    whole = Sheet.draw

    def noted(sheet: Sheet, drawing: Drawing, x: float, y: float) -> None:
        if drawing.width == STRIP_WIDTH:
            heights.append(drawing.height)
        whole(sheet, drawing, x, y)

    monkeypatch.setattr(Sheet, "draw", noted)
    assert contents.months is not None
    full = contents.months.height
    for count, is_whole in ((1, True), (60, False)):
        why = tuple(Reason(f"R-{n}", f"Found {n} (E-03)", "MLRO", "edd") for n in range(count))
        render_review_pdf(replace(contents, reasons=why, unknowns=()))
        assert (heights[-1] == full) == is_whole


@pytest.mark.parametrize("unsure", [0, 5_555_555_555_55])
def test_a_large_sum_of_credits_is_not_cut_beside_the_chart(contents: ReviewContents, unsure: int) -> None:
    share = replace(
        contents.shares[0],
        natures=dict.fromkeys(contents.shares[0].natures, 1_111_111_111_111_11),
        may_be_twice_minor=unsure,
        may_be_returned_minor=unsure,
    )
    made = render_review_pdf(replace(contents, shares=(share,)))
    first = " ".join(PdfReader(BytesIO(made)).pages[0].extract_text().split())
    assert f"of {share.total_words}" in first
    assert share.twice_words in first


def test_a_further_currency_is_told_on_page_one_without_a_bar(contents: ReviewContents) -> None:
    euros = replace(contents.shares[0], currency="EUR")
    made = render_review_pdf(replace(contents, shares=(contents.shares[0], euros)))
    first = " ".join(PdfReader(BytesIO(made)).pages[0].extract_text().split())
    for said in (
        f"59.0% of {euros.total_words} has a known nature.",
        *(words for words, _ in euros.legend),
    ):
        assert said in first[first.index(f"59.0% of {euros.total_words}") :]


def test_page_one_names_the_currencies_for_which_it_has_no_room(contents: ReviewContents) -> None:
    names = ("GBP", "EUR", "JPY", "KWD", "USD")
    shares = tuple(replace(contents.shares[0], currency=name) for name in names)
    made = PdfReader(BytesIO(render_review_pdf(replace(contents, shares=shares))))
    first = " ".join(made.pages[0].extract_text().split())
    assert "Credits in further currencies are in" in first
    assert "KWD, USD" in first


def test_the_chart_of_page_one_has_no_names_and_stands_beside_the_bar(
    contents: ReviewContents, pages: list[str]
) -> None:
    assert contents.months is not None
    two = chart_months([Series("A", {(2026, 1): 5}), Series("B", {(2026, 1): 5})], "GBP", is_strip=True)
    (fill,) = {mark.fill for mark in two.marks if isinstance(mark, Box)}
    assert fill == NATURE_FILLS[KNOWN][0]  # as in the bar beside it, where a nature has one colour
    assert not [mark for mark in contents.months.marks if isinstance(mark, Label) and not mark.scale]
    assert max(mark.x + mark.width for mark in contents.months.marks if isinstance(mark, Box)) <= STRIP_WIDTH
    assert contents.months.width == STRIP_WIDTH < TEXT_WIDTH / 1.8
    for said in ("Credits by month, GBP", "Same colours as the bar on the left", PART_MONTH):
        assert said in pages[0]


@pytest.mark.parametrize("months", [1, 6, 24, 60])
def test_the_months_below_the_small_chart_do_not_run_into_each_other(months: int) -> None:
    by_month = {(2020 + place // 12, place % 12 + 1): 1_00 for place in range(months)}
    ends = frozenset({min(by_month), max(by_month)})
    drawn = chart_months([Series("A", by_month)], "GBP", part_months=ends, is_strip=True)
    marks = [mark for mark in drawn.marks if isinstance(mark, Label) and " " in mark.text]
    half = [width_of(runs(mark.text, Face.SANS), mark.size) * POINT / 2 for mark in marks]
    reached = [(mark.x - wide, mark.x + wide) for mark, wide in zip(marks, half, strict=True)]
    assert all(left[1] < right[0] for left, right in pairwise(reached))


def test_where_no_credits_were_seen_the_page_says_why_it_has_no_chart(contents: ReviewContents) -> None:
    without = replace(contents, shares=(), months=None)
    page = PdfReader(BytesIO(render_review_pdf(without))).pages[0].extract_text()
    for shown in (" ".join(page.split()), render_summary_html(without)):
        assert "no nature is known, and there is no chart of credits by month" in shown


def test_only_shares_that_are_printed_have_an_origin(contents: ReviewContents) -> None:
    (share,) = contents.shares
    given = replace(share, natures={**dict.fromkeys(share.natures, 0), IRREGULAR: 100}, least={})
    shown = [cell.text for cell in given.cells if cell.text.endswith("%")]
    assert shown == [given.known_percent, "100.0%"]
    assert [words for words, _ in given.legend] == ["100.0% irregular, nature not established"]


def test_the_legend_of_page_one_names_no_part_that_is_empty(contents: ReviewContents) -> None:
    share = replace(contents.shares[0], natures=dict.fromkeys(contents.shares[0].natures, 0) | {KNOWN: 1_00})
    made = replace(contents, shares=(share,))
    first = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    for page in (first, render_summary_html(made)):
        assert "100.0% nature known" in page
        assert "0.0% regular" not in page


def test_a_long_legend_is_broken_into_lines_and_not_set_smaller(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "74.1% supported only by the sender's words or supported only by the purpose code that the sender chose"
    monkeypatch.setattr(Shares, "legend", property(lambda _: ((long, (0, 0, 0)),)))
    sizes: list[float] = []

    def noted(text: str, _: Any, __: Any, ___: Any, size: float) -> None:
        if "74.1% supported only by" in text or "the sender chose" in text:
            sizes.append(size)

    PdfReader(BytesIO(render_review_pdf(contents))).pages[0].extract_text(visitor_text=noted)
    assert sizes
    assert min(sizes) >= 5.5


def test_the_notes_stand_apart_from_the_heading_below_them(
    contents: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = Cell("A difference that the policy accepts (CON-5): another spelling")
    ends: list[float] = []
    set_lines, set_label = pdf.set_lines, pdf.set_label

    def noted(sheet: Sheet, text: str, *how: Any, **more: Any) -> None:
        set_lines(sheet, text, *how, **more)
        ends.extend([sheet.y] * (text == note.text))

    def label(sheet: Sheet, words: str) -> None:
        ends.extend([sheet.y] * (words == pdf._KNOWN_SHARE))
        set_label(sheet, words)

    monkeypatch.setattr(pdf, "set_lines", noted)
    monkeypatch.setattr(pdf, "set_label", label)
    render_review_pdf(replace(contents, accepted=(note,), whose_money=()))
    assert ends[-1] - ends[-2] > 1.5


@pytest.mark.parametrize("note", ["", "* Part of a month: the data of an account begins or ends in it; also Dec 2024 and Feb 2025"])  # fmt: skip
def test_what_stands_below_the_chart_stays_in_its_column(contents: ReviewContents, note: str) -> None:
    """Beside it stands the legend of the bar, which a longer line was set over."""
    assert contents.months is not None
    made = render_review_pdf(replace(contents, months=replace(contents.months, note=note)))
    found: list[tuple[str, float]] = []
    page = PdfReader(BytesIO(made)).pages[0]
    page.extract_text(visitor_text=lambda text, _cm, tm, _font, _size: found.append((text, tm[4])))
    (begins,) = [x for text, x in found if "Same colours" in text]
    column = (MARGIN + TEXT_WIDTH - contents.months.width) / POINT
    assert begins >= column - 0.5


@given(st.lists(st.integers(0, 10**9), min_size=2, max_size=6).filter(any))
def test_what_is_known_is_never_rounded_up_so_that_shares_add_up(parts: list[int]) -> None:
    shown = Decimal(percents(parts)[0].removesuffix("%"))
    assert shown <= Decimal(100 * parts[0]) / sum(parts) + Decimal("0.0500000001")
