"""Sending webhooks: a slow or hostile receiver holds nobody up, and a crash never sends twice."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from tests.service.receiver import receiving
from tests.service.running import running
from tests.service.signed import PERSON, Caller, finish, new_customer, new_session, ok

from kycpack.models.webhooks import WebhookCreate
from kycpack.service.auth import Tenant
from kycpack.service.problems import refusal
from kycpack.service.schema import deliveries
from kycpack.service.webhooks import sender as sending
from kycpack.service.webhooks.delivery import post_once
from kycpack.service.webhooks.records import QUEUED, SENDING, create_webhook
from kycpack.service.webhooks.targets import resolve_target

NOW = datetime(2026, 5, 25, tzinfo=UTC)


@contextmanager
def hostile(answer: bytes, pause: float = 0.05) -> Iterator[str]:
    """A receiver that sends these bytes one by one, and never ends."""
    listener = socket.create_server(("127.0.0.1", 0))
    gone = threading.Event()

    def serve() -> None:
        while not gone.is_set():
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            with peer:
                try:
                    for byte in answer:
                        peer.sendall(bytes([byte]))
                        if gone.wait(pause):
                            return
                    gone.wait(20)
                except OSError:
                    continue

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        gone.set()
        listener.close()
        thread.join(timeout=5)


def test_a_receiver_that_drips_is_cut_off_at_the_deadline() -> None:
    with hostile(b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 10_000) as url:
        outcome = post_once(resolve_target(url, loopback=True), b"{}", deadline=0.5)
    assert outcome.status is None
    assert outcome.reason == "no answer in time"


def test_a_receiver_that_says_nothing_is_cut_off_at_the_deadline() -> None:
    with hostile(b"") as url:
        outcome = post_once(resolve_target(url, loopback=True), b"{}", deadline=0.3)
    assert outcome.reason == "no answer in time"


def test_a_receiver_that_is_no_http_server_is_a_failure() -> None:
    with hostile(b"SSH-2.0-OpenSSH\r\n\r\n", pause=0) as url:
        outcome = post_once(resolve_target(url, loopback=True), b"{}", deadline=5)
    assert outcome.status is None
    assert "RemoteProtocolError" in outcome.reason


def test_a_slow_receiver_does_not_hold_the_service_or_others_up(call: Caller) -> None:
    with receiving() as slow, receiving() as quick:
        slow.hold.clear()
        for receiver in (slow, quick):
            ok(call("POST", "/v1/webhooks", {"url": receiver.url}))
        finish(call, new_session(call, new_customer(call)))
        quick.wait(1)
        slow.wait(1)
        ok(call("GET", "/v1/banks"))
        states = {item["state"] for item in call.control("/deliveries", method="GET")["items"]}
        assert "sending" in states
        slow.hold.set()
        limit = time.monotonic() + 10
        while time.monotonic() < limit and states != {"delivered"}:
            states = {item["state"] for item in call.control("/deliveries", method="GET")["items"]}
            time.sleep(0.02)
        assert states == {"delivered"}


def test_after_a_crash_what_was_being_sent_is_unknown_and_not_sent_again(tmp_path: Path) -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    with receiving() as receiver, running(tmp_path, clock=lambda: now) as (embedded, call):
        database = embedded.service.database
        embedded.service.sender.stop()
        ok(call("POST", "/v1/webhooks", {"url": receiver.url}))
        finish(call, new_session(call, new_customer(call)))
        finish(call, new_session(call, new_customer(call)))
        with database.write() as connection:
            connection.execute(update(deliveries).where(deliveries.c.number == 1).values(state=SENDING))
        states = [item["state"] for item in call.control("/deliveries", method="GET")["items"]]
        assert states == [SENDING, QUEUED]
        embedded.service.sender.start()
        receiver.wait(1)
        limit = time.monotonic() + 10
        while time.monotonic() < limit and states != ["unknown", "delivered"]:
            states = [item["state"] for item in call.control("/deliveries", method="GET")["items"]]
            time.sleep(0.02)
        assert states == ["unknown", "delivered"]
        assert len(receiver.came) == 1


def test_a_receiver_that_was_cut_off_is_not_delivered_whatever_it_said_before() -> None:
    with hostile(b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 10_000, pause=0.005) as url:
        outcome = post_once(resolve_target(url, loopback=True), b"{}", deadline=0.5)
    assert (outcome.status, outcome.reason) == (None, "no answer in time")


def test_the_deadline_holds_during_the_handshake_of_tls() -> None:
    with hostile(b"\x16\x03\x03\x40\x00" + b"a" * 10_000) as url:
        target = resolve_target(url.replace("http://", "https://"), loopback=True)
        began = time.monotonic()
        outcome = post_once(target, b"{}", deadline=0.5)
    assert time.monotonic() - began < 10  # the other side goes on for twenty
    assert outcome.status is None


def test_a_receiver_that_takes_no_request_is_cut_off_at_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        target = resolve_target(f"http://127.0.0.1:{listener.getsockname()[1]}/", loopback=True)
        began = time.monotonic()
        outcome = post_once(target, b"x" * (64 << 20), deadline=0.5)
    assert time.monotonic() - began < 10
    assert outcome.reason == "no answer in time"


def test_one_organisations_dead_receivers_delay_no_others(tmp_path: Path) -> None:
    with running(tmp_path, webhook_deadline=20) as (_, call), hostile(b"") as dead, receiving() as alive:
        other = call.new_tenant()
        for number in range(40):
            ok(call("POST", "/v1/webhooks", {"url": f"{dead}{number}"}))
        ok(call("POST", "/v1/webhooks", {"url": alive.url}, key=other))
        finish(call, new_session(call, new_customer(call)))
        customer = ok(call("POST", "/v1/customers", PERSON, key=other))["id"]
        session = ok(call("POST", "/v1/onboard/sessions", {"customerId": customer}, key=other))["sessionId"]
        began = time.monotonic()
        finish(call, session)
        alive.wait(1, seconds=10)
        assert time.monotonic() - began < 10


def test_workers_outlive_a_database_that_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path) as (service, call), receiving() as receiver:
        ok(call("POST", "/v1/webhooks", {"url": receiver.url}))
        session = new_session(call, new_customer(call))
        sender, away = service.service.sender, threading.Event()
        away.set()
        failed = []
        for name in ("claim_next", "record_outcome"):
            real = getattr(sending, name)

            def act(*arguments: Any, _real: Any = real, **more: Any) -> Any:
                if away.is_set():
                    failed.append(1)
                    raise refusal("database_unavailable")
                return _real(*arguments, **more)

            monkeypatch.setattr(sending, name, act)
        finish(call, session)
        limit = time.monotonic() + 5
        while not sender.health().last_failure and time.monotonic() < limit:
            time.sleep(0.01)
        assert failed
        health = sender.health()
        assert health.alive == health.workers
        assert "RefusedError" in health.last_failure
        away.clear()
        receiver.wait(1)
        wait_for_states(call, {"delivered"})


def test_an_outcome_is_recorded_when_the_database_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path) as (_, call), receiving() as receiver:
        ok(call("POST", "/v1/webhooks", {"url": receiver.url}))
        session = new_session(call, new_customer(call))
        tries = iter(range(3))
        real = sending.record_outcome

        def act(*arguments: Any) -> None:
            if next(tries, None) is not None:
                raise refusal("database_unavailable")
            real(*arguments)

        monkeypatch.setattr(sending, "record_outcome", act)
        finish(call, session)
        receiver.wait(1)
        wait_for_states(call, {"delivered"})
        assert len(receiver.came) == 1


def test_a_session_with_thousands_of_webhooks_blocks_nobody(tmp_path: Path) -> None:
    with running(tmp_path, webhook_deadline=1) as (service, call), hostile(b"") as dead:
        tenant = service.tenant_id
        with service.service.database.write() as connection:
            body = WebhookCreate.read({"url": dead})
            for _ in range(5_000):
                create_webhook(connection, Tenant(tenant, "GBP", merchant_onboarded=True), body, NOW)
        session = new_session(call, new_customer(call))
        began = time.monotonic()
        finish(call, session)
        finished = time.monotonic() - began
        slowest = 0.0
        for _ in range(20):
            began = time.monotonic()
            ok(call("POST", "/v1/customers", {}))
            slowest = max(slowest, time.monotonic() - began)
    assert finished < 2
    assert slowest < 1


def wait_for_states(call: Caller, wanted: set[str]) -> None:
    """Wait until the deliveries of the journal are all in these states."""
    limit = time.monotonic() + 15
    states: set[str] = set()
    while time.monotonic() < limit and states != wanted:
        states = {item["state"] for item in call.control("/deliveries", method="GET")["items"]}
        time.sleep(0.02)
    assert states == wanted
