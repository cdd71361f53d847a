"""How something was sent, points in a picture, ids of parts of a system, parts of an address and named risks that are low are no reason for a review."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.submittedVia", "mobile_web"),
        ("document.scannedUsing", "mobile browser"),
        ("document.cropped", {"topLeft": [12, 44], "bottomRight": [1990, 1310]}),
        ("document.polygon", [{"x": 1, "y": 2}, {"x": 90, "y": 3}, {"x": 91, "y": 55}]),
        ("identity.faceAnalysis.landmarks", {"leftEye": [120, 88], "nose": [150, 120]}),
        ("identity.faceAnalysis.landmarks", 68),
        ("document.extraction", {"fields": 22, "engine": "ocr-3"}),
        ("identity.attemptId", "att-1"),
        ("identity.consentTimestamp", "2026-05-02T08:41:00Z"),
        ("address.components", {"suburb": "Headingley", "road": "High Street"}),
        ("document.thumbnail", "https://cdn.provider.example/t/88.jpg"),
        ("_links", {"self": {"href": "https://api.provider.example/v1/r/1"}}),
        ("identity.biometricConsent", True),
        ("identity.expression", "neutral"),
        ("address.occupancyMonths", 62),
        ("sandbox", False),
        ("document.fieldConfidences", [{"field": "firstName", "confidence": 0.99}]),
        ("document.quality", {"blur": 0.02, "glare": 0.01, "overall": 0.97}),
        ("identity.spoof", {"score": 0.012, "threshold": 0.5, "result": "genuine"}),
        ("document.fraudRisk", "low"),
        ("identity.deepfakeRisk", "very low"),
        ("address.matchType", "exact"),
    ],
)
def test_data_and_low_risks_are_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.submittedVia", "virtual camera"),
        ("document.receivedFrom", "third party"),
        ("document.copiedWith", "sdk"),
        ("document.editedRegion.polygon", [[1, 2], [3, 4]]),
        ("identity.stain.corners", [[1, 2], [3, 4]]),
        ("identity.secondFace.landmarks", {"leftEye": [120, 88]}),
        ("identity.faces", [{"landmarks": {"nose": [1, 2]}}, {"landmarks": {"nose": [11, 2]}}]),
        ("identity.points", [3, 9]),
        ("identity.gun.url", "https://cdn.provider.example/t/88.jpg"),
        ("gun", {"imageUrl": "https://cdn.provider.example/t/88.jpg"}),
        ("identity.mask.imageUrl", "https://cdn.provider.example/t/88.jpg"),
        ("identity.forcedConsent", True),
        ("identity.biometricConsent", False),
        ("identity.expression", "fear"),
        ("identity.secondPerson.eyes", "open"),
        ("address.occupancyMonths", 2),
        ("identity.attemptId", "fraud-1"),
        ("identity.entityId", "Q-22"),
        ("screening.profileId", "Q-22"),
        ("address.components", {"suburb": "prison", "road": "High Street"}),
        ("document.fieldConfidences", [{"field": "firstName", "confidence": 0.39}]),
        ("document.fieldConfidences", [{"field": "weapon", "confidence": 0.99}]),
        ("document.fieldProbabilities", {"alteration": 0.99}),
        ("document.quality", {"overall": 0.17}),
        ("document.deviation", {"overall": 0.97}),
        ("identity.spoof", {"score": 0.612, "threshold": 0.5, "result": "genuine"}),
        ("identity.spoof", {"score": 0.012, "threshold": 0.5, "result": "detected"}),
        ("identity.spoof", {"result": "genuine"}),
        ("document.fraudRisk", "high"),
        ("identity.riskAppetite", "low"),
        ("document.matchType", "exact"),
        ("document.match", "full"),
    ],
)
def test_the_like_that_says_something_is_not(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) != "approve"
