"""What tells more of a check that was passed sends nobody to review; the same beside a check that was not does."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

WELL: list[tuple[str, Any]] = [
    ("identity.faceAnalysis.similarityThreshold", 0.8),
    ("document.reading", {"score": 91, "threshold": 70}),
    ("document.reading", {"confidence": "96%", "minimum": "80%"}),
    ("identity.picture", {"sharpness": {"value": 0.94, "minimum": 0.6}}),
    ("identity.picture.quality", {"score": 0.95, "scale": "0-1"}),
    ("document.remarks", "No issues found."),
    ("document.remarks", "No signs of tampering, forgery or recapture detected"),
    ("document.comment", "All 5 of 5 checks passed; the portrait matches the selfie."),
    ("document.bemerkung", "Ausweis echt, keine Auff\u00e4lligkeiten"),
    ("screening.remark", "No matches found on any list."),
    ("screening.databasesSearched", ["OFAC SDN", "HM Treasury"]),
    ("screening.sources", [{"list": "OFAC SDN", "asAt": "2026-05-01", "matches": 0}]),
    ("screening.listsChecked", 214),
    ("screening.hits", 0),
    ("timeline", [{"event": "document uploaded", "actor": "customer", "at": "2026-05-02T09:00:00Z"}]),
    ("document.protection", {"hologram": True, "uv": "present"}),
    ("address.addressMatch", "match"),
    ("identity.fraudSignals", 0),
    ("document.fraudRegister", "no match"),
    ("document.unaltered", True),
    ("document.pass.dg1.surname", "BYRON"),
    ("document.zone.line2", "X1234567<7GBR8512109F3101012<<<<<<<<<<<<<<<2"),
    ("identity.sessionId", "22222222-2222-4222-8222-222222222222"),
    ("identity.sessionId", "prov-4411"),
    ("document.document.issueDate", "2021-01-02"),
    ("identity.faceAnalysis.similarityPercent", 97),
    ("identity.faceAnalysis.confidencePercent", 99),
    ("identity.authenticityAnalysis.livenessConfidence", 0.98),
    ("document.dataIntegrityConfidence", 0.97),
]
TROUBLE: list[tuple[str, Any]] = [
    ("identity.faceAnalysis.similarityThreshold", 0.99),
    ("document.reading", {"score": 61, "threshold": 70}),
    ("document.reading", {"score": 0.97, "threshold": 80}),
    ("document.reading", {"score": 0.2, "threshold": 0.1}),
    ("document.reading", {"confidence": 0.97}),
    ("identity.faceAnalysis.similarityPercent", 70),
    ("identity.authenticityAnalysis.livenessConfidence", 1),
    ("identity.authenticityAnalysis.maskConfidence", 0.98),
    ("document.screenDetection.confidence", 0.97),
    ("match.confidence", 0.97),
    ("identity.picture.quality", {"score": 40, "scale": "0-100"}),
    ("identity.bot", {"score": 0.97, "threshold": 0.8}),
    ("document.tests", [{"name": "ink response", "result": "failed"}]),
    ("document.tests", [{"name": "photocopy", "result": "passed"}]),
    ("document.remarks", "Issues found."),
    ("document.remarks", "No hologram found."),
    ("document.remarks", "No issues, tampering found"),
    ("document.remarks", "Expiry date passed"),
    ("document.remarks", "Genuine, but of another person"),
    ("document.bemerkung", "Ausweis nicht echt"),
    ("screening.remark", "Match confirmed"),
    ("screening.listsMatched", ["OFAC SDN"]),
    ("screening.sources", [{"list": "OFAC SDN", "matches": 1}]),
    ("screening.aliases", [{"name": "J Smith", "result": "clear"}]),
    ("screening.hits", 1),
    ("timeline", [{"event": "document rejected", "actor": "customer"}]),
    ("document.protection", {"hologram": False}),
    ("document.mrzMatchesVisual", False),
    ("duplicates.faceMatch", True),
    ("denyList.status", "confirmed"),
    ("address.electoralRoll", "not found"),
    ("document.fraudRegister", "match"),
    ("document.unaltered", [False]),
    ("document.pass.dg1.surname", "BABBAGE"),
    ("identity.sessionId", "22222222-2222-4222-8222-222222222229"),
    ("document.document.issueDate", "2010-01-02"),
]


@pytest.mark.parametrize(("path", "value"), WELL)
def test_what_says_that_a_check_was_passed_is_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(("path", "value"), TROUBLE)
def test_the_like_that_does_not_say_so_is_never_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) != "approve"
