"""Banks that are slow or down, and faults for some requests only."""

from __future__ import annotations

import time
from typing import Any

import pytest
from tests.service.signed import Caller, grant, new_customer, new_payment, ok, refused


def _account_path(call: Caller) -> str:
    customer = new_customer(call)
    account = grant(call, customer)[0]
    return f"/v1/customers/{customer}/bank-accounts/{account['id']}"


def test_a_bank_that_is_down_answers_503_and_comes_back(call: Caller) -> None:
    path = _account_path(call)
    call.control("/banks/test-bank", {"state": "down"})
    for what in ("balance", "transactions"):
        answer = call("GET", f"{path}/{what}")
        refused(answer, 503, "bank_unavailable")
        assert int(answer.headers["retry-after"]) > 0
    ok(call("GET", path.rpartition("/")[0]))
    assert call.control("/banks", method="GET")["items"][0]["bank_id"] == "test-bank"
    assert call.control("/banks/test-bank", {"state": "up"})["items"] == []
    ok(call("GET", f"{path}/balance"))


def test_a_bank_that_is_slow_answers_late_and_others_do_not(call: Caller) -> None:
    path = _account_path(call)
    call.control("/banks/test-bank", {"state": "slow", "seconds": 0.5})
    began = time.monotonic()
    ok(call("GET", f"{path}/balance"))
    assert time.monotonic() - began >= 0.5
    call.control("/banks/test-bank", {"state": "up"})


def test_an_attempt_at_a_bank_that_is_down_fails_and_its_page_says_so(call: Caller) -> None:
    payment = new_payment(call)
    body = {"bank": {"bankId": "test-bank"}}
    open_attempt = ok(call("POST", f"/v1/payments/{payment}/attempts", body))
    call.control("/banks/test-bank", {"state": "down"})
    failed = ok(call("POST", f"/v1/payments/{payment}/attempts", body))
    assert failed["status"] == "FAILED"
    assert "requiredAction" not in failed
    page = call.plain("GET", open_attempt["requiredAction"]["url"].removeprefix(call.base_url))
    assert page.status_code == 503
    assert "bank cannot be reached" in page.text
    call.control("/banks/test-bank", {"state": "up"})
    page = call.plain("GET", open_attempt["requiredAction"]["url"].removeprefix(call.base_url))
    assert page.status_code == 200


@pytest.mark.parametrize(
    "body", [{}, {"state": "asleep"}, {"state": "slow", "seconds": 61}, {"state": "slow", "seconds": -1}]
)
def test_a_condition_that_makes_no_sense_is_400(call: Caller, body: dict[str, Any]) -> None:
    refused(call.plain("POST", "/_control/banks/test-bank", json=body), 400, "invalid_request")


def test_a_fault_is_for_one_organisation_alone(call: Caller) -> None:
    tenant_id = call.control("/tenants", {"name": "Other"})["tenant_id"]
    other = call.new_key(tenant_id)
    call.control("/faults", {"route": "* *", "kind": "status", "tenant_id": tenant_id, "times": 9})
    ok(call("GET", "/v1/banks"))
    refused(call("GET", "/v1/banks", key=other), 503, "fault")
    assert call.plain("GET", "/v1/banks").status_code == 401
    assert call.control("/faults", method="GET")["items"][0]["times"] == 8


def test_a_fault_is_for_requests_with_a_header(call: Caller) -> None:
    rule = {
        "route": "GET /v1/*",
        "kind": "status",
        "status": 500,
        "headers": {"X-Trial": "pay*"},
        "times": 9,
    }
    call.control("/faults", rule)
    ok(call("GET", "/v1/banks"))
    ok(call("GET", "/v1/banks", headers={"X-Trial": "other"}))
    refused(call("GET", "/v1/banks", headers={"x-trial": "payments"}), 500, "fault")
    refused(call("GET", "/v1/customers", headers={"x-trial": "pay"}), 500, "fault")
    assert call("POST", "/v1/customers", {}, headers={"x-trial": "pay"}).status_code == 200


def test_a_fault_with_a_probability_spoils_its_share_and_the_same_ones_again(call: Caller) -> None:
    spoilt = []
    for _ in range(2):
        call.control("/faults", method="DELETE")
        rule = {"route": "GET /v1/banks", "kind": "status", "times": 100, "probability": 0.5, "seed": 3}
        call.control("/faults", rule)
        spoilt.append([call("GET", "/v1/banks").status_code for _ in range(30)])
    assert spoilt[0] == spoilt[1]
    assert 5 < spoilt[0].count(503) < 25


@pytest.mark.parametrize("route", ["GET", "FETCH /v1", "GET v1", "", "GET /v1/ü"])
def test_a_route_without_the_form_of_one_is_400(call: Caller, route: str) -> None:
    body = {"route": route, "kind": "status"}
    refused(call.plain("POST", "/_control/faults", json=body), 400, "invalid_request")
