"""Samples and erasures of others than their run, their seed or their proposal give; each beside an honest one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.workspace.case_material import (
    MEDIA,
    Office,
    decision,
    open_cases,
    open_office,
)
from tests.workspace.test_ledger_words import _appended, _approved, _whole, _written

from kycpack.errors import InputError, WorkspaceError
from kycpack.workspace.entries import ledger_writer
from kycpack.workspace.entries.ledger_writer import Writer
from kycpack.workspace.entries.verify_ledger import (
    People,
    list_digest,
    sample_id_of,
)
from kycpack.workspace.retention.retention import Retention
from kycpack.workspace.retention.retention_rules import (
    Relationship,
    RetentionPlan,
    load_rules,
    plan_retention,
)
from kycpack.workspace.samples.samples import REPEATED, Samples

DAY = date(2026, 6, 1)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    yield from open_office(tmp_path / "kycpack.db", tmp_path)


# --- samples


def _drawn(**more: Any) -> dict[str, Any]:
    size, seed = more.get("size", 2), more.get("seed", "7")
    return {
        "sample_id": sample_id_of("run-1", size, seed), "run_id": "run-1", "seed": seed, "size": size,
        "sizes": {"not known": [2, 4]}, "customers_digest": list_digest(["c-1", "c-2"]),
    } | more  # fmt: skip


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({}, ""),
        ({"size": 4, "sizes": {"not known": [4, 4]}, "customers_digest": list_digest(f"c-{n}" for n in range(4))}, ""),
        ({"sizes": {"not known": [2, 3]}}, "drawn of 3 customers whom the run cleared, and the run cleared 4"),
        ({"sizes": {"not known": [2, 400]}}, "drawn of 400 customers whom the run cleared"),
        ({"sizes": {"not known": [3, 4]}}, "it drew another part than its size gives of not known"),
        ({"sizes": {"not known": [True, 4]}}, "how many of how many"),
        ({"size": None}, "does not say how many customers were to be drawn"),
        ({"sample_id": "sample-0123456789ab"}, "its id is not that of a sample of this run, size and seed"),
        ({"sizes": {"not known": [2, 4], REPEATED: [1, 1]}}, "1 customers approved with a text that was used before"),
        (
            {"size": 4, "sizes": {"not known": [4, 4]}, "customers_digest": list_digest(["c-7", "c-8", "c-9", "c-10"])},
            "it is of everybody whom the run cleared, and its list is not theirs",
        ),
    ],
)  # fmt: skip
def test_a_sample_is_of_the_customers_of_its_run(office: Office, more: dict[str, Any], why: str) -> None:
    open_cases(office, {f"c-{number}": ("approve", []) for number in range(4)})
    problems = _appended(office, "sample.drawn", _drawn(**more), "ben")
    assert (problems == []) if not why else any(why in each for each in problems)


def test_a_second_sample_of_a_run_is_a_note(office: Office) -> None:
    open_cases(office, {f"c-{number}": ("approve", []) for number in range(40)})
    samples = Samples(office.ledger, office.people["ben"])
    first = samples.draw("run-1", 5, "7")
    assert not [each for each in _whole(office).notes if "another sample" in each]
    samples.draw("run-1", 6, "7")
    report = _whole(office)
    assert report.problems == []
    assert any(f"of this run, {first.sample_id} had been drawn" in each for each in report.notes)


def test_who_was_approved_with_a_repeated_text_can_be_counted(office: Office) -> None:
    customers = {f"c-{number}": ("approve", []) for number in range(4)}
    open_cases(office, customers | {name: ("review", [MEDIA]) for name in ("c-8", "c-9")})
    for name in ("c-8", "c-9"):
        (case,) = office.cases.of_customer(name)
        wanted = decision("approve", "REVIEWED", F_1="accepted")
        office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    Samples(office.ledger, office.people["ben"]).draw("run-1", 3, "7")
    assert _whole(office).problems == []
    assert office.ledger.verify().problems == []
    sizes = {"not known": [2, 4], REPEATED: [1, 1]}
    problems = _appended(office, "sample.drawn", _drawn(seed="8", sizes=sizes), "ben")
    assert any(
        "1 customers approved with a text that was used before, and there are 2" in e for e in problems
    )


def test_another_list_of_a_sample_in_the_workspace_is_found(office: Office) -> None:
    open_cases(office, {f"c-{number}": ("approve", []) for number in range(4)})
    sample = Samples(office.ledger, office.people["ben"]).draw("run-1", 2, "7")
    assert office.ledger.verify().problems == []
    other = next(f"c-{n}" for n in range(4) if f"c-{n}" not in sample.customers["not known"])
    with office.workspace.transaction() as connection:
        first = sample.customers["not known"][0]
        connection.exec_driver_sql(
            "UPDATE sampled_customers SET customer_id = ? WHERE customer_id = ?", (other, first)
        )
    assert any("are not those that the ledger recorded" in each for each in office.ledger.verify().problems)


# --- erasures

Alter = Callable[[dict[str, Any]], Mapping[str, Any]]


def _plan(office: Office, day: date = DAY) -> RetentionPlan:
    retention = Retention(office.ledger)
    ended = {"c-1": Relationship("c-1", date(2021, 1, 4), "")}
    return plan_retention(retention.known(), ended, load_rules(), day, retention.open_cases())


def _erase(office: Office, plan: RetentionPlan) -> None:
    Retention(office.ledger, office.people["ben"]).propose(plan)
    one = Retention(office.ledger, office.people["ada"])
    one.finish(one.start(plan, []))


def _two_closed(office: Office) -> None:
    open_cases(office, {name: ("review", [MEDIA]) for name in ("c-1", "c-2")})
    _approved(office, "c-1")
    _approved(office, "c-2")


@pytest.mark.parametrize(
    ("kind", "alter", "why"),
    [
        ("", dict, ""),
        ("retention.started", lambda data: data | {"as_of": "2026-05-30"}, "as of another day than was proposed"),
        ("retention.started", lambda data: data | {"customers": data["customers"] * 2}, "erases 2 customers, and 1 were"),
        ("retention.started", lambda data: data | {"due": [["c-2", *data["due"][0][1:]]]}, "its list is not the one"),
        ("retention.started", lambda data: data | {"due": data["due"][:-1]}, "its list is not the one"),
        ("retention.started", lambda data: data | {"number": 4}, "it is erasure 4, and 1 was expected"),
        ("retention.executed", lambda data: data | {"number": 2}, "it ends erasure 1 under another number"),
        ("retention.executed", lambda data: data | {"rows": 0}, "it counts 0 rows"),
        ("payload.erased", lambda data: data | {"reason": "disposition 2"}, "names erasure 2 but is not part of it"),
        ("payload.erased", lambda data: data | {"reason": " "}, "its reason cannot be used"),
    ],
)  # fmt: skip
def test_an_erasure_is_the_one_that_was_proposed(
    office: Office, monkeypatch: pytest.MonkeyPatch, kind: str, alter: Alter, why: str
) -> None:
    _two_closed(office)
    own = Writer.append

    def append(self: Writer, given: str, data: dict[str, Any], **about: Any) -> str:
        return own(self, given, alter(data) if given == kind else data, **about)

    with monkeypatch.context() as patched:
        patched.setattr(Writer, "append", append)
        patched.setattr(People, "retention_refusal", lambda *_given: "")
        patched.setattr(ledger_writer, "erasure_refusal", lambda _payload: "")
        _erase(office, _plan(office))
    problems = _whole(office).problems
    assert (problems == []) if not why else any(why in each for each in problems)


@pytest.mark.parametrize("gone", ["c-1", "c-2"])
def test_an_erasure_erases_whom_it_lists_and_nobody_else(
    office: Office, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    from kycpack.workspace.retention import retention  # noqa: PLC0415

    _two_closed(office)
    own = retention.erase_decisions
    with monkeypatch.context() as patched:
        others = {"c-1": set[str](), "c-2": {"c-1", "c-2"}}[gone]
        patched.setattr(retention, "erase_decisions", lambda writer, _ids, *more: own(writer, others, *more))
        _erase(office, _plan(office))
    why = "leaves the case c-1-" if gone == "c-1" else "erasure 1 was not to erase this case"
    assert any(why in each for each in _whole(office).problems)


def test_nobody_erases_by_a_day_that_is_still_to_come(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    _two_closed(office)
    early = _plan(office, date(2029, 6, 1))
    with pytest.raises(WorkspaceError, match="not past its date on the day of the proposal"):
        Retention(office.ledger, office.people["ben"]).propose(early)
    with monkeypatch.context() as patched:
        patched.setattr(People, "retention_refusal", lambda *_given: "")
        _erase(office, early)
    assert any("not past its date on the day" in each for each in _whole(office).problems)


def test_an_erasure_by_one_person_names_no_disposition(office: Office) -> None:
    _two_closed(office)
    _erase(office, _plan(office))
    (case,) = office.cases.of_customer("c-2")
    with pytest.raises(InputError, match="only an erasure by two people"):
        office.cases.erase(case.case_id, "disposition 1", actor=office.people["ada"])
    office.cases.erase(case.case_id, "asked for by the customer", actor=office.people["ada"])
    assert _whole(office).problems == []


def test_a_case_that_was_erased_goes_on_by_being_opened(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    case_id = _approved(office)
    office.cases.erase(case_id, "asked for by the customer", actor=office.people["ada"])
    assert office.ledger.verify().problems == []
    data = {"state": "in_review", "from": "", "to": "anna", "reason": ""}
    assert any("does not open the case again" in each for each in _written(office, "case.assigned", data))


def test_a_case_that_was_erased_is_closed_in_the_workspace(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    case_id = _approved(office)
    office.cases.erase(case_id, "asked for by the customer", actor=office.people["ada"])
    with office.workspace.transaction() as connection:
        connection.exec_driver_sql("UPDATE cases SET state = 'open' WHERE case_id = ?", (case_id,))
    assert any("it was erased, but is not closed" in each for each in office.ledger.verify().problems)
