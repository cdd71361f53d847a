"""Every request has an id, one line in the log and an entry in the journal; none of them carries personal data."""

from __future__ import annotations

import io
import json
import time
import uuid
from typing import Any

import httpx
import pytest
from tests.service.signed import (
    PERSON,
    Caller,
    Credentials,
    new_customer,
    new_payment,
    new_session,
    ok,
    refused,
)

from kycpack.service.embedded import EmbeddedService
from kycpack.service.request_log import HEADER, RequestEntry, RequestLog


@pytest.fixture
def written(embedded: EmbeddedService, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What the service logs, as JSON."""
    stream = io.StringIO()
    monkeypatch.setattr(embedded.service.requests, "_stream", stream)
    monkeypatch.setattr(embedded.service.requests, "_style", "json")
    return stream


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_the_id_is_in_the_answer_and_in_the_body_of_an_error(call: Caller) -> None:
    answer = call("GET", f"/v1/customers/{uuid.uuid4()}")
    body = refused(answer, 404, "customer_not_found")
    assert body["requestId"] == answer.headers[HEADER]
    assert uuid.UUID(body["requestId"])
    assert ok(call("GET", "/v1/banks"))
    assert call("GET", "/v1/banks").headers[HEADER] != answer.headers[HEADER]


def test_a_caller_may_give_the_id_but_no_text(call: Caller) -> None:
    given = str(uuid.uuid4())
    assert call("GET", "/v1/banks", headers={HEADER: given}).headers[HEADER] == given
    assert call("GET", "/v1/banks", headers={HEADER: "Zebedee Canary of Exampleton"}).headers[HEADER] != given


def test_one_line_a_request_without_personal_data(call: Caller, written: io.StringIO) -> None:
    customer = new_customer(call)
    session = new_session(call, customer)
    new_payment(call, customerId=customer)
    call("GET", "/v1/customers?orgId=Zebedee-Canary")
    call.plain("GET", "/Zebedee-Canary/x")
    call("POST", "/v1/customers", {"firstName": 7})
    logged = lines(written)
    assert [(entry["method"], entry["route"], entry["status"]) for entry in logged] == [
        ("POST", "/v1/customers", 200),
        ("POST", "/v1/onboard/sessions", 200),
        ("POST", "/v1/payments", 200),
        ("GET", "/v1/customers", 200),
        ("GET", "/?/? (unknown path)", 404),
        ("POST", "/v1/customers", 400),
    ]
    assert logged[-1]["error"] == "invalid_request"
    assert "firstName" in logged[-1]["message"]
    assert logged[0]["key_id"] == call.key.key_id
    text = written.getvalue()
    assert session not in text  # it was not in the path of any request
    for canary in ("Zebedee-Canary", str(PERSON["lastName"]), str(PERSON["emailAddress"]), call.key.secret):
        assert canary not in text


def test_the_token_of_a_link_is_not_logged(call: Caller, written: io.StringIO) -> None:
    made = ok(call("POST", "/v1/onboard/sessions", {"customerId": new_customer(call)}))
    path = made["onboardUrl"].removeprefix(call.base_url)
    assert call.plain("GET", path).status_code == 200
    opened = lines(written)[-1]
    assert opened["route"] == "/onboard/{token}"
    assert opened["ids"] == {"token": made["sessionId"]}
    assert path.rpartition(".")[2] not in written.getvalue()


@pytest.mark.parametrize("kind", ["status", "drop_before", "drop_after"])
def test_a_request_that_a_fault_rule_answers_is_logged_under_its_route(
    call: Caller, embedded: EmbeddedService, kind: str
) -> None:
    customer = new_customer(call)
    call.control("/faults", {"route": "GET /v1/customers/{id}", "kind": kind})
    try:
        call("GET", f"/v1/customers/{customer}")
    except httpx.TransportError:
        assert kind.startswith("drop")
    limit = time.monotonic() + 5
    while (entry := embedded.service.requests.entries()[0]).method != "GET":
        # A request that was cut is noted after its client has gone.
        assert time.monotonic() < limit
        time.sleep(0.01)
    assert (entry.route, dict(entry.ids)) == ("/v1/customers/{id}", {"id": customer})


def test_a_failure_is_logged_with_its_place_whatever_the_style(
    call: Caller, embedded: EmbeddedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(embedded.service.requests, "_stream", stream)
    monkeypatch.setattr("kycpack.service.routes.payments.list_banks", lambda _country: 1 / 0)
    answer = call("GET", "/v1/banks")
    body = refused(answer, 500, "internal_error")
    assert body["requestId"] == answer.headers[HEADER]
    assert body["requestId"] in stream.getvalue()
    assert "ZeroDivisionError at test_request_log.py" in stream.getvalue()


def test_the_journal_says_why_a_signature_was_refused(call: Caller, embedded: EmbeddedService) -> None:
    refused(call("GET", "/v1/banks", key=Credentials(call.key.key_id, "AAAA" * 10)), 401, "invalid_api_key")
    entry = embedded.service.requests.entries()[0]
    assert (entry.route, entry.status, entry.error) == ("/v1/banks", 401, "invalid_api_key")
    assert "GET\n/v1/banks\n" in entry.detail
    assert entry.key_id == ""


def test_the_journal_keeps_no_link_that_opens_something(call: Caller, embedded: EmbeddedService) -> None:
    payment = ok(call("POST", "/v1/payments", {"amount": 1, "reference": "r"}))
    entry = embedded.service.requests.entries()[0]
    assert payment["id"] in entry.answer
    assert payment["payLink"] not in entry.answer


def test_a_log_that_nobody_reads_stops_nothing() -> None:
    stream = io.StringIO()
    stream.close()
    log = RequestLog("plain", stream)
    log.add(RequestEntry("id", "at", "GET", "/", {}, 200, "", "", "", "", "", "", 1, ""))
    assert len(log.entries()) == 1
