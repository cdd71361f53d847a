"""Page one of a decided case says what the decision leaves open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.render.specimen_review import inputs_of
from tests.render.test_decision import DECISION

from kycpack.evidence import Evidence
from kycpack.pack.check.pdf import read_pdf
from kycpack.pack.check.printed_values import squeezed
from kycpack.render import CasePeople, build_contents
from kycpack.render.palette import Tone
from kycpack.render.review.cover import cover_lines
from kycpack.render.review.decision import CaseRecord, DisposedFinding
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.left_open import decided_cells, left_open, with_about
from kycpack.render.review.pdf import render_review_pdf
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.tasks import Kind, Task
from kycpack.triage import load_policy

HIT = "Screening against terrorism lists reports 'attention'"
FLAG = "Money moved on: 4 credits in"
MATCH = Reason("SAN-2", HIT, "MLRO", "escalate", "hold", number="F-2", subjects=frozenset({"screening"}))
MONEY = Reason("WLT-1", FLAG, "MLRO", "edd", "hold", number="F-3, F-4")
PAPER = Reason("OUT-document", "Document rejected", "Analyst", "reject", "decline", number="F-1")
REPORT = Reason("INT-1", "Consider an internal report", "MLRO", "review", internal=True)
ENDED = ("it ends what is in force: hold",)
NOT_RECORDED = "The lifting of the hold by the MLRO is not recorded in this case"
NO_REPORT = "Not recorded: whether a report to the NCA was considered."
LISTED = ("accepted", "escalated", "inconclusive", "inconclusive")


def record(*verdicts: str, **other: Any) -> CaseRecord:
    rules = ("OUT-document", "SAN-2", "WLT-1", "WLT-1")
    findings = tuple(
        DisposedFinding(f"F-{number}", rule, "Found", verdict)
        for number, (rule, verdict) in enumerate(zip(rules, verdicts, strict=True), 1)
    )
    given: dict[str, Any] = {"outcome": "reject", "second_role": "MLRO", "findings": findings, **other}
    return CaseRecord(replace(DECISION, **given))


def said(made: CaseRecord | None, *reasons: Reason) -> str:
    return " ".join(cell.text for cell in left_open(made, reasons or (PAPER, MATCH, MONEY, REPORT), ()))


def test_a_decline_while_the_hold_was_not_recorded_as_lifted_says_so_in_red() -> None:
    first, second = left_open(record(*LISTED), (PAPER, MATCH, MONEY, REPORT), ())
    assert first.text == (
        f"Rejected while the hold was not recorded as lifted: F-2 SAN-2 and F-3, F-4 WLT-1. {NOT_RECORDED}."
    )
    assert first.tone == second.tone == Tone.ALARM
    assert second.text == (
        "Still open: MLRO: settle "
        f"“{HIT.partition(':')[0]}” (F-2 SAN-2 and F-3, F-4 WLT-1); do not tell the customer why. "
        f"{NO_REPORT} Do not show this review to the customer: that could be tipping off."
    )


def test_a_hold_that_the_mlro_ended_with_the_decision_is_said_to_have_ended() -> None:
    shown = said(record(*LISTED, second_needed=ENDED))
    assert shown.startswith(
        "This decision, in which Mia Officer took part as the MLRO, ended the hold for F-2 SAN-2"
    )
    assert NOT_RECORDED not in shown
    assert "settle" in shown  # the match was passed on, and nobody has said whether it is the customer
    assert "WLT-1)" not in shown


def test_the_hold_that_ended_is_named_with_every_finding_it_rested_on_also_a_match_of_somebody_else() -> None:
    about_another = ("accepted", "false_positive", "inconclusive", "inconclusive")
    ended = record(*about_another, second_needed=ENDED)
    assert said(ended, PAPER, MATCH, MONEY).startswith(
        "This decision, in which Mia Officer took part as the MLRO, ended the hold for F-2 SAN-2 and F-3, F-4 WLT-1."
    )
    assert "Mia Officer took part as the MLRO, ended the hold for F-2 SAN-2." in said(ended, PAPER, MATCH)


@pytest.mark.parametrize(
    "other", [{"second_role": ""}, {"second_role": "senior manager"}, {"second_by": "", "second_needed": ()}]
)
def test_nobody_but_the_mlro_lifts_the_hold(other: dict[str, Any]) -> None:
    assert NOT_RECORDED in said(record(*LISTED, **{"second_needed": ENDED, **other}))


@pytest.mark.parametrize("outcome", ["approve", "reject"])
def test_a_match_that_is_of_somebody_else_holds_nothing_once_the_mlro_has_said_so(outcome: str) -> None:
    other = ("accepted", "false_positive", "accepted", "accepted")
    assert said(record(*other, outcome=outcome), PAPER, MATCH) == (NO_REPORT if outcome == "reject" else "")
    assert NOT_RECORDED in said(record(*other, outcome=outcome, second_role=""), PAPER, MATCH)


@pytest.mark.parametrize("outcome", ["hold", "escalate"])
def test_what_declines_and_approves_nobody_needs_no_lifting(outcome: str) -> None:
    assert NOT_RECORDED not in said(record(*LISTED, outcome=outcome))


def test_a_decision_that_waits_or_was_overtaken_leaves_the_steps_to_the_steps() -> None:
    waits = record(*LISTED, second_by="", second_role="", standing="The decision waits for its second person")
    assert said(waits, PAPER, MATCH, MONEY) == NO_REPORT
    again = said(record(*LISTED, standing="The case was reopened after this decision"))
    assert NOT_RECORDED in again
    assert "Still open" not in again


def test_a_possible_match_that_nobody_settled_is_open_without_a_hold_too() -> None:
    person = replace(MATCH, action="ask", rule_id="PEP-1")
    assert "Still open: MLRO: settle" in said(
        record("accepted", "inconclusive", "accepted", "accepted"), person
    )
    assert said(record("accepted", "true_match", "accepted", "accepted"), person) == NO_REPORT
    assert left_open(None, (MATCH,), ()) == left_open(CaseRecord(), (MATCH,), ()) == ()


def test_page_one_and_every_other_first_page_have_these_lines(specimen: Evidence) -> None:
    inputs = inputs_of(specimen)
    undecided = build_contents(inputs)
    held = undecided.reasons[0]
    found = DisposedFinding("F-1", held.rule_id, held.text, "inconclusive")
    made = CaseRecord(replace(DECISION, outcome="reject", findings=(found,), evidence_root=specimen.root))
    decided = build_contents(replace(inputs, case=CasePeople("case-1", record=made)))
    contents = replace(decided, reasons=tuple(replace(one, action="hold") for one in decided.reasons))
    page = squeezed(read_pdf(render_review_pdf(contents), "review.pdf").pages[0])
    html = render_summary_html(contents)
    assert (
        f"Rejected while the hold was not recorded as lifted: F-1 {held.rule_id}"
        in contents.left_open[0].text
    )
    for cell in contents.left_open:
        assert squeezed(cell.text) in page
        assert ("Left open", cell.text) in cover_lines(contents)
        assert cell in contents.summary
    assert html.count('<p class="kp-text kp-alarm"><strong>') == len(contents.left_open)
    assert undecided.left_open == ()


def test_that_the_customer_must_not_see_the_review_is_said_where_a_finding_stays_inside_the_firm() -> None:
    not_shown = "Do not show this review to the customer"
    settled = ("accepted", "false_positive", "accepted", "accepted")
    assert not_shown in said(record(*settled), PAPER, REPORT)
    assert not_shown in said(record(*settled, outcome="approve"), PAPER, REPORT)
    assert not_shown not in said(record(*settled), PAPER)


def test_page_one_names_what_was_asked_and_has_no_recorded_answer() -> None:
    question = "(see “Decision”)."
    ended = said(record(*LISTED, second_needed=ENDED))
    assert f"Due before the decision, without a recorded answer: F-3, F-4 {question}" in ended
    assert "without an answer" not in ended
    for other in ({}, {"second_needed": ENDED}):
        passed_on = record("escalated", "escalated", "false_positive", "false_positive", **other)
        assert "recorded answer" not in said(passed_on)
    assert "recorded answer" not in said(record(*LISTED, standing="Opened again", second_needed=ENDED))
    # That a finding is accepted as correct answers nothing that the provider was to explain.
    answered = ("accepted", "false_positive", "false_positive", "false_positive")
    meaning = replace(PAPER, tasks=(Task("ask the provider what {} means", ("x",), kind=Kind.MEANING),))
    asked = said(record(*answered, second_needed=ENDED), meaning, MATCH)
    assert (
        f"Due before the decision, without a recorded answer: F-1 {question} F-1 was accepted as correct all the same."
        in asked
    )
    assert "not due" not in asked
    identity = Reason("SES-2", "Not confirmed", "Analyst", "review", "ask", number="F-4")
    for text in ("", "F-1 and F-4: nobody was asked, and no question was called for"):
        # What the text of a decision says takes no line away.
        made = record("accepted", "false_positive", "false_positive", "inconclusive", text=text)
        assert said(made, meaning, MATCH, identity).endswith(
            f"F-1 {question} F-1 was accepted as correct all the same. "
            f"F-4 was not due: answers about it are needed before an approval, not before a rejection. {NO_REPORT}"
        )
    chosen = said(made, MATCH, identity)
    assert f"without a recorded answer: F-4 {question}" in chosen
    assert "not due" not in chosen


def test_the_code_of_a_rejection_is_joined_to_the_findings_that_it_rests_on() -> None:
    coded: dict[str, Any] = {
        "reason_code": "NOT-VERIFIED",
        "reason": "Identity or address could not be verified",
        "about": ("OUT-*", "WLT-*"),
    }
    for verdicts, joined in (
        (("accepted", "false_positive", "true_match", "accepted"), ", because of F-1 “Found” and F-3, F-4."),
        (("inconclusive", "false_positive", "accepted", "inconclusive"), ", because of F-3 “Found”."),
        (("inconclusive", "false_positive", "inconclusive", "inconclusive"), "."),
    ):
        shown = [one.text for one in decided_cells(record(*verdicts, **coded, text="x" * 300), (), ())]
        code = f"Reason code NOT-VERIFIED: {coded['reason']}"
        assert any(f"{code}{joined.removesuffix('.')} (why: “Decision”). Verdicts: " in one for one in shown)
    policy = record("accepted", "false_positive", "accepted", "accepted", level="reject", **coded)
    shown = [one.text for one in decided_cells(policy, (), (PAPER, MATCH, MONEY))]
    assert any(", because of F-1 “Found”" in one and "“Found” and" not in one for one in shown)
    unknown = Unknown("No results", ("A",), "review", "Analyst", (), ("E-02",), number="F-4")
    for about, joined in (
        (("WLT-*",), ", because of F-3 “Found” and F-4 "),
        (("UNKNOWN", "OUT-*"), ", because of F-1 “Found” and F-4 "),
        (("UNKNOWN",), ", because of F-4 “Found” "),
        (("ADR-*",), " "),
        ((), " "),
    ):
        given = record(*["accepted"] * 4, **{**coded, "about": about}, text="x" * 300)
        shown = [one.text for one in decided_cells(given, (), (MONEY, unknown))]
        assert any(f"could not be verified{joined}(why" in one for one in shown)
    held = record("accepted", "escalated", "accepted", "accepted", outcome="hold", **coded)
    assert not any("because of" in one.text for one in decided_cells(held, (), ()))


def test_what_a_reason_code_is_about_is_said_by_the_policy_of_the_decision_alone() -> None:
    policy = load_policy()
    named = f"{policy.id} {policy.version} (approved)"
    for code, made_under, about in (
        ("NOT-VERIFIED", named, policy.decisions.grounds["NOT-VERIFIED"]),
        ("OUTSIDE-APPETITE", named, ()),
        ("NOT-VERIFIED", f"{policy.id} 0.0.1 (approved)", ()),
    ):
        given = with_about(record(*LISTED, reason_code=code, policy=made_under), policy)
        assert given
        assert given.decision
        assert given.decision.about == about
    assert with_about(None, policy) is None
    assert with_about(CaseRecord(None), policy) == CaseRecord(None)


@pytest.mark.parametrize("made", [None, CaseRecord(None)])
def test_without_a_decision_an_open_question_of_a_report_is_not_shown_to_the_customer(
    made: CaseRecord | None,
) -> None:
    warning = "Do not show this review to the customer: that could be tipping off."
    shown = decided_cells(made, (), (MATCH, REPORT))
    assert [one.tone for one in shown if one.text == warning] == [Tone.ALARM]
    assert warning not in [one.text for one in decided_cells(made, (), (MATCH, MONEY))]
