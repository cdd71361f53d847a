"""Reviews whose process runs out of memory, or is killed in the middle; they are pickled by name, so they live in a module."""

from __future__ import annotations

import os
import resource
import signal
import threading
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from kycpack.batch import Job, RunEntry
from kycpack.batch.review_task import ReviewTask
from kycpack.evidence import Evidence
from kycpack.folders import folder_name

MIB = 1024 * 1024


def _no_thread(_thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


@dataclass(frozen=True, slots=True)
class ShortOfMemory(ReviewTask):
    """A review; the process of one customer may take only so much memory more than it has when its evidence is collected."""

    customer_id: str = ""
    spare_mib: int = 0

    def _review(
        self, job: Job, evidence: Evidence, out: Path, as_of: datetime, previous: RunEntry | None
    ) -> RunEntry:
        if job.customer_id == self.customer_id:
            most = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            most += self.spare_mib * MIB
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            threading.Thread.start = _no_thread  # type: ignore[method-assign] # Python may wait for ever for one without memory
        return ReviewTask._review(self, job, evidence, out, as_of, previous)


@dataclass(frozen=True, slots=True)
class KilledInTheMiddle(ReviewTask):
    """A review; the process of one customer is killed in the middle, as the system does when memory runs out.

    Args:
        customer_id: The customer.
        is_writing: Whether it is killed once the folder of its pack is begun, and not while its evidence is collected.
    """

    customer_id: str = ""
    is_writing: bool = False

    def __call__(self, job: Job, *, out: Path, as_of: datetime, previous: RunEntry | None) -> RunEntry:
        if job.customer_id == self.customer_id:
            partial = f".{folder_name(job.customer_id)}.*.partial" if self.is_writing else ""
            threading.Thread(target=_kill_this, args=(out, partial), daemon=True).start()
        return ReviewTask.__call__(self, job, out=out, as_of=as_of, previous=previous)


def _kill_this(out: Path, partial: str) -> None:
    time.sleep(0.02)
    while partial and not list(out.glob(partial)):
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGKILL)
