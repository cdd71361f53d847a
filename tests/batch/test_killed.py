from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

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


def _wait_for(true: Callable[[], bool]) -> None:
    for _ in range(300):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError("it did not come to pass")


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def test_a_run_that_was_killed_takes_its_processes_along_and_is_gone_on_with(tmp_path: Path) -> None:
    running = subprocess.Popen(  # noqa: S603 - our own interpreter and our own words
        [sys.executable, "-c", SCRIPT, str(Path(__file__).parent), str(tmp_path)]
    )
    mark = tmp_path / "slow-1.pid"
    _wait_for(lambda: mark.exists() and mark.read_text() != "")
    worker = int(mark.read_text())
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    _wait_for(lambda: not _is_alive(worker))

    again = [Job(name) for name in ("a", "b", "slow-1", "c")]
    report = run_batch(
        again,
        tmp_path,
        task=FakeTask(),
        as_of=datetime(2026, 6, 2, tzinfo=UTC),
        workers=1,
        limit_seconds=5,
    )
    assert [entry.outcome for entry in report.entries] == ["skipped", "skipped", "failed", "produced"]
