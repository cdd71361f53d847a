"""Nobody holds a connection for ever, and many idle ones keep nobody out."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack, suppress

import pytest
from tests.service.signed import Caller, ok

from kycpack.service import connections


@pytest.fixture(autouse=True)
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.4)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.4)


def address(call: Caller) -> tuple[str, int]:
    host, _, port = call.base_url.removeprefix("http://").partition(":")
    return host, int(port)


def said(peer: socket.socket) -> bytes:
    """Return all that comes until the service closes the connection."""
    answer = b""
    try:
        while chunk := peer.recv(65_536):
            answer += chunk
    except ConnectionResetError:
        pass
    return answer


@pytest.mark.parametrize("begun", [b"", b"GET /v1/banks HTTP/1.1\r\nHost: a\r\n"])
def test_a_request_that_does_not_arrive_is_ended(call: Caller, begun: bytes) -> None:
    with socket.create_connection(address(call), timeout=5) as peer:
        peer.sendall(begun)
        began = time.monotonic()
        answer = said(peer)
    assert time.monotonic() - began < 3
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"request_timeout" in answer


def test_a_head_that_drips_is_ended(call: Caller) -> None:
    with socket.create_connection(address(call), timeout=5) as peer:
        peer.sendall(b"GET /v1/banks HTTP/1.1\r\nHost: a\r\n")
        began = time.monotonic()
        with suppress(OSError):
            while time.monotonic() - began < 5:
                peer.sendall(b"X-A: b\r\n")
                time.sleep(0.05)
    assert time.monotonic() - began < 4


def test_a_body_that_does_not_arrive_is_ended(call: Caller) -> None:
    with socket.create_connection(address(call), timeout=5) as peer:
        peer.sendall(b"POST /v1/customers HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
        began = time.monotonic()
        said(peer)
    assert time.monotonic() - began < 3


def test_a_connection_that_is_kept_may_be_slow_between_requests(call: Caller) -> None:
    ok(call("GET", "/v1/banks"))
    time.sleep(0.8)
    ok(call("GET", "/v1/banks"))


def test_many_idle_connections_keep_nobody_out(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 60)
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 50)
    with ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(socket.create_connection(address(call), timeout=5))
        fresh = Caller(call.base_url, call.key, call._now)
        stack.callback(fresh.close)
        began = time.monotonic()
        ok(fresh("GET", "/v1/banks"))
        assert time.monotonic() - began < 2


def test_a_form_of_nobody_who_holds_a_link_is_not_read(call: Caller) -> None:
    with socket.create_connection(address(call), timeout=5) as peer:
        peer.sendall(
            b"POST /onboard/nobody.x/document HTTP/1.1\r\nHost: a\r\nContent-Length: 20000000\r\n"
            b"Content-Type: multipart/form-data; boundary=x\r\n\r\n"
        )
        assert peer.recv(64).startswith(b"HTTP/1.1 404")
