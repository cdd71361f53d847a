"""What the client costs, beside bare httpx that fetches the same with the same concurrency."""

from __future__ import annotations

import asyncio
import base64
import json
import multiprocessing
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn
from tests.bench.measure import Measurement, in_turn

from kycpack.api import AsyncClient, Client
from kycpack.api.connections import LIMITS

REQUESTS = 300
THREADS = 8
IN_FLIGHT = 32
MANY_IN_FLIGHT = 1_000
_PATIENT = httpx.Timeout(120)  # 1,000 at once wait longer for a connection than the default allows
SECRET = base64.b64encode(b"0123456789abcdef0123456789abcdef").decode()
CUSTOMER = json.dumps(
    {
        "id": "c-1",
        "tenantId": "t-1",
        "firstName": "Ada",
        "lastName": "Byron",
        "emailAddress": "ada@mail.example",
        "dateOfBirth": "1990-01-01",
        "address": {"addressLine1": "1 High St", "city": "Leeds", "postalCode": "LS1 1AA", "country": "GB"},
        "created": "2026-01-01T00:00:00.000Z",
        "lastUpdated": "2026-01-01T00:00:00.000Z",
    }
).encode()


def run() -> list[Measurement]:
    """Measure a GET: signed, retried, read into a record; and the same bare, parsed by the json module."""
    with _server() as base_url, Client(base_url, key_id="k", secret=SECRET) as client, httpx.Client() as bare:
        url = f"{base_url}/v1/customers/c-1"

        def ours_one(_: int) -> None:
            client.customers.get("c-1")

        def bare_one(_: int) -> None:
            json.loads(bare.get(url).raise_for_status().content)

        one = in_turn(lambda: _each(ours_one), lambda: _each(bare_one), rounds=7)
        with ThreadPoolExecutor(THREADS) as pool:
            many = in_turn(
                lambda: list(pool.map(ours_one, range(REQUESTS))),
                lambda: list(pool.map(bare_one, range(REQUESTS))),
                rounds=7,
            )
        flight = in_turn(
            lambda: asyncio.run(_ours(base_url, REQUESTS, IN_FLIGHT)),
            lambda: asyncio.run(_bare(url, REQUESTS, IN_FLIGHT)),
            rounds=7,
        )
        crowd = in_turn(
            lambda: asyncio.run(_ours(base_url, MANY_IN_FLIGHT, MANY_IN_FLIGHT)),
            lambda: asyncio.run(_bare(url, MANY_IN_FLIGHT, LIMITS.max_connections or 1)),
            rounds=5,
        )
    return [
        Measurement(f"client, {name}", count / ours, count / peer, "requests/s", "httpx and json.loads", "")
        for name, count, (ours, peer) in (
            ("one after another", REQUESTS, one),
            (f"{THREADS} threads", REQUESTS, many),
            (f"async, {IN_FLIGHT} in flight", REQUESTS, flight),
            (
                f"async, {MANY_IN_FLIGHT:,} in flight, {LIMITS.max_connections} connections",
                MANY_IN_FLIGHT,
                crowd,
            ),
        )
    ]


def _each(call: Any) -> None:
    for number in range(REQUESTS):
        call(number)


async def _ours(base_url: str, count: int, in_flight: int) -> None:
    async with AsyncClient(base_url, key_id="k", secret=SECRET) as client:
        await _fly(lambda: client.customers.get("c-1"), count, in_flight)


async def _bare(url: str, count: int, in_flight: int) -> None:
    async with httpx.AsyncClient(limits=LIMITS, timeout=_PATIENT) as client:

        async def get() -> None:
            json.loads((await client.get(url)).raise_for_status().content)

        await _fly(get, count, in_flight)


async def _fly(call: Any, count: int, in_flight: int) -> None:
    gate = asyncio.Semaphore(in_flight)

    async def one() -> None:
        async with gate:
            await call()

    await asyncio.gather(*(one() for _ in range(count)))


async def _answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
    del scope, receive
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(CUSTOMER)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": CUSTOMER})


def _serve(listener: socket.socket) -> None:
    config = uvicorn.Config(_answer, log_level="critical", lifespan="off", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])


@contextmanager
def _server() -> Iterator[str]:
    # In a process of its own: two event loops in one would wait for each other's turn, and nothing else be measured.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(MANY_IN_FLIGHT)
        process = multiprocessing.get_context("spawn").Process(target=_serve, args=(listener,), daemon=True)
        process.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            process.terminate()
            process.join()
