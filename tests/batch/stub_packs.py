"""Packs that are small and quick to make: the frames of the specimen for another customer, and a manifest."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from kycpack.assets import asset_path
from kycpack.batch import Job, RunEntry, run, run_batch
from kycpack.batch.fence import Fence, SealedBeforeError
from kycpack.evidence import load_evidence
from kycpack.folders import add_folder, folder_name, partial_folder
from kycpack.frames.plain_table import plain_table
from kycpack.pack import build_review
from kycpack.pack.bag import close_bag
from kycpack.pack.compute.parquet import table_bytes
from kycpack.pack.earlier_packs import new_place, point_to
from kycpack.triage import load_policy
from kycpack.workspace import Runs, Workspace


@cache
def specimen() -> Path:
    """Write the frames of the specimen once, for all stubs of this process."""
    evidence = load_evidence(asset_path("samples/evidence/index.json").parent)
    review = build_review(evidence, load_policy(None), as_of="2026-06-01")
    folder = Path(tempfile.mkdtemp(prefix="kycpack-specimen-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, frame in review.tables.items():
        (folder / f"{name}.parquet").write_bytes(table_bytes(plain_table(frame).arrow))
    return folder


def stub_frames(source: Path, customer_id: str, *, empty: bool = False) -> dict[str, pa.Table]:
    made = {}
    for path in sorted(source.glob("*.parquet")):
        table = pq.ParquetFile(path).read(use_threads=False)
        rows = table.slice(0, 0) if empty and path.stem != "customers" else table
        place = rows.schema.get_field_index("customer_id")
        ids = pa.array([customer_id] * rows.num_rows, pa.string())
        made[path.stem] = rows if place < 0 else rows.set_column(place, "customer_id", ids)
    return made


def write_stub(
    out: Path,
    customer_id: str,
    as_of: datetime,
    *,
    empty: bool = False,
    source: Path | None = None,
    on_seal: Callable[[Path, Path], None] = lambda _bag, _place: None,
) -> Path:
    with partial_folder(out / folder_name(customer_id)) as bag:
        (bag / "data" / "frames").mkdir(parents=True)
        tables = {}
        for name, table in stub_frames(source or specimen(), customer_id, empty=empty).items():
            tables[name] = table_bytes(table)
            (bag / "data" / "frames" / f"{name}.parquet").write_bytes(tables[name])
        manifest = {
            "customer_id": customer_id,
            "as_of": as_of.isoformat(),
            "evidence_root": hashlib.sha256(customer_id.encode()).hexdigest(),
            "policy": {"digest": "stub"},
            "decision": None,
            "frames": {name: hashlib.sha256(content).hexdigest() for name, content in tables.items()},
        }
        figures = {"level": "review", "headline": "stub", "credits": []}
        (bag / "data" / "manifest.json").write_text(json.dumps(manifest))
        (bag / "data" / "figures.json").write_text(json.dumps(figures))
        close_bag(bag, {"External-Identifier": customer_id})

        def admitted() -> Path:
            place = new_place(out, customer_id)
            on_seal(bag, place)
            return place

        place = add_folder(bag, admitted)
    point_to(place, customer_id)
    return place


@dataclass(frozen=True)
class StubTask:
    """Makes a stub pack; `again-...` is incomplete at first, `none-...` has no pack, `bare-...` has frames without rows,
    `late-...` is killed once, after its pack was sealed."""

    fingerprint: str = "same"
    source: Path = field(default_factory=specimen)
    preload: tuple[str, ...] = ("stub_packs",)

    def __call__(self, job: Job, *, out: Path, as_of: datetime, previous: RunEntry | None) -> RunEntry:
        name = job.customer_id
        if name.startswith("none"):
            return RunEntry(name, "failed", note="no answer")
        if previous is not None and previous.fingerprint == self.fingerprint:
            return RunEntry(**{**_members(previous), "outcome": "unchanged"})
        fence = Fence(out, job)
        if (sealed := fence.sealed()) is not None:
            return sealed
        is_first = name.startswith("again") and not (out / ".kycpack" / f"{name}.tried").exists()
        if is_first:
            (out / ".kycpack" / f"{name}.tried").write_text(str(os.getpid()))

        def entry(place: Path) -> RunEntry:
            return RunEntry(
                name,
                "incomplete" if is_first else "produced",
                pack=place.name,
                level="review",
                top_reason="stub",
                fingerprint="" if is_first else self.fingerprint,
            )

        try:
            pack = write_stub(
                out,
                name,
                as_of,
                empty=name.startswith("bare"),
                source=self.source,
                on_seal=lambda bag, place: fence.admit(bag, entry(place)),
            )
        except SealedBeforeError as error:
            return error.entry
        mark = out / ".kycpack" / f"{name}.sealed"
        if name.startswith("late") and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return entry(pack)


def _members(entry: RunEntry) -> dict[str, object]:
    return {name: getattr(entry, name) for name in RunEntry.__dataclass_fields__}


def share_stubs(pipe: Connection, place: str, out: Path, names: list[str], claim_seconds: float) -> None:
    """Be one of two coordinators of a run, whose claims last so long; say each customer who was done here."""
    run._MARGIN_SECONDS = 0.0
    with Workspace.open(place) as workspace:
        pipe.send("ready")
        pipe.recv()
        run_batch(
            [Job(name) for name in names],
            out,
            task=StubTask(),
            as_of=datetime(2026, 6, 1, tzinfo=UTC),
            runs=Runs(workspace),
            share=True,
            workers=1,
            limit_seconds=claim_seconds,
            on_entry=lambda entry: pipe.send(entry.customer_id),
        )
