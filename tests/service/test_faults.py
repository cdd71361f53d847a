"""Fault rules, over a real connection."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.service.signed import Caller, ok, refused


def arm(call: Caller, kind: str, route: str = "GET /v1/banks", **more: Any) -> None:
    call.control("/faults", {"route": route, "kind": kind, **more})


def test_a_status_comes_as_often_as_it_was_asked_for(call: Caller) -> None:
    arm(call, "status", times=2, status=503)
    assert [call("GET", "/v1/banks").status_code for _ in range(3)] == [503, 503, 200]


def test_429_carries_retry_after(call: Caller) -> None:
    arm(call, "status", status=429, retry_after=2)
    answer = call("GET", "/v1/banks")
    refused(answer, 429, "fault")
    assert answer.headers["retry-after"] == "2"


def test_a_connection_is_dropped_before_the_request_is_handled(call: Caller) -> None:
    arm(call, "drop_before", route="POST /v1/customers")
    with pytest.raises(httpx.TransportError):
        call("POST", "/v1/customers", {})
    assert ok(call("GET", "/v1/customers"))["items"] == []


def test_a_connection_is_dropped_after_the_request_is_handled(call: Caller) -> None:
    arm(call, "drop_after", route="POST /v1/customers")
    with pytest.raises(httpx.TransportError):
        call("POST", "/v1/customers", {})
    assert len(ok(call("GET", "/v1/customers"))["items"]) == 1


def test_half_a_body(call: Caller) -> None:
    arm(call, "half_body")
    with pytest.raises(httpx.RemoteProtocolError):
        call("GET", "/v1/banks")


def test_wrong_json(call: Caller) -> None:
    arm(call, "wrong_json")
    answer = call("GET", "/v1/banks")
    assert answer.status_code == 200
    with pytest.raises(ValueError, match="Expecting"):
        answer.json()


def test_latency_only_delays(call: Caller) -> None:
    arm(call, "latency", seconds=0.05)
    ok(call("GET", "/v1/banks"))


def test_a_route_is_a_template_and_faults_can_be_lifted(call: Caller) -> None:
    arm(call, "status", route="GET /v1/customers/{id}", times=100)
    assert call("GET", "/v1/customers/anything").status_code == 503
    ok(call("GET", "/v1/customers"))
    call.control("/faults", method="DELETE")
    assert call("GET", "/v1/customers/anything").status_code == 404


@pytest.mark.parametrize(
    "rule",
    [
        {},
        {"route": "/v1/banks", "kind": "status"},
        {"route": "GET /x", "kind": "fire"},
        {"route": "GET /x", "kind": "status", "times": 0},
    ],
)
def test_a_rule_that_makes_no_sense_is_400(call: Caller, rule: Any) -> None:
    refused(call.plain("POST", "/_control/faults", json=rule), 400, "invalid_request")


def test_a_share_of_the_requests_is_spoilt_and_the_same_ones_each_time(call: Caller) -> None:
    def spoilt() -> list[int]:
        call.control("/faults", method="DELETE")
        arm(call, "status", times=100, probability=0.5, seed=7)
        return [at for at in range(30) if call("GET", "/v1/banks").status_code == 503]

    first = spoilt()
    assert 5 < len(first) < 25
    assert spoilt() == first


@pytest.mark.parametrize("probability", [0, 1.5, -1])
def test_a_probability_that_is_none_is_400(call: Caller, probability: float) -> None:
    rule = {"route": "GET /v1/banks", "kind": "status", "probability": probability}
    refused(call.plain("POST", "/_control/faults", json=rule), 400, "invalid_request")
