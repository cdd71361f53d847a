"""Tasks for the executor; they are pickled by name, so they live in a module."""

from __future__ import annotations

import errno
import os
import resource
import signal
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

from kycpack.batch import Job, RunEntry, run_batch
from kycpack.errors import NotFoundError
from kycpack.workspace import Runs, Workspace

_LITTLE = 2**28
_PATIENCE_SECONDS = 200.0


@dataclass(frozen=True)
class FakeTask:
    """Writes a file for each customer; what goes wrong is in the customer's id."""

    fingerprint: str = "same"
    preload: tuple[str, ...] = ()

    def __call__(  # noqa: C901, PLR0912 - one line for each thing that can go wrong
        self, job: Job, *, out: Path, as_of: datetime, previous: RunEntry | None
    ) -> RunEntry:
        name = job.customer_id
        if name.startswith("missing"):
            raise NotFoundError(f"customer {name} is unknown", status=404, operation="customers.get")
        if name.startswith("surprise"):
            raise ValueError("Ada Byron, born 1815")
        if name.startswith("full"):
            raise OSError(errno.ENOSPC, "of Ada Byron", "ada-byron.json")
        if name.startswith("killed"):
            os.kill(os.getpid(), signal.SIGKILL)
        if name.startswith("greedy"):
            resource.setrlimit(resource.RLIMIT_AS, (_LITTLE, _LITTLE))
            bytearray(_LITTLE)
        if name.startswith("flaky"):
            mark = out / f"{name}.tried"
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        if name.startswith("partial") and not (out / "service-is-back").exists():
            (out / name).write_text("incomplete")
            return RunEntry(name, "incomplete", pack=name, level="review", note="E-05 failed")
        if name.startswith("away"):
            return RunEntry(name, "incomplete", note="nothing was answered", cause="unreachable")
        if name.startswith("modules"):
            loaded = ",".join(
                each
                for each in ("kycpack.pack.preload", "kycpack.render.statement_pdf")
                if each in sys.modules
            )
            return RunEntry(name, "produced", pack=name, level="review", note=loaded)
        if name.startswith("slow") and not (out / f"{name}.pid").exists():
            (out / f"{name}.pid").write_text(str(os.getpid()))
            time.sleep(60)
        if name.startswith("large"):
            bytearray(2**31)
        if name.startswith("stuck"):
            time.sleep(60)
        if name.startswith("once") and not (out / "second-try").exists():
            raise KeyError(name)
        if previous is not None and previous.fingerprint == self.fingerprint:
            return RunEntry(
                name, "unchanged", pack=previous.pack, level=previous.level, fingerprint=self.fingerprint
            )
        (out / name).write_text(f"{os.getpid()} {as_of.isoformat()}")
        return RunEntry(name, "produced", pack=name, level="review", fingerprint=self.fingerprint)


def share(pipe: Connection, place: str, out: Path, at_work: Path, names: list[str]) -> None:
    """Be one of two coordinators of a run; say through the pipe which customers were done here."""
    said: list[str] = []

    def note(entry: RunEntry) -> None:
        said.append(entry.customer_id)
        (at_work / str(os.getpid())).touch()
        patience = time.monotonic() + _PATIENCE_SECONDS
        while (
            len(list(at_work.iterdir())) < 2 and time.monotonic() < patience
        ):  # until the other one has a customer too
            time.sleep(0.02)

    with Workspace.open(place) as workspace:
        pipe.send("ready")
        pipe.recv()
        run_batch(
            [Job(name) for name in names],
            out,
            task=FakeTask(),
            as_of=datetime(2026, 6, 1, tzinfo=UTC),
            runs=Runs(workspace),
            share=True,
            workers=1,
            on_entry=note,
        )
    pipe.send(said)
