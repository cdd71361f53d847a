"""Members that a provider may add: data and good news are approved in many words, and the same places with bad news are not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

LISTS = [
    {"name": "OFSI consolidated list", "updated": "2026-05-01", "entries": 4811},
    {"name": "EU consolidated list", "updated": "2026-04-30", "entries": 6120},
]


def _level(path: str, value: Any) -> str:
    return level(triage(results=put(path, value)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("address.statementReference", "AB-1-22"),
        ("address.billAgeDays", 21),
        ("address.documentAgeMonths", 2),
        ("address.issuerKnown", True),
        ("document.issuerRecognized", True),
        ("document.scanId", "SC-99-2A"),
        ("document.unedited", True),
        ("document.contentAnalysis.tamperingSigns", "none"),
        ("identity.authenticityAnalysis.replayAttackDetected", False),
        ("identity.authenticityAnalysis.deepfakeSigns", 0),
        ("identity.promptLanguage", "en"),
        ("identity.framesAnalysed", 48),
        ("identity.singleFaceInView", True),
        ("identity.integrityAnalysis.onlyOneApplicant", True),
        ("identity.integrityAnalysis.eyesVisible", True),
        ("identity.capture.samples", [{"index": 0, "offsetMs": 0}, {"index": 1, "offsetMs": 120}]),
        ("identity.faceAnalysis.passMark", 0.75),
        ("identity.authenticityAnalysis.requiredScore", 0.9),
        ("identity.attackRisk", {"score": 5, "scale": "0-100", "acceptedUpTo": 30, "passed": True}),
        ("address.checks", [{"check": "age", "outcome": "clear"}, {"check": "issuer", "outcome": "clear"}]),
        ("fraud", {"outcome": "clear", "signals": 0}),
        ("revision", 4),
        ("vendor", "Veridian"),
        ("screening.sources", LISTS),
        ("screening.databases", [{"title": "UN list", "checkedAt": "2026-05-02", "jurisdiction": "UN"}]),
    ],
)
def test_data_and_good_news_in_other_words_are_approved(path: str, value: Any) -> None:
    assert _level(path, value) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("address.statementStatus", "cancelled"),
        ("address.billAgeDays", 200),
        ("address.documentAgeMonths", 41),
        ("address.documentAgeMonths", -1),
        ("address.issuerKnown", False),
        ("document.issuerNotRecognized", True),
        ("document.unedited", False),
        ("document.contentAnalysis.tamperingSigns", "some"),
        ("document.contentAnalysis.tamperingChecked", False),
        ("document.contentAnalysis.noTampering", False),
        ("document.contentAnalysis.untampered", "none"),
        ("identity.framesAnalysed", 0.4),
        ("identity.singleFaceInView", False),
        ("identity.singleSourceOnly", True),
        ("identity.integrityAnalysis.onlyOneEye", True),
        ("identity.capture.durationMs", 0),
        ("identity.capture.samples", [{"index": 0, "offsetMs": 0, "faces": 2}]),
        ("identity.faceAnalysis.passMark", 0.99),
        ("identity.faceAnalysis.passMark", 0.2),
        ("document.contentAnalysis.passMark", 0.75),
        ("identity.attackRisk", {"score": 60, "scale": "0-100", "acceptedUpTo": 30, "passed": True}),
        ("identity.attackRisk", {"score": 5, "scale": "0-100", "acceptedUpTo": 30, "passed": False}),
        ("address.checks", [{"check": "failed", "outcome": "clear"}]),
        ("address.checks", [{"check": "age", "outcome": "unsure"}]),
        ("fraud", {"outcome": "clear", "signals": 2}),
        ("vendor", "virtual camera"),
        ("screening.sources", [{"name": "OFSI consolidated list", "entries": 1}]),
        ("screening.sources", [{"name": "OFSI consolidated list"}]),
        ("screening.sources", ["OFSI consolidated list"]),
        ("screening.sources", [{**LISTS[0], "subject": {"id": "Q-12"}}]),
        ("screening.sources", [{**LISTS[0], "name": "yes"}]),
        ("screening.persons", LISTS),
    ],
)
def test_bad_news_in_the_same_places_is_not(path: str, value: Any) -> None:
    assert _level(path, value) != "approve"


def test_lists_say_nothing_of_a_screening_that_counts_matches() -> None:
    made = put("screening.sources", LISTS)
    made["screening"]["matchCount"] = 2
    assert level(triage(results=made)) == "edd"
