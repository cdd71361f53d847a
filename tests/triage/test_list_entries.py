"""One entry of a list in the results, such as a screening match, is one finding with everything that it says."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from tests.frames.evidence_maker import RESULTS, clear_customer
from tests.triage.test_evaluate import AS_OF, POLICY

from kycpack.frames import flatten
from kycpack.triage import Triage, evaluate
from kycpack.triage.levels import rank

MATCHES = [
    {"id": "M-1", "name": "Ada Byron", "list": "OFAC SDN", "score": 0.97, "aliases": ["A. Byron"], "status": "open"},
    {"id": "M-2", "name": "Ada B", "list": "Interpol", "score": 0.7, "status": "open"},
]  # fmt: skip


def judged(**screening: Any) -> Triage:
    return evaluate(
        flatten(clear_customer({**RESULTS, "screening": {**RESULTS["screening"], **screening}})),
        POLICY,
        as_of=AS_OF,
    )


def found(made: Triage, rule_id: str = "SCR-2") -> pd.DataFrame:
    rows = made.findings[made.findings["rule_id"] == rule_id]
    return rows[rows["outcome"].isin(["HIT", "UNKNOWN"])]


@pytest.mark.parametrize("name", ["matches", "hits"])
def test_each_match_is_one_finding_that_names_all_its_members(name: str) -> None:
    made = judged(**{name: MATCHES})
    rows = found(made)
    assert made.recommendations["level"].iloc[0] == "escalate"
    assert len(rows) == len(MATCHES)
    for match, sentence, value in zip(MATCHES, rows["sentence"], rows["value"], strict=True):
        for said in (match["id"], match["name"], match["list"], str(match["score"]), match["status"]):
            assert str(said) in sentence
            assert str(said) in value
    assert "aliases 'A. Byron'" in rows["sentence"].iloc[0]
    assert f"for the entry “{name} 2” in the section “screening”" in rows["sentence"].iloc[1]


def test_a_match_says_the_same_however_deep_its_members_lie() -> None:
    rows = found(judged(hits=[{"entity": {"name": "Ada Byron", "programs": ["SDGT", "IRAN"]}}]))
    assert len(rows) == 1
    assert (
        "entity name 'Ada Byron', entity programs 'SDGT', entity programs 'IRAN'" in rows["sentence"].iloc[0]
    )


SINGLE = {
    "id": "M-1", "fullName": "Ada Byron", "list": "OFAC SDN", "score": 0.97, "aliases": ["A. Byron", "Augusta B."],
    "addresses": [{"city": "Rome"}], "programs": {"main": "SDGT"},
}  # fmt: skip


@pytest.mark.parametrize("name", ["match", "hit", "watchlistMatch", "matchDetails", "matches"])
def test_a_match_that_is_in_no_list_is_one_finding_with_everything_that_it_says(name: str) -> None:
    made = judged(**{name: SINGLE})
    rows = found(made)
    assert made.recommendations["level"].iloc[0] == "escalate"
    assert len(rows) == 1
    for said in ("M-1", "Ada Byron", "OFAC SDN", "0.97", "A. Byron", "Augusta B.", "Rome", "SDGT"):
        assert said in rows["sentence"].iloc[0]
        assert said in rows["value"].iloc[0]


def test_a_single_match_in_a_section_of_its_own_is_one_finding() -> None:
    results = {**RESULTS, "watchlist": {"match": SINGLE}}
    made = evaluate(flatten(clear_customer(results)), POLICY, as_of=AS_OF)
    rows = found(made, "SCR-5")
    assert len(rows) == 1
    assert "'OFAC SDN'" in rows["sentence"].iloc[0]


@pytest.mark.parametrize(
    "hits",
    [
        {"sanctions": {"name": "Ada Byron", "list": "OFAC"}, "pep": {"name": "Eva Byron", "list": "Rulers"}},
        {"sanctions": "confirmed", "pep": "possible"},
        {"M-1": {"name": "Ada Byron", "list": "OFAC"}, "M-2": {"name": "Eva Byron", "list": "UN"}},
        {"items": [{"name": "Ada Byron", "list": "OFAC"}, {"name": "Eva Byron", "list": "UN"}]},
        {
            "listName": None,
            "items": [{"name": "Ada Byron", "list": "OFAC"}, {"name": "Eva Byron", "list": "UN"}],
        },
    ],
)
def test_several_matches_in_one_group_are_not_joined(hits: dict[str, Any]) -> None:
    assert len(found(judged(hits=hits))) == len(MATCHES)


def test_a_single_match_about_sanctions_is_decided_as_one_about_sanctions() -> None:
    rows = found(judged(match={"name": "Ada Byron", "pep": "level 1", "sanctionsProgram": "SDGT"}))
    assert len(rows) == 1
    assert POLICY.decisions.subject("SCR-2", rows["path"].iloc[0]) == "sanctions"


def test_matches_that_are_names_alone_are_findings_of_their_own() -> None:
    rows = found(judged(matches=["Ada Byron", "Eva Byron"]))
    assert [*rows["value"]] == ["Ada Byron", "Eva Byron"]
    assert "'Eva Byron' for the entry “matches 2”" in rows["sentence"].iloc[1]


def test_a_match_with_a_member_about_sanctions_is_decided_as_one_about_sanctions() -> None:
    rows = found(judged(matches=[{"name": "Ada Byron", "pep": "level 1", "sanctionsProgram": "SDGT"}]))
    assert len(rows) == 1
    assert POLICY.decisions.subject("SCR-2", rows["path"].iloc[0]) == "sanctions"
    rows = found(judged(matches=[{"name": "Ada Byron", "pep": "level 1"}]))
    assert POLICY.decisions.subject("SCR-2", rows["path"].iloc[0]) == "pep"


def test_the_worst_member_of_an_entry_decides_its_level() -> None:
    """A value that the policy does not know weighs more than one that is missing."""
    results = {**RESULTS, "watchlistSearch": {"results": [{"name": "Ada", "list": "OFAC", "status": None}]}}
    rows = found(evaluate(flatten(clear_customer(results)), POLICY, as_of=AS_OF), "SCR-5")
    alone = {**RESULTS, "watchlistSearch": {"results": [{"list": "OFAC"}]}}
    worst = found(evaluate(flatten(clear_customer(alone)), POLICY, as_of=AS_OF), "SCR-5")
    assert len(rows) == 1
    assert rank(rows["level"].iloc[0]) >= rank(worst["level"].iloc[0])
    assert "'OFAC'" in rows["sentence"].iloc[0]


def test_of_a_match_with_many_members_the_sentence_gives_the_first_and_says_how_many_more() -> None:
    rows = found(judged(matches=[{f"remark{number}": f"word{number}" for number in range(30)}]))
    assert "and 18 further values for the entry" in rows["sentence"].iloc[0]
    assert all(f"word{number}" in rows["value"].iloc[0] for number in range(30))


def test_the_name_of_the_list_beside_several_matches_does_not_join_them() -> None:
    hits = {"listName": "OFAC SDN", "items": [{"name": "Ada Byron"}, {"name": "Eva Byron"}]}
    assert [*found(judged(hits=hits))["value"]] == ["OFAC SDN", "Ada Byron", "Eva Byron"]


def test_equal_entries_of_lists_in_different_groups_are_findings_of_their_own() -> None:
    rows = found(judged(adverse={"matches": MATCHES[:1]}, sanctions={"matches": MATCHES[:1]}))
    assert [POLICY.decisions.subject("SCR-2", path) for path in rows["path"]] == ["", "sanctions"]
    assert "for the entry “adverse matches 1” in the section “screening”" in rows["sentence"].iloc[0]


def test_of_members_with_the_same_sentence_the_one_about_sanctions_is_decided() -> None:
    rows = found(
        judged(adverse={"remark": "listed"}, pep={"remark": "listed"}, sanctions={"remark": "listed"})
    )
    assert [POLICY.decisions.subject("SCR-2", path) for path in rows["path"]] == ["sanctions"]


def test_what_a_match_says_about_sanctions_is_in_its_sentence_however_much_it_says() -> None:
    remarks = {f"remark{number}": f"word{number}" for number in range(30)}
    rows = found(judged(matches=[{**remarks, "pep": "level 1", "sanctionsProgram": "SDGT"}]))
    assert "reports sanctions program 'SDGT', pep 'level 1', remark0" in rows["sentence"].iloc[0]
