"""Steps of a rejection: what comes before it, and what follows only if the customer is not rejected."""

from __future__ import annotations

import pytest
from tests.frames.evidence_maker import IDENTITY, KNOWN, clear_customer
from tests.render.said_steps import steps_of
from tests.render.specimen_review import contents_of
from tests.render.step_findings import (
    DECLINE,
    LIST,
    NAMES,
    NOT_OPENED,
    RECORDED,
    REJECTED,
    UNSEEN,
    declined_from,
    findings,
    steps,
)

from kycpack.render.review.approval import Terms
from kycpack.render.review.reasons import reasons_of
from kycpack.render.review.steps import FREEZE, ON_ANY_LIST
from kycpack.render.review.task_kinds import Task
from kycpack.render.review.tasks import COMPLETE


def test_who_lacks_a_session_waits_for_the_analyst_who_gets_it() -> None:
    missing = {"outcome": "UNKNOWN", "session_id": "ses-1", "cause": "The session is pending."}
    rows = (
        missing | {"path": "screening.outcome", "owner": "MLRO", "level": "edd"},
        {"rule_id": "SES-3", "path": "session.identity_completed", "session_id": "ses-1"},
    )
    assert steps(*rows, absent={"ses-1": COMPLETE}) == (
        f"1. Analyst: have the customer complete session S1 (SES-3 and X-1). {NOT_OPENED}",
        "2. Analyst: collect the results once they are there, and make a new pack.",
        "3. MLRO: review the screening of session S1 in the new pack (X-1).",
        "4. MLRO: decide on the new pack whether to approve the customer, and record the decision. An approval takes two people, because the level is above manual review.",
    )


def test_what_only_serves_an_approval_is_asked_after_a_decline_and_only_if_there_is_none() -> None:
    identity = {"rule_id": "SES-2", "path": "session.identity_confirmed", "session_id": "ses-1"}
    office = {
        "rule_id": "PEP-2",
        "path": "screening.summary.pep.pepLevel2",
        "owner": "MLRO",
        "action": "senior_approval",
        "level": "edd",
    }
    *declined, asked, judged, approved, recorded, watched = steps(identity, office, DECLINE)
    assert tuple(declined) == declined_from(1, "Steps 4 and 5 follow")
    assert asked.startswith("4. Analyst: when the MLRO agrees, have the customer repeat")
    assert asked.endswith(NOT_OPENED)
    assert judged.startswith("5. MLRO: check with the provider")
    assert approved.startswith("6. Senior management: only if the customer is not rejected, decide whether")
    assert (
        recorded
        == f"7. Analyst: record the decision. An approval takes two people, one of them a senior manager. {REJECTED}"
    )
    assert watched.startswith(
        "8. MLRO: after an approval, monitor payments and screening results more closely until "
    )
    assert not any("not rejected" in step for step in steps(identity, office))


def test_a_decline_waits_for_no_session_that_the_customer_has_to_make() -> None:
    missing = {
        "outcome": "UNKNOWN",
        "session_id": "ses-1",
        "cause": "The session has expired.",
        "owner": "MLRO",
    }
    rows = (
        missing | {"path": "screening.outcome", "level": "edd"},
        missing | {"path": "document.outcome", "internal": True},
        DECLINE | {"rule_id": "CDD-1", "path": "diligence.completion", "level": "review"},
    )
    reported, decided, declined, made, collected, seen, _ = steps(
        *rows, absent={"ses-1": Task("have the customer complete a new session in place of {}")}
    )
    assert reported == f"1. {UNSEEN}"
    assert decided == "2. MLRO: say whether the customer may be rejected."
    assert declined.startswith("3. Analyst: reject the customer")
    assert declined.endswith(" Steps 4 to 6 follow only if the customer is not rejected.")
    assert made.startswith("4. Analyst: when the MLRO agrees, have the customer complete a new")
    assert collected.startswith("5. Analyst: collect the results once they are there, ")
    assert seen.startswith("6. MLRO: review the screening")


def test_a_session_is_completed_only_if_the_customer_is_not_declined() -> None:
    wait = {"rule_id": "CDD-2", "path": "diligence.completion", "action": "complete_session", "level": "edd"}
    *declined, completed, asked, collected, recorded = steps(wait, DECLINE, {"path": "address.outcome"})
    assert tuple(declined) == declined_from(1, "Steps 4 to 6 follow")
    assert completed.startswith("4. Analyst: ask the customer to complete")
    assert asked.startswith("5. Analyst: get another, recent proof of address")
    assert collected == "6. Analyst: collect the results once the session is complete, and make a new pack."
    assert recorded == f"7. {RECORDED}"


def test_a_decline_waits_for_the_mlro_who_has_a_step_and_for_what_the_rejected_result_means() -> None:
    rejected = DECLINE | {"sentence": "Document rejected: data integrity 'attention' (E-03)"}
    asked, *others = steps(rejected)
    assert asked == (
        "1. Analyst: ask the provider what data integrity 'attention' means (OUT-document). If the provider changes the result, collect the "
        "results again, make a new pack, and decide on that."
    )
    assert [step.replace("Document rejected", "A thing was found") for step in others] == [
        *declined_from(2),
        f"5. {RECORDED}",
    ]
    report = {"rule_id": "INT-1", "path": "wealth.flags.x", "owner": "MLRO", "action": "internal_report"}
    decided, asked, allowed, declined, _ = steps(rejected, report | {"internal": True})
    assert decided.startswith(
        "1. MLRO: decide as nominated officer whether to report to the National Crime Agency (INT-1). "
        "Decide on the report now, on what is known, and again when the answers are in. The customer must not learn of it"
    )
    assert asked.startswith("2. Analyst: ask the provider what data integrity")
    assert allowed == "3. MLRO: say whether the customer may be rejected."
    assert declined.endswith("(OUT-document), once the MLRO has said that the customer may be rejected.")


def test_a_session_is_completed_in_one_step_and_the_mlro_reads_the_new_pack() -> None:
    missing = {
        "outcome": "UNKNOWN",
        "session_id": "ses-1",
        "cause": "The session is pending.",
        "path": "screening.outcome",
        "owner": "MLRO",
        "level": "edd",
    }
    rows = (
        {"rule_id": "CDD-2", "path": "diligence.completion", "action": "complete_session", "level": "edd"},
        {"rule_id": "SES-1", "path": "session.status", "session_id": "ses-1"},
        {"rule_id": "SES-3", "path": "session.identity_completed", "session_id": "ses-1"},
        missing | {"rule_id": "OUT-screening"},
    )
    assert steps(*rows, absent={"ses-1": COMPLETE}) == (
        (
            "1. Analyst: ask the customer to complete session S1 (CDD-2, OUT-screening, SES-1 and SES-3). "
            "Until it is complete, no business relationship is established and nothing is approved or paid."
        ),
        "2. Analyst: collect the results once the session is complete, and make a new pack.",
        "3. MLRO: review the screening of session S1 in the new pack (OUT-screening).",
        (
            "4. MLRO: decide on the new pack whether to approve the customer, and record the decision. An approval takes two people, because the level is above manual review. "
            "Until the session is complete the level is enhanced due diligence, by the firm's standard in its policy; the new pack sets it again."
        ),
    )
    # Another finding of that level keeps it when the session is complete.
    other = {"rule_id": "CTY-1", "path": "country", "level": "edd", "sentence": "A country (E-03)"}
    assert not any("sets it again" in step for step in steps(*rows, other, absent={"ses-1": COMPLETE}))


@pytest.mark.parametrize("owner", ["Analyst", "MLRO"])
@pytest.mark.parametrize("action", ["ask", "complete_session"])
@pytest.mark.parametrize(
    "path", ["wealth.questions.pay_beside_benefit", "wealth.source_found", "address.outcome", "expiry.x"]
)
def test_what_is_asked_beside_a_session_is_asked_before_the_new_pack_is_made(
    path: str, action: str, owner: str
) -> None:
    made = steps(
        {"rule_id": "SES-1", "path": "session.status", "session_id": "ses-1", "action": action},
        {"rule_id": "OUT-address", "path": "address.outcome", "session_id": "ses-1", "outcome": "UNKNOWN"},
        {"rule_id": "OWN-1", "path": path, "sentence": "A thing (E-07)", "owner": owner},
        absent={"ses-1": COMPLETE},
    )
    (asked,) = (place for place, step in enumerate(made) if "OWN-1" in step)
    (collected,) = (place for place, step in enumerate(made) if "collect the results" in step)
    assert asked < collected


def test_a_customer_is_declined_in_one_step_and_the_mlro_waits_for_nobody() -> None:
    unfinished = {"rule_id": "CDD-1", "path": "diligence.completion", "action": "decline", "owner": "MLRO"}
    alone = steps(unfinished)
    assert (
        alone[-2]
        == "3. MLRO: reject the customer because of “A thing was found” (CDD-1), if the customer may be rejected."
    )
    *_, both, recorded = steps(unfinished, DECLINE | {"sentence": "Document rejected (E-04)"})
    assert both == (
        "3. MLRO: reject the customer because of “Document rejected” and “A thing was found” (OUT-document and CDD-1), "
        "if the customer may be rejected."
    )
    assert (
        recorded
        == "4. MLRO: record the decision. An approval takes two people, because the level is above manual review. A rejection takes one person, once the MLRO agrees."
    )
    *_, held, _ = steps(unfinished, LIST)
    assert held.endswith("(CDD-1), once the hold is lifted and if the customer may be rejected.")


def test_what_stands_behind_a_rejected_screening_is_settled_before_the_decline() -> None:
    rejected = {"rule_id": "OUT-screening", "path": "screening.outcome", "action": "decline"}
    asked, frozen, *others = steps(rejected | {"owner": "MLRO", "level": "reject"})
    assert asked.startswith("1. MLRO: ask the provider what stands behind the screening result, and decide")
    assert frozen == f"2. MLRO: {FREEZE}; until that is settled, nothing is approved or paid. {ON_ANY_LIST}"
    assert "reject the customer" in others[2]


@pytest.mark.parametrize("ordered", [True, False])
def test_a_session_without_monitoring_has_a_step(*, ordered: bool) -> None:
    (session,) = KNOWN["sessions"]
    checks = {**IDENTITY, "amlExtensiveMonitoring": ordered}
    known = {**KNOWN, "sessions": [session | {"ordered": {"identity": checks, "ais": None}}]}
    made = contents_of(clear_customer(known=known))
    step = "MLRO: decide whether to order monitoring for session S1, which has none."
    assert any(one.endswith(step) for one in made.steps) != ordered


def test_a_decline_that_takes_the_mlro_says_so_where_the_customer_is_declined() -> None:
    terms = Terms(of_lists=frozenset({"SAN-1"}))
    for rows, is_said in (((DECLINE, LIST), True), ((DECLINE,), False)):
        made = steps_of(reasons_of(findings(*rows), NAMES), terms)
        (declined,) = (step for step in made if "reject the customer because of" in step)
        assert ("may be rejected, with the MLRO as one of the two people." in declined) == is_said
