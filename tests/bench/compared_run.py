"""What `kycpack batch` itself needs for a run of very many customers whom a register knows, once and then beside the run before.

The tasks do nothing: the packs are there, as far as the command reads them. All else is what it does for a real run: it compares
the population with register and list, reads what the register says, compares the customers with each other, writes the results
and opens the cases.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
import os
import random
import time
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from kycpack.assets import asset_path
from kycpack.batch import Job, RunEntry, executor
from kycpack.cli.options import settings
from kycpack.cli.runs import batch, population
from kycpack.cli.runs.batch_scope import in_scope
from kycpack.evidence import load_evidence
from kycpack.frames.plain_table import plain_table
from kycpack.models.customers import Customer
from kycpack.pack import build_review
from kycpack.triage import load_policy
from kycpack.triage.policy_file import DEFAULT_POLICY
from kycpack.workspace import Workspace
from kycpack.workspace.register.learning import learn_record

_MIB = 2**20
_READ = ("customers", "documents", "accounts", "results", "sessions", "recommendations")
_TWICE = 400
"""Of so many customers, one has applied before."""


def compared_run(scratch: Path, count: int) -> dict[str, Any]:
    """Run the command twice over the same customers, the second time beside the first run."""
    few, many = scratch / "few", scratch / "many"
    _prepare(few, 50)
    _prepare(many, count)
    executor.run_tasks = _at_once
    with contextlib.redirect_stderr(open(os.devnull, "w", encoding="utf-8")):  # noqa: PTH123
        for day in (1, 2):
            _run(few, day)  # imports what the command imports
        Path("/proc/self/clear_refs").write_text("5")
        before, found = _peak(), {}
        for day, name in ((1, "the first run"), (2, "beside the run before")):
            began, cpu = time.perf_counter(), time.process_time()
            _run(many, day)
            found[f"{name}, seconds"] = round(time.perf_counter() - began)
            found[f"{name}, cpu ms a customer"] = round(1000 * (time.process_time() - cpu) / count, 1)
            found[f"{name}, peak above start, MiB"] = round((_peak() - before) / _MIB)
    return found


def _run(place: Path, day: int) -> None:
    file = place / "customers.csv"
    population.client_of = lambda _chosen: contextlib.nullcontext(_Listing(file))  # type: ignore[assignment,return-value]
    os.environ["KYCPACK_SECRET"] = "c2VjcmV0"
    chosen = settings(base_url="http://127.0.0.1:1", key_id="nobody", workspace=str(place / "kycpack.db"))
    as_of = dt.datetime(2026, 6, day, tzinfo=dt.UTC)
    given: dict[str, Any] = {"workers": 2, "as_of": as_of, "policy": None, "country": "GB", "quiet": True}
    with in_scope(chosen, (), file, everybody=False, completed=False) as scope:
        batch.run(chosen, scope.customer_ids, place / "packs", scope=scope.kind, **given)


class _Listing:
    """A client whose service lists the customers of a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.customers = self

    def with_options(self, **_given: Any) -> Self:
        return self

    def iter(self, **_given: Any) -> Iterator[Customer]:
        with self._file.open() as lines:
            next(lines)
            for line in lines:
                yield Customer.read({"id": line.strip(), "firstName": "Ada", "lastName": "Specimen"})


def _at_once(_task: Any, jobs: Iterable[Job], *, as_of: dt.datetime, **_given: Any) -> Generator[RunEntry]:
    for number, job in enumerate(jobs):
        level = "review" if (number + as_of.day) % 7 else "edd"
        root = hashlib.sha256(job.customer_id.encode()).hexdigest()
        yield RunEntry(
            job.customer_id,
            "produced",
            pack=job.customer_id,
            level=level,
            top_reason="stub",
            evidence_root=root,
        )


def _prepare(place: Path, count: int) -> None:
    """Write a register, and of each pack what the command reads."""
    specimen = asset_path("samples/evidence/index.json").parent
    review = build_review(load_evidence(specimen), load_policy(None), as_of="2026-06-01")
    frames = {name: plain_table(review.tables[name]).arrow.slice(0, 1) for name in _READ}
    frames["findings"] = plain_table(review.tables["findings"]).arrow.slice(0, 3)
    frames["media"] = plain_table(review.tables["media"]).arrow.slice(0, 0)
    drawn = random.Random(count)  # noqa: S311 - the same customers each time
    names = ["".join(drawn.choices("abdegiklmnorstu", k=6)).title() for _ in range(2000)]
    people: list[tuple[str, str, dt.datetime, str]] = []
    ids = [f"{drawn.getrandbits(32):08x}-0000-4000-8000-{number:012x}" for number in range(count)]
    for number, one in enumerate(ids):
        born = dt.datetime(1940, 1, 1) + dt.timedelta(days=drawn.randrange(25_000))  # noqa: DTZ001 - a date
        person = (drawn.choice(names), drawn.choice(names), born, f"{drawn.randrange(10**8, 10**9)}")
        people.append(drawn.choice(people) if number % _TWICE == _TWICE - 1 else person)
        own = dict(
            zip(("first_name", "last_name", "date_of_birth_on", "document_number"), people[-1], strict=True)
        )
        _write_pack(place / "packs" / one, frames, own | {"customer_id": one, "session_id": f"ses-{one}"})
    (place / "customers.csv").write_text("\n".join(("customer_id", *ids)))
    with Workspace.open(place / "kycpack.db") as workspace, workspace.transaction() as connection:
        now, learned_from = workspace.timestamp(), "import"
        for one in ids:
            learn_record(connection, now, "customer", one, learned_from, org_id="org-1")
            known = {"customer_id": one, "created_at": now, "ordered": {"identity": {}}, "status": "complete"}
            learn_record(connection, now, "session", f"ses-{one}", learned_from, **known)


def _write_pack(pack: Path, frames: dict[str, pa.Table], own: dict[str, Any]) -> None:
    data = pack / "data"
    (data / "frames").mkdir(parents=True)
    for name, table in frames.items():
        for column in own.keys() & set(table.column_names):
            place = table.schema.get_field_index(column)
            values = pa.array([own[column]] * table.num_rows, table.schema.field(place).type)
            table = table.set_column(place, table.schema.field(place), values)  # noqa: PLW2901 - column by column
        pq.write_table(table, data / "frames" / f"{name}.parquet")
    (data / "policy.yaml").symlink_to(asset_path(DEFAULT_POLICY))
    (data / "evidence").symlink_to(asset_path("samples/evidence/index.json").parent)
    root = hashlib.sha256(own["customer_id"].encode()).hexdigest()
    manifest = {
        "customer_id": own["customer_id"],
        "as_of": "2026-06-01T00:00:00Z",
        "evidence_root": root,
        "case": {"prepared_by": "ada"},
    }
    (data / "manifest.json").write_text(json.dumps(manifest))
    (data / "figures.json").write_text("{}")
    (pack / "tagmanifest-sha256.txt").write_text(root)


def _peak() -> int:
    """Return the peak of this process in bytes since it was last cleared."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) * 1024
