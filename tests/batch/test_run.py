"""A run has one outcome for each customer, and a later one begins where it ended."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Generator, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.batch.fake_runs import run_fakes, short_index

from kycpack.batch import Job, RunEntry
from kycpack.batch.lock import locked_output
from kycpack.errors import (
    BatchStoppedError,
    ConfigurationError,
    InputError,
    OutputLockedError,
)
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
LATER = datetime(2026, 6, 2, tzinfo=UTC)


def test_every_customer_has_one_entry_and_the_sums_add_up(tmp_path: Path) -> None:
    report = run_fakes(
        tmp_path, ["a", "missing-1", "b", "surprise-1", "killed-1", "c"], render_index=short_index
    )
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
        for entry in run_fakes(tmp_path, ["missing-1", "surprise-1", "killed-1"]).entries
    }
    assert notes["missing-1"] == "customer missing-1 is unknown (customers.get)"
    assert notes["surprise-1"].startswith("internal error (ValueError at fakes.py:")
    assert notes["killed-1"] == (
        "its process was killed (signal 9) before it answered; the system does this when memory runs out"
    )


def test_each_customer_has_a_process_of_its_own(tmp_path: Path) -> None:
    run_fakes(tmp_path, ["a", "b", "c", "d"], workers=2)
    assert len({(tmp_path / name).read_text().split()[0] for name in "abcd"}) == 4


def test_what_has_not_changed_is_left_alone(tmp_path: Path) -> None:
    run_fakes(tmp_path, ["a", "b"])
    before = (tmp_path / "a").read_text()
    again = run_fakes(tmp_path, ["a", "b", "c"], as_of=LATER)
    assert [entry.outcome for entry in again.entries] == ["unchanged", "unchanged", "produced"]
    assert (again.entries[0].pack, again.entries[0].level) == ("a", "review")
    assert (tmp_path / "a").read_text() == before
    changed = run_fakes(tmp_path, ["a"], task=FakeTask("other"))
    assert changed.entries[0].outcome == "produced"


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    names = ["a", "b", "c"]

    def stop(entry: RunEntry) -> None:
        if entry.customer_id == "b":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_fakes(tmp_path, names, workers=1, on_entry=stop)
    assert not (tmp_path / "run.json").exists()

    seen: list[tuple[int, int]] = []
    report = run_fakes(
        tmp_path, names, as_of=LATER, on_begin=lambda _, scope, skipped: seen.append((scope, skipped))
    )
    assert seen == [(3, 2)]
    assert [entry.outcome for entry in report.entries] == ["skipped", "skipped", "produced"]
    assert report.entries[0].pack == "a"
    assert report.as_of == "2026-06-01T00:00:00Z"
    assert (tmp_path / "c").read_text().endswith("2026-06-01T00:00:00+00:00")
    assert report.count("skipped") == 2

    third = run_fakes(tmp_path, names)
    assert [entry.outcome for entry in third.entries] == ["unchanged"] * 3


def test_a_run_with_another_policy_does_not_go_on_with_an_interrupted_one(tmp_path: Path) -> None:
    def stop(_entry: RunEntry) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_fakes(tmp_path, ["a", "b"], workers=1, on_entry=stop, identity={"policy": "one"})
    report = run_fakes(tmp_path, ["a", "b"], task=FakeTask("two"), identity={"policy": "two"})
    assert [entry.outcome for entry in report.entries] == ["produced", "produced"]


def test_a_failed_customer_is_tried_again(tmp_path: Path) -> None:
    assert run_fakes(tmp_path, ["once-1", "a"]).count("failed") == 1
    (tmp_path / "second-try").touch()
    assert [entry.outcome for entry in run_fakes(tmp_path, ["once-1", "a"]).entries] == [
        "produced",
        "unchanged",
    ]


def test_a_second_run_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with locked_output(tmp_path), pytest.raises(OutputLockedError, match="another run"):
        run_fakes(tmp_path, ["a"])
    assert run_fakes(tmp_path, ["a"]).count("produced") == 1


def test_nobody_in_scope_is_a_run_of_nobody(tmp_path: Path) -> None:
    assert run_fakes(tmp_path, []).to_document()["in_scope"] == 0


def test_wrong_jobs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="twice"):
        run_fakes(tmp_path, ["a", "a"])
    with pytest.raises(InputError, match="at least one worker"):
        run_fakes(tmp_path, ["a"], workers=0)


def test_what_is_incomplete_is_tried_again_and_stays_open(tmp_path: Path) -> None:
    seen: list[str] = []
    report = run_fakes(tmp_path, ["a", "partial-1"], on_entry=lambda entry: seen.append(entry.customer_id))
    assert seen.count("partial-1") == 2
    assert [entry.outcome for entry in report.entries] == ["produced", "incomplete"]
    assert report.to_document()["incomplete"] == 1
    assert report.exit_code == 3

    (tmp_path / "service-is-back").touch()
    again = run_fakes(tmp_path, ["a", "partial-1"])
    assert [entry.outcome for entry in again.entries] == ["unchanged", "produced"]
    assert again.exit_code == 0


def test_an_incomplete_pack_is_no_baseline(tmp_path: Path) -> None:
    (tmp_path / "service-is-back").touch()
    assert run_fakes(tmp_path, ["partial-1"]).count("produced") == 1
    (tmp_path / "service-is-back").unlink()
    assert run_fakes(tmp_path, ["partial-1"]).count("incomplete") == 1
    (tmp_path / "service-is-back").touch()
    assert run_fakes(tmp_path, ["partial-1"]).count("produced") == 1


def test_a_failure_wins_over_what_is_incomplete(tmp_path: Path) -> None:
    assert run_fakes(tmp_path, ["missing-1", "partial-1", "a"]).exit_code == 1


def test_an_interrupted_run_asks_again_for_what_was_incomplete(tmp_path: Path) -> None:
    def stop(entry: RunEntry) -> None:
        if entry.customer_id == "a":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_fakes(tmp_path, ["partial-1", "a", "b"], workers=1, on_entry=stop)
    (tmp_path / "service-is-back").touch()
    report = run_fakes(tmp_path, ["partial-1", "a", "b"])
    assert [entry.outcome for entry in report.entries] == ["produced", "skipped", "produced"]


def test_a_service_that_cannot_be_reached_stops_the_run_after_three_customers(tmp_path: Path) -> None:
    run_fakes(tmp_path, ["a", "b"])
    seen: list[str] = []
    with pytest.raises(BatchStoppedError, match="nothing was answered") as caught:
        run_fakes(
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

    run_fakes(tmp_path, ["a", "b", "c", "d"])
    with pytest.raises(BatchStoppedError, match="refuses the key"):
        run_fakes(tmp_path, ["new-1", "a", "b", "c", "d"], executor=answered_nothing)
    entries = json.loads((tmp_path / "run.json").read_bytes())["entries"]
    assert [entry["pack"] for entry in entries] == ["", "a", "b", "c", "d"]
    assert [entry["outcome"] for entry in entries] == ["failed"] * 3 + ["incomplete"] * 2
    assert entries[0]["note"] == "refused 401"
    assert entries[1]["note"] == "refused 401; the pack is from an earlier run"
    assert (entries[1]["level"], entries[1]["evidence"]) == ("review", "")


def test_one_customer_without_an_answer_does_not_stop_the_others(tmp_path: Path) -> None:
    report = run_fakes(tmp_path, ["away-1", "a", "away-2", "b", "away-3", "c"], workers=1)
    assert (report.count("incomplete"), report.count("produced")) == (3, 3)


def test_an_earlier_run_does_not_look_like_this_one(tmp_path: Path) -> None:
    first = run_fakes(tmp_path, ["a"], render_index=short_index)

    def look(_entry: RunEntry) -> None:
        assert not (tmp_path / "run.json").exists()
        assert not (tmp_path / "index.html").exists()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_fakes(tmp_path, ["a", "b"], on_entry=look, render_index=short_index)
    assert not (tmp_path / "run.json").exists()
    kept = json.loads((tmp_path / ".kycpack" / "earlier-run.json").read_bytes())
    assert kept["run_id"] == first.run_id


def test_a_run_is_recorded_in_the_workspace(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Workspace.open(tmp_path / "kycpack.db") as workspace:
        runs = Runs(workspace)
        run_fakes(out, ["a", "missing-1", "b"], runs=runs)
        (run,) = runs.list()
        assert (run.state, run.in_scope, run.output) == ("finished", 3, str(out.resolve()))
        assert runs.counts(run.run_id) == {"produced": 2, "failed": 1}
        again = run_fakes(out, ["a", "b"], runs=runs)
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
            run_fakes(tmp_path / name, ["a"])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("inside", ["today", "a", "frames/today"])
def test_a_new_output_inside_that_of_another_run_is_refused(tmp_path: Path, inside: str) -> None:
    run_fakes(tmp_path / "reports", ["a"])
    beside = tmp_path / Path(inside).name
    with pytest.raises(
        ConfigurationError,
        match=f"of another run.* such as {beside}, or for an object store another KYCPACK_REPORTS$",
    ):
        run_fakes(tmp_path / "reports" / inside, ["b"])
    assert run_fakes(beside, ["b"]).count("produced") == 1
    assert not (tmp_path / "reports" / inside / ".kycpack").exists()
    assert run_fakes(tmp_path / "reports" / ".kycpack" / "later", ["a"]).count("produced") == 1
