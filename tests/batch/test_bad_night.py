"""A run while the provider fails at random, killed and started again twice: everybody is accounted for.

`KYCPACK_TEST_BAD_NIGHT=1000` makes it the long run; the shares are 5% 500, 2% resets, 1% hangs.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.forks import begin_with_pipe

from kycpack.api import Client, collect
from kycpack.evidence import load_evidence
from kycpack.service.embedded import EmbeddedService

sys.path.insert(0, str(Path(__file__).parent))
from bad_night import BadProvider, CollectTask, coordinate

CUSTOMERS = int(os.environ.get("KYCPACK_TEST_BAD_NIGHT", "40"))
SHARES = {"500": 0.05, "reset": 0.02, "hang": 0.01}


def _killed_after(settled: int, *arguments: object) -> int:
    """Run a coordinator and kill it once it has settled so many customers; return how many it said."""
    running, pipe = begin_with_pipe(coordinate, *arguments)
    with pipe:
        said = _said(pipe, settled)
        running.kill()
        running.join()
    return said


def _said(pipe: Connection, most: int) -> int:
    """Return how many customers were settled, up to so many or to the end of the coordinator."""
    said = 0
    with suppress(EOFError):
        while said < most:
            pipe.recv()
            said += 1
    return said


def _create(service: EmbeddedService, number: int) -> list[str]:
    with Client(service.base_url, key_id=service.key_id, secret=service.secret) as client:
        return [
            client.customers.create(
                first_name="Ada",
                last_name=f"Specimen {each}",
                email_address=f"ada.{each}@example.com",
                date_of_birth="1980-01-01",
            ).id
            for each in range(number)
        ]


@pytest.mark.timeout(3600)
def test_a_bad_night_accounts_for_everybody(tmp_path: Path, place: str, tally: Callable[..., None]) -> None:
    out = tmp_path / "out"
    with EmbeddedService(f"sqlite:///{tmp_path}/service.db") as service:
        ids = _create(service, CUSTOMERS)
        port = urlsplit(service.base_url).port or 0
        with BadProvider(port, seed=5, shares=SHARES) as provider:
            task = CollectTask(provider.base_url, service.key_id, service.secret)
            arguments = (out, task, ids, place)
            began = time.monotonic()
            killed = [_killed_after(CUSTOMERS // 3, *arguments) for _ in range(2)]
            assert not (out / "run.json").exists()
            last, pipe = begin_with_pipe(coordinate, *arguments)
            with pipe:
                said = _said(pipe, sys.maxsize)
            last.join()
            seconds = time.monotonic() - began
        assert last.exitcode == 0
    run = json.loads((out / "run.json").read_bytes())
    outcomes = Counter(entry["outcome"] for entry in run["entries"])
    assert [entry["customer_id"] for entry in run["entries"]] == ids
    assert outcomes["failed"] == 0
    assert outcomes["skipped"] > 0
    assert sum(outcomes.values()) == CUSTOMERS
    for entry in run["entries"]:
        if entry["pack"]:
            evidence = load_evidence(out / entry["pack"])
            assert evidence.customer_id == entry["customer_id"]
            assert evidence.root == entry["evidence_root"]
            assert bool(evidence.incomplete) == (entry["outcome"] == "incomplete")
    assert not list(out.glob(".*.partial"))
    figures = {
        "customers": CUSTOMERS,
        "seconds": round(seconds),
        "settled before the kills": sum(killed),
        "skipped as finished before": outcomes["skipped"],
        "settled by the last run, second tries included": said,
        **{f"requests {kind}": count for kind, count in sorted(provider.counts.items())},
        "incomplete at the end": outcomes["incomplete"],
        "unaccounted for": CUSTOMERS - sum(outcomes.values()),
    }
    for what, count in figures.items():
        tally(f"bad night, {'PostgreSQL' if '://' in place else 'SQLite'}", what, count)


def test_several_collects_of_one_customer_at_once_leave_one_whole_evidence(tmp_path: Path) -> None:
    target = tmp_path / "evidence" / "one"
    with EmbeddedService(f"sqlite:///{tmp_path}/service.db") as service:
        (customer,) = _create(service, 1)
        failures: list[Exception] = []

        def fetch() -> None:
            try:
                with Client(service.base_url, key_id=service.key_id, secret=service.secret) as client:
                    collect(client, customer).save(target, replace=True)
            except Exception as error:  # noqa: BLE001 - whatever it is, the test has to see it
                failures.append(error)

        threads = [threading.Thread(target=fetch) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []
    assert load_evidence(target).customer_id == customer
    assert [path.name for path in target.parent.iterdir()] == ["one"]
