"""Page one of a decided case is legible and hides no reason: those without room are named there."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader
from tests.frames.evidence_maker import clear_customer
from tests.render.test_settled import LISTED, decided

from kycpack.render import ReviewContents, render_review_pdf
from kycpack.render.palette import Tone
from kycpack.render.review.reasons import Reason, Unknown


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


def test_reasons_without_room_are_named_with_what_they_are_about(rejected: ReviewContents) -> None:
    long = tuple(
        Reason(f"R-{n}", f"Found {n}: {'4 credits in, and more of it, ' * 9}(E-03)", "MLRO", "edd")
        for n in range(12)
    )
    last = Reason("INT-9", "Last of all: a thing (E-03)", "MLRO", "review", internal=True)
    unknown = Unknown("No value", ("Mixed alphabets", "Other names"), "review", "Analyst", (), ())
    for count in range(5, 13):
        first, second, *_ = pages_of(replace(rejected, reasons=(*long[:count], last), unknowns=(unknown,)))
        for one in (*long[:count], last):
            assert f"{one.label} ·" in first or f"{one.label}: " in first or f" {one.label};" in first
        if "more reason" in first:
            assert "INT-9: Last of all" in first or "; INT-9" in first
            assert "Not known: Mixed alphabets; Other names" in first or "Not known" in first
            assert "Last of all: a thing" in second
    assert "more reason" in first


def test_what_a_decided_review_is_based_on_has_a_heading_of_its_own(rejected: ReviewContents) -> None:
    first, second, *_ = pages_of(rejected)
    assert "What this review is based on Based on: 1 session" in second
    assert "Based on" not in first
    assert "As of: " in first
    assert "Reviewed by: No second reviewer" in first
