"""A full page one: what has no room for a line of its own is still named."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from tests.render.specimen_review import inputs_of

from kycpack.evidence import Evidence
from kycpack.render import ReviewContents, build_contents, render_review_pdf
from kycpack.render.pdf_pages import Sheet
from kycpack.render.review.gaps import Headline
from kycpack.render.review.pdf_reasons import _named
from kycpack.render.review.reasons import Reason

LONG = 113.0
"""Millimetres."""


@pytest.fixture(scope="module")
def full(specimen: Evidence) -> ReviewContents:
    return build_contents(inputs_of(specimen))


def page_one(contents: ReviewContents) -> str:
    made = PdfReader(BytesIO(render_review_pdf(contents)))
    return " ".join(made.pages[0].extract_text().split())


def red_flag(text: str) -> Reason:
    return Reason("WLT-2", text, "Analyst", "review", title="Other red flags in the bank data")


@pytest.mark.parametrize(("count", "is_cited"), [(14, True), (30, False)])
def test_gaps_without_a_line_of_their_own_are_named_by_title(
    full: ReviewContents,
    count: int,
    is_cited: bool,  # noqa: FBT001
) -> None:
    note = Headline("Newer evidence bears on this: F-9", is_note=True)
    gaps = [
        Headline(f"Source of {n},000.00 GBP of credits is unknown (E-{n})", area="Bank data", gaps=1)
        for n in range(10, 10 + count)
    ]
    last = Headline("3 limits of the service: not shown are whether monitoring runs; accounts not linked")
    why = tuple(Reason(f"R-{n}", "Found " + "word " * 30 + "(E-03)", "MLRO", "edd") for n in range(9))
    first = page_one(replace(full, reasons=why, unknowns=(), missing=(note, *gaps, last)))
    assert [line.text for line in gaps if line.text.removesuffix(line.text[-7:]) not in first] == []
    assert "further gap" not in first
    assert "credits is unknown (E-10)" in first
    assert (gaps[-1].text in first) == is_cited
    assert "3 limits of the service" in first


def test_reasons_without_room_keep_their_sums_and_their_evidence() -> None:
    found = [
        red_flag(
            "Large unexplained credit: 20,001.00 GBP on 26 Jul 2026 (the limit is 20,000.00 GBP) (E-13)"
        ),
        red_flag("Large unexplained credit: 22,801.00 GBP on 1 Aug 2026 (E-14)"),
        red_flag("Credits of no known nature: 65,406.00 GBP in all (E-13, E-14)"),
    ]
    assert _named(found, LONG) == (
        "WLT-2 Other red flags in the bank data: 20,001.00 GBP (E-13), 22,801.00 GBP (E-14), 65,406.00 GBP (E-13, E-14)"
    )
    inside = Reason(
        "INT-1", "Consider an internal report (E-03)", "MLRO", "review", title="Need for a report"
    )
    assert _named([inside], LONG) == "INT-1 Need for a report (E-03)"
    unlike = [replace(one, text="Something was found") for one in found]
    assert _named(unlike, LONG) == "WLT-2 Other red flags in the bank data: 3 findings"


def test_both_headings_of_page_one_have_one_size(
    full: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: dict[str, set[float]] = {}
    whole = Sheet.put

    def noted(sheet: Sheet, x: float, baseline: float, text: Any, **how: Any) -> float:
        if text in {"Why", "What is not known"}:
            sizes.setdefault(text, set()).add(how["size"])
        return whole(sheet, x, baseline, text, **how)

    monkeypatch.setattr(Sheet, "put", noted)
    long = tuple(Reason(f"R-{n}", "Found " + "word " * 30 + "(E-03)", "MLRO", "edd") for n in range(9))
    first = page_one(replace(full, reasons=long, unknowns=()))
    assert sizes["Why"] == sizes["What is not known"] == {11.5}
    assert f"({full.not_known.text})" in first
