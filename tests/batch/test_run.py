from __future__ import annotations

import errno
import json
import os
import resource
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from kycpack.batch import Job, RunEntry, RunReport, run_batch, run_manifest, run_results
from kycpack.batch.lock import locked_output
from kycpack.batch.record import runs_of
from kycpack.errors import (
    BatchError,
    BatchStoppedError,
    ConfigurationError,
    InputError,
    OutputLockedError,
    WorkspaceError,
)
from kycpack.evidence.store import file_digest
from kycpack.workspace import Runs, Workspace

sys.path.insert(0, str(Path(__file__).parent))
from fakes import FakeTask

PRELOADED = """
import sys
from datetime import UTC, datetime
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from fakes import FakeTask
from kycpack.batch import Job, run_batch
from kycpack.batch.review_task import ReviewTask
task = FakeTask(preload=ReviewTask("http://127.0.0.1:1", "k", "c2VjcmV0").preload)
(entry,) = run_batch([Job("modules-1")], Path(sys.argv[2]), task=task, as_of=datetime(2026, 6, 1, tzinfo=UTC)).entries
print(entry.note)
"""
AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
LATER = datetime(2026, 6, 2, tzinfo=UTC)


def _run(out: Path, names: Sequence[str], **options: Any) -> RunReport:
    given: dict[str, Any] = {"task": FakeTask(), "as_of": AS_OF, **options}
    return run_batch([Job(name) for name in names], out, **given)


def _index(run: Mapping[str, Any], _names: Mapping[str, str] | None) -> Iterator[tuple[str, str]]:
    yield "index.html", f"<p>{run['in_scope']}</p>"


def test_every_customer_has_one_entry_and_the_sums_add_up(tmp_path: Path) -> None:
    report = _run(tmp_path, ["a", "missing-1", "b", "surprise-1", "killed-1", "c"], render_index=_index)
    run = json.loads((tmp_path / "run.json").read_bytes())
    outcomes = ("produced", "incomplete", "failed", "skipped", "unchanged")
    assert run["in_scope"] == 6 == sum(run[name] for name in outcomes)
    assert (run["produced"], run["failed"]) == (3, 3)
    assert [entry["customer_id"] for entry in run["entries"]] == [
        entry.customer_id for entry in report.entries
    ]
    assert (tmp_path / "index.html").read_text() == "<p>6</p>"
    assert stat.S_IMODE((tmp_path / "run.json").stat().st_mode) == 0o600


def test_a_failure_says_what_and_to_whom_without_personal_data(tmp_path: Path) -> None:
    notes = {
        entry.customer_id: entry.note
        for entry in _run(tmp_path, ["missing-1", "surprise-1", "killed-1"]).entries
    }
    assert notes["missing-1"] == "customer missing-1 is unknown (customers.get)"
    assert notes["surprise-1"].startswith("internal error (ValueError at fakes.py:")
    assert notes["killed-1"] == (
        "its process was killed (signal 9) before it answered; the system does this when memory runs out"
    )


def test_each_customer_has_a_process_of_its_own(tmp_path: Path) -> None:
    _run(tmp_path, ["a", "b", "c", "d"], workers=2)
    assert len({(tmp_path / name).read_text().split()[0] for name in "abcd"}) == 4


def test_what_has_not_changed_is_left_alone(tmp_path: Path) -> None:
    _run(tmp_path, ["a", "b"])
    before = (tmp_path / "a").read_text()
    again = _run(tmp_path, ["a", "b", "c"], as_of=LATER)
    assert [entry.outcome for entry in again.entries] == ["unchanged", "unchanged", "produced"]
    assert (again.entries[0].pack, again.entries[0].level) == ("a", "review")
    assert (tmp_path / "a").read_text() == before
    changed = _run(tmp_path, ["a"], task=FakeTask("other"))
    assert changed.entries[0].outcome == "produced"


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    names = ["a", "b", "c"]

    def stop(entry: RunEntry) -> None:
        if entry.customer_id == "b":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run(tmp_path, names, workers=1, on_entry=stop)
    assert not (tmp_path / "run.json").exists()

    seen: list[tuple[int, int]] = []
    report = _run(
        tmp_path, names, as_of=LATER, on_begin=lambda _, scope, skipped: seen.append((scope, skipped))
    )
    assert seen == [(3, 2)]
    assert [entry.outcome for entry in report.entries] == ["skipped", "skipped", "produced"]
    assert report.entries[0].pack == "a"
    assert report.as_of == "2026-06-01T00:00:00Z"
    assert (tmp_path / "c").read_text().endswith("2026-06-01T00:00:00+00:00")
    assert report.count("skipped") == 2

    third = _run(tmp_path, names)
    assert [entry.outcome for entry in third.entries] == ["unchanged"] * 3


def test_a_run_with_another_policy_does_not_go_on_with_an_interrupted_one(tmp_path: Path) -> None:
    def stop(_entry: RunEntry) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run(tmp_path, ["a", "b"], workers=1, on_entry=stop, identity={"policy": "one"})
    report = _run(tmp_path, ["a", "b"], task=FakeTask("two"), identity={"policy": "two"})
    assert [entry.outcome for entry in report.entries] == ["produced", "produced"]


def test_a_failed_customer_is_tried_again(tmp_path: Path) -> None:
    assert _run(tmp_path, ["once-1", "a"]).count("failed") == 1
    (tmp_path / "second-try").touch()
    assert [entry.outcome for entry in _run(tmp_path, ["once-1", "a"]).entries] == ["produced", "unchanged"]


def test_a_full_disk_is_called_so_and_no_name_with_it(tmp_path: Path) -> None:
    note = next(one.note for one in _run(tmp_path, ["full", "a"]).entries if one.customer_id == "full")
    assert note.startswith("No space left on device (at fakes.py:")
    assert "yron" not in note


def test_a_full_disk_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(
        BatchStoppedError, match="no space is left on a disk that the run writes to"
    ) as raised:
        _run(tmp_path, ["full-1", "full-2", "full-3", "a", "b"], workers=1)
    run = json.loads((tmp_path / "run.json").read_bytes())
    assert (run["state"], run["produced"]) == ("stopped", 0)
    assert f"make space for {tmp_path} and for temporary files" in str(raised.value)


def test_a_disk_that_is_full_leaves_the_record_of_an_interrupted_run_in_its_place(tmp_path: Path) -> None:
    def stop(entry: RunEntry) -> None:
        if entry.customer_id == "b":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run(tmp_path, ["a", "b", "c"], workers=1, on_entry=stop)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, usual[1]))
    try:
        with pytest.raises(WorkspaceError, match=r"full.*runs\.db\)"), runs_of(tmp_path / ".kycpack", None):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert not list((tmp_path / ".kycpack").glob("damaged-*"))
    again = _run(tmp_path, ["a", "b", "c"])
    assert [entry.outcome for entry in again.entries] == ["skipped", "skipped", "produced"]


def test_a_hanging_customer_fails_and_the_others_do_not(tmp_path: Path) -> None:
    report = _run(tmp_path, ["stuck-1", "a"], limit_seconds=10)
    assert [entry.outcome for entry in report.entries] == ["failed", "produced"]
    assert report.entries[0].note == "took longer than the limit for one customer"


def test_a_second_run_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with locked_output(tmp_path), pytest.raises(OutputLockedError, match="another run"):
        _run(tmp_path, ["a"])
    assert _run(tmp_path, ["a"]).count("produced") == 1


def test_nobody_in_scope_is_a_run_of_nobody(tmp_path: Path) -> None:
    assert _run(tmp_path, []).to_document()["in_scope"] == 0


def test_wrong_jobs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="twice"):
        _run(tmp_path, ["a", "a"])
    with pytest.raises(InputError, match="at least one worker"):
        _run(tmp_path, ["a"], workers=0)


def test_what_is_incomplete_is_tried_again_and_stays_open(tmp_path: Path) -> None:
    seen: list[str] = []
    report = _run(tmp_path, ["a", "partial-1"], on_entry=lambda entry: seen.append(entry.customer_id))
    assert seen.count("partial-1") == 2
    assert [entry.outcome for entry in report.entries] == ["produced", "incomplete"]
    assert report.to_document()["incomplete"] == 1
    assert report.exit_code == 3

    (tmp_path / "service-is-back").touch()
    again = _run(tmp_path, ["a", "partial-1"])
    assert [entry.outcome for entry in again.entries] == ["unchanged", "produced"]
    assert again.exit_code == 0


def test_an_incomplete_pack_is_no_baseline(tmp_path: Path) -> None:
    (tmp_path / "service-is-back").touch()
    assert _run(tmp_path, ["partial-1"]).count("produced") == 1
    (tmp_path / "service-is-back").unlink()
    assert _run(tmp_path, ["partial-1"]).count("incomplete") == 1
    (tmp_path / "service-is-back").touch()
    assert _run(tmp_path, ["partial-1"]).count("produced") == 1


def test_a_failure_wins_over_what_is_incomplete(tmp_path: Path) -> None:
    assert _run(tmp_path, ["missing-1", "partial-1", "a"]).exit_code == 1


def test_an_interrupted_run_asks_again_for_what_was_incomplete(tmp_path: Path) -> None:
    def stop(entry: RunEntry) -> None:
        if entry.customer_id == "a":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run(tmp_path, ["partial-1", "a", "b"], workers=1, on_entry=stop)
    (tmp_path / "service-is-back").touch()
    report = _run(tmp_path, ["partial-1", "a", "b"])
    assert [entry.outcome for entry in report.entries] == ["produced", "skipped", "produced"]


def test_a_customer_whose_process_was_killed_once_is_tried_again(tmp_path: Path) -> None:
    report = _run(tmp_path, ["flaky-1", "a"])
    assert [entry.outcome for entry in report.entries] == ["produced", "produced"]


def test_a_pack_that_runs_out_of_memory_fails_alone(tmp_path: Path) -> None:
    report = _run(tmp_path, ["greedy-1", "a"])
    assert [entry.outcome for entry in report.entries] == ["failed", "produced"]
    assert report.entries[0].note == "needed more memory than the limit for one customer"


def test_a_customer_gets_the_memory_that_is_allowed_and_no_more(tmp_path: Path) -> None:
    entries = _run(tmp_path, ["large-1", "a"], limit_bytes=2**31).entries
    assert [entry.outcome for entry in entries] == ["failed", "produced"]
    assert entries[0].note == "needed more memory than the limit for one customer"


def test_a_service_that_cannot_be_reached_stops_the_run_after_three_customers(tmp_path: Path) -> None:
    _run(tmp_path, ["a", "b"])
    seen: list[str] = []
    with pytest.raises(BatchStoppedError, match="nothing was answered") as caught:
        _run(
            tmp_path,
            ["away-1", "away-2", "away-3", "away-4", "a", "b"],
            workers=1,
            on_entry=lambda entry: seen.append(entry.customer_id),
        )
    assert seen == ["away-1", "away-2", "away-3"]
    run = json.loads((tmp_path / "run.json").read_bytes())
    assert run == caught.value.report.to_document()
    assert (run["state"], run["in_scope"], run["incomplete"]) == ("stopped", 6, 6)
    assert [entry["pack"] for entry in run["entries"]] == ["", "", "", "", "a", "b"]


def test_who_fails_as_everybody_would_keeps_the_earlier_pack_in_the_report(tmp_path: Path) -> None:
    def answered_nothing(_task: Any, jobs: Iterable[Job], **_given: Any) -> Generator[RunEntry]:
        for job in jobs:
            note = "refused 401"
            yield RunEntry(job.customer_id, "failed", note=note, cause="key refused", evidence="kept")

    _run(tmp_path, ["a", "b", "c", "d"])
    with pytest.raises(BatchStoppedError, match="refuses the key"):
        _run(tmp_path, ["new-1", "a", "b", "c", "d"], executor=answered_nothing)
    entries = json.loads((tmp_path / "run.json").read_bytes())["entries"]
    assert [entry["pack"] for entry in entries] == ["", "a", "b", "c", "d"]
    assert [entry["outcome"] for entry in entries] == ["failed"] * 3 + ["incomplete"] * 2
    assert entries[0]["note"] == "refused 401"
    assert entries[1]["note"] == "refused 401; the pack is from an earlier run"
    assert (entries[1]["level"], entries[1]["evidence"]) == ("review", "")


def test_a_disk_that_fills_at_the_end_leaves_no_half_of_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _run(tmp_path, ["a"], render_index=_index)
    signed = file_digest(tmp_path / "run-manifest.json")
    written = run_results.write_file

    def full(path: Path, content: Any) -> None:
        if path.name == "index.html":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written(path, content)

    monkeypatch.setattr(run_results, "write_file", full)
    with pytest.raises(BatchError, match="No space left on device"):
        _run(tmp_path, ["a", "b"], render_index=_index)
    monkeypatch.undo()
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b", ".kycpack"}

    report = _run(tmp_path, ["a", "b"], render_index=_index)
    assert [entry.outcome for entry in report.entries] == ["skipped", "skipped"]
    manifest = json.loads((tmp_path / "run-manifest.json").read_bytes())
    assert manifest["earlier_run"] == {"run_id": first.run_id, "sha256": signed}


def test_no_space_for_temporary_files_at_the_end_leaves_no_half_of_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_statements: str) -> None:
        raise ConfigurationError("temporary files cannot be written")

    monkeypatch.setattr(run_manifest, "Scratch", full)
    with pytest.raises(ConfigurationError, match="temporary files"):
        _run(tmp_path, ["a", "b"], render_index=_index)
    monkeypatch.undo()
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b", ".kycpack"}
    report = _run(tmp_path, ["a", "b"], render_index=_index)
    assert [entry.outcome for entry in report.entries] == ["skipped", "skipped"]


def test_a_disk_that_is_full_at_the_start_drops_no_run_from_the_sequence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _run(tmp_path, ["a"])
    second = _run(tmp_path, ["a"])

    def full(_path: Path, _content: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(run_manifest, "write_file", full)
    with pytest.raises(BatchError, match="no space is left on a disk that the run writes to") as raised:
        _run(tmp_path, ["a", "b"])
    assert str(tmp_path) in str(raised.value)
    monkeypatch.undo()
    _run(tmp_path, ["a", "b"])
    manifest = json.loads((tmp_path / "run-manifest.json").read_bytes())
    assert manifest["earlier_run"]["run_id"] == second.run_id


def test_one_customer_without_an_answer_does_not_stop_the_others(tmp_path: Path) -> None:
    report = _run(tmp_path, ["away-1", "a", "away-2", "b", "away-3", "c"], workers=1)
    assert (report.count("incomplete"), report.count("produced")) == (3, 3)


def test_an_earlier_run_does_not_look_like_this_one(tmp_path: Path) -> None:
    first = _run(tmp_path, ["a"], render_index=_index)

    def look(_entry: RunEntry) -> None:
        assert not (tmp_path / "run.json").exists()
        assert not (tmp_path / "index.html").exists()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run(tmp_path, ["a", "b"], on_entry=look, render_index=_index)
    assert not (tmp_path / "run.json").exists()
    kept = json.loads((tmp_path / ".kycpack" / "earlier-run.json").read_bytes())
    assert kept["run_id"] == first.run_id


def test_a_damaged_record_beside_the_packs_stops_no_later_batch(tmp_path: Path) -> None:
    _run(tmp_path, ["a", "b"])
    record = tmp_path / ".kycpack" / "runs.db"
    record.write_bytes(record.read_bytes()[:3000] + b"\xff" * 5000)
    assert [entry.outcome for entry in _run(tmp_path, ["a", "b"]).entries] == ["produced", "produced"]
    assert (tmp_path / ".kycpack" / "damaged-runs.db").exists()
    assert [entry.outcome for entry in _run(tmp_path, ["a", "b"]).entries] == ["unchanged", "unchanged"]


@pytest.mark.parametrize(
    "damage", ["[]", "{}", '{"customer_id": 1}', '{"customer_id": "a", "outcome": "other"}']
)
def test_a_damaged_entry_is_done_again_and_stops_nobody_else(tmp_path: Path, damage: str) -> None:
    _run(tmp_path, ["a", "b"])
    record = sqlite3.connect(tmp_path / ".kycpack" / "runs.db")
    record.execute("UPDATE packs SET entry = ? WHERE customer_id = 'a'", (damage,))
    record.commit()
    record.close()
    again = _run(tmp_path, ["a", "b"], limit_seconds=60)
    assert [entry.outcome for entry in again.entries] == ["produced", "unchanged"]


def test_a_damaged_entry_of_an_interrupted_run_is_done_again(tmp_path: Path) -> None:
    def stop(entry: RunEntry) -> None:
        if entry.customer_id == "b":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _run(tmp_path, ["a", "b", "c"], workers=1, on_entry=stop)
    record = sqlite3.connect(tmp_path / ".kycpack" / "runs.db")
    record.execute("UPDATE run_customers SET entry = 'x' WHERE customer_id = 'a'")
    record.commit()
    record.close()
    again = _run(tmp_path, ["a", "b", "c"])
    assert [entry.outcome for entry in again.entries] == ["unchanged", "skipped", "produced"]


def test_a_run_is_recorded_in_the_workspace(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        runs = Runs(workspace)
        _run(out, ["a", "missing-1", "b"], runs=runs)
        (run,) = runs.list()
        assert (run.state, run.in_scope, run.output) == ("finished", 3, str(out.resolve()))
        assert runs.counts(run.run_id) == {"produced": 2, "failed": 1}
        again = _run(out, ["a", "b"], runs=runs)
        assert [entry.outcome for entry in again.entries] == ["unchanged", "unchanged"]
        assert len(runs.list()) == 2
    assert not (out / ".kycpack" / "runs.db").exists()


def test_packs_are_forked_from_a_process_with_the_imports_done(tmp_path: Path) -> None:
    # In a process of its own: the server that packs are forked from is started once.
    done = subprocess.run(  # noqa: S603 - our own interpreter and our own words
        [sys.executable, "-c", PRELOADED, str(Path(__file__).parent), str(tmp_path)],
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "kycpack.pack.preload,kycpack.render.statement_pdf"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_an_output_whose_name_cannot_be_used_is_refused_at_once(tmp_path: Path) -> None:
    for name, said in ((os.fsdecode(b"lat\xe9"), "not UTF-8"), ("a" * 300, "cannot be written to")):
        with pytest.raises(ConfigurationError, match=said):
            _run(tmp_path / name, ["a"])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("inside", ["today", "a", "frames/today"])
def test_a_new_output_inside_that_of_another_run_is_refused(tmp_path: Path, inside: str) -> None:
    _run(tmp_path / "reports", ["a"])
    beside = tmp_path / Path(inside).name
    with pytest.raises(
        ConfigurationError,
        match=f"of another run.* such as {beside}, or for an object store another KYCPACK_REPORTS$",
    ):
        _run(tmp_path / "reports" / inside, ["b"])
    assert _run(beside, ["b"]).count("produced") == 1
    assert not (tmp_path / "reports" / inside / ".kycpack").exists()
    assert _run(tmp_path / "reports" / ".kycpack" / "later", ["a"]).count("produced") == 1
