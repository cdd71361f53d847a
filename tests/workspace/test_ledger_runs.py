"""A run that is recorded a second time: continued or imported again it is honest, and under other facts it is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.workspace.case_material import (
    ADDRESS,
    MEDIA,
    PEP,
    ROOT,
    SANCTIONS,
    Office,
    decision,
    open_cases,
    open_office,
    triage,
)

from kycpack.errors import WorkspaceError
from kycpack.triage import load_policy
from kycpack.triage.policy_file import read_policy
from kycpack.workspace.cases import case_opening
from kycpack.workspace.cases.case_opening import Opened
from kycpack.workspace.cases.case_opening import open_cases as open_part
from kycpack.workspace.cases.case_records import findings_by_customer
from kycpack.workspace.cases.judged_run import RunPart, judged_customers
from kycpack.workspace.entries.verify_ledger import check_excerpt, check_ledger
from kycpack.workspace.samples.samples import Samples

OTHER = "2" * 64


@pytest.fixture
def office(place: str, tmp_path: Path) -> Iterator[Office]:
    yield from open_office(place, tmp_path)


def _problems(office: Office) -> list[str]:
    return check_ledger(json.loads(json.dumps(list(office.ledger.entries())))).problems


def _past_the_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_opening, "record_refusal", lambda *_: "")
    monkeypatch.setattr(case_opening, "judged_again_refusal", lambda *_: "")


def _other_policy() -> Any:
    policy = load_policy()
    return read_policy(policy.source.replace(b"version:", b"# another text\nversion:", 1))


AGAIN: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "for another occasion": (
        {"c-1": ("review", [MEDIA])},
        {"occasion": "event"},
        "run run-1 was recorded before, for the occasion onboarding",
    ),
    "with another level of the same evidence": (
        {"c-1": ("reject", [MEDIA, SANCTIONS])},
        {},
        "run run-1 says otherwise of the same evidence than it did before",
    ),
    "without a hit that it had": (
        {"c-1": ("edd", [PEP])},
        {"root": OTHER},
        "run run-1 found F-1 before, and it is said to have found no such thing",
    ),
}


@pytest.mark.parametrize("name", AGAIN)
def test_a_run_recorded_again_under_other_facts_is_refused_and_found(
    office: Office, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    customers, more, problem = AGAIN[name]
    open_cases(office, {"c-1": ("review", [MEDIA])})
    before = list(office.ledger.entries())
    with pytest.raises(WorkspaceError, match=f"{problem}; run the batch again"):
        open_cases(office, customers, **more)
    assert list(office.ledger.entries()) == before
    _past_the_writer(monkeypatch)
    open_cases(office, customers, **more)
    (found,) = _problems(office)
    assert problem in found


def test_a_run_recorded_again_by_another_policy_is_refused_and_found(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    problem = "run run-1 was recorded before, and another policy judged it"
    with pytest.raises(WorkspaceError, match=problem):
        open_cases(office, {"c-1": ("review", [MEDIA])}, policy=_other_policy())
    _past_the_writer(monkeypatch)
    open_cases(office, {"c-1": ("review", [MEDIA])}, policy=_other_policy())
    assert any(problem in each for each in _problems(office))


def test_an_earlier_run_does_not_take_the_place_of_a_later_one(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Imported again, the run before would take the hit on sanctions out of the case."""
    mild, hard = {"c-1": ("review", [MEDIA])}, {"c-1": ("escalate", [MEDIA, SANCTIONS])}
    open_cases(office, mild)
    open_cases(office, hard, root=OTHER, run="run-2")
    (case,) = office.cases.list()
    problem = (
        "it rests on run run-2, which was recorded after run run-1: an earlier run does not take its place"
    )
    with pytest.raises(WorkspaceError, match=f"case {case.case_id}: {problem}"):
        open_cases(office, mild)
    assert office.cases.list() == (case,)
    _past_the_writer(monkeypatch)
    open_cases(office, mild)
    (found,) = _problems(office)
    assert problem in found


def test_an_excerpt_shows_that_a_run_took_a_hit_back(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    open_cases(office, {"c-1": ("escalate", [SANCTIONS, ADDRESS])})
    _past_the_writer(monkeypatch)
    open_cases(office, {"c-1": ("review", [ADDRESS])}, root=OTHER)
    (case,) = office.cases.list()
    (found,) = check_excerpt(office.ledger.excerpt(case.case_id)).problems
    assert "run run-1 found F-1 before" in found


def test_a_run_that_is_continued_or_imported_again_is_honest(office: Office) -> None:
    first = {"c-1": ("review", [MEDIA, ADDRESS]), "c-2": ("approve", []), "c-3": ("approve", [])}
    open_cases(office, first)
    assert len(open_cases(office, first).unchanged) == 1
    # Continued: what c-1 lacked has come, c-3 seems to be another customer as well, and c-4 had failed.
    later = {
        "c-1": ("review", [MEDIA]),
        "c-2": ("approve", []),
        "c-3": ("edd", [PEP]),
        "c-4": ("approve", []),
    }
    made = open_cases(office, later, root=OTHER)
    assert (len(made.updated), len(made.opened), [*made.cleared]) == (1, 1, ["c-2", "c-4"])
    report = office.ledger.verify()
    assert report.problems == []
    (note,) = [each for each in report.notes if "continued" in each]
    assert "run run-1 says something of this case once more: ask whether it was continued" in note


def test_parts_of_one_run_that_two_policies_judged_are_recorded_at_once(office: Office) -> None:
    parts = [
        RunPart(
            "run-1",
            policy,
            judged_customers(
                triage({name: ("review", [MEDIA])}).recommendations.to_dict("records"),
                {name: ROOT},
                findings_by_customer(
                    triage({name: ("review", [MEDIA])}).findings.to_dict("records"), policy.decisions
                ),
                {},
            ),
        )
        for name, policy in (("c-1", load_policy()), ("c-2", _other_policy()))
    ]
    with office.ledger.writing() as writer:
        for part in parts:
            open_part(writer, part, Opened(), occasion="onboarding")
    assert office.ledger.verify().problems == []


def test_a_run_imported_again_after_a_sample_of_it_found_something_is_honest(office: Office) -> None:
    open_cases(office, {"c-1": ("approve", [])}, occasion="event")
    samples = Samples(office.ledger, office.people["ben"])
    sample = samples.draw("run-1", 1, "7")
    samples.review(sample.sample_id, "c-1", "disagrees", "The employer is not the payer")
    open_cases(office, {"c-1": ("approve", [])}, occasion="event")
    assert office.ledger.verify().problems == []


def test_a_decided_case_stays_as_it_is_when_its_run_is_imported_again(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    wanted = decision("approve", "REVIEWED", F_1="accepted")
    office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    assert open_cases(office, {"c-1": ("review", [MEDIA])}).unchanged[:] == [case.case_id]
    assert office.ledger.verify().problems == []
