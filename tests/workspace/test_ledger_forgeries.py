"""Entries that follow every rule of form and signature, and contradict other entries or the policy; each beside an honest one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.workspace.case_material import MEDIA, PEP, SANCTIONS, Office, decision, open_cases, open_office
from tests.workspace.test_ledger_words import _appended, _whole, _written

from kycpack.errors import InputError, KycpackError, WorkspaceError
from kycpack.frames.gaps import STANDING_GAPS
from kycpack.triage import load_policy
from kycpack.triage.decision_rules import DecisionRules
from kycpack.workspace import case_decisions, case_opening, decisions, ledger_writer
from kycpack.workspace.ledger_writer import KYCPACK, Writer
from kycpack.workspace.policies import Policies
from kycpack.workspace.retention import Retention
from kycpack.workspace.retention_rules import Relationship, RetentionPlan, load_rules, plan_retention
from kycpack.workspace.samples import REPEATED, Samples
from kycpack.workspace.verify_ledger import (
    ACCEPTED_GAPS,
    People,
    check_excerpt,
    list_digest,
    sample_id_of,
)

DAY = date(2026, 6, 1)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    yield from open_office(tmp_path / "kycpack.db", tmp_path)


def _approved(office: Office, customer: str = "c-1") -> str:
    (case,) = office.cases.of_customer(customer)
    wanted = decision("approve", "REVIEWED", F_1="accepted")
    wanted = replace(wanted, text=f"{wanted.text} ({customer} alone)")
    office.cases.decide(case.case_id, wanted, version=case.version, actor=office.people["anna"])
    return case.case_id


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
        ("payload.erased", lambda data: data | {"reason": "disposition 2"}, "names erasure 2, and is no part of it"),
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
    from kycpack.workspace import retention  # noqa: PLC0415

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
    assert any("it was erased, and is not closed" in each for each in office.ledger.verify().problems)


# --- excerpts


@pytest.mark.parametrize("place", ["", "head", "entry"])
def test_a_further_member_of_an_excerpt_is_found(office: Office, place: str) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    excerpt = json.loads(json.dumps(office.ledger.excerpt(_approved(office))))
    assert check_excerpt(excerpt).problems == []
    {"": excerpt, "head": excerpt["head"], "entry": excerpt["entries"][0]}[place]["agreed_by"] = "mia"
    assert any("members that no hash covers: agreed_by" in each for each in check_excerpt(excerpt).problems)


def test_what_no_entry_of_its_kind_says_is_found_in_an_excerpt_as_well(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    (case,) = office.cases.list()
    data = {"state": "open", "reason": "A letter was sent", "mlro_agreed": True}
    _written(office, "case.waiting", data | {"state": "waiting_for_customer"})
    problems = check_excerpt(json.loads(json.dumps(office.ledger.excerpt(case.case_id)))).problems
    assert any("what entries of its kind do not: mlro_agreed" in each for each in problems)


def test_a_forged_step_of_kycpack_is_refused_where_a_person_has_to_act(office: Office) -> None:
    open_cases(office, {"c-1": ("review", [MEDIA])})
    with pytest.raises(KycpackError, match="a person has to do this"), office.ledger.writing() as writer:
        writer.append("payload.erased", {"seq": 1, "reason": "no reason"}, actor=KYCPACK)
