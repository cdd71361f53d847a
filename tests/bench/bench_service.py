"""The service: signed creates at 32 in flight beside a bare route with the same inserts, start-up, memory."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.measure import Measurement

from kycpack.models import signing
from kycpack.models.json import dump_json

IN_FLIGHT = 32
REQUESTS = 1_600
ROUNDS = 5
PEOPLE = int(os.environ.get("KYCPACK_BENCH_CUSTOMERS", "100000"))

_SERVE = (
    "import sys, json\n"
    "from kycpack.service.server import serve\n"
    "def tell(info):\n"
    "    told = dict(base_url=info.base_url, control_url=info.control_url, key_id=info.key_id, secret=info.secret)\n"
    "    print(json.dumps(told), flush=True)\n"
    "serve(sys.argv[1], announce=tell)\n"
)
_BODY = dump_json({"firstName": "Ada", "lastName": "Byron", "emailAddress": "ada@example.com"})


def run() -> list[Measurement]:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        ours, peer = Path(folder) / "ours.db", Path(folder) / "peer.db"
        started = time.perf_counter()
        with _running(["-c", _SERVE, str(ours)]) as (service, process):
            start_up = time.perf_counter() - started
            with _running(["-m", "tests.bench.bare_route", str(peer)]) as (bare, _):
                rounds = [(_rate(service), _rate(bare)) for _ in range(ROUNDS + 1)][1:]
            lines = [
                Measurement(
                    f"signed creates at {IN_FLIGHT} in flight",
                    statistics.median(one[0].rate for one in rounds),
                    statistics.median(other[1].rate for other in rounds),
                    "requests/s",
                    "a bare Starlette route, same inserts",
                    "at least half",
                ),
                Measurement(
                    "p99 of signed creates",
                    statistics.median(one[0].p99_ms for one in rounds),
                    statistics.median(other[1].p99_ms for other in rounds),
                    "ms",
                    "the same route",
                ),
                Measurement("service start-up", start_up, None, "s"),
            ]
            before = _resident_mb(process.pid)
            _fill(service, PEOPLE)
            held = _resident_mb(process.pid)
            lines.append(Measurement(f"memory after {PEOPLE:,} customers", held, before, "MB", "before them"))
    return lines


class _Load:
    """What one round gave."""

    def __init__(self, seconds: float, latencies: list[float]) -> None:
        self.rate = len(latencies) / seconds
        self.p99_ms = statistics.quantiles(latencies, n=100)[98] * 1000


def _rate(target: dict[str, str], count: int = REQUESTS) -> _Load:
    return asyncio.run(_drive(target["base_url"].removeprefix("http://"), _requests(target, count)))


async def _drive(host: str, requests: list[bytes]) -> _Load:
    latencies: list[float] = []
    waiting = iter(requests)

    async def one_connection() -> None:
        name, _, port = host.partition(":")
        reader, writer = await asyncio.open_connection(name, int(port))
        for request in waiting:
            started = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
            await reader.readexactly(length)
            latencies.append(time.perf_counter() - started)
            if not head.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(head.decode())
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*(one_connection() for _ in range(IN_FLIGHT)))
    return _Load(time.perf_counter() - started, latencies)


def _requests(target: dict[str, str], count: int) -> list[bytes]:
    """Return signed requests as bytes, so that the client costs as little as it can."""
    host = target["base_url"].removeprefix("http://")
    date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime())
    digest = signing.content_sha256(_BODY)
    secret = signing.decode_secret(target["secret"]) if "secret" in target else bytes(32)
    made = []
    for _ in range(count):
        nonce = os.urandom(16).hex()
        text = signing.string_to_sign(
            signing.CanonicalRequest("POST", "/v1/customers", host, date, digest, nonce)
        )
        headers = {
            "host": host,
            "content-type": "application/json",
            "content-length": str(len(_BODY)),
            "x-date": date,
            "x-nonce": nonce,
            "x-content-sha256": digest,
            "authorization": signing.authorization(target.get("key_id", "key"), signing.sign(secret, text)),
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        made.append(f"POST /v1/customers HTTP/1.1\r\n{head}\r\n".encode() + _BODY)
    return made


def _fill(target: dict[str, str], count: int) -> None:
    for _ in range(0, count, 5_000):
        _rate(target, min(5_000, count))


@contextmanager
def _running(arguments: list[str]) -> Iterator[tuple[dict[str, Any], subprocess.Popen[str]]]:
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True)  # noqa: S603 - ourselves
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline()), process
    finally:
        process.terminate()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024
