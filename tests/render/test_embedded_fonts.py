"""Faces in documents that one process writes at the same time."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

import pytest
from fpdf import FPDF
from pypdf import PdfReader

from kycpack.render.embedded_fonts import FaceWriter, set_face
from kycpack.render.typefaces import Face


def document(text: str) -> FPDF:
    """Return a document of one line, ready to be written."""
    pdf = FPDF()
    pdf.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
    pdf.add_page()
    set_face(pdf, Face.SANS, 12)
    pdf.cell(0, 10, text)
    return pdf


def written(pdf: FPDF) -> bytes:
    """Write a document."""
    return bytes(pdf.output(output_producer_class=FaceWriter))


@pytest.mark.parametrize("text", ["Ada Lovelace", "\u0141ukasz"])
def test_a_document_that_is_written_while_another_is_does_not_disturb_it(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = written(document(text))
    others: list[bytes] = []

    class Interrupted(FaceWriter):
        def _add_fonts(self, *resources: Any) -> Any:
            made = super()._add_fonts(*resources)
            pdf = document("\u0106wiek")
            pdf.add_page()  # so that its objects have other numbers
            others.append(written(pdf))
            return made

    assert bytes(document(text).output(output_producer_class=Interrupted)) == alone
    assert PdfReader(io.BytesIO(others[0])).pages[0].extract_text() == "\u0106wiek"
