"""Several coordinators on one run: each customer is done once, and nobody writes over what another has taken."""

from __future__ import annotations

import json
import sys
import threading
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.forks import begin_with_pipe

from kycpack.batch import Job, RunReport, run, run_batch
from kycpack.batch.lock import output_id
from kycpack.errors import BatchError, BatchStoppedError, OutputLockedError
from kycpack.workspace import Runs, Workspace

sys.path.insert(0, str(Path(__file__).parent))
from fakes import FakeTask, share
from stub_packs import share_stubs

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)


def test_two_coordinators_share_a_run_and_each_customer_is_done_once(tmp_path: Path, place: str) -> None:
    names = [f"c-{number}" for number in range(10)]
    Workspace.open(place).close()
    at_work = tmp_path / "at-work"
    at_work.mkdir()
    both = [begin_with_pipe(share, place, tmp_path / "out", at_work, names) for _ in range(2)]
    # Who comes when all is done begins a run of its own.
    for _, pipe in both:
        assert pipe.recv() == "ready"
    for _, pipe in both:
        pipe.send("go")
    said = [pipe.recv() for _, pipe in both]
    for process, pipe in both:
        process.join()
        pipe.close()
    assert [process.exitcode for process, _ in both] == [0, 0]
    assert all(said)
    assert sorted(said[0] + said[1]) == sorted(names)
    report = json.loads((tmp_path / "out" / "run.json").read_bytes())
    assert (report["in_scope"], report["produced"] + report["skipped"]) == (10, 10)


def test_of_two_coordinators_one_is_killed_and_the_other_does_its_customers_too(
    tmp_path: Path, place: str
) -> None:
    """Nobody is lost and nobody has two packs, whoever had sealed one when the coordinator was killed."""
    names = [*(f"c-{number}" for number in range(12)), "late-1", "late-2"]
    out = tmp_path / "out"
    Workspace.open(place).close()
    (killed, said), (other, heard) = (begin_with_pipe(share_stubs, place, out, names, 5.0) for _ in range(2))
    for pipe in (said, heard):
        assert pipe.recv() == "ready"
    for pipe in (said, heard):
        pipe.send("go")
    first = [said.recv() for _ in range(3)]
    killed.kill()
    killed.join()
    rest = []
    with suppress(EOFError):
        while True:
            rest.append(heard.recv())
    other.join()
    assert other.exitcode == 0
    assert not set(first) & set(rest)
    report = json.loads((out / "run.json").read_bytes())
    assert [entry["customer_id"] for entry in report["entries"]] == names
    assert {entry["outcome"] for entry in report["entries"]} <= {"produced", "skipped"}
    assert sorted(path.parent.name for path in out.glob("*/bagit.txt")) == sorted(names)
    assert {entry["pack"] for entry in report["entries"]} == set(names)
    assert not list(out.glob(".*.partial"))


def test_coordinators_that_begin_at_once_read_one_whole_id_of_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids: list[str] = []
    second = threading.Thread(target=lambda: ids.append(output_id(tmp_path)))
    whole = uuid.uuid4()

    def named() -> uuid.UUID:
        if not second.is_alive():
            second.start()
            second.join(0.5)
        return whole

    monkeypatch.setattr(uuid, "uuid4", named)
    ids.append(output_id(tmp_path))
    second.join()
    assert ids == [whole.hex] * 2


def test_a_coordinator_of_another_batch_does_not_end_the_run_that_another_is_at_work_on(place: str) -> None:
    moment = [AS_OF]
    with Workspace.open(place, now=lambda: moment[0]) as workspace:
        first, second = Runs(workspace), Runs(workspace)
        given: dict[str, Any] = {
            "output_id": "o",
            "output": "/out",
            "options": {},
            "as_of": "",
            "share": True,
        }
        begun = first.begin(**given, identity="one analyst", customers=[("a", "")])
        first.claim(begun.run_id, "a", 60)
        with pytest.raises(OutputLockedError, match=f"run {begun.run_id} in /out"):
            second.begin(**given, identity="another analyst", customers=[("a", "")])
        entry = {"customer_id": "a", "outcome": "produced"}
        assert first.add(begun, "a", "produced", entry, settled=True, pack=True)
        assert second.begin(**given, identity="another analyst", customers=[("a", "")]).run_id != begun.run_id


def test_what_another_coordinator_has_taken_over_is_not_written_twice(tmp_path: Path) -> None:
    moment = [AS_OF]
    with Workspace.open(tmp_path / "kycpack.db", now=lambda: moment[0]) as workspace:
        slow, quick = Runs(workspace), Runs(workspace)
        given: dict[str, Any] = {"output_id": "o", "output": "", "identity": "i", "options": {}, "as_of": ""}
        run = slow.begin(**given, customers=[("a", "")])
        assert quick.begin(**given, customers=[("a", "")]).run_id == run.run_id
        assert slow.claim(run.run_id, "a", 60) == 0
        assert quick.claim(run.run_id, "a", 60) is None
        moment[0] += timedelta(seconds=61)
        assert quick.claim(run.run_id, "a", 60) == 0
        entry = {"customer_id": "a", "outcome": "produced"}
        assert not slow.add(run, "a", "produced", {**entry, "note": "late"}, settled=True, pack=True)
        assert quick.add(run, "a", "produced", entry, settled=True, pack=True)
        assert quick.earlier("o", "a") == entry
        assert slow.claim(run.run_id, "a", 60) is None


def test_a_coordinator_that_stops_leaves_no_customer_claimed(tmp_path: Path, place: str) -> None:
    begun: list[str] = []
    with Workspace.open(place) as workspace:
        with pytest.raises(BatchStoppedError):
            _coordinate(
                Runs(workspace),
                tmp_path / "out",
                ["away-1", "away-2", "away-3", "away-4", "a", "b", "c"],
                on_begin=lambda run_id, _in_scope, _skipped: begun.append(run_id),
            )
        other = Runs(workspace)
        assert [other.claim(begun[0], name, 60) for name in ("away-4", "a", "b", "c")] == [0, 0, 0, 0]


def test_a_coordinator_says_for_whom_it_waits(tmp_path: Path, place: str) -> None:
    with Workspace.open(place) as workspace:
        other = Runs(workspace)

        held: list[str] = []

        def begun(run_id: str, _in_scope: int, _skipped: int) -> None:
            held.append(run_id)
            assert other.claim(run_id, "b", 600) == 0

        def wait(count: int, seconds: float) -> None:
            waited.append((count, seconds))
            other.release(held[0], own=True)

        waited: list[tuple[int, float]] = []
        report = _coordinate(
            Runs(workspace),
            tmp_path / "out",
            ["a", "b"],
            on_begin=begun,
            on_wait=wait,
            limit_seconds=30,
        )
    assert report.count("produced") == 2
    assert waited == [(1, 90.0)]


def test_a_coordinator_that_waits_reads_only_those_for_whom_it_waits(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: Counter[str] = Counter()
    entries = Runs.entries

    def counted(self: Runs, run_id: str, customer_ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        read.update(customer_ids)
        return entries(self, run_id, customer_ids)

    monkeypatch.setattr(Runs, "entries", counted)
    with Workspace.open(place) as workspace:
        other = Runs(workspace)
        held: list[str] = []
        polls: list[float] = []

        def begun(run_id: str, _in_scope: int, _skipped: int) -> None:
            held.append(run_id)
            assert other.claim(run_id, "b", 600) == 0

        def slept(seconds: float) -> None:
            polls.append(seconds)
            if len(polls) == 20:
                other.release(held[0], own=True)

        monkeypatch.setattr(run.time, "sleep", slept)
        report = _coordinate(Runs(workspace), tmp_path / "out", ["a", "b", "c"], on_begin=begun)
    assert report.count("produced") == 3
    assert len(polls) > 20
    assert read["b"] > 20
    assert read["a"] == read["c"] < 12


def test_a_coordinator_does_not_wait_for_a_customer_whose_entry_cannot_be_read(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    polls: list[float] = []
    add = Runs.add

    def added(self: Runs, run: Any, customer_id: str, outcome: str, entry: Any, **how: Any) -> bool:
        kept = {"written by": "another version"} if customer_id == "b" else entry
        return add(self, run, customer_id, outcome, kept, **how)

    def slept(seconds: float) -> None:
        polls.append(seconds)
        assert len(polls) < 20, "it waits without end"

    monkeypatch.setattr(Runs, "add", added)
    monkeypatch.setattr(run.time, "sleep", slept)
    with Workspace.open(place) as workspace:
        with pytest.raises(BatchError, match=r"cannot be read.*customer b \(1 in all\)"):
            _coordinate(Runs(workspace), tmp_path / "out", ["a", "b", "c"])
        monkeypatch.setattr(Runs, "add", add)
        report = _coordinate(Runs(workspace), tmp_path / "out", ["a", "b", "c"])
    assert (report.count("produced"), report.count("skipped")) == (1, 2)


def _coordinate(runs: Runs, out: Path, names: list[str], **options: Any) -> RunReport:
    jobs = [Job(name) for name in names]
    return run_batch(jobs, out, task=FakeTask(), as_of=AS_OF, runs=runs, share=True, workers=2, **options)
