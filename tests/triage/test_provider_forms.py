"""Scores from 0 to 1 or to 100, and names of a screening: providers write one thing in several ways."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import changed, level, triage
from tests.triage.test_softness import row


def _scored(similarity: Any, liveness: Any) -> dict[str, Any]:
    document = copy.deepcopy(RESULTS)
    document["identity"]["faceAnalysis"]["facialSimilarityScore"] = similarity
    document["identity"]["authenticityAnalysis"]["livenessCheckScore"] = liveness
    return document


@pytest.mark.parametrize("scores", [(0.97, 0.99), (1, 1), (0.6, 1.0), (97, 88.5), (100, 100), (60, 60.0)])
def test_good_scores_on_either_scale_are_clear(scores: tuple[Any, Any]) -> None:
    assert level(triage(results=_scored(*scores))) == "approve"


@pytest.mark.parametrize(
    ("scores", "fired"),
    [
        ((0.41, 0.99), ["IDN-2"]),
        ((41, 99), ["IDN-3"]),
        ((59.9, 90), ["IDN-3"]),
        ((1, 99), ["IDN-3"]),
        ((0.97, 95), ["IDN-3"]),
        ((97, -5), []),
        ((97, 101), []),
        ((0.97, "0.99"), []),
        ((97, "99"), []),
        ((97, True), []),
    ],
)
def test_a_low_odd_or_mixed_score_is_reviewed(scores: tuple[Any, Any], fired: list[str]) -> None:
    made = triage(results=_scored(*scores))
    assert level(made) == "review"
    assert [rule for rule in row(made)["fired"] if rule.startswith("IDN")] == fired


@pytest.mark.parametrize(
    "kind", ["extensive", "Extensive", "amlExtensiveScreening", "extensive_screening_check", "AML extensive"]
)
def test_extensive_screening_has_several_names(kind: str) -> None:
    assert level(triage(results=changed("screening.checkType", kind))) == "approve"


@pytest.mark.parametrize("kind", ["standard", "amlStandardScreening", "standard_screening_check"])
def test_standard_screening_has_several_names(kind: str) -> None:
    assert "SCR-3" in row(triage(results=changed("screening.checkType", kind)))["fired"]


@pytest.mark.parametrize(
    "kind",
    ["notExtensive", "extensive, cancelled", "extensive or standard", "screening check", "aml", "full"],
)
def test_a_screening_of_another_name_is_not_known(kind: str) -> None:
    assert level(triage(results=changed("screening.checkType", kind))) != "approve"
