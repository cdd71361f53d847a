"""What somebody with a key might decide alone, with a kycpack whose own rules they took out; the verifier computes them anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete
from tests.workspace.case_material import (
    ADDRESS,
    MEDIA,
    OUTSIDE,
    PEP,
    ROOT,
    SANCTIONS,
    Office,
    decision,
    open_cases,
    open_office,
    said,
)

from kycpack.triage import levels, load_policy
from kycpack.triage.policies import policy as policy_rules
from kycpack.workspace import Decision, schema
from kycpack.workspace.cases.case_changes import change
from kycpack.workspace.cases.decisions import Ruling
from kycpack.workspace.entries import verify_ledger
from kycpack.workspace.entries.ledger_writer import KYCPACK
from kycpack.workspace.entries.verify_ledger import check_excerpt, check_ledger
from kycpack.workspace.ledger.case_agreement import table_problems

FALSE = said("false_positive", **OUTSIDE)
TRUE = said("true_match")
FOREIGN = ("FOR-1", "HIT", "edd", "customer.address.country")
Alter = Callable[[Ruling], Ruling]


@pytest.fixture
def office(place: str, tmp_path: Path) -> Any:
    yield from open_office(place, tmp_path)


def _alone(ruling: Ruling) -> Ruling:
    """No second person, no role, and the end at once."""
    return replace(ruling, second_person=(), roles=(), state="closed", effect=None)


def _decide(
    office: Office,
    monkeypatch: pytest.MonkeyPatch,
    wanted: Decision,
    alter: Alter,
    version: int | None = None,
) -> None:
    from kycpack.workspace.cases import case_decisions  # noqa: PLC0415

    own = case_decisions.rule_on
    with monkeypatch.context() as patched:
        patched.setattr(case_decisions, "rule_on", lambda *given, **named: alter(own(*given, **named)))
        (case,) = office.cases.of_customer("c-1")
        office.cases.decide(
            case.case_id, wanted, version=version or case.version, actor=office.people["anna"]
        )


def _problems(office: Office) -> str:
    """What both the whole ledger and the excerpt of the case show."""
    (case,) = office.cases.of_customer("c-1")
    whole = check_ledger(office.ledger.entries()).problems
    excerpt = check_excerpt(json.loads(json.dumps(office.ledger.excerpt(case.case_id)))).problems
    assert excerpt == whole
    return "\n".join(whole)


def _with_checklist(office: Office) -> None:
    (case,) = office.cases.of_customer("c-1")
    for item in load_policy().decisions.checklist:
        office.cases.check(case.case_id, item, "E-07", actor=office.people["ben"])


@pytest.mark.parametrize(
    ("level", "findings", "wanted", "why"),
    [
        ("escalate", [SANCTIONS], decision("approve", "FALSE-POSITIVE", F_1=FALSE),
         "F-1: a false positive on sanctions or terrorism; approve is softer than the recommendation, escalate"),
        ("escalate", [SANCTIONS], decision("reject", "OUTSIDE-APPETITE", F_1=TRUE),
         "F-1: a true match on sanctions or terrorism"),
        ("escalate", [SANCTIONS], decision("reject", "OUTSIDE-APPETITE", F_1="accepted"),
         "F-1: a hit on sanctions or terrorism"),
        ("edd", [PEP], decision("reject", "OUTSIDE-APPETITE", F_1=FALSE),
         "F-1: a false positive on a politically exposed person"),
        ("edd", [PEP], decision("approve", "EXPLAINED", F_1="accepted"), "senior management has to approve"),
        ("reject", [MEDIA], decision("escalate", "SUSPECTED-MATCH", F_1="inconclusive"),
         "an escalation is closed by two people"),
        ("reject", [MEDIA], decision("approve", "EXPLAINED", F_1="accepted"),
         "approve is softer than the recommendation, reject"),
    ],
)  # fmt: skip
def test_who_decides_alone_what_needs_two_is_found(
    office: Office,
    monkeypatch: pytest.MonkeyPatch,
    level: str,
    findings: list[Any],
    wanted: Decision,
    why: str,
) -> None:
    open_cases(office, {"c-1": (level, findings)})
    _with_checklist(office)
    _decide(office, monkeypatch, wanted, _alone)
    problems = _problems(office)
    assert "it says that no second person is needed, and one is: " in problems
    assert why in problems


def test_who_ends_a_hold_alone_is_found(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.of_customer("c-1")
    office.cases.decide(
        case.case_id, decision("hold", "PRECAUTION"), version=case.version, actor=office.people["ben"]
    )
    _decide(office, monkeypatch, decision("approve", "REVIEWED", F_1="accepted"), _alone)
    problems = _problems(office)
    assert "it ends what is in force: hold" in problems
    assert "it says that nothing is in force, and hold is" in problems


def test_a_closing_in_two_steps_by_one_person_is_found(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the verdict on the sanctions hit beside a hold, as if nothing followed from it; then the approval."""
    open_cases(office, {"c-1": ("escalate", [SANCTIONS, MEDIA])})
    _decide(office, monkeypatch, decision("hold", "PRECAUTION", F_1=FALSE), lambda one: one)
    _decide(office, monkeypatch, decision("approve", "FALSE-POSITIVE", F_2="accepted"), _alone)
    assert "one is: F-1: a false positive on sanctions or terrorism" in _problems(office)


@pytest.mark.parametrize(
    ("alter", "problem"),
    [
        (lambda one: replace(one, roles=()), "it does not ask for the role MLRO"),
        (lambda one: replace(one, reopens_on=None), "it is softer than escalate and has no end within 365 days"),
        (lambda one: replace(one, reopens_on="2029-01-01"), "has no end within 365 days"),
        (lambda one: replace(one, effect="hold"), "it says that hold is in force, and nothing is"),
        (
            lambda one: replace(one, findings=tuple(replace(each, disposition="accepted") for each in one.findings)),
            "it shows another verdict on F-1 than was given",
        ),
    ],
)  # fmt: skip
def test_a_decision_that_says_less_than_its_policy_asks_is_found(
    office: Office, monkeypatch: pytest.MonkeyPatch, alter: Alter, problem: str
) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    _decide(office, monkeypatch, decision("approve", "FALSE-POSITIVE", F_1=FALSE), alter)
    assert problem in _problems(office)


def _write(office: Office, kind: str, who: str, **data: Any) -> None:
    with office.ledger.writing() as writer:
        (case,) = office.cases.of_customer("c-1")
        change(
            writer,
            replace(case, **data.pop("case", {})),
            kind,
            data,
            KYCPACK if who == "kycpack" else office.people[who],
        )


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "it ends a case in which nothing was said of F-1, F-2"),
        ({"F-1": {"verdict": "false_positive", "evidence": {}}}, "without external evidence"),
        ({"F-1": {"verdict": "as you like"}}, "as you like cannot be said of F-1"),
        ({"F-2": {"verdict": "false_positive"}}, "false_positive cannot be said of F-2"),
        ({"F-77": {"verdict": "accepted"}}, "it says something of F-77, which the case does not have"),
        ({"F-1": {"verdict": "escalated"}}, "it approves although F-1 is escalated"),
    ],
)  # fmt: skip
def test_verdicts_that_nobody_may_give_are_found(office: Office, given: dict[str, Any], problem: str) -> None:
    open_cases(office, {"c-1": ("edd", [PEP, ADDRESS])})
    (case,) = office.cases.of_customer("c-1")
    opened = office.cases.history(case.case_id)[0]["data"]
    _write(
        office,
        "case.decided",
        "anna",
        case={"state": "closed"},
        outcome="approve",
        decision_id="D",
        dispositions=given,
        second_person=[],
        roles=[],
        looked_at=opened,
    )
    assert problem in _problems(office)


def test_an_approval_of_a_case_that_waits_for_nobody_is_found(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.of_customer("c-1")
    held = office.cases.decide(
        case.case_id, decision("hold", "PRECAUTION"), version=case.version, actor=office.people["anna"]
    )
    _write(
        office,
        "case.approved",
        "ben",
        case={"state": "closed"},
        outcome="hold",
        decision_id=held.decision_id,
    )
    assert "it approves a case that does not wait for a second person; it is in_review" in _problems(office)


@pytest.mark.parametrize("outcome", ["approved", "cleared", None])
def test_an_outcome_that_there_is_not_is_found(office: Office, outcome: str | None) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    (case,) = office.cases.of_customer("c-1")
    _write(
        office,
        "case.decided",
        "anna",
        case={"state": "closed"},
        outcome=outcome,
        decision_id="D",
        dispositions={},
        second_person=[],
        roles=[],
        looked_at=office.cases.history(case.case_id)[0]["data"],
    )
    assert f"{outcome} is not an outcome" in _problems(office)


def test_a_sample_says_nothing_of_a_case_but_its_own_finding(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    with office.ledger.writing() as writer:
        (case,) = office.cases.of_customer("c-1")
        change(writer, case, "case.updated", {**_milder(office), "sample_id": "S-1"})
    assert "a sample adds its own finding, and says nothing else of a case" in _problems_of_the_run(office)


@pytest.mark.parametrize("more", [{}, {"sample_id": "S-1"}])
def test_a_case_that_is_opened_without_what_a_run_says_of_it_is_found(
    office: Office, more: dict[str, str]
) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    with office.ledger.writing() as writer:
        data = {"customer_id": "c-1", "state": "open", "prepared_by": "", **more}
        writer.append("case.opened", data, case_id="c-1-again", case_entry=1)
    problems = "\n".join(check_ledger(office.ledger.entries()).problems)
    assert "it lacks the policy's rules about decisions" in problems


@pytest.mark.parametrize("state", ["second_review", "waiting_for_customer", "snoozed", "open"])
def test_giving_a_case_to_somebody_leads_nowhere_else(office: Office, state: str) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    (case,) = office.cases.of_customer("c-1")
    held = office.cases.decide(
        case.case_id, decision("hold", "PRECAUTION"), version=case.version, actor=office.people["anna"]
    )
    _write(office, "case.assigned", "anna", case={"state": state}, **{"from": "", "to": "mia", "reason": ""})
    assert f"case.assigned cannot leave a case {state} that was in_review" in _problems(office)
    _write(
        office, "case.approved", "mia", case={"state": "closed"}, outcome="hold", decision_id=held.decision_id
    )
    problems = _problems(office)
    assert "it approves a hold, which ends no case and waits for no second person" in problems
    assert "it ends a case in which nothing was said of F-1" in problems


def test_an_approval_of_a_case_that_changed_since_the_decision_is_found(office: Office) -> None:
    open_cases(office, {"c-1": ("edd", [FOREIGN])})
    _with_checklist(office)
    (case,) = office.cases.of_customer("c-1")
    wanted = decision("approve", "EXPLAINED", F_1="accepted")
    office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    opened = office.cases.history(case.case_id)[0]["data"]
    added = {
        "id": "F-2",
        "rule": "SAN-1",
        "outcome": "HIT",
        "level": "escalate",
        "subject": "sanctions",
        "senior": False,
    }
    _write(
        office,
        "case.updated",
        "kycpack",
        **opened | {"findings": [*opened["findings"], added], "level": "reject"},
    )
    (case,) = office.cases.of_customer("c-1")
    office.cases.approve(
        case.case_id, "Read all of it and agree", version=case.version, actor=office.people["mia"]
    )
    problems = _problems_of_the_run(office)
    assert "the level, the policy or the findings of the case changed after the decision" in problems
    assert "it ends a case in which nothing was said of F-2" in problems


def test_the_same_evidence_collected_again_leaves_a_decision_that_waits(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    (case,) = office.cases.of_customer("c-1")
    wanted = decision("approve", "FALSE-POSITIVE", F_1=FALSE)
    office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])}, root="2" * 64, run="run-2")
    (case,) = office.cases.of_customer("c-1")
    office.cases.approve(
        case.case_id, "Compared the entry of the list", version=case.version, actor=office.people["mia"]
    )
    assert office.ledger.verify().problems == []


def test_a_verdict_does_not_pass_to_another_finding_of_the_same_id(office: Office) -> None:
    open_cases(office, {"c-1": ("edd", [FOREIGN])})
    (case,) = office.cases.of_customer("c-1")
    held = decision("hold", "PRECAUTION", F_1="false_positive")
    office.cases.decide(case.case_id, held, version=case.version, actor=office.people["anna"])
    opened = office.cases.history(case.case_id)[0]["data"]
    other = [{**opened["findings"][0], "rule": "SAN-1", "subject": "sanctions"}]
    _write(
        office,
        "case.updated",
        "kycpack",
        case={"run_id": "run-2"},
        **opened | {"run_id": "run-2", "findings": other},
    )
    looked_at = {**opened, "run_id": "run-2", "findings": [{**other[0], "disposition": "false_positive"}]}
    _write(
        office,
        "case.decided",
        "anna",
        case={"state": "second_review"},
        outcome="approve",
        decision_id="D",
        dispositions={},
        second_person=["F-1"],
        roles=["MLRO"],
        effect="hold",
        reopens_on="2026-08-01",
        looked_at=looked_at,
    )
    problems = _problems_of_the_run(office)
    assert "it ends a case in which nothing was said of F-1" in problems
    assert "it shows another verdict on F-1 than was given" in problems
    assert "F-1 is another finding than it was before" in problems


def test_another_policy_that_makes_a_finding_one_of_sanctions_asks_for_another_verdict(
    office: Office,
) -> None:
    open_cases(office, {"c-1": ("edd", [FOREIGN])})
    (case,) = office.cases.of_customer("c-1")
    held = decision("hold", "PRECAUTION", F_1="false_positive")
    office.cases.decide(case.case_id, held, version=case.version, actor=office.people["anna"])
    own = load_policy()
    listed = replace(own.decisions, sanctions=(*own.decisions.sanctions, "FOR-1"))
    stricter = replace(own, digest="4" * 64, decisions=listed)
    open_cases(office, {"c-1": ("edd", [FOREIGN])}, policy=stricter, run="run-2")
    (case,) = office.cases.of_customer("c-1")
    assert [(each.subject, each.disposition) for each in case.findings] == [("sanctions", "")]
    assert check_ledger(office.ledger.entries()).problems == []


@pytest.mark.parametrize("altered", [{"alone_up_to": "reject"}, {"override_days": 1000}])
def test_two_entries_that_say_otherwise_of_one_policy_are_found(
    office: Office, altered: dict[str, Any]
) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    _forge_a_run(office, **altered)
    problems = _problems_of_the_run(office)
    assert "it records other rules about decisions than an earlier entry does of the same policy" in problems


@pytest.mark.parametrize(
    ("altered", "problem"),
    [
        ({"subject": ""}, "F-1 was about a politically exposed person before, by the same policy"),
        ({"senior": False}, "it records other rules about decisions than an earlier entry"),
    ],
)
def test_a_finding_of_the_same_policy_keeps_its_subject_and_who_approves_it(
    office: Office, altered: dict[str, Any], problem: str
) -> None:
    open_cases(office, {"c-1": ("edd", [PEP])})
    (case,) = office.cases.of_customer("c-1")
    opened = office.cases.history(case.case_id)[0]["data"]
    assert opened["findings"][0]["senior"]
    _write(office, "case.updated", "kycpack", **opened | {"findings": [opened["findings"][0] | altered]})
    assert problem in _problems_of_the_run(office)


def _problems_of_the_run(office: Office) -> str:
    return "\n".join(check_ledger(office.ledger.entries()).problems)


def _milder(office: Office, **policy: Any) -> dict[str, Any]:
    (case,) = office.cases.of_customer("c-1")
    opened = office.cases.history(case.case_id)[0]["data"]
    milder = [{**each, "subject": "", "level": "review"} for each in opened["findings"]]
    return {
        "prepared_by": "",
        "run_id": "run-2",
        "evidence_root": ROOT,
        "policy": opened["policy"] | policy,
        "level": "review",
        "findings": milder,
    }


def _forge_a_run(office: Office, **policy: Any) -> None:
    """What no person signs: a run that finds less."""
    data = _milder(office, **policy)
    with office.ledger.writing() as writer:
        (case,) = office.cases.of_customer("c-1")
        change(writer, case, "case.updated", data)


def test_what_no_run_said_of_a_case_is_found(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    _forge_a_run(office)
    assert "no run is recorded that said this of the case" in _problems_of_the_run(office)


def test_a_run_that_counts_fewer_cases_than_it_changed_is_found(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    _forge_a_run(office)
    open_cases(office, {"c-2": ("review", [MEDIA])}, run="run-2")
    assert "more cases were changed for this run than it counts" in _problems_of_the_run(office)


@pytest.mark.parametrize("altered", [{"alone_up_to": "reject"}, {"override_days": 1000}])
def test_rules_that_the_policy_does_not_have_are_found(office: Office, altered: dict[str, Any]) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    _forge_a_run(office, **altered)
    assert "it records other rules about decisions than the policy has" in "\n".join(
        office.ledger.verify().problems
    )


def test_a_finding_whose_subject_the_policy_lists_cannot_lose_it(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    assert "SAN-1" in load_policy().decisions.sanctions
    _forge_a_run(office)
    assert any("other rules about decisions" in each for each in office.ledger.verify().problems)


def test_a_run_without_the_rules_is_found_where_earlier_ones_have_them(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    data = _milder(office)
    del data["policy"]["alone_up_to"]
    with office.ledger.writing() as writer:
        (case,) = office.cases.of_customer("c-1")
        change(writer, case, "case.updated", data)
    assert "it lacks the policy's rules about decisions" in _problems(office)


def test_words_of_the_verifier_are_those_of_the_policy() -> None:
    assert levels.LEVELS == verify_ledger.LEVELS
    assert (verify_ledger.SANCTIONS, verify_ledger.PEP) == (policy_rules.SANCTIONS, policy_rules.PEP)


# --- keys and roles whose entries were erased past the writer

NO_ERASURE = "which is of no case, and this is not part of an erasure by two people"


def _erase(office: Office, kind: str, name: str) -> int:
    """Take away what the ledger says of a person's key or role, and say so as for any payload."""
    entries = list(office.ledger.entries())
    (seq,) = [
        each["seq"]
        for each in entries
        if each["payload"]["kind"] == kind and each["payload"]["data"]["name"] == name
    ]
    with office.ledger.writing() as writer:
        writer.append("payload.erased", {"seq": seq, "reason": "asked for"}, actor=office.people["ada"])
        payloads = schema.ledger_payloads
        writer.connection.execute(delete(payloads).where(payloads.c.seq == seq))
    return int(seq)


def _two_people_decide(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    (case,) = office.cases.of_customer("c-1")
    case = office.cases.decide(
        case.case_id,
        decision("approve", "FALSE-POSITIVE", F_1=FALSE),
        version=case.version,
        actor=office.people["anna"],
    )
    office.cases.approve(
        case.case_id, "Compared the entry of the list", version=case.version, actor=office.people["mia"]
    )


@pytest.mark.parametrize(("kind", "name"), [("key.enrolled", "ben"), ("role.granted", "mia"), ("role.granted", "sam")])  # fmt: skip
def test_decisions_that_rest_on_an_erased_grant_are_named(office: Office, kind: str, name: str) -> None:
    _two_people_decide(office)
    decided, approved = (
        each["seq"]
        for each in office.ledger.entries()
        if each["payload"]["kind"] in {"case.decided", "case.approved"}
    )
    _erase(office, kind, name)
    (case,) = office.cases.of_customer("c-1")
    for report in (check_ledger(office.ledger.entries()), check_excerpt(office.ledger.excerpt(case.case_id))):
        for seq in (decided, approved):
            assert (
                f"entry {seq}: it rests on an entry about keys and roles that cannot be read: who may do what is not known"
                in report.problems
            )


def test_a_decision_after_a_revocation_was_erased_is_named(office: Office) -> None:
    """Whoever was revoked may decide again, as far as kycpack can read; the verifier says that it cannot."""
    open_cases(office, {"c-1": ("review", [MEDIA])})
    office.keys.withdraw("mia", "MLRO", actor=office.people["ada"])
    (case,) = office.cases.of_customer("c-1")
    office.cases.wait(case.case_id, "Asked for a letter of the council", actor=office.people["ben"])
    _erase(office, "role.revoked", "mia")
    assert "MLRO" in office.ledger.people().persons["mia"].roles
    office.cases.decide(
        case.case_id,
        decision("approve", "REVIEWED", F_1="accepted"),
        version=case.version + 1,
        actor=office.people["mia"],
    )
    problems = check_ledger(office.ledger.entries()).problems
    assert [each.partition(": ")[2] for each in problems if NO_ERASURE not in each] == [
        "it rests on an entry about keys and roles that cannot be read: who may do what is not known"
    ]


# --- customers without a case


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM cleared_customers WHERE customer_id = 'c-3'",
        "UPDATE cleared_customers SET customer_id = 'c-9' WHERE customer_id = 'c-3'",
        "UPDATE cleared_customers SET run_id = 'another' WHERE customer_id = 'c-3'",
    ],
)
def test_who_was_cleared_is_held_against_the_ledger(office: Office, statement: str) -> None:
    """A customer who is not on the list is in no sample."""
    open_cases(office, {"c-1": ("review", [MEDIA]), "c-2": ("approve", []), "c-3": ("approve", [])})
    assert office.ledger.verify().problems == []
    with office.workspace.transaction() as connection:
        connection.exec_driver_sql(statement)
    problem = "run run-1: its cleared customers in the workspace are not those that the ledger recorded"
    assert problem in office.ledger.verify().problems


# --- entries of no form


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict | list):
        for name, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _places(each, (*path, name))


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_an_entry_of_any_form_is_a_problem_and_no_failure(office: Office) -> None:
    """A key holder writes what they like; what reads it says so, and goes on."""
    _two_people_decide(office)
    entries = json.dumps(list(office.ledger.entries()))
    alone = [number for number, each in enumerate(json.loads(entries)) if each["payload"].get("case_id")]
    places = [
        (number, *path)
        for number in (*alone, alone[0] + 1)
        for path in _places(json.loads(entries)[number]["payload"])
    ]
    with office.workspace.reading() as connection:
        for number, *path in places:
            for value in (None, 7, ["x", [], {}], {"x": []}):
                forged = json.loads(entries)
                owner: Any = forged[number]
                for name in ("payload", *path)[:-1]:
                    owner = owner[name]
                is_other = owner[("payload", *path)[-1]] != value
                owner[("payload", *path)[-1]] = value
                assert not is_other or not check_ledger(forged, verify=lambda *_: True).ok
                list(table_problems(connection, forged))
