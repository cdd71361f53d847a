"""That something is there, visible or adult is well only of what every capture shows: a second person may be just as visible."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("identity.multiplePersonDetected", True),
        ("identity.multipleFaceFound", True),
        ("identity.secondaryFaceDetected", True),
        ("document.backgroundFacePresent", True),
        ("document.backgroundPhonePresent", True),
        ("document.overlayDetected", True),
        ("document.markPresent", True),
        ("document.patternFound", True),
        ("document.hologramLost", True),
        ("document.watermarkRegisterListed", True),
        ("document.editedPhotoPresent", True),
        ("document.otherDocumentVisible", True),
        ("document.documentFrontVisible", False),
        ("identity.otherPerson.eyesOpen", True),
        ("identity.accomplice.eyesOpen", True),
        ("identity.witness.isAdult", True),
        ("identity.mask.eyesVisible", True),
        ("identity.background.faceCount", 1),
        ("identity.secondFace.photoPresent", True),
        ("identity.puppet.faceVisible", True),
        ("identity.secondFace.box", {"x": 1, "y": 2, "width": 30, "height": 40}),
        ("identity.secondaryFace.box", {"x": 1, "y": 2, "width": 30, "height": 40}),
        ("identity.secondaryFace.corners", [[1, 2], [3, 4]]),
        ("identity.secondFace.id", "f-2291"),
        ("identity.extraFaces", [{"id": "f-22"}]),
        ("identity.secondaryFace.frames", 12),
        ("identity.backgroundPerson.height", 140),
        ("identity.backgroundVoice.language", "en"),
        ("identity.multiplePersonConfirmed", True),
        ("identity.sameFace", True),
        ("identity.insights", [{"key": "sameFace", "value": True}]),
        ("identity.multipleFaceLive", True),
        ("identity.overlayFaceConfirmed", True),
        ("identity.backgroundPersonLive", True),
        ("document.photoPhotoPresent", True),
        ("identity.photoOfPhotoPresent", True),
        ("identity.faceInPictureVisible", True),
        ("identity.imageOfFaceCaptured", "yes"),
        ("identity.bothFacesPresent", True),
        ("identity.databaseMatch", "exact"),
        ("address.street", "HMP Leeds"),
        ("address.components", {"road": "HMP Leeds"}),
        ("address.thoroughfare", "PO Box 12"),
        ("document.similarity", 0.99),
        ("document.match", 0.99),
        ("document.contentAnalysis.similarityScore", 0.99),
        ("identity.similarity", 0.98),
    ],
)
def test_what_may_be_about_somebody_or_something_else_is_not_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) != "approve"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.documentFrontFullyVisible", True),
        ("document.physicalDocumentPresent", True),
        ("document.quality.allCornersVisible", True),
        ("document.hologramPresent", True),
        ("document.multipleLaserImageValid", True),
        ("document.backgroundPatternConsistent", True),
        ("identity.selfie.faceVisible", True),
        ("identity.face.box", {"x": 1, "y": 2, "width": 30, "height": 40}),
        ("identity.face.background.colour", "white"),
        ("document.secondaryPortrait.box", {"x": 1, "y": 2, "width": 30, "height": 40}),
        ("document.additionalDocument.pages", 2),
        ("identity.tries.attempt", 1),
        ("identity.accomplice.vpn", False),
        ("identity.faceAnalysis.similarity", 0.98),
        ("address.matchScore", 0.991),
        ("identity.faceAnalysis.bothFacesMatch", True),
        ("address.clientValidation.nameMatchScore", 0.99),
    ],
)
def test_what_every_capture_shows_and_what_is_denied_is_approved(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"
