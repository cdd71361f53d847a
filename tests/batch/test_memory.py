"""A customer whose process runs out of memory or is killed by the system: named, and nobody else is touched."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from kycpack.api import Client
from kycpack.batch import Job, RunReport, run_batch
from kycpack.folders import folder_name
from kycpack.pack import verify_pack
from kycpack.service.embedded import EmbeddedService

sys.path.insert(0, str(Path(__file__).parent))
from memory_tasks import KilledInTheMiddle, ShortOfMemory


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedService]:
    with EmbeddedService(f"sqlite:///{tmp_path_factory.mktemp('service')}/service.db") as running:
        yield running


@pytest.fixture(scope="module")
def ids(service: EmbeddedService) -> list[str]:
    with Client(service.base_url, key_id=service.key_id, secret=service.secret) as client:
        return [
            client.customers.create(
                first_name="Ada",
                last_name=f"Specimen {each}",
                email_address=f"ada.{each}@example.com",
                date_of_birth="1980-01-01",
            ).id
            for each in range(3)
        ]


def run(task: Any, ids: list[str], out: Path) -> RunReport:
    as_of = datetime(2026, 6, 1, tzinfo=UTC)
    return run_batch([Job(one) for one in ids], out, task=task, as_of=as_of, workers=2)


def check(report: RunReport, unlucky: str, out: Path) -> str:
    """Every other customer has a pack that verifies, and this one has none, nor half of one; return what is said of it."""
    entries = {entry.customer_id: entry for entry in report.entries}
    others = [entry for name, entry in entries.items() if name != unlucky]
    assert {entry.outcome for entry in others} == {"produced"}
    assert all(verify_pack(out / entry.pack).ok for entry in others)
    assert entries[unlucky].outcome == "failed"
    assert entries[unlucky].pack == ""
    assert report.exit_code == 1
    assert not [path for path in out.iterdir() if path.name.startswith(folder_name(unlucky))]
    assert not list(out.rglob("*.partial"))
    return entries[unlucky].note


@pytest.mark.timeout(600)
def test_a_pack_that_runs_out_of_memory_is_failed_and_the_others_are_made(
    service: EmbeddedService, ids: list[str], tmp_path: Path
) -> None:
    account = (service.base_url, service.key_id, service.secret)
    task = ShortOfMemory(*account, customer_id=ids[1], spare_mib=1)
    note = check(run(task, ids, tmp_path), ids[1], tmp_path)
    assert note == "needed more memory than the limit for one customer"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("is_writing", [False, True])
def test_a_pack_that_the_system_kills_is_failed_and_the_next_run_makes_it(
    *, is_writing: bool, service: EmbeddedService, ids: list[str], tmp_path: Path
) -> None:
    account = (service.base_url, service.key_id, service.secret)
    killed = run(KilledInTheMiddle(*account, customer_id=ids[1], is_writing=is_writing), ids, tmp_path)
    note = check(killed, ids[1], tmp_path)
    assert note.startswith("its process was killed (signal 9) before it answered")
    again = run(KilledInTheMiddle(*account), ids, tmp_path)
    assert {entry.customer_id: entry.outcome for entry in again.entries}[ids[1]] == "produced"
