from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kycpack.batch import Job, run_batch

sys.path.insert(0, str(Path(__file__).parent))
from fakes import FakeTask

SCRIPT = """
import sys
from datetime import UTC, datetime
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from fakes import FakeTask
from kycpack.batch import Job, run_batch
jobs = [Job(name) for name in ("a", "b", "slow-1", "c")]
run_batch(jobs, Path(sys.argv[2]), task=FakeTask(), as_of=datetime(2026, 6, 1, tzinfo=UTC), workers=1)
"""


_PATIENCE_SECONDS = 240.0  # a loaded machine takes its time to import


def _wait_for(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def _session(leader: int) -> set[int]:
    """Return the processes of a session, those of its workers included; what has ended is not counted."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"KYCPACK_TEST_RUN={leader}".encode() in path.read_bytes().split(b"\0"):
                found.add(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.timeout(600)
def test_a_run_that_was_killed_ends_its_processes_and_is_continued(tmp_path: Path) -> None:
    mark = tmp_path / "slow-1.pid"
    tag = uuid.uuid4().int
    running = subprocess.Popen(  # noqa: S603 - our own interpreter and our own words
        [sys.executable, "-c", SCRIPT, str(Path(__file__).parent), str(tmp_path)],
        env={**os.environ, "KYCPACK_TEST_RUN": str(tag)},
    )
    try:
        _wait_for(lambda: mark.exists() and mark.read_text() != "")
        assert int(mark.read_text()) in _session(tag)
        running.kill()
        running.wait()
        _wait_for(lambda: not _session(tag))
    finally:
        for pid in _session(tag):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        running.wait()

    again = [Job(name) for name in ("a", "b", "slow-1", "c")]
    report = run_batch(again, tmp_path, task=FakeTask(), as_of=datetime(2026, 6, 2, tzinfo=UTC), workers=1)
    assert [entry.outcome for entry in report.entries] == ["skipped", "skipped", "produced", "produced"]
