"""What entries say that the ledger's other entries contradict: who worked on a case, runs, samples, policies, times, evidence."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.workspace.case_material import (
    MEDIA,
    OUTSIDE,
    PEP,
    SANCTIONS,
    START,
    Office,
    decision,
    open_cases,
    open_office,
    said,
)

from kycpack.errors import InputError, WorkspaceError
from kycpack.triage import load_policy
from kycpack.workspace.cases import case_decisions, cases, decisions
from kycpack.workspace.cases.case_records import Case
from kycpack.workspace.cases.policies import Policies
from kycpack.workspace.entries import ledger_writer
from kycpack.workspace.entries.ledger_writer import KYCPACK
from kycpack.workspace.entries.signing import Actor, make_key
from kycpack.workspace.entries.verify_ledger import People, case_id_of, check_ledger
from kycpack.workspace.ledger.ledger_files import add_anchor, read_anchors
from kycpack.workspace.samples.samples import Samples

FALSE = said("false_positive", **OUTSIDE)
CLEARED = decision("approve", "FALSE-POSITIVE", F_1=FALSE)
COMPARED = "Compared the entry of the list with the passport"


@pytest.fixture
def office(place: str, tmp_path: Path) -> Any:
    yield from open_office(place, tmp_path)


def _case(office: Office) -> Case:
    (case,) = office.cases.of_customer("c-1")
    return case


def _sanctioned(office: Office, **more: Any) -> Case:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])}, **more)
    return _case(office)


def _decided(office: Office, who: str | Actor = "anna") -> Case:
    case = _case(office)
    actor = office.people[who] if isinstance(who, str) else who
    return office.cases.decide(case.case_id, CLEARED, version=case.version, actor=actor)


def _approved(office: Office, who: str | Actor) -> Case:
    case = _case(office)
    actor = office.people[who] if isinstance(who, str) else who
    return office.cases.approve(case.case_id, COMPARED, version=case.version, actor=actor)


def _write(office: Office, kind: str, data: dict[str, Any], who: Actor = KYCPACK, **about: Any) -> None:
    """Write an entry as kycpack's own writer would, but for the rules about what may be written."""
    with pytest.MonkeyPatch.context() as past, office.ledger.writing() as writer:
        past.setattr(ledger_writer, "kind_refusal", lambda _: "")
        writer.append(kind, data, actor=who, **about)


def _problems(office: Office) -> str:
    return "\n".join(check_ledger(json.loads(json.dumps(list(office.ledger.entries())))).problems)


# --- who worked on a case


def test_a_reopening_does_not_make_who_prepared_the_case_its_second_person(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    _sanctioned(office, prepared_by="mia")
    office.keys.grant("ben", "MLRO", actor=office.people["ada"])
    _decided(office)
    _approved(office, "ben")
    # As if nobody had prepared the run; no signature covers that.
    open_cases(office, {"c-1": ("escalate", [SANCTIONS, MEDIA])}, root="2" * 64, run="run-2")
    case = _case(office)
    wanted = decision("approve", "FALSE-POSITIVE", F_1=FALSE, F_2="accepted")
    office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    with pytest.raises(WorkspaceError, match="mia prepared an earlier run of this case"):
        _approved(office, "mia")
    monkeypatch.setattr(case_decisions, "hand_of", lambda *_: "")
    _approved(office, "mia")
    assert "the second person, mia, prepared an earlier run of the case as well" in _problems(office)


def test_who_prepared_is_free_again_when_people_have_closed_the_case_since(office: Office) -> None:
    _sanctioned(office, prepared_by="mia")
    office.keys.grant("ben", "MLRO", actor=office.people["ada"])
    found = [SANCTIONS, MEDIA, PEP]
    for number, second in enumerate(("ben", "ben", "mia"), 1):
        if number > 1:
            judged = {"c-1": ("escalate", found[:number])}
            open_cases(office, judged, root=str(number) * 64, run=f"run-{number}", prepared_by="anna")
        case = _case(office)
        wanted = decision(
            "reject", "OUTSIDE-APPETITE", **{f"F_{at}": "true_match" for at in range(1, number + 1)}
        )
        office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
        assert _approved(office, second).state == "closed"
    assert _problems(office) == ""


def _made(office: Office, folder: Path, name: str, by: Actor) -> Actor:
    who = Actor(name, make_key(folder / f"{name}.pem"))
    assert who.key is not None
    office.keys.enrol(name, who.key.public_key, actor=by)
    return who


def test_a_puppet_of_a_puppet_is_no_second_person(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = office.people["anna"]
    office.keys.grant("anna", "administrator", actor=office.people["ada"])
    helper = _made(office, tmp_path, "helper", anna)
    office.keys.grant("helper", "administrator", actor=anna)
    puppet = _made(office, tmp_path, "puppet", helper)
    office.keys.grant("puppet", "MLRO", actor=helper)
    office.keys.withdraw("helper", "administrator", actor=anna)
    _sanctioned(office)
    _decided(office)
    with pytest.raises(
        WorkspaceError, match="enrolled or given a role by anna or by people whom that person made"
    ):
        _approved(office, puppet)
    monkeypatch.setattr(People, "puppet_of", lambda *_: "")
    _approved(office, puppet)
    monkeypatch.undo()
    assert (
        "given a role by anna or by people whom that person made, and anna worked on the case"
        in _problems(office)
    )


def test_who_was_enrolled_before_the_decider_made_the_administrator_stays_independent(
    office: Office, tmp_path: Path
) -> None:
    """Who stands behind somebody is settled when it is done, not by what happens later."""
    ada, anna = office.people["ada"], office.people["anna"]
    office.keys.grant("ben", "administrator", actor=ada)
    second = _made(office, tmp_path, "second", office.people["ben"])
    office.keys.grant("second", "MLRO", actor=office.people["ben"])
    office.keys.grant("anna", "administrator", actor=ada)
    office.keys.grant("ben", "senior_manager", actor=anna)
    _sanctioned(office)
    _decided(office)
    assert _approved(office, second).state == "closed"
    assert _problems(office) == ""


# --- evidence, rest


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("list_entry", " ", "expected an entry of a list"),
        ("list_entry", "-", "expected an entry of a list"),
        ("list_date", "soon", "expected a date"),
        ("list_date", "2026-02-30", "expected a date"),
        ("list_date", "20260530", "expected a date"),
        ("list_date", "2026-06-03", "expected a date that is not after the decision, 2026-06-01"),
        ("list_date", "2031-11-01", "expected a date that is not after the decision, 2026-06-01"),
        ("file_sha256", "none", "expected 64 hex digits"),
        ("file_sha256", "AB" * 32, "expected 64 hex digits"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_evidence_from_outside_without_form_is_refused_and_found(
    office: Office, monkeypatch: pytest.MonkeyPatch, name: str, value: str, why: str
) -> None:
    case = _sanctioned(office)
    wanted = decision("approve", "FALSE-POSITIVE", F_1=said("false_positive", **OUTSIDE | {name: value}))
    with pytest.raises(InputError):
        office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    monkeypatch.setattr(decisions, "_check_disposition", lambda *_: None)
    office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    assert (
        f"F-1 is a false positive on sanctions or terrorism, and its {name.replace('_', ' ')} cannot be used: {why}"
        in _problems(office)
    )


@pytest.mark.parametrize(
    ("finding", "hold", "until", "problem"),
    [
        (SANCTIONS, False, "2026-07-01", "the case is about sanctions or terrorism and cannot be snoozed"),
        (MEDIA, True, "2026-07-01", "the case cannot be snoozed while it has a hold"),
        (MEDIA, False, "2026-06-01", "it lets the case rest until no date after its own"),
        (MEDIA, False, "soon", "it lets the case rest until no date after its own"),
    ],
)
def test_a_rest_that_is_not_allowed_is_found(
    office: Office, finding: Any, *, hold: bool, until: str, problem: str
) -> None:
    open_cases(office, {"c-1": ("escalate", [finding])})
    if hold:
        held = decision("hold", "PRECAUTION")
        case = _case(office)
        office.cases.decide(case.case_id, held, version=case.version, actor=office.people["anna"])
    case = _case(office)
    data = {"customer_id": "c-1", "until": until, "reason": "On leave", "state": "snoozed"}
    about: dict[str, Any] = {"case_id": case.case_id, "case_entry": case.entries + 1}
    _write(office, "case.snoozed", data, office.people["anna"], **about)
    assert problem in _problems(office)


def test_a_rest_that_is_allowed_is_no_problem(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    office.cases.snooze(_case(office).case_id, date(2026, 7, 1), "On leave", actor=office.people["anna"])
    assert office.ledger.verify().problems == []
    monkeypatch.setattr(cases, "rest_refusal", lambda *_: "")
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])}, root="2" * 64, run="run-2")
    office.cases.snooze(_case(office).case_id, date(2026, 7, 1), "On leave", actor=office.people["anna"])
    assert "the case is about sanctions or terrorism and cannot be snoozed" in _problems(office)


# --- kinds and ids


@pytest.mark.parametrize("kind", ["case.decided", "case.checked", "case.approved", "case.opened"])
def test_a_step_of_no_case_is_refused_and_found(office: Office, kind: str) -> None:
    anna = office.people["anna"]
    with office.ledger.writing() as writer, pytest.raises(WorkspaceError, match="names no case"):
        writer.append(kind, {"outcome": "approve"}, actor=anna)
    _write(office, kind, {"outcome": "approve"}, anna)
    assert f"{kind} names no case" in _problems(office)


def test_a_kind_that_there_is_not_is_refused_and_found(office: Office) -> None:
    anna = office.people["anna"]
    with office.ledger.writing() as writer, pytest.raises(WorkspaceError, match="no entries of the kind"):
        writer.append("disposition.given", {}, actor=anna)
    _write(office, "disposition.given", {"F-1": "false_positive"}, anna)
    assert "there are no entries of the kind disposition.given" in _problems(office)
    _write(office, "run.recorded", {"run_id": "run-1"}, case_id="c-1", case_entry=1)
    assert "run.recorded names a case but is not a step of one" in _problems(office)


def test_a_decision_on_a_case_that_was_never_opened_is_found(office: Office) -> None:
    data = {"customer_id": "c-7", "outcome": "approve", "decision_id": "D", "state": "closed"}
    about: dict[str, Any] = {"case_id": case_id_of("c-7", "event"), "case_entry": 1}
    _write(office, "case.decided", data, office.people["anna"], **about)
    assert "a case is opened by its first entry and by no other" in _problems(office)


# --- samples


@pytest.mark.parametrize("occasion", ["event", "second"])
def test_a_second_case_by_a_sample_that_found_nothing_is_found(office: Office, occasion: str) -> None:
    case = _sanctioned(office, occasion="event")
    opened = office.cases.history(case.case_id)[0]["data"]
    data = opened | {"findings": [], "level": "review", "sample_id": "S-1"}
    case_id = case_id_of("c-1", "onboarding") if occasion == "event" else "c-1-second"
    _write(office, "case.opened", data, case_id=case_id, case_entry=1)
    problems = _problems(office)
    assert "a sample opens a case for its finding, and it names none" in problems
    assert "nobody disagreed on its customer in this sample" in problems
    assert ("its id is not that of a case of its customer" in problems) == (occasion == "second")


def test_a_sample_of_a_run_that_was_never_recorded_is_found(office: Office) -> None:
    anna = office.people["anna"]
    _write(office, "sample.drawn", {"sample_id": "S-1", "run_id": "run-7", "sizes": {}}, anna)
    assert "no run of this id is recorded before it" in _problems(office)
    data = {"sample_id": "S-2", "customer_id": "c-1", "verdict": "agrees"}
    _write(office, "sample.reviewed", data, anna)
    assert "no sample of this id was drawn before it" in _problems(office)


def test_a_disagreement_in_a_sample_is_no_problem(office: Office) -> None:
    open_cases(office, {f"c-{number}": ("approve", []) for number in range(4)})
    samples = Samples(office.ledger, office.people["ben"])
    sample = samples.draw("run-1", 2, "7")
    first, *_ = samples.members(sample.sample_id)["customer_id"]
    samples.review(sample.sample_id, first, "disagrees", "The employer is not the payer")
    assert office.ledger.verify().problems == []


# --- runs


@pytest.mark.parametrize(
    ("altered", "problem"),
    [
        ({"run_id": "run-7"}, "the cases recorded for it name another run, or another policy"),
        ({"occasion": "event"}, "the cases opened for it are of another occasion"),
        ({"opened": 5}, "it counts more cases than were changed for it"),
        ({"unchanged": 5}, "it counts more cases than there are"),
        ({"opened": 0}, "more cases were changed for this run than it counts"),
    ],
)
def test_a_run_that_its_cases_contradict_is_found(
    office: Office, monkeypatch: pytest.MonkeyPatch, altered: dict[str, Any], problem: str
) -> None:
    from kycpack.workspace.cases import case_opening  # noqa: PLC0415

    own = case_opening._run_data

    def made_up(*given: Any) -> dict[str, Any]:
        data = own(*given)
        counts = {name: altered.get(name, count) for name, count in data["counts"].items()}
        return {**data, **{name: altered[name] for name in altered.keys() & data.keys()}, "counts": counts}

    monkeypatch.setattr(case_opening, "_run_data", made_up)
    _sanctioned(office)
    assert problem in _problems(office)


# --- policies


def test_a_policy_that_nobody_approved_is_not_approved(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    _sanctioned(office)
    with office.workspace.transaction() as connection:
        connection.exec_driver_sql("UPDATE policies SET state = 'approved'")
    with pytest.raises(WorkspaceError, match="the ledger has it as seen"):
        _decided(office)
    own = case_decisions.rules_in_force
    monkeypatch.setattr(
        case_decisions,
        "rules_in_force",
        lambda _, digest: (
            {"id": "p", "version": "1", "digest": digest, "state": "approved"},
            load_policy().decisions,
        ),
    )
    _decided(office)
    monkeypatch.setattr(case_decisions, "rules_in_force", own)
    assert "it says that its policy was approved, and no entry before it approves that policy" in _problems(
        office
    )


def test_a_policy_that_was_approved_is(office: Office) -> None:
    _sanctioned(office)
    Policies(office.ledger).approve(load_policy(), "In force from June on", actor=office.people["sam"])
    _decided(office)
    assert office.ledger.verify().problems == []


# --- times


def test_an_entry_that_is_dated_after_the_anchor_that_covers_it_is_found(
    office: Office, tmp_path: Path
) -> None:
    _sanctioned(office)
    office.clock.moment = START + timedelta(days=400)
    office.cases.wait(_case(office).case_id, "Asked for a letter", actor=office.people["anna"])
    head = office.ledger.head()
    assert head is not None
    for number, (at, found) in enumerate(
        (("2026-06-01T13:00:00.000000Z", True), ("2027-07-31T00:00:00Z", False))
    ):
        place = tmp_path / f"{number}.jsonl"
        add_anchor(place, head, at, "export")
        problems = office.ledger.verify(read_anchors(place)).problems
        assert any("it is dated after anchor 1" in each for each in problems) == found


def test_a_clock_that_goes_far_back_is_told(office: Office) -> None:
    case = _sanctioned(office)
    office.clock.moment = START - timedelta(days=30)
    office.cases.wait(case.case_id, "Asked for a letter", actor=office.people["anna"])
    report = office.ledger.verify()
    assert report.problems == []
    assert [each for each in report.notes if "the clock went back by 30 days" in each]


# --- after an erasure


def _erased(office: Office) -> Case:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    case = _case(office)
    wanted = decision("approve", "REVIEWED", F_1="accepted")
    office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    office.cases.erase(case.case_id, "asked for by the customer", actor=office.people["ada"])
    return _case(office)


def test_a_case_that_a_run_reopens_after_it_was_erased_is_decided_again(office: Office) -> None:
    first = _erased(office)
    _sanctioned(office, run="run-2")
    case = _decided(office)
    assert (first.decision_id, case.decision_id) == (f"{case.case_id}-D1", f"{case.case_id}-D2")
    assert office.cases.history(case.case_id)[-1]["data"]["corrects"] == first.decision_id
    _approved(office, "mia")
    assert office.ledger.verify().problems == []


def test_a_case_that_a_person_reopens_after_it_was_erased_waits_for_a_run(office: Office) -> None:
    _erased(office)
    anna = office.people["anna"]
    case = office.cases.reopen(_case(office).case_id, "The wrong customer was meant", actor=anna)
    with pytest.raises(WorkspaceError, match="were erased, and no run has judged it since"):
        office.cases.decide(case.case_id, decision("approve", "REVIEWED"), version=case.version, actor=anna)
    open_cases(office, {"c-1": ("review", [MEDIA])})
    case = _case(office)
    wanted = decision("approve", "REVIEWED", F_1="accepted")
    assert office.cases.decide(case.case_id, wanted, version=case.version, actor=anna).state == "closed"
    assert office.ledger.verify().problems == []
