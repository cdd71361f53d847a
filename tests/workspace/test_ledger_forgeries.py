"""Entries that follow every rule of form and signature, and contradict other entries or the policy; each beside an honest one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.workspace.case_material import MEDIA, PEP, SANCTIONS, Office, decision, open_cases, open_office
from tests.workspace.test_ledger_words import _appended, _approved, _whole, _written

from kycpack.errors import WorkspaceError
from kycpack.frames.gaps import STANDING_GAPS
from kycpack.triage import load_policy
from kycpack.triage.policies.policy import DecisionRules
from kycpack.workspace.cases import case_decisions, case_opening, decisions
from kycpack.workspace.cases.policies import Policies
from kycpack.workspace.entries.verify_ledger import ACCEPTED_GAPS


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    yield from open_office(tmp_path / "kycpack.db", tmp_path)


# --- what ends and what rests


def test_a_case_that_is_opened_by_a_date_names_that_date(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    _approved(office)
    office.clock.moment += timedelta(days=400)
    data = {"state": "open", "reason": "the approval ended on 2026-07-01"}
    problems = _written(office, "case.reopened", data, "kycpack")
    assert any("another reason than that the approval ended on 2027-06-01" in each for each in problems)


def test_a_case_that_is_woken_by_a_date_says_so(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    office.cases.snooze(case.case_id, date(2026, 6, 20), "The register answers", actor=office.people["anna"])
    office.clock.moment += timedelta(days=30)
    data = {"state": "in_review", "reason": "the register has answered"}
    problems = _written(office, "case.updated", data, "kycpack")
    assert any("another reason than that the date was reached" in each for each in problems)


def test_an_end_and_a_rest_that_have_passed_are_notes_until_the_case_is_opened(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA]), "c-2": ("review", [MEDIA])})
    ended, (resting,) = _approved(office), office.cases.of_customer("c-2")
    until = date(2026, 6, 20)
    office.cases.snooze(resting.case_id, until, "The register answers", actor=office.people["anna"])
    assert not [each for each in _whole(office).notes if "had ended" in each]
    office.clock.moment += timedelta(days=400)
    open_cases(office, {"c-3": ("review", [MEDIA])}, run="run-2")
    notes = _whole(office).notes
    assert any(
        f"the decision of {ended} had ended, and nothing has opened it again" in each for each in notes
    )
    assert any(f"the rest of {resting.case_id} had ended, and nothing has woken it" in each for each in notes)
    office.cases.reopen_due()
    report = _whole(office)
    assert report.problems == []
    assert not [each for each in report.notes if "had ended" in each]


# --- runs and their policy


def test_a_run_has_one_person_who_prepared_it(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])}, prepared_by="anna")
    with pytest.raises(WorkspaceError, match="was recorded before, prepared by anna"):
        open_cases(office, {"c-2": ("review", [MEDIA])}, prepared_by="ben")
    open_cases(office, {"c-2": ("review", [MEDIA])}, prepared_by="anna")
    assert _whole(office).problems == []
    with monkeypatch.context() as patched:
        patched.setattr(case_opening, "record_refusal", lambda *_given: "")
        open_cases(office, {"c-3": ("review", [MEDIA])}, prepared_by="ben")
    assert any("was recorded before, prepared by anna" in each for each in _whole(office).problems)


def test_cases_of_a_run_name_the_person_whom_the_run_names(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = case_opening.looked_at
    with monkeypatch.context() as patched:
        patched.setattr(case_opening, "looked_at", lambda *given: {**own(*given), "prepared_by": "ben"})
        open_cases(office, {"c-1": ("review", [MEDIA])}, prepared_by="anna")
    (problem,) = _whole(office).problems
    assert "name another person who prepared it" in problem


@pytest.mark.parametrize(("finding", "about"), [(SANCTIONS, "sanctions"), (PEP, "a politically exposed")])
def test_a_finding_is_about_what_its_policy_says(
    office: Office, monkeypatch: pytest.MonkeyPatch, finding: Any, about: str
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(DecisionRules, "subject", lambda *_given: "")
        open_cases(office, {"c-1": ("escalate", [finding])})
    assert any(f"F-1 is by {finding[0]}, which is about {about}" in each for each in _whole(office).problems)
    # Later runs are held against the rules that are known by then.
    with monkeypatch.context() as patched:
        patched.setattr(DecisionRules, "subject", lambda *_given: "")
        open_cases(office, {"c-2": ("escalate", [finding])}, run="run-2")
    assert len([each for each in _whole(office).problems if "F-1 is by" in each]) == 2


@pytest.mark.parametrize(
    ("alter", "why"),
    [
        (lambda rules: {**rules, "sanctions": []}, "other rules about decisions than an earlier entry"),
        (lambda rules: {**rules, "checklist": []}, "other rules about decisions than an earlier entry"),
        (lambda _rules: {}, "it lacks its policy's rules"),
    ],
)
def test_a_policy_keeps_its_rules_from_run_to_run(
    office: Office, monkeypatch: pytest.MonkeyPatch, alter: Callable[[Any], Any], why: str
) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    own = case_opening.ledger_rules
    with monkeypatch.context() as patched:
        patched.setattr(case_opening, "ledger_rules", lambda rules: alter(own(rules)))
        open_cases(office, {"c-2": ("review", [MEDIA])}, run="run-2")
    assert any(why in each for each in _whole(office).problems)


@pytest.mark.parametrize(
    ("code", "outcomes", "why"),
    [
        ("AGREED", ("approve",), "its policy has no reason code AGREED"),
        ("PRECAUTION", ("approve", "hold"), "PRECAUTION is by its policy a reason for hold, escalate alone"),
    ],
)
def test_a_reason_code_is_one_of_its_policy(
    office: Office, monkeypatch: pytest.MonkeyPatch, code: str, outcomes: tuple[str, ...], why: str
) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    rules = load_policy().decisions
    codes = {**rules.reason_codes, code: ("Held until the facts are known", outcomes)}
    softer = replace(rules, reason_codes=codes)
    own = case_decisions.rules_in_force
    with monkeypatch.context() as patched:
        patched.setattr(case_decisions, "rules_in_force", lambda *given: (own(*given)[0], softer))
        wanted = decision("approve", code, F_1="accepted")
        office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    assert any(why in each for each in _whole(office).problems)


def test_an_approval_needs_the_checklist_of_its_policy(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    customers = {name: ("edd", [(*MEDIA[:2], "edd", MEDIA[3])]) for name in ("c-1", "c-2")}
    open_cases(office, customers)
    wanted = decision("approve", "EXPLAINED", F_1="accepted")
    for name in ("c-2", "c-1"):
        (case,) = office.cases.of_customer(name)
        if name == "c-2":
            for item in load_policy().decisions.checklist:
                case = office.cases.check(case.case_id, item, "E-07", actor=office.people["ben"])
        with monkeypatch.context() as patched:
            patched.setattr(decisions, "_check_approval", lambda *_given: None)
            office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
        wanted = replace(wanted, text=f"{wanted.text}, once more")
        problems = _whole(office).problems
        assert problems == [] or "enhanced due diligence lacks source_of_wealth" in problems[0]
    assert len(problems) == 1


def test_no_item_is_recorded_by_a_policy_that_was_withdrawn(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    office.cases.check(case.case_id, "source_of_funds", "E-07", actor=office.people["anna"])
    assert _whole(office).problems == []
    data = {"state": "open", "item": "a_call_from_the_board", "evidence": "E-07"}
    assert any(
        "checklist has no a_call_from_the_board" in each for each in _written(office, "case.checked", data)
    )
    Policies(office.ledger, office.people["sam"]).withdraw(load_policy(), "It overlooks a list")
    data = {"state": "open", "item": "source_of_wealth", "evidence": "E-07"}
    problems = _written(office, "case.checked", data)
    assert any("the checklist of a policy that was withdrawn" in each for each in problems)


def test_only_gaps_that_every_pack_has_are_accepted(office: Office) -> None:
    assert ACCEPTED_GAPS == STANDING_GAPS
    policy = load_policy()
    Policies(office.ledger, office.people["sam"]).approve(policy, "Agreed by the board")
    assert _whole(office).problems == []
    said = {"id": policy.id, "version": policy.version, "digest": policy.digest, "text": "Agreed once more"}
    gaps = [*ACCEPTED_GAPS, "months_missing"]
    problems = _appended(office, "policy.approved", {**said, "accepted_gaps": gaps}, "sam")
    assert any("gaps that are not those of every pack" in each for each in problems)


def test_a_finding_reads_the_same_in_two_decisions_on_the_same_evidence(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_cases(office, {name: ("review", [MEDIA]) for name in ("c-1", "c-2")})
    own, said = case_decisions._finding, {"sentence": "A newspaper of another town is quoted (E-03)"}
    for name in ("c-1", "c-2"):
        (case,) = office.cases.of_customer(name)
        case = office.cases.decide(
            case.case_id, decision("hold", "PRECAUTION"), version=case.version, actor=office.people["ben"]
        )
        with monkeypatch.context() as patched:
            if name == "c-2":
                patched.setattr(case_decisions, "_finding", lambda each: {**own(each), **said})
            wanted = replace(decision("hold", "PRECAUTION"), text="Held until another answer has arrived")
            office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["ben"])
        problems = _whole(office).problems
        assert len(problems) == (name == "c-2")
    assert "it words F-1 otherwise than a decision before it" in problems[0]


# --- clocks


def test_a_clock_is_said_to_be_behind_where_it_was_and_nowhere_else(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    office.clock.moment -= timedelta(hours=2)
    open_cases(office, {"c-2": ("review", [MEDIA])}, run="run-2")
    marked = [each["seq"] for each in office.ledger.entries() if "clock_behind_seconds" in each["payload"]]
    assert len(marked) == 1  # the first of the two that were written at one moment
    assert _whole(office).problems == []
    office.clock.moment += timedelta(days=1)
    with office.ledger.writing() as writer:
        writer._at = "2026-12-01T00:00:00.000000Z"
        data = {"reason": "the date was reached", "customer_id": "c-1", "state": "open"}
        (case,) = office.cases.of_customer("c-1")
        writer.append("case.waiting", data, actor=office.people["anna"], case_id=case.case_id, case_entry=2)
    assert any("says that its clock was behind" in each for each in _whole(office).problems)


def test_an_early_version_said_of_all_entries_of_a_moment_that_their_clock_was_behind(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    office.clock.moment -= timedelta(hours=2)
    with office.ledger.writing() as writer:
        before = writer._at
        writer.append("key.revoked", {"name": "ben"}, actor=office.people["ada"])
        writer._at = before
        writer.append("key.revoked", {"name": "mia"}, actor=office.people["ada"])
    marked = [each for each in office.ledger.entries() if "clock_behind_seconds" in each["payload"]]
    assert len(marked) == 2
    assert _whole(office).problems == []
