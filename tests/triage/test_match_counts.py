"""A number of matches that is lower than the number of those that the results list is said, with both numbers."""

from __future__ import annotations

from typing import Any

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import finding, level, triage

from kycpack.triage import Triage

ADA, EVA = {"name": "Ada Byron", "list": "OFAC"}, {"name": "Eva Byron", "list": "UN"}


def counted(count: Any, **members: Any) -> Triage:
    screening = {**RESULTS["screening"], "matchCount": count, **members}
    return triage(results={**RESULTS, "screening": screening})


@pytest.mark.parametrize(
    ("count", "members", "listed"),
    [
        (0, {"matches": [ADA, EVA]}, 2),
        (1, {"matches": [ADA, EVA]}, 2),
        (0, {"hits": {"sanctions": [ADA], "pep": [EVA, ADA]}}, 3),
        (0, {"match": ADA}, 1),
        (0, {"hits": ["Ada Byron"]}, 1),
    ],
)
def test_fewer_matches_counted_than_listed_is_said(count: int, members: dict[str, Any], listed: int) -> None:
    made = counted(count, **members)
    assert level(made) == "escalate"
    said = f"a match count that is lower than the number of matches listed ({listed}): {count} (E-"
    assert said in finding(made, "RES-5")["sentence"]


@pytest.mark.parametrize(
    ("count", "members"),
    [
        (2, {"matches": [ADA, EVA]}),
        (3, {"matches": [ADA, EVA]}),
        (0, {}),
        (0, {"matches": []}),
        (0, {"matches": ["none"]}),
        (0, {"matches": {"sanctions": 0, "pep": 0}}),
        (None, {"matches": [ADA]}),
        (-1, {"matches": [ADA]}),
        (0, {"results": [{"list": "OFAC", "result": "clear"}]}),
    ],
)
def test_as_many_or_no_number_is_no_contradiction(count: Any, members: dict[str, Any]) -> None:
    assert finding(counted(count, **members), "RES-5")["outcome"] == "CLEAR"
