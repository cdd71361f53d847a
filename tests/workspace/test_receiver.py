from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from kycpack.errors import ConfigurationError
from kycpack.workspace import Inbox, Receiver, Workspace
from kycpack.workspace.inbox import MAX_BODY


@pytest.fixture
def receiver(workspace: Workspace) -> Iterator[Receiver]:
    made = Receiver(Inbox(workspace))
    thread = threading.Thread(target=made.serve)
    thread.start()
    yield made
    made.close()
    thread.join()


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
