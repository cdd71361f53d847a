"""A database of 100,000 customers beside a nearly empty one: get, create, and list an organisation's branch of 100."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from sqlalchemy import insert
from tests.bench.measure import Measurement
from tests.service.running import running
from tests.service.signed import Caller, new_customer, ok

from kycpack.models.instants import format_instant
from kycpack.service.embedded import EmbeddedService
from kycpack.service.schema import customers

PEOPLE = int(os.environ.get("KYCPACK_BENCH_CUSTOMERS", "100000"))
BRANCH = 100
TIMES = 150
_AT_A_TIME = 5_000


def run() -> list[Measurement]:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder) / name for name in ("full", "empty")]
        for place in places:
            place.mkdir()
        with running(places[0]) as (service, full), running(places[1]) as (_, empty):
            _fill(service, PEOPLE)
            calls = {
                "get a customer": [_getting(call) for call in (full, empty)],
                "create a customer": [_creating(call) for call in (full, empty)],
                f"list a branch of {BRANCH}": [_listing(call) for call in (full, empty)],
            }
            return [
                Measurement(
                    f"{name}, of {PEOPLE:,}",
                    *_beside(*pair),
                    "ms",
                    "the same in an empty database",
                    "at most 1.5 times",
                )
                for name, pair in calls.items()
            ]


def _beside(ours: Callable[[], object], peer: Callable[[], object]) -> tuple[float, float]:
    """Return the medians of two calls that take turns, in milliseconds."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(TIMES):
        for kept, call in zip(times, (ours, peer), strict=True):
            began = time.perf_counter()
            call()
            kept.append((time.perf_counter() - began) * 1000)
    return statistics.median(times[0]), statistics.median(times[1])


def _getting(call: Caller) -> Callable[[], object]:
    customer = new_customer(call)
    return lambda: ok(call("GET", f"/v1/customers/{customer}"))


def _creating(call: Caller) -> Callable[[], object]:
    return lambda: new_customer(call)


def _listing(call: Caller) -> Callable[[], object]:
    for _ in range(BRANCH):
        new_customer(call, orgId="one-branch")

    def listing() -> None:
        assert len(ok(call("GET", "/v1/customers?orgId=one-branch"))["items"]) == BRANCH

    return listing


def _fill(service: EmbeddedService, count: int) -> None:
    instant = format_instant(service.service.clock.now())
    for start in range(0, count, _AT_A_TIME):
        rows = [
            {
                "id": str(uuid4()),
                "tenant_id": service.tenant_id,
                "org_id": f"branch-{number % 1000}",
                "first_name": "Ada",
                "last_name": "Byron",
                "email_address": "ada@example.com",
                "created_at": instant,
                "updated_at": instant,
            }
            for number in range(start, min(start + _AT_A_TIME, count))
        ]
        with service.service.database.write() as connection:
            connection.execute(insert(customers), rows)
