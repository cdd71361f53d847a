"""Page one of a decided case is legible, and says what the review is based on under a heading."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader
from tests.frames.evidence_maker import clear_customer
from tests.render.test_settled import LISTED, decided

from kycpack.render import ReviewContents, render_review_pdf
from kycpack.render.document_parts import Table
from kycpack.render.palette import Tone
from kycpack.render.review import pdf


@pytest.fixture
def rejected() -> ReviewContents:
    return decided(clear_customer(LISTED), "reject", "false_positive", reason_code="NOT-VERIFIED")


def pages_of(contents: ReviewContents) -> list[str]:
    return [
        " ".join(page.extract_text().split())
        for page in PdfReader(BytesIO(render_review_pdf(contents))).pages
    ]


def test_the_reason_of_a_decision_is_as_legible_as_who_decided(rejected: ReviewContents) -> None:
    (reason,) = [cell for cell in rejected.decided if cell.text.startswith("Reason code NOT-VERIFIED")]
    assert reason.tone == rejected.decided[0].tone == Tone.PLAIN


def test_what_a_decided_review_is_based_on_has_a_heading_of_its_own(rejected: ReviewContents) -> None:
    first, second, *_ = pages_of(rejected)
    assert "What this review is based on Based on: 1 session" in second
    assert "Based on" not in first
    assert "As of: " in first
    assert "Reviewed by: No second reviewer" in first


def test_the_gaps_and_limits_that_a_decided_page_one_counts_are_the_rows_of_the_table(
    rejected: ReviewContents,
) -> None:
    (table,) = [block for block in rejected.section("limits").blocks if isinstance(block, Table)]
    gaps, limits = (int(number) for number in re.findall(r"(\d+) (?:gap|limit)s", rejected.not_known.text))
    assert gaps + limits == len(table.rows)
    assert any("who was matched, and on which list" in line.text for line in rejected.missing)
    assert rejected.missing[-1].text.startswith(f"{limits} limits of the service: it does not show if")


def test_the_heading_of_the_steps_keeps_its_distance_from_the_paragraph_above(
    rejected: ReviewContents, monkeypatch: pytest.MonkeyPatch
) -> None:
    at: dict[str, float] = {}
    whole: dict[str, Any] = {"set_lines": pdf.set_lines, "_set_heading": pdf._set_heading}

    def set_lines(sheet: Any, said: str, *place: Any, **how: Any) -> None:
        whole["set_lines"](sheet, said, *place, **how)
        at["above"] = sheet.y

    def set_heading(sheet: Any, said: str) -> None:
        at["between"] = sheet.y - at["above"]
        whole["_set_heading"](sheet, said)

    monkeypatch.setattr(pdf, "set_lines", set_lines)
    monkeypatch.setattr(pdf, "_set_heading", set_heading)
    said = "Decided before steps that should come first."
    made = replace(rejected, to_do=replace(rejected.to_do, out_of_order=said))
    assert made.decided[0].text.endswith(f". {said}")  # one line says how it was decided
    render_review_pdf(made)
    assert at["between"] > 1.0  # millimetres
