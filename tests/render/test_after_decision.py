"""A decided case has the steps that are left after the decision, and says what the decision settled."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from tests.render.specimen_review import AS_OF, contents_of, inputs_of, words_of
from tests.render.test_decision import DECISION
from tests.render.test_left_open import ENDED
from tests.render.test_steps import NAMES, NO_GAPS, findings

from kycpack.evidence import Evidence
from kycpack.pack.check.pdf import read_pdf
from kycpack.pack.check.printed_values import squeezed
from kycpack.render import CasePeople, build_contents
from kycpack.render.review import case_record, contents
from kycpack.render.review.after_decision import ToDo, to_do_of
from kycpack.render.review.approval import Terms
from kycpack.render.review.decision import CaseRecord, DisposedFinding
from kycpack.render.review.decision_support import with_support
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.left_open import is_done
from kycpack.render.review.pdf import render_review_pdf
from kycpack.render.review.reasons import reasons_of, unknowns_of
from kycpack.render.review.steps import AGREED, FREEZE, ON_ANY_LIST
from kycpack.triage.customers.changes import finding_key

LIST = {
    "rule_id": "SAN-1",
    "path": "screening.summary.watchlist.sanctionsLists",
    "owner": "MLRO",
    "action": "hold",
    "level": "escalate",
}
MONEY = {
    "rule_id": "WLT-1",
    "path": "wealth.flags.pass_through",
    "owner": "MLRO",
    "action": "hold",
    "level": "edd",
}
OFFICE = {
    "rule_id": "PEP-2",
    "path": "screening.summary.pep.level2",
    "owner": "MLRO",
    "action": "senior_approval",
    "level": "edd",
}
ADDRESS = {"rule_id": "ADR-1", "path": "address.outcome"}
PAPER = {"rule_id": "OUT-document", "path": "document.outcome", "action": "decline", "level": "reject"}
SUSPICION = {
    "rule_id": "INT-1",
    "path": "wealth.flags.x",
    "owner": "MLRO",
    "action": "internal_report",
    "internal": True,
}
PAYMENT = {"rule_id": "PAY-1", "path": "wealth.payment_support"}
SUPPORT = "The evidence of this pack still supports decision c-1-D1."
RECORDED = "unless that is already decided"


def after(outcome: str, *found: tuple[dict[str, Any], str], needed_of_file: str = "", **other: Any) -> ToDo:
    """Return what is to be done after a decision on findings, each with its verdict; `none` is a finding that it did not have."""
    rows = [{"sentence": f"Thing {number} (E-03)"} | row for number, (row, _) in enumerate(found, 1)]
    disposed = tuple(
        DisposedFinding(f"F-{number}", row["rule_id"], row["sentence"], verdict)
        for number, (row, (_, verdict)) in enumerate(zip(rows, found, strict=True), 1)
        if verdict != "none"
    )
    given: dict[str, Any] = {
        "outcome": outcome,
        "second_role": "MLRO and senior manager",
        "findings": disposed,
        "effect": outcome if outcome in {"hold", "escalate"} else "",
        **other,
    }
    frame = findings(*rows)
    return to_do_of(
        CaseRecord(replace(DECISION, **given)),
        (),
        reasons_of(frame, NAMES, None, disposed),
        unknowns_of(frame, NAMES, NO_GAPS, disposed),
        Terms(needed_of_file=needed_of_file),
    )


def test_an_approval_that_settled_everything_leaves_nothing_to_do() -> None:
    made = after("approve", (ADDRESS, "accepted"), (ADDRESS | {"rule_id": "ADR-2"}, "false_positive"))
    assert made.steps == ()
    assert made.settled == (
        "Settled by decision c-1-D1: the customer is approved, with a verdict on all 2 findings that it numbers. "
        "Nothing else has to be done in this case before its next review."
    )


def test_whether_a_contact_waits_for_the_mlro_is_not_read_from_what_a_finding_says() -> None:
    said = {"rule_id": "X-1", "path": "unheard.of", "sentence": "the customer must not learn of it (E-03)"}
    made = after("approve", (said, "none"), (ADDRESS, "accepted"))
    assert made.steps == ("Analyst: find out what stands behind “the customer must not learn of it” (X-1).",)
    assert made.waits == ""
    assert after("approve", (said | {"internal": True, "action": "internal_report"}, "none")).waits == AGREED


def test_an_approval_with_enhanced_due_diligence_leaves_closer_monitoring() -> None:
    made = after("approve", (OFFICE, "true_match"), (ADDRESS, "accepted"))
    assert made.steps == (
        "MLRO: monitor payments and screening results more closely until the next review (PEP-2).",
    )
    assert made.settled.endswith(
        "the customer is approved, with a verdict on all 2 findings that it numbers."
    )
    unknown = OFFICE | {"outcome": "UNKNOWN", "cause": "Not known."}
    assert after("approve", (unknown, "accepted")).steps == made.steps
    assert after("approve", (OFFICE, "false_positive")).steps == ()
    (watched,) = after(
        "approve", (MONEY | {"action": "ask", "owner": "Analyst"}, "accepted"), reopens_on="2027-03-01"
    ).steps
    assert watched.startswith(
        "Analyst: monitor payments, above all those like “Thing 1”, more closely until the approval ends on 1 Mar 2027 (WLT-1)."
    )


def test_an_approval_that_no_senior_manager_gave_leaves_it_to_senior_management() -> None:
    first, last = after("approve", (OFFICE, "true_match"), second_role="MLRO").steps
    assert first == (
        "1. Senior management: say whether the approval stands, which no senior manager is recorded to have given (PEP-2)."
    )
    assert last.startswith("2. MLRO: monitor payments and screening results more closely until ")


@pytest.mark.parametrize("outcome", ["approve", "reject"])
def test_a_hold_that_is_not_recorded_as_lifted_is_a_step(outcome: str) -> None:
    said = " ".join(after(outcome, (MONEY, "accepted")).steps)
    assert (
        "MLRO: say whether the hold is lifted, and record it (WLT-1). "
        "Until it is lifted, nothing is paid or released, and the customer is contacted only if the MLRO agrees."
    ) in said
    assert "hold the case" not in said
    lifted = " ".join(after(outcome, (MONEY, "accepted"), second_needed=ENDED).steps)
    assert "the hold is lifted" not in lifted
    assert "lifted the hold" not in lifted


def test_a_match_that_the_decision_passed_on_is_settled_by_its_owner_and_frozen_if_it_is_the_person() -> None:
    passed_on = after("reject", (LIST, "escalated"), (PAPER, "accepted"), second_needed=ENDED)
    assert passed_on.steps[0].startswith(
        "1. MLRO: check with the provider whether any match on sanctions lists is"
    )
    assert passed_on.steps[1] == (
        "2. MLRO: if there is reasonable cause to suspect that any match is this person and its list freezes funds, freeze the funds and report to OFSI as soon as practicable (SAN-1)."
    )
    assert passed_on.settled == (
        "Settled by decision c-1-D1: the customer is rejected, with a verdict on 1 of 2 findings; 1 finding is left open."
    )


def test_a_confirmed_match_is_frozen_and_reported_unless_that_was_done() -> None:
    for outcome in ("approve", "reject"):
        first = after(outcome, (LIST, "true_match"), second_needed=ENDED).steps[0]
        assert first.removeprefix("1. ") == (
            "MLRO: freeze the funds if the list requires it, and report to OFSI as soon as practicable, unless that has been done (SAN-1)."
        )
    accepted = after("reject", (LIST, "accepted"), second_needed=ENDED).steps[0]
    assert "freeze the funds if the list requires it" in accepted
    assert not any("freeze" in step for step in after("reject", (LIST, "false_positive")).steps)


def test_what_follows_from_a_match_names_the_match_alone() -> None:
    made = after("approve", (LIST, "escalated"), (MONEY, "escalated")).steps
    assert "(SAN-1); establish the background and purpose of" in made[0]
    assert made[1].endswith("report to OFSI as soon as practicable (SAN-1).")


def test_a_rejection_leaves_the_question_of_a_report_and_the_end_of_the_relationship() -> None:
    made = after("reject", (PAPER, "accepted"), (ADDRESS, "escalated"), (PAYMENT, "accepted"))
    assert made.steps == (
        (
            f"1. MLRO: decide as nominated officer whether to report to the National Crime Agency, {RECORDED}; "
            "the customer must not learn of it."
        ),
        (
            "2. Analyst: carry out no transaction for the customer, and end the business relationship or do not begin it, "
            "once the MLRO agrees; give the customer no reason that could be tipping off."
        ),
    )
    held = after("reject", (PAPER, "accepted"), (MONEY, "accepted")).steps
    assert "once the MLRO has lifted the hold and agrees" in held[-1]


def test_an_internal_finding_leaves_the_question_of_a_report_after_an_approval_too() -> None:
    (step,) = after("approve", (SUSPICION, "none")).steps
    assert step.startswith(
        f"MLRO: decide as nominated officer whether to report to the National Crime Agency, {RECORDED} (INT-1); the customer must not learn of it."
    )


def test_a_question_of_a_report_that_the_checks_could_not_show_is_left_after_an_approval() -> None:
    unknown = SUSPICION | {"outcome": "UNKNOWN", "cause": "The session has no results."}
    (step,) = after("approve", (unknown, "none")).steps
    assert step == (
        "MLRO: decide as nominated officer whether to report to the National Crime Agency: the checks could not show whether there is reason to; the customer must not learn of it."
    )
    assert sum("report" in one for one in after("reject", (unknown, "none")).steps) == 1


def test_a_contact_with_the_customer_waits_for_the_mlro_as_long_as_the_steps_do() -> None:
    held = ADDRESS | {"rule_id": "WLT-1", "owner": "MLRO", "action": "hold", "level": "edd"}
    agreed = "when the MLRO agrees"
    assert after("hold", (held, "inconclusive")).waits == agreed
    assert after("approve", (held, "accepted")).waits == agreed  # nobody recorded that the hold is lifted
    assert after("approve", (SUSPICION, "none")).waits == agreed
    assert after("reject", (ADDRESS, "accepted")).waits == agreed
    assert after("approve", (ADDRESS, "accepted")).waits == ""


def test_what_a_decision_did_not_have_or_gave_no_verdict_is_not_settled() -> None:
    made = after("approve", (ADDRESS, "accepted"), (PAYMENT, "none"))
    assert made.steps[0] == "1. Analyst: do not release the payment until its source is shown (PAY-1)."
    assert "get documents that show where the money of the payment comes from (PAY-1)" in made.steps[1]
    assert (
        "the customer is approved, with a verdict on its finding. 1 point of this pack has no verdict in it."
        in made.settled
    )
    assert not any("release" in step for step in after("approve", (PAYMENT, "accepted")).steps)


def test_a_session_that_has_to_be_completed_is_completed_although_the_finding_was_accepted() -> None:
    wait = {"rule_id": "CDD-2", "path": "diligence.completion", "action": "complete_session", "level": "edd"}
    first = after("approve", (wait, "accepted")).steps[0]
    assert first == (
        "1. Analyst: ask the customer to complete the session (CDD-2). "
        "Until it is complete, no business relationship is established and nothing is paid."
    )


def test_the_risk_file_is_got_after_an_approval_and_not_after_a_rejection() -> None:
    assert (
        "the customer risk file"
        in after("approve", (ADDRESS, "accepted"), needed_of_file="get the customer risk file").steps[0]
    )
    assert not any(
        "risk file" in step
        for step in after("reject", (PAPER, "accepted"), needed_of_file="get the customer risk file").steps
    )


def test_a_hold_in_force_is_kept_and_decides_nothing_else() -> None:
    standing = "The case is not closed: what is in force is the effect of this decision, not its end."
    made = after("hold", (ADDRESS, ""), standing=standing)
    assert made.steps[0].startswith("1. MLRO: keep the hold. Until the hold is lifted, ")
    assert made.steps[1].startswith("2. Analyst: when the MLRO agrees, get another, recent proof of address")
    assert made.steps[-1].startswith("3. MLRO: say whether the hold is lifted, and record the decision. ")
    assert made.settled == (
        "Settled by decision c-1-D1: the case is on hold; whether the customer is approved or rejected is not decided."
    )
    match = after("hold", (LIST, ""), standing=standing).steps[0]
    assert match.startswith(
        "1. MLRO: keep the hold; check with the provider whether any match on sanctions lists"
    )


@pytest.mark.parametrize(
    ("outcome", "other"),
    [
        ("approve", {"standing": "The decision waits for its second person: the case is not closed."}),
        (
            "reject",
            {
                "standing": "The case was reopened after this decision (new evidence): it must be decided again."
            },
        ),
    ],
)
def test_a_decision_that_waits_or_was_overtaken_leaves_all_steps(outcome: str, other: dict[str, Any]) -> None:
    made = after(outcome, (LIST, "escalated"), (ADDRESS, "accepted"), **other)
    assert made.settled == ""
    assert made.steps[0].startswith("1. MLRO: hold the case; check")
    assert any("(ADR-1)" in step for step in made.steps)


def test_an_escalation_leaves_the_decision_on_the_customer_open() -> None:
    made = after("escalate", (ADDRESS, "escalated"))
    assert "(ADR-1)" in made.steps[0]
    assert "record the decision" in made.steps[-1]
    assert (
        "the case is escalated; whether the customer is approved or rejected is not decided" in made.settled
    )


@pytest.mark.parametrize(
    ("support", "ends", "settled"),
    [
        (SUPPORT, "", True),
        (SUPPORT, (AS_OF + timedelta(days=1)).date().isoformat(), True),
        (SUPPORT, AS_OF.date().isoformat(), False),
        ("The evidence of this pack no longer supports decision c-1-D1. New: a match", "", False),
        ("", "", False),
    ],
)
def test_a_decision_on_other_evidence_settles_the_case_only_while_it_is_supported(
    support: str, ends: str, *, settled: bool
) -> None:
    decided = replace(DECISION, reopens_on=ends)
    record = with_support(CaseRecord(decided), "3" * 64, support, (), ("MLRO",), day=AS_OF.date())
    assert is_done(record, ()) is settled
    assert (to_do_of(record, (), (), (), Terms()).steps == ()) is settled


def test_an_approval_does_not_settle_a_sum_that_grew_since() -> None:
    about = {
        "rule_id": "WLT-1",
        "path": "wealth.flags.structuring",
        "sentence": "9 credits in (9,000.00 GBP) (E-03)",
    }
    small = findings(about)
    (row,) = small.to_dict("records")
    disposed = (DisposedFinding("F-1", "WLT-1", row["sentence"], "accepted", key=finding_key(row)),)
    record = CaseRecord(
        replace(DECISION, outcome="approve", findings=disposed, effect=""), is_before=True, is_supported=True
    )

    def settled(sentence: str) -> str:
        frame = findings(about | {"sentence": sentence})
        return to_do_of(record, (), reasons_of(frame, NAMES, None, disposed), (), Terms()).settled

    assert "the customer is approved, with a verdict on its finding" in settled(
        "9 credits in (9,000.00 GBP) (E-05)"
    )
    assert settled("40 credits in (900,000.00 GBP) (E-05)") == ""


def test_the_pack_of_a_decided_case_says_what_was_settled_and_has_what_is_left_to_do(
    specimen: Evidence,
) -> None:
    inputs = inputs_of(specimen)
    undecided = contents_of(specimen)
    assert len(undecided.steps) > 2
    disposed = tuple(
        DisposedFinding(f"F-{number}", str(row.rule_id), str(row.sentence), "accepted")
        for number, row in enumerate(inputs.triage.findings.itertuples(), 1)
        if row.outcome in {"HIT", "UNKNOWN"} and not row.internal
    )
    decided = replace(DECISION, outcome="reject", findings=disposed, evidence_root=specimen.root)
    made = build_contents(replace(inputs, case=CasePeople("case-1", record=CaseRecord(decided))))
    assert made.steps
    assert not set(made.steps) & set(undecided.steps)
    assert made.steps[-1].endswith("give the customer no reason that could be tipping off.")
    page = squeezed(read_pdf(render_review_pdf(made), "review.pdf").pages[0])
    html = squeezed(unescape(re.sub("<[^>]*>", "", render_summary_html(made))))
    section = words_of(made.section("decision"))
    assert squeezed(made.to_do.settled) not in page
    assert squeezed(made.to_do.first) in page
    assert squeezed(made.to_do.first) in html
    for said in (made.to_do.settled, *made.steps):
        assert said in section
        assert any(said == cell.text for cell in made.summary)
    for said in (page, html, squeezed(section)):
        assert squeezed("Still to do after this decision") in said
        assert squeezed("What to do, in this order") not in said


def test_a_hold_stays_in_the_steps_while_a_later_decision_waits_for_its_second_person() -> None:
    waits = "The decision waits for its second person: the case is not closed."
    made = after("approve", (ADDRESS, ""), standing=waits, effect="hold")
    assert made.steps[0].startswith("1. MLRO: keep the hold. ")
    assert "when the MLRO agrees" in made.steps[1]


def test_a_payment_whose_source_nobody_settled_is_still_not_released() -> None:
    payment = {
        "path": "wealth.payment_support",
        "rule_id": "PAY-1",
        "owner": "MLRO",
        "action": "ask",
        "level": "review",
    }
    made = after("approve", (payment, "inconclusive"))
    assert any("do not release" in step for step in made.steps)
    assert "Nothing else" not in made.settled


def test_a_rejection_keeps_a_match_that_the_results_name() -> None:
    entry = {
        "path": "plausible.sanctions_entries",
        "rule_id": "SAN-3",
        "owner": "MLRO",
        "action": "hold",
        "level": "escalate",
    }
    made = after("reject", (PAPER, "accepted"), (entry, "escalated"))
    assert any("freeze the funds" in step for step in made.steps)


def test_what_rests_on_a_report_that_nobody_decided_waits_for_the_mlro() -> None:
    session = {
        "path": "diligence.completion",
        "rule_id": "CDD-2",
        "owner": "Analyst",
        "action": "complete_session",
        "level": "review",
    }
    report = {
        "path": "wealth.flags.crypto",
        "rule_id": "INT-1",
        "owner": "MLRO",
        "action": "internal_report",
        "level": "approve",
        "internal": True,
    }
    made = after("approve", (session, "accepted"), (report, "none"))
    (asked,) = [step for step in made.steps if "ask the customer to complete" in step]
    assert "when the MLRO agrees" in asked


def test_what_was_left_inconclusive_is_not_said_to_be_done() -> None:
    made = after("approve", (ADDRESS, "inconclusive"))
    assert made.settled == (
        "Settled by decision c-1-D1: the customer is approved, with a verdict on its finding, inconclusive."
    )


def test_a_risk_that_was_accepted_with_measures_leaves_the_measures_to_carry_out() -> None:
    made = after("approve", (ADDRESS, "accepted"), reason_code="RISK-ACCEPTED")
    assert made.steps == ("Analyst: carry out the measures that the decision names, until the next review.",)
    assert "Nothing else has to be done" not in made.settled
    assert (
        after("reject", (PAPER, "accepted"), reason_code="RISK-ACCEPTED").steps
        == after("reject", (PAPER, "accepted")).steps
    )


def test_what_is_to_be_done_is_worked_out_once_for_a_review(
    specimen: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def counting(*given: Any, **named: Any) -> ToDo:
        calls.append(1)
        return to_do_of(*given, **named)

    for module in (case_record, contents):
        monkeypatch.setattr(module, "to_do_of", counting, raising=False)
    made = build_contents(inputs_of(specimen))
    assert made.to_do.steps
    assert len(calls) == 1


def test_a_rejection_leaves_what_stands_behind_a_rejected_screening_to_settle() -> None:
    screening = {
        "rule_id": "OUT-screening",
        "path": "screening.outcome",
        "owner": "MLRO",
        "action": "decline",
        "level": "reject",
    }
    first, second, *others = after("reject", (screening, "escalated"), (PAPER, "accepted")).steps
    assert first.startswith("1. MLRO: ask the provider what stands behind the screening result, and decide")
    assert second == f"2. MLRO: {FREEZE}. {ON_ANY_LIST}"
    assert len(others) == 2
    assert not any("screening result" in step for step in after("reject", (screening, "accepted")).steps)


def test_a_decision_that_left_out_the_mlro_or_the_new_evidence_says_that_it_did_not_follow_the_steps() -> (
    None
):
    alone = {"second_by": "", "second_role": "", "second_needed": (), "needed_of_file": "get the risk file"}
    said = after("reject", (ADDRESS, "accepted"), (SUSPICION, "none"), **alone).settled
    assert said.endswith(
        "The decision did not follow the order of the steps: the MLRO was to act first (INT-1) and took no part in it; the evidence was "
        "to be collected again first, and the decision rests on the earlier evidence."
    )
    again = after("reject", (ADDRESS, "accepted"), (SUSPICION, "none"), standing="Opened again.", **alone)
    assert again.settled.startswith("The decision did not follow the order of the steps: the MLRO was to act")
    assert again.steps
    assert again.before_first == again.out_of_order == again.settled  # page one says it also beside a step
    asked = after("reject", (ADDRESS, "accepted"), (SUSPICION, "none"))
    assert "the order of the steps" not in asked.settled  # the MLRO was the second person
    declined = after("reject", (PAPER, "accepted"), needed_of_file="get the risk file")
    assert (
        "the order of the steps" not in declined.settled
    )  # the file is only needed if the customer is not declined
    assert "the order of the steps" not in after("hold", (MONEY, "accepted"), **alone).settled


ASKED_OF_MONEY = "MLRO: establish the background and purpose of “Thing 2”, with evidence (WLT-1)."
ASKED_OF_ADDRESS = (
    "Analyst: get another, recent proof of address in the customer's name, and have it checked (ADR-1)."
)


@pytest.mark.parametrize("verdict", ["accepted", "inconclusive", ""])
def test_what_was_asked_and_has_no_recorded_answer_is_listed_after_a_decision(verdict: str) -> None:
    """A verdict that accepts a finding says that the result is right, and gives no answer to what was asked about it."""
    found = ((PAPER, "accepted"), (MONEY, verdict), (ADDRESS, verdict))
    ended = after("reject", *found, second_needed=ENDED)
    asked = (ASKED_OF_MONEY, ASKED_OF_ADDRESS) if verdict else ()  # what has no verdict has a step
    assert ended.unanswered == asked
    texts = [block.text for block in ended.blocks]  # type: ignore[union-attr]
    heading = "Asked for, without a recorded answer at the decision"
    assert ([heading, *asked] == texts[1:4]) is bool(asked)
    assert (heading in texts) is bool(asked)


def test_a_question_that_evidence_from_outside_answered_or_that_is_a_step_is_not_listed() -> None:
    assert after("reject", (LIST, "false_positive"), (PAPER, "accepted")).unanswered == ()
    assert after("reject", (LIST, "accepted"), second_needed=ENDED).unanswered == ()
    passed_on = after("reject", (ADDRESS, "escalated"), (PAPER, "accepted"))
    assert passed_on.unanswered == ()
    waits = after("reject", (ADDRESS, "accepted"), second_by="", second_needed=("it is a rejection",))
    assert waits.unanswered == ()


def test_after_a_decision_one_person_is_asked_about_one_payment() -> None:
    first = MONEY | {"sentence": "Money moved on: 10 credits in (E-03)"}
    second = MONEY | {
        "rule_id": "WLT-2",
        "owner": "Analyst",
        "action": "ask",
        "sentence": "Much money from one payer: 4 credits; these payments are among those of “Money moved on” (E-03)",
    }
    asked = after("reject", (first, "inconclusive"), (second, "inconclusive"), second_needed=ENDED).unanswered
    assert asked == (
        "MLRO: establish the background and purpose of “Money moved on” and “Much money from one payer”, with evidence (WLT-1 and WLT-2).",
    )
    (mine,) = after("reject", (second, "inconclusive")).unanswered
    assert mine.startswith("Analyst: ")
