from __future__ import annotations

import http.client
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from kycpack.errors import ConfigurationError
from kycpack.workspace import Inbox, Limits, Receiver, Workspace
from kycpack.workspace.inbox.inbox import MAX_BODY


@contextmanager
def _serving(made: Receiver) -> Iterator[Receiver]:
    thread = threading.Thread(target=made.serve)
    thread.start()
    try:
        yield made
    finally:
        made.close()
        thread.join()


@pytest.fixture
def receiver(workspace: Workspace) -> Iterator[Receiver]:
    with _serving(Receiver(Inbox(workspace))) as made:
        yield made


def _send(url: str, body: bytes, *, method: str = "POST", headers: dict[str, str] | None = None) -> int:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=5)
    connection.request(method, parts.path, body=body, headers=headers or {})
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_delivery_is_kept_before_it_is_answered(receiver: Receiver, workspace: Workspace) -> None:
    assert _send(receiver.url, b"anything at all") == 204
    assert Inbox(workspace).counts() == {"new": 1}


def test_only_the_secret_path_and_only_posts(receiver: Receiver, workspace: Workspace) -> None:
    wrong = receiver.url.rsplit("/", 1)[0] + "/guess"
    assert _send(wrong, b"{}") == 404
    assert _send(receiver.url, b"", method="GET") == 501
    assert _send(receiver.url, b"", headers={"Content-Length": str(MAX_BODY + 1)}) == 413
    assert _send(receiver.url, b"", headers={"Content-Length": "9" * 5000}) == 413
    assert _send(receiver.url, b"", headers={"Content-Length": "-1"}) == 411
    assert Inbox(workspace).counts() == {}


def test_a_port_that_is_taken_is_a_clear_error(receiver: Receiver, workspace: Workspace) -> None:
    port = urlsplit(receiver.url).port
    with pytest.raises(ConfigurationError, match=f"127.0.0.1:{port}"):
        Receiver(Inbox(workspace), port=port or 0)


def _flood(url: str, number: int, senders: int) -> Counter[int]:
    """Send deliveries, this many at once, as a provider that sends each one time and never again."""
    parts = urlsplit(url)
    gate = threading.Barrier(senders)
    statuses: Counter[int] = Counter()
    lock = threading.Lock()

    def send(first: int) -> None:
        gate.wait()
        for which in range(first, number, senders):
            connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
            try:
                connection.request("POST", parts.path, body=f'{{"number": {which}}}'.encode())
                status = connection.getresponse().status
            except OSError:
                status = 0
            finally:
                connection.close()
            with lock:
                statuses[status] += 1

    threads = [threading.Thread(target=send, args=(first,)) for first in range(senders)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


@pytest.mark.parametrize("at_once", [100, 500, 1000])
def test_a_burst_is_kept_whole(receiver: Receiver, workspace: Workspace, at_once: int) -> None:
    assert _flood(receiver.url, at_once, at_once) == {204: at_once}
    assert Inbox(workspace).counts() == {"new": at_once}


@pytest.mark.timeout(300)
def test_ten_thousand_in_a_minute_are_kept(
    receiver: Receiver, workspace: Workspace, tally: Callable[..., None]
) -> None:
    began = time.monotonic()
    assert _flood(receiver.url, 10_000, 50) == {204: 10_000}
    seconds = time.monotonic() - began
    assert Inbox(workspace).counts() == {"new": 10_000}
    tally(
        "webhook burst",
        "10,000 deliveries from 50 at once: acknowledged a minute",
        round(10_000 / seconds * 60),
    )


def test_a_sender_cannot_fill_the_inbox_for_others(workspace: Workspace) -> None:
    limited = Receiver(Inbox(workspace), limits=Limits(sender_waiting=3))
    with _serving(limited):
        assert [_send(limited.url, b"{}") for _ in range(5)] == [204, 204, 204, 429, 429]
    assert Inbox(workspace).counts() == {"new": 3}


@pytest.mark.parametrize("limits", [Limits(waiting=1), Limits(waiting_bytes=3), Limits(free_bytes=2**62)])
def test_a_full_inbox_or_disk_is_said_and_nothing_is_acknowledged(tmp_path: Path, limits: Limits) -> None:
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        full = Receiver(Inbox(workspace), limits=limits)
        with _serving(full):
            statuses = [_send(full.url, b"{}") for _ in range(3)]
        assert statuses[-1] == 503
        assert Inbox(workspace).counts().get("new", 0) == statuses.count(204)


def test_a_connection_that_drips_is_ended(
    receiver: Receiver, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kycpack.workspace.inbox.receiver._SLOWEST_SECONDS", 1.0)
    parts = urlsplit(receiver.url)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=20) as dripping:
        dripping.sendall(f"POST {parts.path} HTTP/1.1\r\nContent-Length: 60000\r\n\r\n".encode())
        began = time.monotonic()
        while _is_open(dripping) and time.monotonic() - began < 15:
            time.sleep(0.2)
    assert time.monotonic() - began < 15
    assert Inbox(workspace).counts() == {}


def _is_open(dripping: socket.socket) -> bool:
    dripping.settimeout(0.05)
    try:
        dripping.sendall(b"x")
        return dripping.recv(1) != b""
    except TimeoutError:
        return True
    except OSError:
        return False
