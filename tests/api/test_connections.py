"""Connections on real sockets: whose they are, what may be left on them, and how long they may take."""

from __future__ import annotations

import asyncio
import gzip
import multiprocessing
import os
import time
import zlib
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.api.asking import KINDS, ask
from tests.api.conftest import SECRET
from tests.api.peer import Peer, Visit, answer

from kycpack.api import AsyncClient, Client
from kycpack.errors import (
    ApiError,
    ConfigurationError,
    ContractError,
    OutcomeUnknownError,
    RequestTimeoutError,
)


def get_twice(kind: str, peer: Peer, first: str, second: str, wait: float = 0.0) -> list[Any]:
    def question(client: Any) -> Any:
        if kind == "sync":
            found = [client.source_of_wealth.get(first)]
            time.sleep(wait)
            return [*found, client.source_of_wealth.get(second)]

        async def both() -> Any:
            found = [await client.source_of_wealth.get(first)]
            await asyncio.sleep(wait)
            return [*found, await client.source_of_wealth.get(second)]

        return both()

    return list(ask(kind, peer, question))


def statement_of(name: str) -> dict[str, Any]:
    return {
        "customer": {"firstName": name},
        "accounts": [],
        "generatedAt": "2026-06-01T00:00:00.000Z",
    }


def who(visit: Visit) -> str:
    return visit.next()[0].split("/")[3]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [1.0, 0.5, 0.01])
@pytest.mark.parametrize("wait", [0.0, 0.05])
def test_what_is_left_on_a_connection_never_answers_the_next_call(
    kind: str, share: float, wait: float
) -> None:
    """Statements have no id: only the connection can tell whose answer this is."""
    left = answer(statement_of("Leftover"))

    def serve(visit: Visit) -> None:
        name = who(visit)
        visit.send(answer(statement_of(name)) + left[: max(1, int(len(left) * share))])

    with Peer(serve) as peer:
        found = get_twice(kind, peer, "c-1", "c-2", wait)
    assert [each.customer.first_name for each in found] == ["c-1", "c-2"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_late_on_an_idle_connection_never_answers_the_next_call(kind: str) -> None:
    def serve(visit: Visit) -> None:
        name = who(visit)
        visit.send(answer(statement_of(name)))
        time.sleep(0.02)
        visit.send(answer(statement_of("Leftover")))

    with Peer(serve) as peer:
        found = get_twice(kind, peer, "c-1", "c-2", 0.08)
    assert [each.customer.first_name for each in found] == ["c-1", "c-2"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_ordinary_connection_is_kept(kind: str) -> None:
    with Peer(lambda visit: visit.send(answer(statement_of(who(visit))))) as peer:
        get_twice(kind, peer, "c-1", "c-2")
        assert peer.visits == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_create_has_a_connection_of_its_own(kind: str) -> None:
    def question(client: Any) -> Any:
        if kind == "sync":
            return [client.customers.create(org_id=str(number)).id for number in range(3)]

        async def several() -> Any:
            return [(await client.customers.create(org_id=str(number))).id for number in range(3)]

        return several()

    def serve(visit: Visit) -> None:
        visit.next()
        visit.send(answer({"id": f"new-{visit.number}"}) + answer({"id": "left"}))

    with Peer(serve) as peer:
        assert ask(kind, peer, question) == ["new-1", "new-2", "new-3"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_to_another_request_of_this_client_is_refused(kind: str) -> None:
    seen: list[str] = []

    def serve(visit: Visit) -> None:
        target, headers, _ = visit.next()
        seen.append(headers["x-request-id"])
        told = seen[0] if "c-2" in target else headers["x-request-id"]
        visit.send(answer(statement_of("Ann"), headers=f"X-Request-Id: {told}\r\n"))

    with Peer(serve) as peer, pytest.raises(ContractError, match="another request of this client"):
        get_twice(kind, peer, "c-1", "c-2")
    with Peer(
        lambda visit: visit.send(answer(statement_of(who(visit)), headers="X-Request-Id: gateway-7\r\n"))
    ) as peer:
        assert len(get_twice(kind, peer, "c-1", "c-2")) == 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("question", "document"),
    [
        (lambda c: c.customers.get("c-1"), {"id": "c-2"}),
        (lambda c: c.customers.get("c-1"), {"id": ""}),
        (lambda c: c.customers.update("c-1", first_name="Ann"), {"id": "c-2"}),
        (lambda c: c.onboarding.get("s-1"), {"id": "s-2", "status": "complete"}),
        (lambda c: c.onboarding.media("s-1"), {"sessionId": "s-2", "media": []}),
        (lambda c: c.onboarding.results("s-1"), {"sessionId": "s-2"}),
        (lambda c: c.payments.get("p-1"), {"id": "p-2"}),
        (lambda c: c.bank_accounts.balance("c-1", "a-1"), {"accountId": "a-2", "current": "1", "currency": "GBP"}),
        (lambda c: c.raw("customers.get", customer_id="c-1"), {"id": "c-2"}),
    ],
)  # fmt: skip
def test_an_answer_about_another_is_refused(kind: str, question: Callable[[Any], Any], document: Any) -> None:
    def serve(visit: Visit) -> None:
        visit.next()
        visit.send(answer(document))

    with Peer(serve) as peer, pytest.raises(ContractError, match="the answer is about another"):
        ask(kind, peer, question)


@pytest.mark.parametrize("kind", KINDS)
def test_after_a_foreign_answer_the_connection_is_not_used_again(kind: str) -> None:
    """Whoever is one answer behind stays one behind, and most answers have no id to notice it by."""

    def serve(visit: Visit) -> None:
        visit.next()
        visit.send(answer({"id": "c-1" if visit.number > 1 else "c-9"}))

    with Peer(serve) as peer:
        assert ask(kind, peer, lambda c: c.customers.get("c-1"), max_retries=1).id == "c-1"
        assert peer.visits == 2


def in_child(client: Client, number: int, found: Any) -> None:
    found.put([(name, client.customers.get(name).id) for name in [f"{number}-{n}" for n in range(40)]])


def test_a_forked_process_has_connections_of_its_own() -> None:
    def serve(visit: Visit) -> None:
        visit.send(answer({"id": who(visit)}))

    fork = multiprocessing.get_context("fork")
    with Peer(serve) as peer, Client(peer.base_url, key_id="k", secret=SECRET) as client:
        client.customers.get("before")
        before = peer.visits
        found = fork.Queue()
        children = [fork.Process(target=in_child, args=(client, number, found)) for number in range(4)]
        for child in children:
            child.start()
        pairs = [pair for _ in children for pair in found.get(timeout=30)]
        pairs += [(name, client.customers.get(name).id) for name in map(str, range(20))]
        for child in children:
            child.join(timeout=30)
        assert peer.visits >= before + 4
    assert len(pairs) == 180
    assert all(asked == answered for asked, answered in pairs)


def test_a_given_http_client_is_refused_after_a_fork() -> None:
    with Peer(lambda visit: visit.send(answer({"id": who(visit)}))) as peer, httpx.Client() as http:
        client = Client(peer.base_url, key_id="k", secret=SECRET, http_client=http)
        client.customers.get("c-1")
        child = os.fork()
        if child == 0:
            try:
                client.customers.get("c-1")
            except ConfigurationError:
                os._exit(7)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def drip_headers(visit: Visit) -> None:
    visit.next()
    visit.send(b"HTTP/1.1 200 OK\r\n")
    for number in range(200):
        visit.send(f"x-{number}: y\r\n".encode())
        time.sleep(0.05)


def endless_interim(visit: Visit) -> None:
    visit.next()
    while True:
        visit.send(b"HTTP/1.1 102 Processing\r\n\r\n")
        time.sleep(0.005)


def drip_body(visit: Visit) -> None:
    visit.next()
    visit.send(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
    for _ in range(200):
        visit.send(b" ")
        time.sleep(0.05)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("serve", [drip_headers, endless_interim, drip_body])
def test_a_deadline_is_one_however_the_bytes_are_spread(kind: str, serve: Callable[[Visit], None]) -> None:
    with Peer(serve) as peer:
        began = time.monotonic()
        with pytest.raises(RequestTimeoutError, match="deadline"):
            ask(kind, peer, lambda c: c.banks.list(), deadline=0.6, timeout=0.5)
        assert time.monotonic() - began < 8  # the bytes take ten seconds, or never end
        with pytest.raises(OutcomeUnknownError):
            ask(kind, peer, lambda c: c.customers.create(org_id="x"), deadline=0.6, timeout=0.5)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layers", [1, 2])
def test_a_packed_answer_unpacks_within_the_limit(kind: str, layers: int) -> None:
    content = b" " * (80 * 1024 * 1024)
    for _ in range(layers):
        content = gzip.compress(content, 1)
    names = ", ".join(["gzip"] * layers)
    head = f"HTTP/1.1 200 OK\r\ncontent-encoding: {names}\r\ncontent-length: {len(content)}\r\n\r\n"

    def serve(visit: Visit) -> None:
        visit.next()
        visit.send(head.encode() + content)

    with Peer(serve) as peer, pytest.raises(ContractError, match="more than 67108864 bytes"):
        ask(kind, peer, lambda c: c.banks.list())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("names", ["gzip", "gzip, gzip", "deflate", "identity"])
def test_a_packed_answer_is_read(kind: str, names: str) -> None:
    content = answer([{"id": "b-1"}]).partition(b"\r\n\r\n")[2]
    for name in names.split(", "):
        content = {"gzip": gzip.compress, "deflate": zlib.compress, "identity": bytes}[name](content)
    head = f"HTTP/1.1 200 OK\r\ncontent-encoding: {names}\r\ncontent-length: {len(content)}\r\n\r\n"

    def serve(visit: Visit) -> None:
        visit.next()
        visit.send(head.encode() + content)

    with Peer(serve) as peer:
        assert ask(kind, peer, lambda c: c.banks.list())[0].id == "b-1"


@pytest.mark.parametrize(
    "terms",
    [{"timeout": "5"}, {"timeout": -1}, {"timeout": 0}, {"timeout": float("nan")}, {"timeout": None},
     {"timeout": True}, {"deadline": "9"}, {"deadline": float("inf")}, {"max_retries": -1}, {"max_retries": 1.5}],
)  # fmt: skip
@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_patience_that_is_none_is_a_matter_of_configuration(terms: dict[str, Any], kind: Any) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(terms))):
        kind("http://127.0.0.1:1", key_id="k", secret=SECRET, **terms)
    if None not in terms.values():
        with pytest.raises(ConfigurationError, match=next(iter(terms))):
            kind("http://127.0.0.1:1", key_id="k", secret=SECRET).with_options(**terms)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_is_one_of_ours_whatever_is_on_the_wire(kind: str) -> None:
    def serve(visit: Visit) -> None:
        visit.next()
        visit.send(answer({"id": "c-1"}, headers="content-encoding: br\r\n"))

    with Peer(serve) as peer, pytest.raises(ApiError):
        ask(kind, peer, lambda c: c.customers.get("c-1"))
