"""A decision says one thing of one fact, and its reason code is about what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.workspace.case_material import (
    MEDIA,
    SANCTIONS,
    Office,
    open_cases,
    open_office,
    said,
)

from kycpack.errors import InputError, PolicyError
from kycpack.triage import load_policy, read_policy
from kycpack.workspace import Decision
from kycpack.workspace.cases.case_records import Case
from kycpack.workspace.cases.decisions import rule_on

INTEGRITY = "document.contentAnalysis.dataIntegrity"
REJECTED = ("OUT-document", "HIT", "reject", "document.outcome", {
    "value": "rejected", "sentence": "Document rejected: data integrity 'attention' (E-03)",
})  # fmt: skip
CHECK = (
    "DOC-2",
    "HIT",
    "review",
    INTEGRITY,
    {"sentence": "Data integrity of the identity document: 'attention' (E-03)"},
)
CRIME = ("ADV-1", "HIT", "edd", "screening.summary.adverseMedia.financialCrime")
OTHER_MEDIA = ("ADV-4", "HIT", "review", "screening.summary.adverseMedia.financialCrime")
TEXT = "compared with the evidence, and the decision rests on it"


@pytest.fixture
def office(place: str, tmp_path: Path) -> Iterator[Office]:
    yield from open_office(place, tmp_path, is_honest=True)


def opened(office: Office, level: str, *findings: Any) -> Case:
    open_cases(office, {"c-1": (level, list(findings))})
    return office.cases.of_customer("c-1")[0]


def decide(office: Office, case: Case, outcome: str, code: str, text: str, *verdicts: str) -> Case:
    given = {f"F-{number}": said(verdict) for number, verdict in enumerate(verdicts, 1)}
    wanted = Decision(outcome, code, text, given)
    return office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])


@pytest.mark.parametrize("pair", [(REJECTED, CHECK), (CRIME, OTHER_MEDIA)])
def test_two_findings_on_one_fact_cannot_have_two_verdicts_without_a_note(office: Office, pair: Any) -> None:
    case = opened(office, pair[0][2], *pair)
    text = f"F-1: {TEXT}; F-2: it was not followed up"
    with pytest.raises(InputError) as refused:
        decide(office, case, "reject", "OUTSIDE-APPETITE", text, "accepted", "inconclusive")
    for named in (
        f"F-1 ({pair[0][0]}, accepted)",
        f"F-2 ({pair[1][0]}, inconclusive)",
        "the same fact",
        "E-03",
    ):
        assert named in str(refused.value)
    noted = f"{text}. F-2 is left open beside F-1 because the provider reads the page again"
    assert (
        decide(office, case, "reject", "OUTSIDE-APPETITE", noted, "accepted", "inconclusive").outcome
        == "reject"
    )


def test_one_verdict_on_one_fact_needs_no_note(office: Office) -> None:
    case = opened(office, "reject", REJECTED, CHECK)
    made = decide(office, case, "reject", "NOT-VERIFIED", f"F-1: {TEXT}; F-2: {TEXT}", "accepted", "accepted")
    assert made.outcome == "reject"


@pytest.mark.parametrize(
    "other",
    [
        ("DOC-3", "HIT", "review", "document.contentAnalysis.expirationDateCheck"),
        (*CHECK[:4], {**CHECK[4], "evidence_ids": ["E-06"], "session_id": "s-2"}),
        ("DOC-2", "UNKNOWN", "review", INTEGRITY, {"value": None}),
    ],
)
def test_findings_on_different_facts_may_have_different_verdicts(office: Office, other: Any) -> None:
    case = opened(office, "reject", REJECTED, other)
    text = f"F-1: {TEXT}; F-2: it was not followed up"
    assert (
        decide(office, case, "reject", "NOT-VERIFIED", text, "accepted", "inconclusive").outcome == "reject"
    )


def test_a_hold_without_verdicts_is_never_held_up(office: Office) -> None:
    case = opened(office, "reject", REJECTED, CHECK)
    assert (
        decide(office, case, "hold", "SUSPECTED-MATCH", "The customer: held until the bank answers").effect
        == "hold"
    )


def test_a_reason_code_about_other_findings_is_refused_with_both_named(office: Office) -> None:
    case = opened(office, "reject", REJECTED, SANCTIONS)
    text = f"F-1: {TEXT}; F-2: passed to the MLRO"
    with pytest.raises(InputError) as refused:
        decide(office, case, "reject", "SUSPECTED-MATCH", text, "accepted", "escalated")
    for named in (
        "SUSPECTED-MATCH (A match may be the customer)",
        "SAN-*",
        "rests on F-1 OUT-document",
        "NOT-VERIFIED",
    ):
        assert named in str(refused.value)
    assert decide(office, case, "reject", "NOT-VERIFIED", text, "accepted", "escalated").outcome == "reject"


def test_an_escalation_may_rest_on_what_was_escalated(office: Office) -> None:
    case = opened(office, "reject", REJECTED, SANCTIONS)
    text = f"F-1: {TEXT}; F-2: passed to the MLRO"
    assert (
        decide(office, case, "escalate", "SUSPECTED-MATCH", text, "inconclusive", "escalated").effect
        == "escalate"
    )


def test_what_could_not_be_evaluated_is_a_ground_for_incomplete_due_diligence(office: Office) -> None:
    case = opened(office, "edd", ("SAN-1", "UNKNOWN", "edd", SANCTIONS[3], {"value": None}))
    text = "F-1: the provider cannot screen this person"
    assert decide(office, case, "reject", "CDD-INCOMPLETE", text, "accepted").outcome == "reject"


def test_a_hit_on_a_list_is_no_ground_for_incomplete_due_diligence(office: Office) -> None:
    case = opened(office, "escalate", SANCTIONS)
    with pytest.raises(InputError, match="codes that fit these are"):
        decide(office, case, "reject", "CDD-INCOMPLETE", f"F-1: {TEXT}", "accepted")


def test_a_case_for_whose_findings_the_policy_has_no_code_can_be_rejected_but_not_approved(
    office: Office,
) -> None:
    case = opened(office, "review", MEDIA)
    codes = {"TRUE-MATCH": ("A match is the customer", ("reject", "approve"))}
    rules = replace(load_policy().decisions, reason_codes=codes, grounds={"TRUE-MATCH": ("SAN-*",)})
    wanted = Decision("reject", "TRUE-MATCH", f"F-1: {TEXT}", {"F-1": said("accepted")})
    assert rule_on(case, wanted, rules, checked=(), day=date(2026, 6, 1)).state == "closed"
    wanted = replace(wanted, outcome="approve", dispositions={"F-1": said("false_positive")})
    with pytest.raises(InputError, match="codes that fit these are none"):
        rule_on(case, wanted, rules, checked=(), day=date(2026, 6, 1))


def test_a_code_that_is_about_nothing_fits_every_finding(office: Office) -> None:
    case = opened(office, "review", MEDIA)
    assert decide(office, case, "reject", "OUTSIDE-APPETITE", f"F-1: {TEXT}", "accepted").state == "closed"


def test_a_code_about_a_rule_that_does_not_exist_is_refused_with_its_line() -> None:
    changed = load_policy().source.replace(b"about: [SAN-*, WAT-*", b"about: [NIX-*, WAT-*", 1)
    with pytest.raises(PolicyError, match="there is no rule 'NIX-"):
        read_policy(changed)
