"""Snapshots bring everything back: records, keys, clocks, rules and banks."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.service.signed import (
    BANK_ACCESS,
    Caller,
    finish,
    grant,
    new_customer,
    new_payment,
    new_session,
    ok,
    refused,
)

from kycpack.service.embedded import EmbeddedService


def _seen(call: Caller, customer: str, session: str, account: str) -> list[Any]:
    base = f"/v1/customers/{customer}"
    media = ok(call("POST", f"/v1/onboard-sessions/{session}/media-access"))["media"]
    return [
        ok(call("GET", "/v1/customers")),
        ok(call("GET", f"{base}/bank-accounts/{account}/transactions")),
        ok(call("GET", f"{base}/bank-accounts/{account}/balance")),
        ok(call("GET", f"/v1/onboard/sessions/{session}/results")),
        [(item["id"], item["fileName"]) for item in media],
        ok(call("GET", "/v1/webhooks")),
        call.control("/faults", method="GET"),
        call.control("/banks", method="GET"),
        call.control("/tenants", method="GET"),
        call.control("/keys", method="GET"),
    ]


def test_everything_is_as_it_was(call: Caller, embedded: EmbeddedService) -> None:
    customer = new_customer(call)
    account = grant(call, customer)[0]["id"]
    session = new_session(call, customer)
    finish(call, session)
    payment = new_payment(call, customerId=customer)
    other = call.new_tenant(name="Other")
    call.control("/faults", {"route": "GET /v1/nothing", "kind": "status", "times": 5, "probability": 0.5})
    call.control("/banks/quiet-bank", {"state": "slow", "seconds": 1.5})
    call.control("/clock", {"advance_seconds": 3600})
    before, now = _seen(call, customer, session, account), embedded.service.clock.offsets()
    taken = call.control("/snapshots", {"name": "start"})
    assert taken["rows"] > 10

    later = new_customer(call, firstName="Later")
    ok(call("PUT", f"/v1/customers/{customer}", {"firstName": "Changed"}))
    grant(call, customer, accounts=[{**BANK_ACCESS["accounts"][0], "balance": {"current": "1.00"}}])
    newer = call.new_tenant(name="Newer")
    call.control("/faults", method="DELETE")
    call.control("/banks/quiet-bank", {"state": "up"})
    call.control("/clock", {"advance_seconds": 1_000_000})

    assert call.control("/snapshots/start/restore") == taken
    assert _seen(call, customer, session, account) == before
    assert embedded.service.clock.offsets() == now
    refused(call("GET", f"/v1/customers/{later}"), 404, "customer_not_found")
    refused(call("GET", "/v1/customers", key=newer), 401, "invalid_api_key")
    ok(call("GET", "/v1/customers", key=other))
    ok(call("GET", f"/v1/payments/{payment}"))
    # Counted numbers go on: what is added now takes no number that is in use.
    grant(call, new_customer(call))
    call.new_tenant()


def test_a_request_that_was_made_stays_made(call: Caller) -> None:
    call.control("/snapshots", {"name": "start"})
    signed = call.headers("GET", "/v1/banks")
    assert call.plain("GET", "/v1/banks", headers=signed).status_code == 200
    call.control("/snapshots/start/restore")
    refused(call.plain("GET", "/v1/banks", headers=signed), 401, "invalid_api_key")


def test_snapshots_are_listed_deleted_and_gone_with_a_reset(call: Caller) -> None:
    for name in ("a", "b.2"):
        call.control("/snapshots", {"name": name})
    assert [one["name"] for one in call.control("/snapshots", method="GET")["items"]] == ["a", "b.2"]
    call.control("/snapshots/a", method="DELETE")
    refused(call.plain("POST", "/_control/snapshots/a/restore"), 404, "snapshot_not_found")
    refused(call.plain("POST", "/_control/snapshots", json={"name": "b.2"}), 409, "snapshot_exists")
    call.control("/reset")
    assert call.control("/snapshots", method="GET")["items"] == []


@pytest.mark.parametrize("name", ["", "../x", "a b", "n" * 65, 7])
def test_a_name_without_its_form_is_400(call: Caller, name: Any) -> None:
    refused(call.plain("POST", "/_control/snapshots", json={"name": name}), 400, "invalid_request")


def test_writers_are_answered_while_a_snapshot_is_brought_back(call: Caller) -> None:
    call.control("/snapshots", {"name": "before"})
    over = threading.Event()
    statuses: Counter[int] = Counter()

    def write() -> None:
        while not over.is_set():
            statuses[call("POST", "/v1/customers", {"firstName": "Ada"}).status_code] += 1

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write) for _ in range(4)]
        try:
            for number in range(3):
                call.control("/snapshots", {"name": f"meanwhile-{number}"})
                call.control("/snapshots/before/restore")
                call.control(f"/snapshots/meanwhile-{number}/restore")
        finally:
            over.set()
        for writer in writers:
            writer.result()
    # A record that a request began with can be gone meanwhile: then nothing is done, and it may be asked again.
    assert set(statuses) <= {200, 503}
    assert statuses[200]
