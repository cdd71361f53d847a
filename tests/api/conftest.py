"""A scripted wire: what the service would answer, without one."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import httpx
import pytest

import kycpack.api.client
from kycpack.api import AsyncClient, Client

SECRET = base64.b64encode(b"0123456789abcdef0123456789abcdef").decode()
BASE = "http://127.0.0.1:8443"
NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)

Handler = Callable[[httpx.Request], httpx.Response]


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that clients made; none of them takes time."""
    made: list[float] = []

    async def nap(seconds: float) -> None:
        made.append(seconds)

    monkeypatch.setattr(kycpack.api.client, "sleep", made.append)
    monkeypatch.setattr(kycpack.api.client, "sleep_async", nap)
    return made


@pytest.fixture
def make_client() -> Iterator[Callable[..., Client]]:
    """Makes a client whose requests a function answers."""
    opened: list[httpx.Client] = []

    def make(handler: Handler, **terms: object) -> Client:
        http = httpx.Client(transport=httpx.MockTransport(handler))
        opened.append(http)
        given = {"key_id": "key-1", "secret": SECRET, "now": lambda: NOW, **terms}
        return Client(str(given.pop("base_url", BASE)), http_client=http, **given)

    yield make
    for http in opened:
        http.close()


@pytest.fixture
def make_async_client() -> Callable[..., AsyncClient]:
    """Makes an async client whose requests a function answers."""

    def make(handler: Handler, **terms: object) -> AsyncClient:
        http = httpx.AsyncClient(transport=httpx.MockTransport(handler))
        given = {"key_id": "key-1", "secret": SECRET, "now": lambda: NOW, **terms}
        return AsyncClient(str(given.pop("base_url", BASE)), http_client=http, **given)

    return make
