"""A value in another form than the usual one reads as what it says: numbers and booleans as texts, ids in lists, links, e-mail addresses, counts of pictures."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put


def _level(path: str, value: Any) -> str:
    return level(triage(results=put(path, value)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("identity.integrityAnalysis.facesDetected", "1"),
        ("document.tamperingDetected", "false"),
        ("document.genuine", "\u2705"),
        ("screening.isPep", "false"),
        ("document.photoIds", ["a1", "b2"]),
        ("document.downloadUrl", "https://media.example.org/1"),
        ("document.href", "https://api.example.org/reports/1"),
        ("_links", {"self": {"href": "https://api.example.org/1"}}),
        ("applicant.email", "ada@example.org"),
        ("workflow.templateId", "uk-standard"),
        ("document.images", 2),
        ("identity.faceAnalysis.landmarks", [{"type": "eyeLeft", "x": 0.4, "y": 0.2}]),
        ("document.contentAnalysis.dataComparison", {"firstName": True, "dateOfBirth": True}),
        ("document.holder.nationalities", ["GB"]),
        ("document.daysUntilExpiry", 1675),
        ("document.skewDegrees", 1.2),
        ("screening.maxScore", 0),
        ("screening.highestMatchScore", 0),
        ("screening.listHitCount", 0),
        ("screening.hitCountText", "0 hits"),
        ("screening.result", "0 matches"),
        ("document.scanQuality", 0.94),
        ("document.barcode.decoded", True),
        ("identity.tries", {"attempt": 1, "maxAttempts": 3}),
        ("identity.authenticityAnalysis.challengePassed", True),
        ("address.geoLocationAnalysis.proximityKm", 4.1),
        ("document.expiryCheck", "passed"),
        ("screening.found", {"candidates": [], "candidateCount": 0}),
        ("screening.found", {"potentialMatches": [], "potentialMatchCount": 0}),
        ("document.capturedImageCount", 2),
        ("address.components", {"street": "High Street"}),
        ("identity.faceAnalysis.sharpness", 88.2),
        ("document.classification", {"type": "passport", "probability": 0.998}),
    ],
)
def test_what_is_plainly_fine_or_data_is_approved(path: str, value: Any) -> None:
    assert _level(path, value) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("identity.integrityAnalysis.facesDetected", "2"),
        ("document.tamperingDetected", "true"),
        ("document.tampering", "\u2705"),
        ("document.check", "\u2705"),
        ("document.check", "\u274c"),
        ("document.genuine", "false"),
        ("document.fraudIds", ["a1"]),
        ("identity.otherUserIds", ["a1"]),
        ("screening.entityIds", ["a1"]),
        ("document.stolenHref", "https://api.example.org/1"),
        ("document.href", "https://api.example.org/fraud/1"),
        ("screening.href", "https://api.example.org/1"),
        ("applicant.email", "unreachable"),
        ("workflow.templateId", "uk-bad"),
        ("workflow.stepId", "manual-review"),
        ("document.images", 0),
        ("screening.images", 3),
        ("identity.faces", 2),
        ("identity.faceAnalysis.landmarks", [{"type": "maskEdge", "x": 0.4, "y": 0.2}]),
        ("document.type", "notGenuine"),
        ("document.contentAnalysis.dataComparison", {"firstName": True, "dateOfBirth": False}),
        ("listComparison", {"firstName": True}),
        ("document.holder.nationalities", ["GB", "IR"]),
        ("document.holder.nationalities", ["IR"]),
        ("document.daysUntilExpiry", 12),
        ("document.rotationDegrees", 90),
        ("screening.maxScore", 0.4),
        ("screening.maxCoverage", 0),
        ("screening.score", 0),
        ("screening.listCount", 0),
        ("screening.hitCountText", "3 hits"),
        ("screening.result", "1 match"),
        ("screening.databases", "0 results"),
        ("screening.error", "0 results"),
        ("identity.result", "0 matches"),
        ("document.scanQuality", 0.34),
        ("document.barcode.decoded", False),
        ("identity.tries", {"attempt": 4, "maxAttempts": 3}),
        ("identity.tries", {"maxAttempts": 3}),
        ("identity.authenticityAnalysis.challengePassed", False),
        ("address.geoLocationAnalysis.proximityKm", 914),
        ("document.expiryPassed", True),
        ("document.expiry", "passed"),
        ("screening.found", {"candidates": [], "candidateCount": 1}),
        ("screening.searched", {"lists": [], "listCount": 0}),
        ("screening.searched", {"queries": [], "queryCount": 0}),
        ("screening.searched", {"persons": [], "personCount": 0}),
        ("document.blankPageCount", 1),
        ("document.screenshotImageCount", 2),
        ("identity.unreadableImageCount", 2),
        ("identity.injectedFrameCount", 9),
        ("document.found", {"pages": [], "pageCount": 0}),
        ("address.components", {"street": "Low Street"}),
        ("address.components", {"line": "2 High Street"}),
        ("address.risk", "High Street"),
        ("identity.faceAnalysis.sharpness", 12),
        ("document.classification", {"type": "printout", "probability": 0.998}),
        ("document.maskClassification.probability", 0.998),
    ],
)
def test_the_like_that_may_be_trouble_is_not(path: str, value: Any) -> None:
    assert _level(path, value) != "approve"
