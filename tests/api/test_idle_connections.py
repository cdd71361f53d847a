"""Which connection a call gets: the idle one that was used last, through the proxy that the environment names."""

from __future__ import annotations

import asyncio
import gc
import ssl
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import SECRET
from tests.api.peer import Peer, Visit, answer, certificate

from kycpack.api import AsyncClient, Client
from kycpack.api import connections as rooms
from kycpack.api.addresses import split_address
from kycpack.errors import TransportError

KINDS = ("sync", "async")
AT_ONCE = 20


class Counted:
    """Answers, and counts the connections that are open and how often each was used."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.open: set[int] = set()
        self.uses: dict[int, int] = {}

    def __call__(self, visit: Visit) -> None:
        with self.lock:
            self.open.add(visit.number)
        try:
            visit.next()
        except OSError:
            with self.lock:
                self.open.discard(visit.number)
            raise
        with self.lock:
            self.uses[visit.number] = self.uses.get(visit.number, 0) + 1
        time.sleep(0.05)
        visit.send(answer([]))

    def wait_for(self, most: int) -> int:
        """Wait until at most so many are open, and return how many there are."""
        for _ in range(1000):
            with self.lock:
                if len(self.open) <= most:
                    break
            time.sleep(0.02)
        return len(self.open)


def burst_and(kind: str, peer: Peer, later: Any) -> None:
    """Ask AT_ONCE times at once, then as `later` says: waits in seconds, each followed by a call."""
    if kind == "sync":
        with Client(peer.base_url, key_id="k", secret=SECRET) as client, ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda _: client.banks.list(), range(AT_ONCE)))
            for wait in later:
                time.sleep(wait)
                client.banks.list()
            return

    async def run() -> None:
        async with AsyncClient(peer.base_url, key_id="k", secret=SECRET) as client:
            await asyncio.gather(*(client.banks.list() for _ in range(AT_ONCE)))
            for wait in later:
                await asyncio.sleep(wait)
                await client.banks.list()

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_the_connection_that_was_used_last_is_used_next(kind: str) -> None:
    served = Counted()
    with Peer(served) as peer:
        burst_and(kind, peer, [0.0] * 6)
        assert peer.visits <= AT_ONCE
    assert max(served.uses.values()) >= 6


@pytest.mark.parametrize("kind", KINDS)
def test_connections_that_nobody_needs_any_more_are_closed(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a burst one call a second must not keep all connections of the burst open at the service."""
    monkeypatch.setattr(rooms, "KEPT_IDLE_SECONDS", 0.3)
    served = Counted()
    seen: list[int] = []

    def look() -> Any:
        yield 0.0
        yield 0.4  # after this call the connections that were idle for longer are closed
        seen.append(served.wait_for(1))

    with Peer(served) as peer:
        burst_and(kind, peer, look())
        assert seen == [1]
        assert served.wait_for(0) == 0  # closing the client closes the last


@pytest.mark.parametrize("kind", KINDS)
def test_no_more_idle_connections_are_kept_than_the_limit(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "LIMITS", rooms.httpx.Limits(max_connections=100, max_keepalive_connections=5))
    served = Counted()
    seen: list[int] = []

    def look() -> Any:
        seen.append(served.wait_for(5))
        yield from ()

    with Peer(served) as peer:
        burst_and(kind, peer, look())
    assert seen == [5]


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_asked_on_the_connection_of_a_create_after_it(kind: str) -> None:
    seen: list[tuple[int, str]] = []

    def serve(visit: Visit) -> None:
        target, _, _ = visit.next()
        seen.append((visit.number, target))
        visit.send(answer({"id": "c-1"} if "customers" in target else []))

    with Peer(serve) as peer:
        if kind == "sync":
            with Client(peer.base_url, key_id="k", secret=SECRET) as client:
                client.customers.create(org_id="x")
                client.banks.list()
                client.banks.list()
        else:

            async def run() -> None:
                async with AsyncClient(peer.base_url, key_id="k", secret=SECRET) as client:
                    await client.customers.create(org_id="x")
                    await client.banks.list()
                    await client.banks.list()

            asyncio.run(run())
    assert seen == [(1, "/v1/customers"), (2, "/v1/banks"), (2, "/v1/banks")]


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # asyncio's own, for what its loop left open
def test_connections_of_an_event_loop_that_ended_harm_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """They cannot be closed any more; a create must not be reported as unknown because of that."""
    monkeypatch.setattr(rooms, "KEPT_IDLE_SECONDS", 0.1)

    def serve(visit: Visit) -> None:
        target, _, _ = visit.next()
        visit.send(answer({"id": "c-1"} if "customers" in target else []))

    with Peer(serve) as peer:
        client = AsyncClient(peer.base_url, key_id="k", secret=SECRET, max_retries=0)
        asyncio.run(_banks(client))
        time.sleep(0.2)
        assert asyncio.run(client.customers.create(org_id="x")).id == "c-1"
        asyncio.run(_banks(client))
        asyncio.run(client.close())
        del client
        gc.collect()


def test_closing_goes_on_when_a_call_opens_another_origin_meanwhile() -> None:
    """A download still follows its link to a storage host while the client is being closed."""
    opened = rooms.AsyncConnections(None, trust_env=False)
    here, there, third = (split_address(f"https://{name}.example/")[0] for name in ("here", "there", "third"))
    closed: list[str] = []

    class Slow:
        def __init__(self, name: str) -> None:
            self.name = name

        async def aclose(self) -> None:
            opened._own().idle_at(third)
            await asyncio.sleep(0)
            closed.append(self.name)

    async def run() -> None:
        for origin in (here, there):
            opened._own().idle_at(origin).keep(Slow(origin.host.decode()))  # type: ignore[arg-type]
        await opened.aclose()

    asyncio.run(run())
    assert closed == ["here.example", "there.example"]


@pytest.mark.parametrize("kind", [rooms.SyncConnections, rooms.AsyncConnections])
def test_no_member_of_the_connections_is_a_partial(kind: type[Any]) -> None:
    """From Python 3.14 a partial in a class is a method: it would be called with the connections as its first argument."""
    assert not [name for name, member in vars(kind).items() if isinstance(member, partial)]


async def _banks(client: AsyncClient) -> None:
    await client.banks.list()


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    folder = tmp_path_factory.mktemp("tls")
    context = certificate(folder, "far.example", "-addext", "subjectAltName=DNS:far.example")
    return folder / "cert.pem", context


def ask_far(kind: str, times: int) -> None:
    terms: dict[str, Any] = {"key_id": "k", "secret": SECRET, "max_retries": 0}
    if kind == "sync":
        with Client("https://far.example", **terms) as client:
            for _ in range(times):
                client.banks.list()
        return

    async def run() -> None:
        async with AsyncClient("https://far.example", **terms) as client:
            for _ in range(times):
                await client.banks.list()

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy_of_the_environment_is_used_and_its_tunnel_is_kept(
    kind: str, far: tuple[Path, ssl.SSLContext], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str]] = []

    def serve(visit: Visit) -> None:
        target, headers, _ = visit.next()
        seen.append((target, headers.get("proxy-authorization", "")))
        visit.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
        with far[1].wrap_socket(visit.connection, server_side=True) as tunnel:
            inner = Visit(tunnel, visit.number)
            while True:
                target, headers, _ = inner.next()
                seen.append((f"{headers['host']}{target}", headers.get("proxy-authorization", "")))
                inner.send(answer([]))

    with Peer(serve) as peer:
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:hush@127.0.0.1:{peer.port}")
        monkeypatch.setenv("SSL_CERT_FILE", str(far[0]))
        ask_far(kind, 3)
    proxied = "Basic dXNlcjpodXNo"
    assert seen == [("far.example:443", proxied), *[("far.example/v1/banks", "")] * 3]


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy_that_refuses_is_named_and_its_password_is_not(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def serve(visit: Visit) -> None:
        visit.next()
        visit.send(answer({}, status="407 Proxy Authentication Required"))

    with Peer(serve) as peer:
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:hush@127.0.0.1:{peer.port}")
        with pytest.raises(TransportError, match="ProxyError") as caught:
            ask_far(kind, 1)
    assert "hush" not in str(caught.value)
