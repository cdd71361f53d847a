"""The notebook and the form for cases: a person can list, look, decide and hand over, and nothing is recorded by accident."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.notebooks.test_portfolio import executed
from tests.workspace.case_material import ADDRESS, OUTSIDE, ROOT, SANCTIONS, triage

import kycpack as kp
from kycpack.workspace import OpenWorkspace
from kycpack.workspace.case_form import case_desk

pytestmark = pytest.mark.usefixtures("answering_browser")

# JupyterLab leaves the keys of these to them; it takes the arrow keys and letters of a drop-down list for its shortcuts.
NATIVE = ("Combobox", "Text", "Textarea", "Button")
TEXT = "looked at the documents, and they explain what was reported"


@pytest.fixture
def work(run_folder: Path, tmp_path: Path) -> Iterator[OpenWorkspace]:
    with kp.open_workspace(tmp_path / "work.db", actor="anna") as opened:
        opened.cases.from_run(run_folder)
        yield opened


def parts(widget: Any) -> Iterator[Any]:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from parts(child)


def control(desk: Any, label: str) -> Any:
    return next(each for each in parts(desk) if getattr(each, "description", None) == label)


def message(desk: Any) -> str:
    return str(desk.children[2].value)


def fill(desk: Any, work: OpenWorkspace, outcome: str, code: str, verdict: str) -> None:
    case = work.cases.list()[0]
    control(desk, "Outcome").value = outcome
    control(desk, "Reason code").value = code
    for finding in case.findings:
        control(desk, finding.finding_id).value = verdict
    control(desk, "Why").value = f"{', '.join(each.finding_id for each in case.findings)}: {TEXT}"


def test_the_notebook_runs_clean_on_practice_cases_and_keeps_nothing(
    run_folder: Path, tmp_path: Path
) -> None:
    outputs = executed("triage_queue.ipynb", tmp_path, run_path=run_folder, as_of="2026-07-01")
    shown = json.dumps(outputs)
    assert "PRACTICE" in shown
    assert shown.count("application/vnd.jupyter.widget-view+json") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["executed.ipynb"]
    person = kp.open_run(run_folder).frames.customers.iloc[0]
    assert str(person["last_name"]) not in shown


def test_every_control_is_one_of_the_browser_and_has_a_label(work: OpenWorkspace) -> None:
    controls = [each for each in parts(case_desk(work)) if hasattr(each, "description")]
    used = [each for each in controls if type(each).__name__ != "HTML"]
    assert len(used) > 8
    assert {type(each).__name__ for each in used} <= set(NATIVE)
    assert all(each.description and each.tabbable is not False for each in used)


def test_a_decision_by_the_form_is_recorded_and_shown(work: OpenWorkspace) -> None:
    case = work.cases.list()[0]
    desk = case_desk(work, case.case_id)
    fill(desk, work, "hold", "PRECAUTION", "inconclusive")
    control(desk, "Record the decision").click()
    made = work.cases.get(case.case_id)
    assert (made.outcome, made.effect, made.version) == ("hold", "hold", case.version + 1)
    assert {each.disposition for each in made.findings} == {"inconclusive"}
    assert f"version {made.version}" in message(desk)
    entry = work.cases.history(case.case_id)[-1]
    assert (entry["kind"], entry["actor"]) == ("case.decided", "anna")
    assert TEXT in desk.children[3].children[0].value


def test_the_choice_of_an_outcome_touches_no_field_that_somebody_types_in(work: OpenWorkspace) -> None:
    desk = case_desk(work)
    sent: list[object] = []
    code = control(desk, "Reason code")
    code.observe(sent.append)
    control(desk, "Outcome").value = "hold"
    assert not sent
    assert "PRECAUTION: Held until the facts are known (hold, escalate)" in code.options


def test_an_untouched_form_records_nothing_and_says_what_is_missing(work: OpenWorkspace) -> None:
    before = work.cases.list()[0]
    desk = case_desk(work)
    control(desk, "Record the decision").click()
    assert message(desk).count("Nothing was recorded") == 1
    assert desk.children[3].children[-1] is desk.children[2]  # said under the forms as well as above them
    assert "outcome" in message(desk)
    assert work.cases.get(before.case_id) == before


def test_a_refusal_keeps_what_was_typed(work: OpenWorkspace) -> None:
    desk = case_desk(work)
    fill(desk, work, "hold", "PRECAUTION", "inconclusive")
    control(desk, "Why").value = "F-999: " + TEXT
    control(desk, "Record the decision").click()
    assert "F-999" in message(desk)
    assert control(desk, "Why").value == "F-999: " + TEXT
    assert control(desk, "Outcome").value == "hold"


def test_a_form_opened_before_somebody_else_acted_is_refused(work: OpenWorkspace) -> None:
    case = work.cases.list()[0]
    desk = case_desk(work)
    fill(desk, work, "hold", "PRECAUTION", "inconclusive")
    work.cases.assign(case.case_id, "ben")
    control(desk, "Record the decision").click()
    assert "Nothing was recorded" in message(desk)
    assert work.cases.get(case.case_id).outcome is None
    control(desk, "Show the case again").click()
    fill(desk, work, "hold", "PRECAUTION", "inconclusive")
    control(desk, "Record the decision").click()
    assert work.cases.get(case.case_id).outcome == "hold"


def test_a_false_positive_on_sanctions_needs_the_evidence_that_the_form_asks_for(work: OpenWorkspace) -> None:
    judged = triage({"c-1": ("escalate", [SANCTIONS, ADDRESS])})
    opened = work.cases.open_from(judged, run_id="run-2", evidence_roots={"c-1": ROOT}).opened
    desk = case_desk(work, opened[0])
    # What is not known can be no match of anybody.
    assert "false_positive" in control(desk, "F-1").options
    assert not {"false_positive", "true_match"} & set(control(desk, "F-2").options)
    assert not [each for each in parts(desk) if getattr(each, "description", "").startswith("F-2 ")]
    control(desk, "Outcome").value = "approve"
    control(desk, "Reason code").value = "FALSE-POSITIVE"
    control(desk, "F-1").value, control(desk, "F-2").value = "false_positive", "accepted"
    control(desk, "Why").value = f"F-1, F-2: {TEXT}"
    control(desk, "Record the decision").click()
    assert "missing: entry of the list, date of the list, SHA-256 of the file" in message(desk)
    control(desk, "F-1 entry of the list").value = OUTSIDE["list_entry"]
    control(desk, "F-1 date of the list").value = OUTSIDE["list_date"]
    control(desk, "F-1 SHA-256 of the file").value = OUTSIDE["file_sha256"]
    control(desk, "Record the decision").click()
    assert work.cases.get(opened[0]).state == "second_review"
    recorded = work.cases.history(opened[0])[-1]["data"]
    assert OUTSIDE["list_entry"] in str(recorded)


def test_each_code_is_offered_with_the_outcomes_it_goes_with_and_with_others_refused(
    work: OpenWorkspace,
) -> None:
    desk = case_desk(work)
    offered = dict(each.split(": ", 1) for each in control(desk, "Reason code").options)
    assert offered["REVIEWED"].endswith("(approve)")
    assert offered["TRUE-MATCH"].endswith("(hold, escalate, reject)")
    fill(desk, work, "approve", f"TRUE-MATCH: {offered['TRUE-MATCH']}", "inconclusive")
    control(desk, "Record the decision").click()
    assert "Nothing was recorded" in message(desk)
    assert "reason code" in message(desk)


def test_a_case_is_handed_over_and_the_customer_waited_for(work: OpenWorkspace) -> None:
    case = work.cases.list()[0]
    desk = case_desk(work)
    control(desk, "Person").value = "ben"
    control(desk, "Record the step").click()
    assert work.cases.get(case.case_id).assignee == "ben"
    control(desk, "Step").value = "Wait for the customer"
    control(desk, "Reason").value = "Asked for a letter from the council"
    control(desk, "Record the step").click()
    assert work.cases.get(case.case_id).state == "waiting_for_customer"


def test_the_second_person_gets_a_form_to_approve_and_the_first_cannot_use_it(
    work: OpenWorkspace, tmp_path: Path
) -> None:
    case = work.cases.list()[0]
    desk = case_desk(work)
    fill(desk, work, "escalate", "SUSPECTED-MATCH", "inconclusive")
    control(desk, "Record the decision").click()
    assert "Needs a second person" in message(desk)
    control(desk, "Why").value = "Compared the findings with the evidence"
    control(desk, "Approve the decision").click()
    assert "Nothing was recorded" in message(desk)
    assert work.cases.get(case.case_id).state == "second_review"
    with kp.open_workspace(tmp_path / "work.db", actor="ben") as second:
        desk = case_desk(second, case.case_id)
        control(desk, "Why").value = "Compared the findings with the evidence"
        control(desk, "Approve the decision").click()
        assert second.cases.get(case.case_id).state == "closed"
        assert "The case is closed" in desk.children[3].children[1].value


def test_the_second_person_is_shown_that_a_text_was_used_before(work: OpenWorkspace) -> None:
    for number in (1, 2):
        judged = triage({f"d-{number}": ("escalate", [ADDRESS])})
        roots = {f"d-{number}": ROOT}
        (case_id,) = work.cases.open_from(judged, run_id="run-2", evidence_roots=roots).opened
        desk = case_desk(work, case_id)
        control(desk, "Outcome").value = "escalate"
        control(desk, "Reason code").value = "SUSPECTED-MATCH"
        control(desk, "F-1").value = "inconclusive"
        control(desk, "Why").value = "F-1: the letter of the bank does not name a street"
        control(desk, "Record the decision").click()
        said = str([getattr(each, "value", "") for each in parts(desk)])
        assert ("Read this again: the same text was used in 1 earlier decision" in said) == (number == 2)


def test_hostile_text_in_a_reason_is_shown_and_not_obeyed(work: OpenWorkspace) -> None:
    case = work.cases.list()[0]
    work.cases.wait(case.case_id, "<img src=x onerror=alert(1)>")
    page = case_desk(work, case.case_id).children[3].children[0].value
    assert "<img" not in page
    assert "<a " not in page
    assert "onerror" in page


def test_a_workspace_and_its_parts_say_what_they_offer(work: OpenWorkspace) -> None:
    page = work._repr_html_()
    parts_ = {name: one for name, one in vars(work).items() if f">.{name}</td>" in page}
    assert {"cases", "ledger", "keys", "register", "inbox", "runs"} <= set(parts_)
    for one in parts_.values():
        assert "object at 0x" not in repr(one)
        assert one._repr_html_().count("<tr>") > 1
    case = work.cases.list()[0]
    assert repr(case) == f"Case({case.case_id}: open, {case.level}, version {case.version})"
    assert case.findings[0].finding_id in case._repr_html_()
