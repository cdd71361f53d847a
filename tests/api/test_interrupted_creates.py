"""A create that was cancelled or interrupted is unknown, and the register says so."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from tests.api.conftest import SECRET
from tests.api.peer import Peer, Visit

from kycpack.api import AsyncClient, Client


class Notes:
    """A recorder that remembers."""

    def __init__(self) -> None:
        self.kept: list[tuple[Any, ...]] = []

    def intend(self, operation: str, _: Any) -> str:
        self.kept.append(("intend", operation))
        return "i-1"

    def learned(self, *given: Any, **named: Any) -> None:
        self.kept.append(("learned", *given, named))

    def failed(self, intent_id: str, reason: str, *, unknown: bool = False) -> None:
        self.kept.append(("failed", intent_id, reason, unknown))


def test_a_create_that_was_cancelled_is_unknown_in_the_register() -> None:
    notes, over = Notes(), threading.Event()

    def serve(visit: Visit) -> None:
        visit.next()
        over.wait(20)

    async def run() -> None:
        async with AsyncClient(peer.base_url, key_id="k", secret=SECRET, recorder=notes) as client:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(client.customers.create(org_id="x"), 0.2)

    with Peer(serve) as peer:
        asyncio.run(run())
        over.set()
    assert notes.kept == [("intend", "customers.create"), ("failed", "i-1", "CancelledError", True)]


def test_a_create_that_was_interrupted_is_unknown_in_the_register(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = Notes()

    def interrupt(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("kycpack.api.wire._ask", interrupt)
    with Client("http://127.0.0.1:1", key_id="k", secret=SECRET, recorder=notes) as client:
        with pytest.raises(KeyboardInterrupt):
            client.customers.create(org_id="x")
        with pytest.raises(KeyboardInterrupt) as caught:
            client.payments.attempts.create("p", bank={"bank_id": "b"}, idempotency_key="key-7")
    assert notes.kept == [("intend", "customers.create"), ("failed", "i-1", "KeyboardInterrupt", True)]
    assert "key-7" in "".join(caught.value.__notes__)
