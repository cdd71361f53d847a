from __future__ import annotations

import copy
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.assets import asset_path
from kycpack.evidence import load_evidence
from kycpack.pack import build_review
from kycpack.triage.customers.changes import KINDS, changes_between, state_of, unsupported

LEVELS = ("approve", "review", "edd", "escalate", "reject")


def finding(rule: str, level: str = "review", **more: str) -> dict[str, str]:
    return {
        "rule": rule,
        "path": f"screening.{rule}",
        "outcome": "HIT",
        "value": "attention",
        "level": level,
        "sentence": f"{rule} reports something",
    } | more


def stream(payer: str, status: str = "active") -> dict[str, str]:
    return {
        "payer": payer,
        "type": "employment",
        "currency": "GBP",
        "cadence": "monthly",
        "status": status,
        "first_on": "2025-01-31",
        "last_on": "2026-05-29",
    }


def state(level: str = "review", **more: Any) -> dict[str, Any]:
    return {
        "level": level,
        "top_reason": "",
        "outcomes": {"screening": "clear"},
        "screening": {"screening.matchCount": "0"},
        "documents": {},
        "findings": [],
        "flags": {},
        "streams": [],
    } | more


def test_nothing_changed_between_a_review_and_itself() -> None:
    evidence = load_evidence(asset_path("samples/evidence/index.json").parent)
    review = build_review(evidence, as_of="2026-06-30")
    reduced = state_of(review.tables)
    assert reduced["level"] == review.contents.level
    assert reduced["screening"]["screening.summary.pep.level2"] == "attention"
    assert len(reduced["streams"]) == len(review.wealth.streams)
    assert changes_between(reduced, copy.deepcopy(reduced)) == ()


def test_each_kind_of_change_is_named_with_before_and_now() -> None:
    before = state(streams=[stream("Acme Ltd"), stream("Old Mill")], documents={"passport PL 1": "clear"})
    now = state(
        "edd",
        outcomes={"screening": "consider"},
        screening={"screening.matchCount": "2"},
        documents={"passport PL 2": "clear"},
        findings=[finding("PEP-1", "edd")],
        flags={"structuring": "1 (high)"},
        streams=[stream("Acme Ltd", "ceased"), stream("New Firm")],
    )
    found = {(each.kind, each.subject): (each.before, each.now) for each in changes_between(before, now)}
    assert found == {
        ("level", "Recommended level"): ("review", "edd"),
        ("outcome", "screening check"): ("clear", "consider"),
        ("screening", "screening.matchCount"): ("0", "2"),
        ("document", "passport PL 1"): ("clear", "none"),
        ("document", "passport PL 2"): ("none", "clear"),
        ("finding", "PEP-1: PEP-1 reports something"): ("none", "HIT, edd"),
        ("flag", "structuring"): ("none", "1 (high)"),
        ("stream", "Acme Ltd (employment, GBP)"): ("active", "ceased, last credit 2026-05-29"),
        ("stream", "New Firm (employment, GBP)"): ("none", "began 2025-01-31, active"),
        ("stream", "Old Mill (employment, GBP)"): ("active", "not found any more"),
    }


def test_all_that_a_rule_says_of_one_path_is_kept() -> None:
    """A rule that finds a digit and a remark in one name says two things."""
    evidence = load_evidence(asset_path("samples/evidence/index.json").parent)
    tables = build_review(evidence, as_of="2026-06-30").tables
    findings = tables["findings"]
    one = findings[findings["outcome"] == "HIT"].head(1)
    also = one.assign(sentence="Something else")
    kept = state_of({**tables, "findings": pd.concat([one, also])})["findings"]
    assert [each["sentence"] for each in kept] == [f"{one['sentence'].iloc[0]}; Something else"]


@pytest.mark.parametrize(
    ("outcome", "before", "now", "expected"),
    [
        ("approve", state(), state(), ()),
        ("approve", state("edd", findings=[finding("A")]), state(), ()),
        (
            "approve",
            state(),
            state("edd"),
            ("The recommended level rose from manual review to enhanced due diligence.",),
        ),
        ("approve", state(), state(findings=[finding("B")]), ("New: B reports something",)),
        (
            "reject",
            state("edd", findings=[finding("A")]),
            state("edd", findings=[finding("A"), finding("B")]),
            (),
        ),
        (
            "reject",
            state("edd"),
            state("review"),
            ("The recommended level fell from enhanced due diligence to manual review.",),
        ),
        ("hold", state(findings=[finding("A")]), state(), ("No longer found: A reports something",)),
    ],
)
def test_a_decision_is_supported_until_the_evidence_says_otherwise(
    outcome: str, before: dict[str, Any], now: dict[str, Any], expected: tuple[str, ...]
) -> None:
    decided = {**before, "decision": {"decision_id": "c-D1", "outcome": outcome, "level": before["level"]}}
    assert unsupported(decided, now) == expected
    assert [each.kind for each in changes_between(decided, now)].count("decision") == bool(expected)
    assert unsupported(before, now) == ()


def test_an_approval_does_not_stand_for_a_sum_that_grew_and_a_hold_still_has_its_finding() -> None:
    about = {"path": "wealth.flags.structuring", "value": ""}
    small = finding("WLT-1", sentence="Credits below a limit: 9 in (9,000.00 GBP) (E-03)", **about)
    moved = finding(
        "WLT-1", sentence="Credits below a limit: 9 in (9,000.00 GBP) (E-05, E-07 to E-15)", **about
    )
    grown = finding("WLT-1", sentence="Credits below a limit: 40 in (900,000.00 GBP) (E-03)", **about)

    def decided(outcome: str) -> dict[str, Any]:
        decision = {"decision_id": "c-D1", "outcome": outcome, "level": "review"}
        return state(findings=[small]) | {"decision": decision}

    assert unsupported(decided("approve"), state(findings=[moved])) == ()
    assert changes_between(decided("approve"), state(findings=[moved])) == ()
    assert unsupported(decided("approve"), state(findings=[grown])) == (f"New: {grown['sentence']}",)
    assert unsupported(decided("hold"), state(findings=[grown])) == ()
    (change,) = changes_between(decided("hold"), state(findings=[grown]))
    assert (change.kind, change.before, change.now) == ("finding", small["sentence"], grown["sentence"])


@given(
    st.sampled_from(LEVELS),
    st.sampled_from(LEVELS),
    st.sets(st.sampled_from("ABCD")),
    st.sets(st.sampled_from("ABCD")),
)
def test_changes_come_in_one_order_and_turn_round_when_the_states_do(
    one: str, other: str, first: set[str], second: set[str]
) -> None:
    before = state(one, findings=[finding(name) for name in sorted(first)])
    now = state(other, findings=[finding(name) for name in sorted(second)])
    there, back = changes_between(before, now), changes_between(now, before)
    places = [KINDS.index(each.kind) for each in there]
    assert places == sorted(places)
    assert {(each.subject, each.before, each.now) for each in there} == {
        (each.subject, each.now, each.before) for each in back
    }
