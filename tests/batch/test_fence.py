"""A customer's pack is sealed once an attempt, whoever was killed or believed dead, and only by the run that holds the folder."""

from __future__ import annotations

import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.frames.evidence_maker import clear_customer

import kycpack as kp
from kycpack.batch import Job, RunEntry, run_batch
from kycpack.batch.fence import Fence, SealedBeforeError, hold
from kycpack.batch.review_task import ReviewTask
from kycpack.errors import BatchError
from kycpack.pack import PackResult, latest_pack

sys.path.insert(0, str(Path(__file__).parent))
from stub_packs import StubTask, write_stub

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
JOB = Job("a", run_id="run-1")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / ".kycpack").mkdir()
    hold(tmp_path / ".kycpack", "run-1")
    return tmp_path


def _seal(out: Path, job: Job = JOB) -> RunEntry:
    def admit(bag: Path, place: Path) -> None:
        Fence(out, job).admit(bag, RunEntry("a", "produced", pack=place.name))

    return RunEntry("a", "produced", pack=write_stub(out, "a", AS_OF, on_seal=admit).name)


def _packs(out: Path) -> list[str]:
    return sorted(path.name for path in out.iterdir() if (path / "bagit.txt").exists())


def test_who_comes_later_in_the_same_attempt_adds_nothing_and_gets_the_first_entry(out: Path) -> None:
    first = _seal(out)
    assert Fence(out, JOB).sealed() == first
    with pytest.raises(SealedBeforeError) as raised:
        _seal(out)
    assert raised.value.entry == first
    assert _packs(out) == ["a"]


def test_a_kill_between_the_entry_and_the_pack_leaves_the_attempt_open(out: Path) -> None:
    _seal(out)
    shutil.rmtree(out / "a")  # as if the pack had never been moved into its place
    assert Fence(out, JOB).sealed() is None
    assert _seal(out).pack == "a"


def test_a_later_attempt_makes_a_pack_of_its_own_and_shuts_out_the_earlier_one(out: Path) -> None:
    _seal(out)
    later = Job("a", run_id="run-1", attempt=1)
    assert _seal(out, later).pack == "a+2"
    with pytest.raises(SealedBeforeError) as raised:
        _seal(out)
    assert raised.value.entry.pack == "a+2"
    assert _packs(out) == ["a", "a+2"]


def test_a_pack_whose_worker_ended_before_it_was_called_the_latest_is_called_so(out: Path) -> None:
    _seal(out)
    later = Job("a", run_id="run-1", attempt=1)
    sealed = _seal(out, later)
    (out / "a+latest").unlink()
    task = ReviewTask("http://127.0.0.1:1", "key", "c2VjcmV0", code="0" * 64)
    assert task(later, out=out, as_of=AS_OF, previous=None) == sealed
    assert latest_pack(out, "a") == out / sealed.pack == out / "a+2"


def test_a_worker_of_a_run_that_is_over_adds_nothing(out: Path) -> None:
    hold(out / ".kycpack", "run-2")
    with pytest.raises(BatchError, match="run run-1 is over"):
        _seal(out)
    assert _packs(out) == []
    assert _seal(out, Job("a", run_id="run-2")).pack == "a"


def test_a_task_that_was_killed_after_it_sealed_the_pack_makes_no_other_one(tmp_path: Path) -> None:
    report = run_batch([Job("late-1")], tmp_path, task=StubTask(), as_of=AS_OF, workers=1)
    assert [(entry.outcome, entry.pack) for entry in report.entries] == [("produced", "late-1")]
    assert _packs(tmp_path) == ["late-1"]


def test_what_on_seal_raises_keeps_a_review_pack_out(tmp_path: Path) -> None:
    def refuse(bag: Path, result: PackResult) -> None:
        assert (bag / "tagmanifest-sha256.txt").is_file()
        assert result.path.name == result.customer_id
        raise BatchError("no")

    with pytest.raises(BatchError, match="no"):
        kp.write_pack(clear_customer(), tmp_path, as_of="2026-06-01", on_seal=refuse)
    assert list(tmp_path.iterdir()) == []
