"""A session that waits for the customer is due diligence that is not complete: one level, one owner, one thing to do."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from tests.frames.evidence_maker import RECORD, STATUS, EvidenceMaker
from tests.render.said_steps import steps_of
from tests.triage.test_evaluate import AS_OF, POLICY, finding, level, triage

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.render.review.check_strip import check_strip, session_states
from kycpack.render.review.matters import headline_of, matters_of
from kycpack.render.review.reasons import reasons_of, unknowns_of
from kycpack.render.review.short_names import short_names
from kycpack.triage import Triage, evaluate

UNDONE = {"identity": {"completed": False, "confirmed": None}, "ais": {"completed": True}}
ACCOUNT = {
    "id": "a1",
    "currency": "GBP",
    "accountHolderName": "Ada Byron",
    "tokenExpiry": "2026-08-01T00:00:00Z",
}


def waiting(*states: str) -> Evidence:
    """Return evidence of sessions without results, with a bank account in the customer's name."""
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    for number, state in enumerate(states, 1):
        status = {**STATUS, "id": f"s{number}", "status": state, "progress": UNDONE}
        made.answer("onboarding.get", status, session_id=f"s{number}")
    made.answer("bank_accounts.list", {"items": [ACCOUNT]})
    return made.make()


def judged(*states: str) -> Triage:
    return evaluate(flatten(waiting(*states)), POLICY, as_of=AS_OF)


@pytest.mark.parametrize(("state", "words"), [("pending", "pending"), ("inprogress", "in progress")])
def test_what_is_not_finished_is_the_reason_and_the_customer_is_asked_to_finish_it(
    state: str, words: str
) -> None:
    made = judged(state)
    assert level(made) == "edd"
    row = finding(made, "CDD-2")
    assert row[["outcome", "level", "owner", "action"]].tolist() == [
        "HIT",
        "edd",
        "Analyst",
        "complete_session",
    ]
    assert (
        f"due diligence is not complete: the session is {words}, so the customer is not yet verified"
        in row["sentence"]
    )
    assert "inprogress" not in " ".join(made.findings["sentence"]) + " ".join(made.findings["cause"])
    frames = flatten(waiting(state))
    names = short_names(frames)
    reasons = reasons_of(made.findings, names)
    unknowns = unknowns_of(made.findings, names, frames.gaps)
    assert headline_of(reasons, unknowns, "").startswith("Customer due diligence is not complete")
    assert all(one.level != "edd" or "not complete" in one.text for one in reasons if one.owner == "Analyst")
    steps = " ".join(steps_of((*matters_of(reasons), *unknowns)))
    assert (
        "2. Analyst: when the MLRO agrees, ask the customer to complete session S1 (CDD-2, SES-1 and SES-3)"
        in steps
    )
    assert "5. Analyst: collect the results once the session is complete, and make a new pack" in steps
    assert "no business relationship is established and nothing is approved or paid" in steps


@pytest.mark.parametrize("state", ["pending", "inprogress", "expired"])
def test_the_status_of_an_unfinished_session_is_known(state: str) -> None:
    row = finding(judged(state), "SES-1")
    assert (row["outcome"], row["level"]) == ("HIT", "review")


def test_a_session_that_waits_is_open_beside_one_that_expired_but_not_beside_a_complete_one() -> None:
    assert finding(judged("expired", "pending"), "CDD-2")["outcome"] == "HIT"
    assert finding(judged("expired"), "CDD-2")["outcome"] == "CLEAR"
    assert finding(judged("expired"), "CDD-1")["outcome"] == "HIT"
    assert finding(triage(), "CDD-2")["outcome"] == "CLEAR"


def test_results_that_came_before_the_session_ended_are_judged_as_they_are() -> None:
    made = triage(status={**STATUS, "status": "inprogress"})
    assert level(made) == "review"
    assert "SES-1" in made.recommendations["fired"].iloc[0]


def test_a_part_with_nothing_found_against_it_does_not_refer_to_findings() -> None:
    frames = replace(flatten(waiting("pending")), transactions=pd.DataFrame({"seen": [1]}))
    found = judged("pending").findings
    strip = dict(
        check_strip(
            frames, pd.DataFrame(), [], found[found["rule_id"] == "CON-4"], session_states(frames, found)
        )
    )
    assert strip["Bank"].text == "1 check open, no red flag"
