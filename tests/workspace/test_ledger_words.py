"""Steps written past kycpack whose words, numbers or dates kycpack itself would have refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.workspace.case_material import MEDIA, Office, decision, open_cases, open_office

from kycpack.errors import WorkspaceError
from kycpack.workspace.entries.ledger_writer import KYCPACK
from kycpack.workspace.entries.signing import make_key
from kycpack.workspace.entries.verify_ledger import LONGEST_TEXT, Report, check_excerpt, check_ledger
from kycpack.workspace.samples.samples import Samples

GOOD = "F-1: the documents explain what was reported"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    yield from open_office(tmp_path / "kycpack.db", tmp_path)


def _whole(office: Office) -> Report:
    """Check the ledger as an auditor does who has it alone."""
    return check_ledger(json.loads(json.dumps(list(office.ledger.entries()))))


def _written(office: Office, kind: str, data: dict[str, Any], who: str = "anna") -> list[str]:
    """Write an entry of the only case past the checks of kycpack; return what the verifier says of it."""
    (case,) = office.cases.list(closed=True)
    about = {"case_id": case.case_id, "case_entry": case.entries + 1}
    return _appended(office, kind, {"customer_id": case.customer_id, **data}, who, **about)


def _appended(office: Office, kind: str, data: dict[str, Any], who: str, **about: Any) -> list[str]:
    before = _whole(office).problems
    with office.ledger.writing() as writer:
        writer.append(kind, data, actor=KYCPACK if who == "kycpack" else office.people[who], **about)
    after = _whole(office).problems
    return [each for each in after if each not in before]


def _approved(office: Office, customer: str = "c-1") -> str:
    (case,) = office.cases.of_customer(customer)
    wanted = decision("approve", "REVIEWED", F_1="accepted")
    wanted = replace(wanted, text=f"{wanted.text} ({customer} alone)")
    office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    return case.case_id


def _decision(office: Office, **more: Any) -> dict[str, Any]:
    (case,) = office.cases.list(closed=True)
    judged = next(each["data"] for each in office.cases.history(case.case_id) if "findings" in each["data"])
    shown = [{**each, "disposition": "accepted"} for each in judged["findings"]]
    return {
        "outcome": "approve", "decision_id": f"{case.case_id}-D1", "corrects": "", "text": GOOD, "text_used_before": 0,
        "reason_code": "REVIEWED", "reason": "The findings were looked at and nothing speaks against the customer",
        "dispositions": {"F-1": {"verdict": "accepted", "evidence": {}}}, "second_person": [], "roles": [],
        "state": "closed", "effect": "", "reopens_on": "2026-12-01", "looked_at": {**judged, "findings": shown},
    } | more  # fmt: skip


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        ("F-1", "this is too little"),
        ("F-1: fine", "this is too little"),
        ("the documents explain what was reported", "does not name F-1"),
        (f"{GOOD}, and so does F-7", "the case has no finding F-7"),
        ("F-1: \u202ethe documents explain what was reported", "U+202E"),
        (f"{GOOD} {'again ' * LONGEST_TEXT}", "are the most"),
    ],
)
def test_a_reason_that_is_none_is_found(office: Office, text: str, why: str) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (problem,) = _written(office, "case.decided", _decision(office, text=text))
    assert "its text cannot be used" in problem
    assert why in problem


def test_a_decision_written_as_kycpack_writes_it_is_not_a_problem(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    assert _written(office, "case.decided", _decision(office)) == []


@pytest.mark.parametrize(
    ("kind", "data", "why"),
    [
        ("case.snoozed", {"state": "snoozed", "until": "2026-07-01", "reason": ""}, "its reason cannot be used"),
        ("case.waiting", {"state": "waiting_for_customer", "reason": " "}, "its reason cannot be used"),
        ("case.checked", {"state": "in_review", "item": "source_of_funds", "evidence": ""}, "its evidence cannot be used"),
        ("case.assigned", {"state": "in_review", "from": "", "to": "ben", "reason": "Leave"}, "who had it, anna"),
        ("case.assigned", {"state": "in_review", "from": "anna", "to": "ben", "reason": ""}, "without a reason"),
    ],
)  # fmt: skip
def test_a_step_without_its_reason_is_found(
    office: Office, kind: str, data: dict[str, Any], why: str
) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    office.cases.assign(case.case_id, "anna", actor=office.people["anna"])
    (problem,) = _written(office, kind, data)
    assert why in problem


@pytest.mark.parametrize(
    ("to", "why"), [("Nobody Known", "whom nobody had enrolled"), ("sam", "whose key was revoked")]
)
def test_an_assignment_to_nobody_who_can_act_is_a_note_that_says_who_gave_it_and_when(
    office: Office, to: str, why: str
) -> None:
    office.keys.revoke("sam", actor=office.people["ada"])
    open_cases(office, {"c-1": ("review", [MEDIA])})
    data = {"state": "in_review", "from": "", "to": to, "reason": ""}
    assert _written(office, "case.assigned", data) == []
    at = list(office.ledger.entries())[-1]["payload"]["at"]
    assert any(f"anna gave the case to {to}, {why}, at {at}" in each for each in _whole(office).notes)


def test_a_key_that_somebody_replaced_is_a_note_that_says_who_whose_and_when(
    office: Office, tmp_path: Path
) -> None:
    assert not [each for each in _whole(office).notes if "replaced the key" in each]
    old = office.people["anna"].key
    new = make_key(tmp_path / "second.pem")
    assert old is not None
    office.keys.enrol("anna", new.public_key, actor=office.people["ada"])
    office.keys.revoke("ben", actor=office.people["ada"])
    later = make_key(tmp_path / "third.pem")
    office.keys.enrol("ben", later.public_key, actor=office.people["ada"])
    entries = list(office.ledger.entries())
    first, last = entries[-3], entries[-1]
    report = _whole(office)
    assert report.problems == []
    notes = [each for each in report.notes if "replaced the key" in each]
    assert notes[0] == (
        f"entry {first['seq']}: ada replaced the key of anna at {first['payload']['at']}, {old.fingerprint}, by "
        f"{new.fingerprint}: ask anna whether that is their key"
    )
    assert f"entry {last['seq']}: ada replaced the key of ben" in notes[1]
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    assert [
        each for each in check_excerpt(office.ledger.excerpt(case.case_id)).notes if "replaced" in each
    ] == notes


def _closed(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    wanted = decision("approve", "REVIEWED", F_1="accepted")
    office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])


def test_a_person_who_opens_a_case_again_says_why(office: Office) -> None:
    _closed(office)
    (problem,) = _written(office, "case.reopened", {"state": "open", "reason": ""})
    assert "its reason cannot be used" in problem


def test_a_case_is_opened_by_its_date_and_not_before(office: Office) -> None:
    _closed(office)
    (case,) = office.cases.list(closed=True)
    data = {"state": "open", "reason": f"the approval ended on {case.reopens_on}"}
    (problem,) = _written(office, "case.reopened", data, "kycpack")
    assert f"what was decided ends on {case.reopens_on or 'no date'}" in problem


def test_a_case_that_kycpack_opens_on_its_date_is_not_a_problem(office: Office) -> None:
    _closed(office)
    office.clock.moment += timedelta(days=400)
    office.cases.reopen_due()
    assert _whole(office).problems == []


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"decision_id": "CASE-D1", "corrects": "CASE-D1"}, "is not the next one of its case, CASE-D2"),
        ({"decision_id": "CASE-D2", "corrects": ""}, "it corrects CASE-D1, and says otherwise"),
        ({"decision_id": "CASE-D2", "corrects": "other-D1"}, "it corrects CASE-D1, and says otherwise"),
        ({"decision_id": "CASE-D2", "corrects": "CASE-D1", "text": "F-1: looked at the documents, and they explain what was reported"},
         "its text was used 0 times before, and 1 earlier entries have it"),
    ],
)  # fmt: skip
def test_numbers_of_decisions_and_of_used_texts_are_counted_again(
    office: Office, more: dict[str, str], why: str
) -> None:
    _closed(office)
    (case,) = office.cases.list(closed=True)
    office.cases.reopen(case.case_id, "To correct what was said of F-1", actor=office.people["anna"])
    given = {name: each.replace("CASE", case.case_id) for name, each in more.items()}
    problems = _written(office, "case.decided", _decision(office, **given))
    assert any(why.replace("CASE", case.case_id) in each for each in problems), problems


@pytest.fixture
def sampled(office: Office) -> tuple[Office, str, str]:
    open_cases(office, {"c-1": ("approve", []), "c-2": ("approve", [])})
    sample = Samples(office.ledger, office.people["ben"]).draw("run-1", 1, "7")
    (customer,) = next(iter(sample.customers.values()))
    return office, sample.sample_id, customer


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"verdict": "fine"}, "fine is not a verdict"),
        ({"text": ""}, "its text cannot be used: is empty"),
        ({"verdict": "disagrees"}, "the next entry opens no case for it"),
    ],
)
def test_a_look_at_a_sample_that_kycpack_would_refuse_is_found(
    sampled: tuple[Office, str, str], data: dict[str, str], why: str
) -> None:
    office, sample_id, customer = sampled
    said = {"sample_id": sample_id, "customer_id": customer, "verdict": "agrees", "text": "Read the pack"}
    (problem,) = _appended(office, "sample.reviewed", said | data, "mia")
    assert why in problem


def test_a_second_look_at_one_customer_of_a_sample_is_found(sampled: tuple[Office, str, str]) -> None:
    office, sample_id, customer = sampled
    samples = Samples(office.ledger, office.people["mia"])
    samples.review(sample_id, customer, "disagrees", "The employer is not the payer")
    assert _whole(office).problems == []
    said = {"sample_id": sample_id, "customer_id": customer, "verdict": "agrees", "text": "Read the pack"}
    (problem,) = _appended(office, "sample.reviewed", said, "mia")
    assert "somebody had looked at this customer" in problem


@pytest.mark.parametrize("sizes", [{"standard": [9, 5]}, {"standard": [1]}, {}, {"standard": ["1", 2]}])
def test_a_sample_drawn_twice_or_of_fewer_than_it_holds_is_found(
    sampled: tuple[Office, str, str], sizes: dict[str, Any]
) -> None:
    office, sample_id, _ = sampled
    data = {
        "sample_id": sample_id,
        "run_id": "run-1",
        "seed": "8",
        "sizes": sizes,
        "customers_digest": "0" * 64,
    }
    problems = _appended(office, "sample.drawn", data, "ben")
    assert any("a sample of this id was drawn before" in each for each in problems)
    assert any("how many of how many" in each for each in problems)


def test_who_decided_on_a_customer_does_not_look_at_them_in_a_sample(office: Office) -> None:
    _closed(office)
    open_cases(office, {"c-1": ("approve", []), "c-2": ("approve", [])}, root="2" * 64, run="run-2")
    samples = Samples(office.ledger, office.people["anna"])
    sample = samples.draw("run-2", 2, "7")
    listed = {each for customers in sample.customers.values() for each in customers}
    if "c-1" in listed:
        with pytest.raises(WorkspaceError, match="anna decided on customer c-1"):
            samples.review(sample.sample_id, "c-1", "agrees", "Read the pack")
    said = {"sample_id": sample.sample_id, "customer_id": "c-1", "verdict": "agrees", "text": "Read the pack"}
    problems = _appended(office, "sample.reviewed", said, "anna")
    assert any("who decided on a customer" in each for each in problems)
