"""A decision of the provider that refuses the customer recommends a rejection, in whichever member it stands."""

from __future__ import annotations

from typing import Any

import pytest
from tests.triage.test_evaluate import finding, level, triage
from tests.triage.test_repeated_details import put


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("decision", {"status": "declined", "code": 9102}),
        ("identity.decision", {"type": "REJECTED", "details": {"label": "ID_USED_AS_SELFIE"}}),
        ("document.reviewResult", {"reviewAnswer": "RED", "rejectLabels": ["FORGERY"]}),
        ("document.status", "rejected"),
        ("verification", {"status": "Declined"}),
        ("address.finalDecision", "not approved"),
        ("overallResult", "refused"),
        ("screening.decision", "rejected"),
        ("data.decision", "declined"),
        ("response.body.result", "rejected"),
        ("decision", ["declined"]),
        ("complianceDecision", "rejected"),
        ("amlDecision", "refused"),
    ],
)
def test_a_refusal_is_a_rejection(path: str, value: Any) -> None:
    made = triage(results=put(path, value))
    assert level(made) == "reject"
    assert finding(made, "RES-9")["outcome"] == "HIT"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("document.checks", [{"name": "hologram", "result": "rejected"}]),
        ("document.signature", {"result": "rejected"}),
        ("identity.trafficLight", "red"),
        ("decision", {"status": "resubmission_requested"}),
        ("identity.photo", {"status": "declined"}),
        ("document.results", [{"status": "declined"}]),
        ("checks.data", ["declined"]),
    ],
)
def test_one_test_that_failed_is_looked_at_and_no_rejection(path: str, value: Any) -> None:
    assert level(triage(results=put(path, value))) in {"review", "edd"}


@pytest.mark.parametrize("value", ["approved", "accepted", "clear"])
def test_a_decision_for_the_customer_refuses_nobody(value: str) -> None:
    made = triage(results=put("decision", {"status": value}))
    assert finding(made, "RES-9")["outcome"] == "CLEAR"
    assert level(made) == "approve"
