"""What was asked before a decision and has no recorded answer is listed after it, with one owner."""

from __future__ import annotations

import pytest
from tests.render.test_after_decision import ADDRESS, LIST, MONEY, PAPER, after
from tests.render.test_left_open import ENDED


def test_what_was_left_inconclusive_is_not_said_to_be_done() -> None:
    made = after("approve", (ADDRESS, "inconclusive"))
    assert made.settled == (
        "Settled by decision c-1-D1: the customer is approved, with a verdict on its finding, inconclusive. Decided before "
        "steps that should come first. Before the decision there is no record of any answer about F-1."
    )


ASKED_OF_MONEY = "MLRO: establish the background and purpose of “Thing 2”, with evidence (WLT-1)."


ASKED_OF_ADDRESS = (
    "Analyst: get another, recent proof of address in the customer's name, and have it checked (ADR-1)."
)


@pytest.mark.parametrize("verdict", ["accepted", "inconclusive", ""])
def test_what_was_asked_and_has_no_recorded_answer_is_listed_after_a_decision(verdict: str) -> None:
    """A verdict that accepts a finding says that the result is right, and gives no answer to what was asked about it."""
    found = ((PAPER, "accepted"), (MONEY, verdict), (ADDRESS, verdict))
    ended = after("reject", *found, second_needed=ENDED)
    # What has no verdict has a step; the address was only due if the customer was not declined.
    asked = (ASKED_OF_MONEY,) if verdict else ()
    assert ended.unanswered == asked
    texts = [block.text for block in ended.blocks]  # type: ignore[union-attr]
    heading = "Asked for, without a recorded answer at the decision"
    assert ([heading, *asked] == texts[1:3]) is bool(asked)
    assert (heading in texts) is bool(asked)
    chosen = after("reject", *found[1:], second_needed=ENDED)
    assert (ASKED_OF_ADDRESS in chosen.unanswered) is bool(verdict)


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
