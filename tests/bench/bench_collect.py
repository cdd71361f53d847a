"""How much memory a collection takes, and how long it is beside bare httpx that writes the same bodies to files.

Each collection runs in a process of its own, since a process never says how much less it needs now.
"""

from __future__ import annotations

import json
import multiprocessing
import re
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from tests.bench.measure import Measurement, peak_bytes

MEDIA, MEDIA_BYTES = 40, 60_000_000
TRANSACTIONS, PAGE = 500_000, 1_000
SECRET = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
MIB = 1024 * 1024
_SPAWN = multiprocessing.get_context("spawn")
_PICTURE = b"\xff\xd8\xff" + b"\0" * (MEDIA_BYTES - 3)


def run() -> list[Measurement]:
    """Collect many large files, and many transactions; each beside the largest body, which is what memory may follow."""
    lines = []
    with _server() as base_url:
        for name, what, largest in (
            (f"{MEDIA} media of {MEDIA_BYTES // 1_000_000} MB", "media", MEDIA_BYTES),
            (f"{TRANSACTIONS:,} transactions", "bank", len(_page(0))),
        ):
            idle, _ = _apart(_collect, base_url, "nothing")
            ours, took = _apart(_collect, base_url, what)
            _, bare = _apart(_fetch, base_url, what)
            lines += [
                Measurement(
                    f"collect, {name}: memory above an empty collection",
                    (ours - idle) / MIB,
                    largest / MIB,
                    "MiB",
                    "the largest body",
                    "bounded by the bodies on their way",
                ),
                Measurement(f"collect, {name}", took, bare, "s", "httpx, bodies to files"),
            ]
    return lines


def _apart(work: Callable[..., None], *arguments: str) -> tuple[float, float]:
    """Run some work in a new process; return its peak memory in bytes and its wall seconds."""
    ours, theirs = _SPAWN.Pipe(duplex=False)
    process = _SPAWN.Process(target=_report, args=(theirs, work, arguments))
    process.start()
    peak, took = ours.recv()
    process.join()
    return peak, took


def _report(pipe: Any, work: Callable[..., None], arguments: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        work(folder, *arguments)
        pipe.send((peak_bytes(), time.perf_counter() - started))


def _collect(folder: str, base_url: str, what: str) -> None:
    from kycpack.api import Client, collect  # noqa: PLC0415 - the peer's process does not import it

    with Client(base_url, key_id="k", secret=SECRET) as client:
        evidence = collect(
            client, what, sessions=["s-1"] if what == "media" else [], folder=Path(folder) / "evidence"
        )
    kinds = {"media": "onboarding.download", "bank": "bank_accounts.transactions"}
    found = [entry for entry in evidence.select(kinds.get(what, "customers.get")) if entry.file]
    wanted = {"media": MEDIA, "bank": TRANSACTIONS // PAGE}.get(what, 1)
    if len(found) != wanted:
        raise SystemExit(f"{len(found)} of {wanted} answers of {what}")


def _fetch(folder: str, base_url: str, what: str) -> None:
    with httpx.Client() as http:
        if what == "media":
            paths = [f"/v1/onboard-sessions/s-1/media/m-{n}" for n in range(MEDIA)]
        else:
            paths = [
                f"/v1/customers/bank/bank-accounts/a-1/transactions?cursor={n}"
                for n in range(TRANSACTIONS // PAGE)
            ]
        for number, path in enumerate(paths):
            content = http.get(base_url + path).raise_for_status().content
            (Path(folder) / str(number)).write_bytes(content)


def _page(number: int) -> bytes:
    items = [
        {
            "id": f"t-{number * PAGE + n:07d}",
            "bookingDate": "2026-05-01",
            "status": "booked",
            "amount": "12.34",
            "creditDebitIndicator": "Debit",
            "currency": "GBP",
            "description": "CARD PAYMENT TO A SHOP IN A STREET",
            "counterpartyName": "A SHOP",
        }
        for n in range(PAGE)
    ]
    more = {"nextCursor": str(number + 1)} if number + 1 < TRANSACTIONS // PAGE else {}
    return json.dumps({"items": items, **more}).encode()


async def _answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
    del receive
    path, kind, status = scope["path"], b"application/json", 200
    if path.endswith("/media-access"):
        media = [{"id": f"m-{n}", "contentType": "image/jpeg"} for n in range(MEDIA)]
        body = json.dumps({"sessionId": "s-1", "media": media}).encode()
    elif path.startswith("/v1/onboard-sessions/"):
        body, kind = _PICTURE, b"image/jpeg"
    elif path == "/v1/customers/bank/bank-accounts":
        body = json.dumps({"items": [{"id": "a-1", "currency": "GBP"}]}).encode()
    elif path.endswith("/transactions"):
        cursor = re.search(rb"cursor=(\d+)", scope["query_string"])
        body = _page(int(cursor[1]) if cursor else 0)
    elif re.fullmatch(r"/v1/customers/\w+", path):
        body = json.dumps({"id": path.rpartition("/")[2]}).encode()
    elif path == "/v1/onboard/sessions/s-1":
        body = b'{"id": "s-1", "status": "complete"}'
    else:
        body, status = b'{"error": "not_found"}', 404
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _serve(listener: socket.socket) -> None:
    config = uvicorn.Config(_answer, log_level="critical", lifespan="off", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])


@contextmanager
def _server() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        process = _SPAWN.Process(target=_serve, args=(listener,), daemon=True)
        process.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            process.terminate()
            process.join()
