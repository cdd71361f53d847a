"""A number of matches that is lower than the number of those that the results list is said, with both numbers."""

from __future__ import annotations

from typing import Any

import pytest
from tests.frames.evidence_maker import RESULTS
from tests.triage.test_evaluate import POLICY, finding, level, triage

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


@pytest.mark.parametrize("summary", [RESULTS["screening"]["summary"], None])
def test_matches_of_a_list_that_nothing_names_go_to_the_mlro_and_hold_the_case(summary: Any) -> None:
    made = counted(2, summary=summary)
    hit = finding(made, "SCR-6")
    assert hit[["outcome", "level", "owner", "action"]].tolist() == ["HIT", "review", "MLRO", "hold"]
    assert (
        "Possible match on a list that the screening does not name (matches counted: 2): it may be a sanctions list"
        in hit["sentence"]
    )
    assert finding(made, "SCR-1")["owner"] == "MLRO"
    assert "MLRO" in next(iter(made.recommendations["routes"]))


@pytest.mark.parametrize(
    ("count", "members"),
    [
        (
            1,
            {"summary": {**RESULTS["screening"]["summary"], "adverseMedia": {"financialCrime": "attention"}}},
        ),
        (
            1,
            {
                "summary": {
                    **RESULTS["screening"]["summary"],
                    "pep": {"level1": "clear", "level2": "attention"},
                }
            },
        ),
        (2, {"matches": [ADA, EVA]}),
        (0, {}),
    ],
)
def test_where_a_category_has_the_match_or_there_is_none_its_rule_says_so(
    count: int, members: dict[str, Any]
) -> None:
    assert finding(counted(count, **members), "SCR-6")["outcome"] == "CLEAR"


def test_without_a_number_of_matches_nobody_says_that_every_list_is_named() -> None:
    assert finding(counted(None), "SCR-6")["outcome"] == "UNKNOWN"


def test_a_hit_on_a_list_that_is_not_named_takes_two_people_of_whom_one_is_the_mlro() -> None:
    assert POLICY.decisions.subject("SCR-6", "plausible.unnamed_matches") == "sanctions"
