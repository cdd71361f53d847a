"""A group does not make fine whatever stands in it: a consent, a picture, a list of faces, a list of what was searched."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import level, triage
from tests.triage.test_repeated_details import put

from kycpack.triage.levels import rank

BOX = {"x": 10, "y": 20, "w": 30, "h": 40}
CORNERS = [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("consent", {"givenByGuardian": True}),
        ("consent", {"retracted": True}),
        ("consent", {"withheld": True}),
        ("consents", {"biometric": True, "obtainedUnderPressure": True}),
        ("identity.faces", [{"box": CORNERS}, {"box": CORNERS}]),
        ("identity.faces", [{"landmarks": {"nose": [1, 2]}}, {"landmarks": {"nose": [3, 4]}}]),
        ("identity.faceBoxes", [CORNERS, CORNERS]),
        ("identity.boundingBoxes", [BOX, BOX]),
        ("identity.face2.box", BOX),
        ("identity.selfie.faces", ["f-1", "f-2"]),
        ("identity.selfie.people", ["Ada Byron", "Bob Smith"]),
        ("identity.person_2", {"landmarks": {"nose": [1, 2]}}),
        ("identity.person2", {"eyesOpen": True}),
        ("identity.faces", [{"live": True}, {"live": True}]),
        ("identity.face2.result", "passed"),
        ("document.changesBox", BOX),
        ("document.errors", {"box": BOX}),
        ("document.boxes", {"errors": BOX}),
        ("matchingProfileId", "p-9"),
        ("matchingDocument", {"matchingCustomerId": "c-1882"}),
        ("screening.lists", [{"name": "Ada Byron", "id": "X-1234", "updated": "2026-05-01"}]),
        ("screening.databases", [{"name": "BYRON, Ada", "records": 1850}]),
        ("screening.sources", [{"name": "Ada Byron", "updated": "2026-05-01"}]),
    ],
)
def test_a_group_does_not_make_fine_what_stands_in_it(path: str, value: Any) -> None:
    assert rank(level(triage(results=put(path, value)))) >= rank("review")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("consent", {"given": True, "at": "2026-05-02T08:00:00Z", "biometric": True, "marketing": True}),
        ("consents", {"termsAccepted": True, "dataProcessing": True}),
        ("identity.faces", [{"box": CORNERS}]),
        ("identity.face1.box", BOX),
        ("identity.faceBox", BOX),
        ("document.boundingBoxes", [BOX, BOX]),
        ("profileId", "p-9"),
        ("screening.lists", [{"name": "OFSI Consolidated List", "updated": "2026-05-01"}]),
    ],
)
def test_what_such_a_group_should_hold_is_fine(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) == "approve"


def test_being_found_in_a_register_of_trouble_is_reviewed() -> None:
    found = {"found": True, "register": "deceased"}
    assert rank(level(triage(results=put("address.electoralRegister", found)))) >= rank("review")
    clear = {"found": False, "register": "Deceased Register", "result": "clear"}
    assert level(triage(results=put("identity.mortality", clear))) == "approve"


@pytest.mark.parametrize("threshold", [0.8, 80])
def test_the_threshold_of_a_listed_score_is_held_against_that_score(threshold: float) -> None:
    assert level(triage(results=put("identity.livenessThreshold", threshold))) == "approve"
    assert level(triage(results=put("identity.similarityThreshold", 0.98))) == "review"
    assert level(triage(results=put("identity.spoof.livenessThreshold", threshold))) == "review"
