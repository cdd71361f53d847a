from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from tests.workspace.case_material import (
    ADDRESS,
    MEDIA,
    OUTSIDE,
    PEP,
    SANCTIONS,
    Office,
    decision,
    open_cases,
    open_office,
    said,
)

from kycpack.errors import CaseChangedError, InputError, WorkspaceError
from kycpack.triage import load_policy, read_policy
from kycpack.workspace import Decision
from kycpack.workspace.cases.case_history import words_of
from kycpack.workspace.cases.case_records import Case
from kycpack.workspace.cases.policies import Policies
from kycpack.workspace.entries.rationale import check_rationale
from kycpack.workspace.entries.verify_ledger import rationale_digest

LOOKED = "Compared the entry of the list with the passport"


@pytest.fixture
def office(place: str, tmp_path: Path) -> Iterator[Office]:
    yield from open_office(place, tmp_path, is_honest=True)


def _one(office: Office, level: str, *findings: object, **more: str) -> Case:
    open_cases(office, {"c-1": (level, list(findings))}, **more)
    return office.cases.of_customer("c-1")[0]


def _decide(office: Office, case: Case, wanted: Decision, who: str = "anna") -> Case:
    return office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people[who])


@pytest.mark.parametrize("verdict", ["accepted", "inconclusive"])
@pytest.mark.parametrize(
    ("outcome", "code"),
    [("approve", "EXPLAINED"), ("reject", "OUTSIDE-APPETITE"), ("escalate", "SUSPECTED-MATCH")],
)
def test_no_verdict_on_a_sanctions_hit_goes_round_the_mlro(
    office: Office, verdict: str, outcome: str, code: str
) -> None:
    case = _one(office, "escalate", SANCTIONS)
    for item in load_policy().decisions.checklist:
        case = office.cases.check(case.case_id, item, "E-07", actor=office.people["anna"])
    case = _decide(office, case, decision(outcome, code, F_1=verdict))
    assert case.state == "second_review"
    with pytest.raises(WorkspaceError, match="holds the role MLRO"):
        office.cases.approve(case.case_id, LOOKED, version=case.version, actor=office.people["ben"])
    closed = office.cases.approve(case.case_id, LOOKED, version=case.version, actor=office.people["mia"])
    assert closed.state == "closed"


def test_every_decision_softer_than_the_recommendation_ends(office: Office) -> None:
    case = _decide(
        office, _one(office, "reject", MEDIA), decision("escalate", "SUSPECTED-MATCH", F_1="inconclusive")
    )
    assert case.reopens_on == "2027-06-01"
    office.cases.approve(case.case_id, LOOKED, version=case.version, actor=office.people["ben"])
    office.clock.moment += timedelta(days=366)
    assert office.cases.reopen_due() == (case.case_id,)
    again = office.cases.get(case.case_id)
    assert (again.state, again.effect) == ("open", "escalate")
    assert "the escalation ended" in office.cases.history(case.case_id)[-1]["data"]["reason"]


def test_a_decision_that_is_not_softer_has_no_end(office: Office) -> None:
    case = _one(office, "review", MEDIA)
    wanted = Decision(
        "reject", "OUTSIDE-APPETITE", f"F-1: {LOOKED}", {"F-1": said("true_match")}, date(2026, 9, 1)
    )
    with pytest.raises(InputError, match="only a decision softer than the recommendation has an end"):
        _decide(office, case, wanted)


@pytest.mark.parametrize("outcome", ["hold", "escalate"])
def test_a_case_that_waits_for_its_second_person_is_frozen_at_once(office: Office, outcome: str) -> None:
    false = said("false_positive", **OUTSIDE)
    waits = _decide(
        office, _one(office, "escalate", SANCTIONS), decision("approve", "FALSE-POSITIVE", F_1=false)
    )
    code = "PRECAUTION" if outcome == "hold" else "SUSPECTED-MATCH"
    held = _decide(office, waits, decision(outcome, code), "ben")
    assert (held.state, held.effect, held.open_findings) == ("in_review", outcome, held.findings)
    with pytest.raises(CaseChangedError):
        office.cases.approve(waits.case_id, LOOKED, version=waits.version, actor=office.people["mia"])
    assert office.ledger.verify().ok


def test_a_decision_under_a_policy_that_was_replaced_does_not_wait_for_its_second_person(
    office: Office,
) -> None:
    false = said("false_positive", **OUTSIDE)
    case = _decide(
        office, _one(office, "escalate", SANCTIONS), decision("approve", "FALSE-POSITIVE", F_1=false)
    )
    other = read_policy(load_policy().source + b"\n# another edition\n")
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])}, policy=other, run="run-2")
    policies = Policies(office.ledger, office.people["mia"])
    policies.withdraw(load_policy(), "A list of it was wrong")
    now = office.cases.get(case.case_id)
    assert (now.state, now.open_findings) == ("in_review", now.findings)


def test_a_case_that_rests_wakes_when_a_policy_says_it_is_about_sanctions(office: Office) -> None:
    case = _one(office, "review", MEDIA)
    office.cases.snooze(case.case_id, date(2026, 7, 1), "On leave", actor=office.people["anna"])
    source = load_policy().source.decode()
    strict = read_policy(source.replace("  sanctions: [", "  sanctions: [ADV-2, ").encode())
    assert strict.decisions.subject("ADV-2", MEDIA[3]) == "sanctions"
    open_cases(office, {"c-1": ("review", [MEDIA])}, policy=strict, run="run-2")
    assert office.cases.get(case.case_id).state == "in_review"


@pytest.mark.parametrize("unseen", ["\u200b", "\ufeff", "\u2060", "\u00ad", "\U000e0041"])
def test_a_text_with_characters_that_nobody_sees_is_refused(unseen: str) -> None:
    with pytest.raises(InputError, match=f"U\\+{ord(unseen):04X}"):
        check_rationale(f"F-1: the passport shows{unseen} another person", ["F-1"], ["F-1"])


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d", " ", "\n", "-"])
def test_a_text_is_known_again_whatever_stands_between_its_letters(joiner: str) -> None:
    text = f"F-1: the pass{joiner}port shows another person"
    check_rationale(text, ["F-1"], ["F-1"])
    assert rationale_digest(text) == rationale_digest("F-2 The passport shows another person.")


def test_who_prepared_the_evidence_is_no_second_person_after_the_case_was_reopened(office: Office) -> None:
    case = _one(office, "review", MEDIA, prepared_by="ben")
    approved = decision("approve", "REVIEWED", F_1="accepted")
    case = _decide(office, case, approved, "ben")
    case = office.cases.reopen(case.case_id, "The letter was of a namesake", actor=office.people["anna"])
    held = _decide(office, case, decision("hold", "PRECAUTION"))
    case = _decide(office, held, approved)
    with pytest.raises(WorkspaceError, match="ben prepared this case"):
        office.cases.approve(case.case_id, LOOKED, version=case.version, actor=office.people["ben"])
    office.cases.approve(case.case_id, LOOKED, version=case.version, actor=office.people["mia"])
    assert office.ledger.verify().ok


def test_a_policy_under_which_a_rule_no_longer_fires_reopens_what_was_approved(office: Office) -> None:
    wanted = decision("approve", "REVIEWED", F_1="accepted", F_2="accepted")
    case = _decide(office, _one(office, "review", MEDIA, ADDRESS), wanted)
    less = {"c-1": ("review", [MEDIA])}
    assert open_cases(office, less, root="2" * 64, run="run-2").unchanged[:] == [case.case_id]
    other = read_policy(load_policy().source + b"\n# another edition\n")
    assert open_cases(office, less, policy=other, root="3" * 64, run="run-3").reopened[:] == [case.case_id]


@pytest.mark.parametrize(
    "finding",
    [("CTY-1", "HIT", "edd", "country.residence"), ("OUR-9", "HIT", "edd", "screening.summary.pep.level9")],
    ids=["high-risk country", "a PEP level that the firm forgot to list"],
)
def test_senior_management_approves_a_pep_and_a_high_risk_country(office: Office, finding: object) -> None:
    case = _one(office, "edd", finding)
    for item in load_policy().decisions.checklist:
        case = office.cases.check(case.case_id, item, "E-07", actor=office.people["anna"])
    case = _decide(office, case, decision("approve", "RISK-ACCEPTED", F_1="accepted"))
    with pytest.raises(WorkspaceError, match="senior_manager"):
        office.cases.approve(case.case_id, LOOKED, version=case.version, actor=office.people["mia"])
    office.cases.approve(case.case_id, LOOKED, version=case.version, actor=office.people["sam"])


def test_an_approval_with_the_words_of_others_is_marked(office: Office) -> None:
    said_of = []
    for name in ("c-1", "c-2"):
        open_cases(office, {name: ("escalate", [MEDIA])})
        case = office.cases.of_customer(name)[0]
        case = _decide(office, case, decision("escalate", "PRECAUTION", F_1="inconclusive"))
        office.cases.approve(case.case_id, LOOKED, version=case.version, actor=office.people["ben"])
        said_of.append(words_of(office.cases.history(case.case_id)[-1]))
    assert said_of == [LOOKED, f"{LOOKED} [the same text was used in 1 earlier decision]"]


def _in_force(office: Office, effect: str, *findings: object) -> Case:
    code = "PRECAUTION" if effect == "hold" else "SUSPECTED-MATCH"
    case = _decide(office, _one(office, "escalate", *findings), decision(effect, code))
    for item in load_policy().decisions.checklist:
        case = office.cases.check(case.case_id, item, "E-07", actor=office.people["anna"])
    return case


UNNAMED = ("SCR-6", "HIT", "edd", "screening.matchCount")
SANCTIONS_UNKNOWN = ("SAN-1", "UNKNOWN", *SANCTIONS[2:])


@pytest.mark.parametrize("effect", ["hold", "escalate"])
@pytest.mark.parametrize(
    ("outcome", "match", "verdict"),
    [
        ("reject", SANCTIONS, "inconclusive"),
        ("reject", UNNAMED, "inconclusive"),
        ("reject", PEP, "inconclusive"),
        ("reject", PEP, "escalated"),
        ("reject", SANCTIONS_UNKNOWN, "inconclusive"),
        ("reject", SANCTIONS_UNKNOWN, "escalated"),
        ("approve", SANCTIONS_UNKNOWN, "inconclusive"),
        ("approve", SANCTIONS, "inconclusive"),
        ("approve", SANCTIONS, "escalated"),
    ],
)
def test_no_hold_ends_while_a_possible_match_is_open_and_the_error_says_which(
    office: Office, effect: str, outcome: str, match: tuple[str, ...], verdict: str
) -> None:
    held = _in_force(office, effect, match, MEDIA)
    number, other = (
        each.finding_id for each in sorted(held.findings, key=lambda one: one.rule_id == "ADV-2")
    )
    code = "OUTSIDE-APPETITE" if outcome == "reject" else "EXPLAINED"
    given = {number.replace("-", "_"): verdict, other.replace("-", "_"): "accepted"}
    with pytest.raises(InputError, match=rf"still open: {number} {match[0]} \({verdict}\)"):
        _decide(office, held, decision(outcome, code, **given))
    assert office.cases.get(held.case_id).effect == effect


@pytest.mark.parametrize("effect", ["hold", "escalate"])
def test_a_hold_ends_with_a_false_positive(office: Office, effect: str) -> None:
    held = _in_force(office, effect, SANCTIONS, MEDIA)
    false = said("false_positive", **OUTSIDE)
    made = _decide(office, held, decision("reject", "OUTSIDE-APPETITE", F_1=false, F_2="accepted"))
    assert made.state == "second_review"


@pytest.mark.parametrize("verdict", ["accepted", "true_match"])
def test_no_approval_ends_a_hold_while_a_match_of_a_list_stands(office: Office, verdict: str) -> None:
    held = _in_force(office, "hold", SANCTIONS)
    with pytest.raises(InputError, match=rf"only a false positive can be approved|F-1 SAN-1 \({verdict}\)"):
        _decide(office, held, decision("approve", "EXPLAINED", F_1=verdict))
    assert office.cases.get(held.case_id).effect == "hold"


def test_an_accepted_pep_can_be_approved_although_the_case_was_on_hold(office: Office) -> None:
    held = _in_force(office, "hold", PEP)
    made = _decide(office, held, decision("approve", "RISK-ACCEPTED", F_1="accepted"))
    assert made.state == "second_review"


@pytest.mark.parametrize("match", [SANCTIONS, UNNAMED])
def test_the_mlro_confirms_a_rejection_with_a_match_that_was_escalated(
    office: Office, match: tuple[str, ...]
) -> None:
    held = _in_force(office, "hold", match)
    made = _decide(office, held, decision("reject", "OUTSIDE-APPETITE", F_1="escalated"))
    with pytest.raises(WorkspaceError, match="holds the role MLRO"):
        office.cases.approve(made.case_id, LOOKED, version=made.version, actor=office.people["ben"])
    closed = office.cases.approve(made.case_id, LOOKED, version=made.version, actor=office.people["mia"])
    assert closed.state == "closed"
