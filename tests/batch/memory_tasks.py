"""Reviews whose process runs out of memory, or is killed in the middle; they are pickled by name, so they live in a module."""

from __future__ import annotations

import os
import resource
import signal
import threading
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from kycpack.batch import Job, RunEntry
from kycpack.batch.review_task import ReviewTask
from kycpack.evidence import Evidence

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
    """A review; the process of one customer is killed after a while, as the system does when memory runs out."""

    customer_id: str = ""
    seconds: float = 0.0

    def __call__(self, job: Job, *, out: Path, as_of: datetime, previous: RunEntry | None) -> RunEntry:
        if job.customer_id == self.customer_id:
            threading.Timer(self.seconds, os.kill, (os.getpid(), signal.SIGKILL)).start()
        return ReviewTask.__call__(self, job, out=out, as_of=as_of, previous=previous)
