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


SUMMARY = RESULTS["screening"]["summary"]
MEDIA, OFFICE, TERROR = (
    {"summary": {**SUMMARY, "adverseMedia": {"environmentProduction": "attention"}}},
    {"summary": {**SUMMARY, "pep": {"level1": "clear", "level2": "attention"}}},
    {"summary": {**SUMMARY, "watchlist": {"sanctionsLists": "clear", "terror": "attention"}}},
)


@pytest.mark.parametrize(
    ("count", "members", "left"),
    [
        (2, {}, "2 of 2 matches"),
        (1, {}, "1 of 1 match"),
        (2, {"summary": None}, "2 of 2 matches"),
        *((2, {"outcome": outcome}, "2 of 2 matches") for outcome in ("consider", "warning", "rejected")),
        *((2, members, "1 of 2 matches") for members in (MEDIA, OFFICE, TERROR)),
        (2, {"outcome": "consider", **OFFICE}, "1 of 2 matches"),
        (4, {"summary": MEDIA["summary"] | {"pep": {"level1": 2}}}, "1 of 4 matches"),
        (3, {"summary": {**SUMMARY, "pep": {"level1Score": 85}}}, "3 of 3 matches"),
        (2, {"summary": {**SUMMARY, "pep": {"level1": "clear", "pepClass": 2}}}, "2 of 2 matches"),
        (2, {"summary": {**SUMMARY, "pep": {"level1": "clear", "level": 2}}}, "2 of 2 matches"),
        (
            3,
            {"summary": {**SUMMARY, "adverseMedia": {"environmentProduction": "attention", "severity": 2}}},
            "2 of 3 matches",
        ),
        (1, {"matches": [{"name": "Ada Example"}]}, "1 of 1 match"),
        (1, {"matches": [{"name": "Ada Example", "status": "possible match"}]}, "1 of 1 match"),
        (2, {"matches": [{"name": "Ada Example", "listId": "unknown"}, ADA]}, "1 of 2 matches"),
        (2, {"decision": "attention", "recommendation": "attention"}, "2 of 2 matches"),
        (2, {"summary": {**SUMMARY, "fuzzy": "attention", "exact": "attention"}}, "2 of 2 matches"),
        (2, {"matches": [ADA]}, "1 of 2 matches"),
        (2, {"matches": [ADA], **OFFICE}, "1 of 2 matches"),
        (2, {"hits": {"total": 2}}, "2 of 2 matches"),
        (2, {"totalHits": 2}, "2 of 2 matches"),
        (1_200, OFFICE, "1,199 of 1,200 matches"),
    ],
)
def test_matches_of_a_list_that_nothing_names_go_to_the_mlro_and_hold_the_case(
    count: int, members: dict[str, Any], left: str
) -> None:
    """A match beside one of a known category may be on a sanctions list as well as one beside none."""
    made = counted(count, **members)
    hit = finding(made, "SCR-6")
    assert hit[["outcome", "level", "owner", "action"]].tolist() == ["HIT", "edd", "MLRO", "hold"]
    assert hit["sentence"].startswith(
        f"Possible match on a kind of list that the screening does not name ({left}): it may be a sanctions list, so sanctions, terrorism and PEP lists are not clear (E-"
    )
    assert hit["value"] == left.partition(" ")[0].replace(",", "")
    assert finding(made, "SCR-1")["owner"] == "MLRO"
    assert "MLRO" in next(iter(made.recommendations["routes"]))


@pytest.mark.parametrize(
    ("count", "members"),
    [
        *((1, members) for members in (MEDIA, OFFICE, TERROR)),
        (1, {"summary": {**SUMMARY, "pep": {"level1": "attention", "level2": "attention"}}}),
        (2, {"summary": MEDIA["summary"] | {"pep": {"level1": "attention"}}}),
        (2, {"summary": {**SUMMARY, "pep": {"level2": 2}}}),
        (2, {"summary": {**SUMMARY, "pep": {"level2Matches": 2}}}),
        (2, {"matches": [ADA, EVA]}),
        (2, {"hits": {"sanctions": [{"name": "Ada Byron"}, {"name": "Eva Byron"}]}}),
        (1, {"crypto": {"wallets": "attention"}}),
        (0, {}),
        (0, {"outcome": "consider"}),
    ],
)
def test_where_categories_or_entries_account_for_every_match_or_there_is_none_its_rule_says_so(
    count: int, members: dict[str, Any]
) -> None:
    assert finding(counted(count, **members), "SCR-6")["outcome"] == "CLEAR"


@pytest.mark.parametrize("count", [None, "two or three", "2", True, {"total": 2}, [2]])
def test_without_a_number_of_matches_nobody_says_that_every_list_is_named(count: Any) -> None:
    assert finding(counted(count), "SCR-6")["outcome"] == "UNKNOWN"


def test_a_hit_on_a_list_that_is_not_named_takes_two_people_of_whom_one_is_the_mlro() -> None:
    assert POLICY.decisions.subject("SCR-6", "plausible.unnamed_matches") == "sanctions"
