"""Sending webhooks: a slow or hostile receiver holds nobody up, and a crash never sends twice."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import update
from tests.service.receiver import receiving
from tests.service.running import running
from tests.service.signed import Caller, finish, new_customer, new_session, ok

from kycpack.service.schema import deliveries
from kycpack.service.webhooks.journal import QUEUED, SENDING
from kycpack.service.webhooks.sender import post_once
from kycpack.service.webhooks.targets import resolve_target


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
    assert "BadStatusLine" in outcome.reason


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
