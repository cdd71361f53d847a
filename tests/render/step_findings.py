"""Findings of which the tests on the steps of a case are made."""

from __future__ import annotations

import pandas as pd
from tests.render.said_steps import steps_of

from kycpack.render.origin import value_of
from kycpack.render.review.approval import Terms
from kycpack.render.review.reasons import Reason, reasons_of, unknowns_of
from kycpack.render.review.short_names import ShortName, ShortNames

NAMES = ShortNames((ShortName("S1", "ses-1", "A session", value_of("sessions")),))
COLUMNS = {
    "outcome": "HIT",
    "rule_id": "X-1",
    "session_id": None,
    "level": "review",
    "owner": "Analyst",
    "action": "ask",
    "title": "A check",
    "sentence": "A thing was found (E-03)",
    "cause": "",
    "evidence_ids": ["E-03"],
    "path": "",
    "value": None,
    "internal": False,
    "superseded_by": None,
    "basis": "",
}
NOT_OPENED = "Until the identity is confirmed, no business relationship is established and nothing is approved or paid."
BY_ONE = "One person may approve or reject, because the level is not above manual review."
REJECTED = "A rejection takes one person, once the MLRO agrees."
BY_ONE_WITH_MLRO = f"An approval takes one person, because the level is not above manual review. {REJECTED}"
NEED = Reason("", "", "MLRO", "review", "internal_report", internal=True)
BY_ONE_LATER = "One person may reject, or approve once the conditions are met, because the level (approve) is not above manual review."
DECIDED = f"Analyst: decide whether to approve the customer, and record the decision. {BY_ONE}"
UNSEEN = (
    "MLRO: decide as nominated officer whether to report to the National Crime Agency: the checks that look for grounds could not all be completed. "
    "Decide on the report now, on what is known, and again when the answers are in. "
    "The customer must not learn of it and is contacted only if the MLRO agrees. "
    "Any other member of staff who knows or suspects money laundering or terrorist financing, or has reasonable grounds for knowing or suspecting it, reports it internally to the MLRO."
)
NO_GAPS = pd.DataFrame({"message": [], "subject": [], "evidence_id": []})


def findings(*rows: dict) -> pd.DataFrame:
    return pd.DataFrame([COLUMNS | row for row in rows])


def steps(*rows: dict, absent: dict | None = None) -> tuple[str, ...]:
    found = findings(*rows)
    why = (*reasons_of(found, NAMES), *unknowns_of(found, NAMES, NO_GAPS, (), absent or {}))
    return steps_of(why, Terms(of_lists=frozenset({"SAN-1"})))


DECLINE = {"rule_id": "OUT-document", "path": "document.outcome", "action": "decline", "level": "reject"}
RECORDED = "Analyst: record the decision. An approval takes two people, because the level is above manual review. A rejection takes one person, once the MLRO agrees."
REPORTED = (
    (
        "{}. Analyst: if you know or suspect money laundering or terrorist financing, or have reasonable grounds for knowing or suspecting it, "
        "report it internally to the MLRO. The customer must not learn of it."
    ),
    "{}. MLRO: if a suspicion is reported, decide as nominated officer whether to report to the National Crime Agency; say in any case whether the customer may be rejected.",
    "{}. Analyst: reject the customer because of “A thing was found” (OUT-document), once the MLRO has said that the customer may be rejected.",
)


def declined_from(place: int, follow: str = "") -> tuple[str, ...]:
    """Return the steps of a decline, numbered from a place."""
    only = f" {follow} only if the customer is not rejected." if follow else ""
    made = [step.format(at) for at, step in enumerate(REPORTED, place)]
    return (*made[:-1], f"{made[-1]}{only}")


LIST = {
    "path": "screening.summary.watchlist.sanctionsLists",
    "rule_id": "SAN-1",
    "owner": "MLRO",
    "action": "hold",
    "level": "escalate",
}
BY_TWO = "An approval or a rejection takes two people, one of them the MLRO, because a possible match may be this person, on a list that may freeze funds (SAN-1)."
