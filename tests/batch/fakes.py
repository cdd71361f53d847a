"""Tasks for the executor; they are pickled by name, so they live in a module."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from kycpack.batch import Entry, Job
from kycpack.errors import NotFoundError

_LITTLE = 2**28


@dataclass(frozen=True)
class FakeTask:
    """Writes a file for each customer; what goes wrong is in the customer's id."""

    fingerprint: str = "same"
    preload: tuple[str, ...] = ()

    def __call__(  # noqa: C901, PLR0912 - one line for each thing that can go wrong
        self, job: Job, *, out: Path, as_of: datetime, previous: Entry | None
    ) -> Entry:
        name = job.customer_id
        if name.startswith("missing"):
            raise NotFoundError(f"customer {name} is unknown", status=404, operation="customers.get")
        if name.startswith("surprise"):
            raise ValueError("Ada Byron, born 1815")
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
            return Entry(name, "incomplete", pack=name, level="review", note="E-05 failed")
        if name.startswith("away"):
            return Entry(name, "incomplete", note="nothing was answered", cause="unreachable")
        if name.startswith("modules"):
            loaded = ",".join(
                each
                for each in ("kycpack.pack.preload", "kycpack.render.statement_pdf")
                if each in sys.modules
            )
            return Entry(name, "produced", pack=name, level="review", note=loaded)
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
            return Entry(
                name, "unchanged", pack=previous.pack, level=previous.level, fingerprint=self.fingerprint
            )
        (out / name).write_text(f"{os.getpid()} {as_of.isoformat()}")
        return Entry(name, "produced", pack=name, level="review", fingerprint=self.fingerprint)
