"""Details under a bare name in a reading of the document are compared, as the birth in its machine-readable zone."""

from __future__ import annotations

from typing import Any

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put

BORN = RESULTS["document"]["holder"]["dateOfBirth"]
NUMBER = RESULTS["document"]["document"]["documentNumber"]

AGREEING_AND_OTHER: list[tuple[str, Any, Any]] = [
    ("document.document.mrzParsed.birth", BORN, "2004-12-27"),
    ("document.mrz.number", NUMBER, "X7654321"),
    ("document.viz.read.birth", BORN, "1961-03-05"),
    ("document.chip.birth", BORN, "1961-03-05"),
    ("document.ocr.fields.number", NUMBER, "X7654321"),
    ("document.sides", [{"side": "back", "numberRead": NUMBER}], [{"side": "back", "numberRead": "LZ6P4GT1K"}]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "same", "other"), AGREEING_AND_OTHER)
def test_a_bare_detail_of_a_reading_is_compared(path: str, same: Any, other: Any) -> None:
    assert level(triage(results=put(path, same))) == "approve"
    made = triage(results=put(path, other))
    assert level(made) != "approve"
    assert finding(made, "RES-5")["outcome"] == "HIT"


def test_the_serial_number_of_a_chip_is_not_that_of_the_document() -> None:
    assert finding(triage(results=put("document.chip.number", "8841-2")), "RES-5")["outcome"] == "CLEAR"
