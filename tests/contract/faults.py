"""The fault matrix: what the caller was told beside what was true, kind by kind, for both clients.

`make faults` runs 300 calls of each kind for each client; `make test` runs a few.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import multiprocessing
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from tests.api.conftest import SECRET
from tests.api.peer import Peer, Visit, answer

from kycpack.api import AsyncClient, Client
from kycpack.errors import ApiError

PATIENCE = {"timeout": 0.25, "deadline": 0.8, "max_retries": 1}
AT_ONCE = 12
FOREIGN = "somebody-else"

Fetch = Callable[[], bytes]
Spoil = Callable[[Visit, Fetch], None]


@dataclass
class Truth:
    """What the service did, whoever was told of it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    customers: dict[str, list[str]] = field(default_factory=dict)
    attempts: dict[str, list[str]] = field(default_factory=dict)

    def perform(self, target: str, body: bytes, headers: dict[str, str]) -> bytes:
        """Do what was asked, and return the answer."""
        echo = f"X-Request-Id: {headers.get('x-request-id', '')}\r\n"
        parts = target.split("/")
        if target.endswith("/attempts"):
            key = json.loads(body)["idempotencyKey"]
            with self.lock:
                made = self.attempts.setdefault(parts[3], [])
                made += [key] if key not in made else []
            return answer({"id": f"a-{key}", "status": "STARTED"}, headers=echo)
        if target == "/v1/customers":
            org = json.loads(body)["orgId"]
            with self.lock:
                self.customers.setdefault(org, []).append(f"c-{org}")
            return answer({"id": f"c-{org}"}, headers=echo)
        if target.endswith("source-of-wealth"):
            return answer(
                {
                    "customer": {"firstName": parts[3]},
                    "accounts": [],
                    "generatedAt": "2026-06-01T00:00:00.000Z",
                },
                headers=echo,
            )
        return answer({"id": parts[3]}, headers=echo)


def reset(visit: Visit) -> None:
    visit.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise ConnectionError


def close(_: Visit) -> None:
    raise ConnectionError


def sleep(visit: Visit) -> None:
    time.sleep(0.4)
    close(visit)


def after(end: Callable[[Visit], None]) -> Spoil:
    def spoil(visit: Visit, fetch: Fetch) -> None:
        fetch()
        end(visit)

    return spoil


def send(change: Callable[[bytes], bytes], *, keep: bool = False) -> Spoil:
    def spoil(visit: Visit, fetch: Fetch) -> None:
        visit.send(change(fetch()))
        if not keep:
            close(visit)

    return spoil


def drip(visit: Visit, fetch: Fetch) -> None:
    for byte in fetch()[:200]:
        visit.send(bytes([byte]))
        time.sleep(0.02)


def interim(visit: Visit, fetch: Fetch) -> None:
    fetch()
    while True:
        visit.send(b"HTTP/1.1 102 Processing\r\n\r\n")
        time.sleep(0.01)


def packed(layers: int) -> Callable[[bytes], bytes]:
    content = b" " * (65 * 1024 * 1024)
    for _ in range(layers):
        content = gzip.compress(content, 1)
    head = f"HTTP/1.1 200 OK\r\ncontent-encoding: {', '.join(['gzip'] * layers)}\r\ncontent-length: {len(content)}\r\n\r\n"
    return lambda _: head.encode() + content


LEFT = answer({"id": FOREIGN, "customer": {"firstName": FOREIGN}, "accounts": [], "generatedAt": "2026-06-01T00:00:00.000Z"})  # fmt: skip
KINDS: dict[str, Spoil] = {
    "closed before it was done": lambda visit, _: close(visit),
    "reset before it was done": lambda visit, _: reset(visit),
    "silence before it was done": lambda visit, _: sleep(visit),
    "closed after it was done": after(close),
    "reset after it was done": after(reset),
    "silence after it was done": after(sleep),
    "half of the head": send(lambda data: data[:40]),
    "all but the last byte": send(lambda data: data[:-1]),
    "garbage instead": send(lambda _: b"\x00\xff garbage\r\n\r\n"),
    "503 though it was done": send(lambda _: answer({"error": "x"}, status="503 Nope"), keep=True),
    "408 though it was done": send(lambda _: answer({"error": "x"}, status="408 Nope"), keep=True),
    "403 though nothing was done": lambda visit, _: visit.send(answer({"error": "x"}, status="403 Nope")),
    "headers drip by drip": drip,
    "102 without end": interim,
    "a packed giant": send(packed(1)),
    "a giant packed twice": send(packed(2)),
    "a whole answer left over": send(lambda data: data + LEFT, keep=True),
    "half an answer left over": send(lambda data: data + LEFT[: len(LEFT) // 2], keep=True),
    "somebody else's answer": send(lambda _: answer({"id": FOREIGN, "idempotencyKey": FOREIGN, "customer": 1}), keep=True),
    "an answer with an empty id": send(lambda _: answer({"id": ""}), keep=True),
}  # fmt: skip
SLOW = ("a packed giant", "a giant packed twice")
OPERATIONS = ("create", "attempt", "read")
UNSEEN = {
    ("somebody else's answer", "create"): "the interface's answer to a create repeats nothing that was asked"
}
"""Where a service that answers wrongly by itself cannot be told from one that answers right; `docs/faults.md` names them."""


@dataclass
class Row:
    """One kind, one operation, one client."""

    kind: str
    operation: str
    client: str
    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: int = 0

    @property
    def calls(self) -> int:
        return self.outcomes.total()


def run_kind(kind: str, operation: str, client: str, calls: int) -> Row:
    """Run one kind of fault so many times; the first sending of each call is spoilt."""
    truth, row, spoilt = Truth(), Row(kind, operation, client), set[str]()

    def serve(visit: Visit) -> None:
        target, headers, body = visit.next()
        request = headers["x-request-id"]
        first = request not in spoilt
        spoilt.add(request)
        if first:
            KINDS[kind](visit, lambda: truth.perform(target, body, headers))
        else:
            visit.send(truth.perform(target, body, headers))

    with Peer(serve) as peer:
        if client == "sync":
            with Client(peer.base_url, key_id="k", secret=SECRET, **PATIENCE) as each:
                each._ambient = replace(each._ambient, jitter=lambda _: 0.0)
                with ThreadPoolExecutor(AT_ONCE) as pool:
                    list(pool.map(lambda _: judge(row, truth, each), range(calls)))
        else:
            asyncio.run(_run_async(peer, row, truth, calls))
    return row


async def _run_async(peer: Peer, row: Row, truth: Truth, calls: int) -> None:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(client: AsyncClient) -> None:
        name, told = uuid4().hex, ""
        error: ApiError | None = None
        async with gate:
            try:
                told = named(await ask(client, row.operation, name))
            except ApiError as caught:
                error = caught
        settle(row, truth, name, told, error)

    async with AsyncClient(peer.base_url, key_id="k", secret=SECRET, **PATIENCE) as each:
        each._ambient = replace(each._ambient, jitter=lambda _: 0.0)
        await asyncio.gather(*(one(each) for _ in range(calls)))


def judge(row: Row, truth: Truth, client: Client) -> None:
    """Ask once, and compare what was told with what is true."""
    name, told = uuid4().hex, ""
    error: ApiError | None = None
    try:
        told = named(ask(client, row.operation, name))
    except ApiError as caught:
        error = caught
    settle(row, truth, name, told, error)


def ask(client: Any, operation: str, name: str) -> Any:
    if operation == "create":
        return client.customers.create(org_id=name)
    if operation == "attempt":
        return client.payments.attempts.create(name, bank={"bank_id": "b"})
    return client.source_of_wealth.get(name)


def named(record: Any) -> str:
    return str(getattr(record, "id", None) or record.customer.first_name)


def settle(row: Row, truth: Truth, name: str, told: str, error: ApiError | None) -> None:
    """Count an outcome; wrong is what says something that is not so."""
    with truth.lock:
        _settle(row, truth, name, told, error)


def _settle(row: Row, truth: Truth, name: str, told: str, error: ApiError | None) -> None:
    made = truth.customers.get(name, []) if row.operation == "create" else truth.attempts.get(name, [])
    right = {"create": f"c-{name}", "attempt": f"a-{made[0]}" if made else "", "read": name}[row.operation]
    is_done = bool(made) and row.operation != "read"
    if error is None:
        said = "done" if told == right else "SOMEBODY ELSE'S"
        row.wrong += told != right or (row.operation != "read" and len(made) != 1)
    else:
        said = f"{type(error).__name__}{', may have happened' if error.may_have_happened else ''}"
        row.wrong += is_done and not error.may_have_happened
        row.wrong += row.operation == "attempt" and (not error.idempotency_key or not error.request_id)
    row.wrong += len(made) > 1
    row.outcomes[
        f"told {said}" + ("" if row.operation == "read" else f", {'made' if made else 'not made'}")
    ] += 1


def run_fork(calls: int) -> Row:
    """Share a client with children made by fork: each must get its own answers."""
    truth, row = Truth(), Row("a client used on both sides of a fork", "read", "sync")

    def serve(visit: Visit) -> None:
        target, headers, body = visit.next()
        visit.send(truth.perform(target, body, headers))

    fork = multiprocessing.get_context("fork")
    with Peer(serve) as peer, Client(peer.base_url, key_id="k", secret=SECRET) as client:
        client.source_of_wealth.get("before")
        found = fork.SimpleQueue()

        def work() -> None:
            names = [uuid4().hex for _ in range(max(1, calls // 4))]
            found.put([(name, client.source_of_wealth.get(name).customer.first_name) for name in names])

        children = [fork.Process(target=work) for _ in range(4)]
        for child in children:
            child.start()
        for asked, told in [pair for _ in children for pair in found.get()]:
            row.outcomes["told done" if asked == told else "told SOMEBODY ELSE'S"] += 1
            row.wrong += asked != told
        for child in children:
            child.join()
    return row


def run(calls: int) -> Iterator[Row]:
    """Run the matrix, row by row.

    Args:
        calls: Calls of each kind for each client; its operations share them.
    """
    each = max(1, calls // len(OPERATIONS))
    for kind in KINDS:
        for operation in OPERATIONS:
            for client in ("sync", "async"):
                yield run_kind(kind, operation, client, min(each, 10) if kind in SLOW else each)
    yield run_fork(calls)


def main() -> int:
    """Print the matrix; 1 where something that was told was not so."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=300)
    calls = wrong = unseen = 0
    for row in run(parser.parse_args().calls):
        outcomes = "; ".join(f"{number} {outcome}" for outcome, number in row.outcomes.most_common())
        about = " | ".join((row.kind, row.operation, row.client, f"{row.calls}", outcomes))
        sys.stdout.write(f"{about} | wrong {row.wrong}\n")
        sys.stdout.flush()
        calls += row.calls
        known = (row.kind, row.operation) in UNSEEN
        wrong += 0 if known else row.wrong
        unseen += row.wrong if known else 0
    sys.stdout.write(
        f"{calls:,} calls, {len(KINDS) + 1} kinds, wrong: {wrong}; beside them {unseen} that nothing shows, see docs/faults.md\n"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
