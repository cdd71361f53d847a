"""A decided case has the steps that are left after the decision, and says what the decision settled."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.render.step_findings import NAMES, NO_GAPS, findings
from tests.render.test_decision import DECISION
from tests.render.test_left_open import ENDED

from kycpack.render.review.after_decision import ToDo, to_do_of
from kycpack.render.review.approval import Terms
from kycpack.render.review.decision import CaseRecord, DisposedFinding
from kycpack.render.review.reasons import reasons_of, unknowns_of
from kycpack.render.review.steps import AGREED, FREEZE, ON_ANY_LIST

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
RECORDED = "if that has not been decided yet"


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


def test_an_escalation_in_force_is_ended_by_two_people_whatever_the_level() -> None:
    made = after("escalate", (ADDRESS, "escalated"))
    assert made.steps[-1].endswith(
        "An approval or a rejection takes two people, because it ends the escalation."
    )


def test_an_approval_that_settled_everything_leaves_nothing_to_do() -> None:
    made = after("approve", (ADDRESS, "false_positive"), (ADDRESS | {"rule_id": "ADR-2"}, "false_positive"))
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
    made = after("approve", (OFFICE, "true_match"), (ADDRESS, "false_positive"))
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
            "2. Analyst: carry out no transaction for the customer; "
            "once the MLRO agrees, end the business relationship or do not begin it; give the customer no reason that could be tipping off."
        ),
    )
    held = after("reject", (PAPER, "accepted"), (MONEY, "accepted")).steps
    assert "once the MLRO has lifted the hold and agrees" in held[-1]


def test_an_internal_finding_leaves_the_question_of_a_report_after_an_approval_too() -> None:
    (step,) = after("approve", (SUSPICION, "none")).steps
    assert step.startswith(
        f"MLRO: decide as nominated officer whether to report to the National Crime Agency (INT-1), {RECORDED}; the customer must not learn of it."
    )


def test_a_question_of_a_report_that_the_checks_could_not_show_is_left_after_an_approval() -> None:
    unknown = SUSPICION | {"outcome": "UNKNOWN", "cause": "The session has no results."}
    (step,) = after("approve", (unknown, "none")).steps
    assert step == (
        "MLRO: decide as nominated officer whether to report to the National Crime Agency: the checks that look for grounds could not all be completed; the customer must not learn of it."
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
    assert made.settled == made.out_of_order
    assert made.settled.endswith("there is no record of any answer about F-2.")
    assert made.steps[0].startswith("1. MLRO: hold the case; check")
    assert any("(ADR-1)" in step for step in made.steps)


def test_an_escalation_leaves_the_decision_on_the_customer_open() -> None:
    made = after("escalate", (ADDRESS, "escalated"))
    assert "(ADR-1)" in made.steps[0]
    assert "record the decision" in made.steps[-1]
    assert (
        "the case is escalated; whether the customer is approved or rejected is not decided" in made.settled
    )


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


def test_a_risk_that_was_accepted_with_measures_leaves_the_measures_to_carry_out() -> None:
    made = after("approve", (ADDRESS, "accepted"), reason_code="RISK-ACCEPTED")
    assert made.steps == ("Analyst: carry out the measures that the decision names, until the next review.",)
    assert "Nothing else has to be done" not in made.settled
    assert (
        after("reject", (PAPER, "accepted"), reason_code="RISK-ACCEPTED").steps
        == after("reject", (PAPER, "accepted")).steps
    )


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
    assert second == f"2. MLRO: {FREEZE}; until that is settled, nothing is approved or paid. {ON_ANY_LIST}"
    assert len(others) == 2
    assert not any("screening result" in step for step in after("reject", (screening, "accepted")).steps)
