"""Entries that say of others that they were erased: what an administrator with a key could hide behind them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete
from tests.workspace.case_material import MEDIA, SANCTIONS, Office, decision, open_cases, open_office

from kycpack.workspace import schema
from kycpack.workspace.entries.verify_ledger import NO_EFFECT, UNREAD, Report, check_excerpt, check_ledger


@pytest.fixture
def office(place: str, tmp_path: Path) -> Any:
    yield from open_office(place, tmp_path)


def _case_id(office: Office) -> str:
    (case,) = office.cases.of_customer("c-1")
    return case.case_id


def _seq(office: Office, kind: str) -> int:
    return next(
        int(each["seq"])
        for each in list(office.ledger.entries())
        if each["payload"] is not None and each["payload"]["kind"] == kind
    )


def _say_erased(
    office: Office,
    seq: int,
    case_id: str | None,
    place: Any = None,
    own: int | None = None,
    *,
    gone: bool = False,
) -> int:
    """Write past the checks of kycpack that an entry was erased; return the number of the new entry."""
    data = {"seq": seq, "reason": "asked for"} | ({} if case_id is None else {"case_entry": place})
    with office.ledger.writing() as writer:
        writer.append("payload.erased", data, actor=office.people["ada"], case_id=case_id, case_entry=own)
        if gone:
            writer.flush()
            payloads = schema.ledger_payloads
            writer.connection.execute(delete(payloads).where(payloads.c.seq == seq))
    return len(list(office.ledger.entries()))


def _decide_alone(office: Office, case_id: str, own: int, **more: Any) -> int:
    """Write a decision of one person, past the checks of kycpack: by default one that ends a case of sanctions."""
    data: Mapping[str, Any] = {
        "outcome": "approve",
        "decision_id": f"{case_id}-D1",
        "customer_id": "c-1",
        "text": "F-1: the documents explain what was reported",
        "reason_code": "REVIEWED",
        "reason": "The findings were looked at and nothing speaks against the customer",
        "dispositions": {"F-1": {"verdict": "accepted", "evidence": {}}},
        "second_person": [],
        "roles": [],
        "state": "closed",
        "effect": "",
        **more,
    }
    with office.ledger.writing() as writer:
        writer.append("case.decided", data, actor=office.people["anna"], case_id=case_id, case_entry=own)
    return len(list(office.ledger.entries()))


def _whole(office: Office) -> Report:
    return check_ledger(json.loads(json.dumps(list(office.ledger.entries()))))


@pytest.mark.parametrize(("seq", "within"), [(9999, 0), (9999, 1), (2, 0), (None, None), ([], [])])
def test_an_erasure_of_what_is_not_erased_turns_no_check_off(office: Office, seq: Any, within: Any) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    case_id = _case_id(office)
    claim = _say_erased(office, seq, case_id, within, 2)
    decided = _decide_alone(office, case_id, 3)
    problems = _whole(office).problems
    assert (
        f"entry {claim}: it says that entry {seq} was erased, and no entry before it lacks its payload with that number"
        in problems
    )
    assert any(
        each.startswith(f"entry {decided}: it says that no second person is needed, and one is")
        for each in problems
    )


def test_an_erasure_before_its_entry_is_a_problem(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    case_id = _case_id(office)
    claim = _say_erased(office, len(list(office.ledger.entries())) + 2, case_id, 3, 2)
    decided = _decide_alone(office, case_id, 3)
    with office.ledger.writing() as writer:
        payloads = schema.ledger_payloads
        writer.connection.execute(delete(payloads).where(payloads.c.seq == decided))
    problems = _whole(office).problems
    assert any(
        each.startswith(f"entry {claim}: it says that entry {decided} was erased, and no")
        for each in problems
    )
    assert f"entry {decided}: its payload is missing and no entry says that it was erased" in problems


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
@pytest.mark.parametrize("within", [0, 2, 7, None, True, [1]])
def test_an_erased_entry_stood_where_its_erasure_says(office: Office, within: Any) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    case_id, opened = _case_id(office), _seq(office, "case.opened")
    claim = _say_erased(office, opened, case_id, within, 2, gone=True)
    assert (
        f"entry {claim}: it says that entry {opened} was number {within} of its case, and it cannot have been"
        in _whole(office).problems
    )


def test_an_entry_is_erased_once(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    case_id, opened = _case_id(office), _seq(office, "case.opened")
    _say_erased(office, opened, case_id, 1, 2, gone=True)
    assert _whole(office).problems == []
    claim = _say_erased(office, opened, case_id, 1, 3)
    assert _whole(office).problems == [
        f"entry {claim}: it says that entry {opened} was erased, and an entry before it says so as well"
    ]


def test_a_decision_after_its_case_was_erased_is_named(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    case_id = _case_id(office)
    _say_erased(office, _seq(office, "case.opened"), case_id, 1, 2, gone=True)
    decided = _decide_alone(office, case_id, 3)
    assert _whole(office).problems == [f"entry {decided}: {UNREAD}"]
    assert (
        check_excerpt(json.loads(json.dumps(office.ledger.excerpt(case_id)))).problems
        == _whole(office).problems
    )


def test_part_of_a_case_is_not_erased(office: Office) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    case_id, opened = _case_id(office), _seq(office, "case.opened")
    decided = _decide_alone(office, case_id, 2)
    claim = _say_erased(office, opened, case_id, 1, 3, gone=True)
    assert _whole(office).problems == [
        f"entry {claim}: it erases entry {opened} and leaves entry {decided} of the same case",
        f"entry {decided}: {UNREAD}",
    ]


@pytest.mark.parametrize("kind", ["case.opened", "role.granted", "run.recorded"])
def test_only_an_entry_of_a_case_is_erased_by_one_person(office: Office, kind: str) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])})
    seq = _seq(office, kind)
    claim = _say_erased(office, seq, None, gone=True)
    assert (
        f"entry {claim}: it says that entry {seq} was erased, which is of no case, and this is not part of an erasure by two people"
        in _whole(office).problems
    )


def test_a_case_that_a_run_reopens_after_it_was_erased_is_checked_again(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    case_id = _case_id(office)
    (case,) = office.cases.of_customer("c-1")
    office.cases.decide(
        case_id,
        decision("approve", "REVIEWED", F_1="accepted"),
        version=case.version,
        actor=office.people["anna"],
    )
    office.cases.erase(case_id, "asked for by the customer", actor=office.people["ada"])
    assert _whole(office).problems == []
    open_cases(office, {"c-1": ("escalate", [SANCTIONS])}, run="run-2")
    (case,) = office.cases.of_customer("c-1")
    assert case.state == "open"
    written = office.cases.history(case_id)[-1]["data"]
    judged = {name: value for name, value in written.items() if name not in {"new", "gone", "level_before"}}
    held: dict[str, Any] = {
        "outcome": "hold",
        "state": "in_review",
        "dispositions": {},
        "reason_code": "PRECAUTION",
        "reason": "Held until the facts are known",
    }
    _decide_alone(office, case_id, case.entries + 1, **held, effect="hold", looked_at=judged)
    report = _whole(office)
    assert report.problems == []
    assert any(NO_EFFECT in each for each in report.notes)
    decided = _decide_alone(office, case_id, case.entries + 2)
    problems = "\n".join(_whole(office).problems)
    assert f"entry {decided}: it says that no second person is needed, and one is" in problems
    assert "it ends what is in force: hold" in problems
