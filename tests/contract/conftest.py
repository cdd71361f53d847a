"""Both clients against the real service on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

import kycpack.api.client
from kycpack.api import AsyncClient, Client
from kycpack.service.embedded import EmbeddedService

PERSON = {"first_name": "Ada", "last_name": "Byron", "email_address": "ada@mail.example"}


class Bench:
    """A running service, its control API, and a client of either kind."""

    def __init__(self, service: EmbeddedService, kind: str) -> None:
        self.service = service
        self.kind = kind
        self.skew = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.skew

    def __call__(self, ask: Callable[[Any], Any], **terms: Any) -> Any:
        """Ask with a client of this bench's kind."""
        own = {"key_id": self.service.key_id, "secret": self.service.secret, "now": self.now}
        given = {"base_url": self.service.base_url, **own, **terms}
        if self.kind == "sync":
            with Client(**given) as client:
                return ask(client)

        async def run() -> Any:
            async with AsyncClient(**given) as client:
                return await ask(client)

        return asyncio.run(run())

    def control(self, path: str, body: Any = None, method: str = "POST") -> Any:
        url = f"{self.service.control_url}{path}"
        answer = httpx.request(method, url, json=body, trust_env=False, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def key(self, **wanted: Any) -> dict[str, str]:
        body = {"tenant_id": self.service.tenant_id, "permissions": "all", "areas": "all", **wanted}
        return self.control("/keys", body)

    def person(self, **more: Any) -> Any:
        return self(lambda client: client.customers.create(**{**PERSON, **more}))


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client's pauses before it asks again are for a provider's sake, not for a test's."""

    async def nap(_: float) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(kycpack.api.client, "sleep", lambda _: None)
    monkeypatch.setattr(kycpack.api.client, "sleep_async", nap)


@pytest.fixture(scope="session")
def embedded() -> Iterator[EmbeddedService]:
    with EmbeddedService() as service:
        yield service


@pytest.fixture(params=["sync", "async"])
def bench(embedded: EmbeddedService, request: pytest.FixtureRequest) -> Iterator[Bench]:
    bench = Bench(embedded, request.param)
    yield bench
    bench.control("/faults", method="DELETE")


@pytest.fixture(params=["sync", "async"])
def time_machine(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """A service of its own, whose clock may be moved."""
    with EmbeddedService() as service:
        yield Bench(service, request.param)
