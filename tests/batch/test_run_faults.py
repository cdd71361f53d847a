"""A run whose disk is full, whose record is damaged, or that lacks memory or time for a customer."""

from __future__ import annotations

import errno
import json
import os
import resource
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.batch.fake_runs import run_fakes, short_index

from kycpack.batch import RunEntry, run_manifest, run_results
from kycpack.batch.record import runs_of
from kycpack.errors import (
    BatchError,
    BatchStoppedError,
    ConfigurationError,
    WorkspaceError,
)
from kycpack.evidence.store import file_digest


def test_a_full_disk_is_called_so_and_no_name_with_it(tmp_path: Path) -> None:
    note = next(one.note for one in run_fakes(tmp_path, ["full", "a"]).entries if one.customer_id == "full")
    assert note.startswith("No space left on device (at fakes.py:")
    assert "yron" not in note


def test_a_full_disk_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(
        BatchStoppedError, match="no space is left on a disk that the run writes to"
    ) as raised:
        run_fakes(tmp_path, ["full-1", "full-2", "full-3", "a", "b"], workers=1)
    run = json.loads((tmp_path / "run.json").read_bytes())
    assert (run["state"], run["produced"]) == ("stopped", 0)
    assert f"make space for {tmp_path} and for temporary files" in str(raised.value)


def test_a_disk_that_is_full_leaves_the_record_of_an_interrupted_run_in_its_place(tmp_path: Path) -> None:
    def stop(entry: RunEntry) -> None:
        if entry.customer_id == "b":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_fakes(tmp_path, ["a", "b", "c"], workers=1, on_entry=stop)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, usual[1]))
    try:
        with pytest.raises(WorkspaceError, match=r"full.*runs\.db\)"), runs_of(tmp_path / ".kycpack", None):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert not list((tmp_path / ".kycpack").glob("damaged-*"))
    again = run_fakes(tmp_path, ["a", "b", "c"])
    assert [entry.outcome for entry in again.entries] == ["skipped", "skipped", "produced"]


def test_a_hanging_customer_fails_and_the_others_do_not(tmp_path: Path) -> None:
    report = run_fakes(tmp_path, ["stuck-1", "a"], limit_seconds=10)
    assert [entry.outcome for entry in report.entries] == ["failed", "produced"]
    assert report.entries[0].note == "took longer than the limit for one customer"


def test_a_customer_whose_process_was_killed_once_is_tried_again(tmp_path: Path) -> None:
    report = run_fakes(tmp_path, ["flaky-1", "a"])
    assert [entry.outcome for entry in report.entries] == ["produced", "produced"]


def test_a_pack_that_runs_out_of_memory_fails_alone(tmp_path: Path) -> None:
    report = run_fakes(tmp_path, ["greedy-1", "a"])
    assert [entry.outcome for entry in report.entries] == ["failed", "produced"]
    assert report.entries[0].note == "needed more memory than the limit for one customer"


def test_a_customer_gets_the_memory_that_is_allowed_and_no_more(tmp_path: Path) -> None:
    entries = run_fakes(tmp_path, ["large-1", "a"], limit_bytes=2**31).entries
    assert [entry.outcome for entry in entries] == ["failed", "produced"]
    assert entries[0].note == "needed more memory than the limit for one customer"


def test_a_disk_that_fills_at_the_end_leaves_no_half_of_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run_fakes(tmp_path, ["a"], render_index=short_index)
    signed = file_digest(tmp_path / "run-manifest.json")
    written = run_results.write_file

    def full(path: Path, content: Any) -> None:
        if path.name == "index.html":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written(path, content)

    monkeypatch.setattr(run_results, "write_file", full)
    with pytest.raises(BatchError, match="No space left on device"):
        run_fakes(tmp_path, ["a", "b"], render_index=short_index)
    monkeypatch.undo()
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b", ".kycpack"}

    report = run_fakes(tmp_path, ["a", "b"], render_index=short_index)
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
        run_fakes(tmp_path, ["a", "b"], render_index=short_index)
    monkeypatch.undo()
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b", ".kycpack"}
    report = run_fakes(tmp_path, ["a", "b"], render_index=short_index)
    assert [entry.outcome for entry in report.entries] == ["skipped", "skipped"]


def test_a_disk_that_is_full_at_the_start_drops_no_run_from_the_sequence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_fakes(tmp_path, ["a"])
    second = run_fakes(tmp_path, ["a"])

    def full(_path: Path, _content: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(run_manifest, "write_file", full)
    with pytest.raises(BatchError, match="no space is left on a disk that the run writes to") as raised:
        run_fakes(tmp_path, ["a", "b"])
    assert str(tmp_path) in str(raised.value)
    monkeypatch.undo()
    run_fakes(tmp_path, ["a", "b"])
    manifest = json.loads((tmp_path / "run-manifest.json").read_bytes())
    assert manifest["earlier_run"]["run_id"] == second.run_id


def test_a_damaged_record_beside_the_packs_stops_no_later_batch(tmp_path: Path) -> None:
    run_fakes(tmp_path, ["a", "b"])
    record = tmp_path / ".kycpack" / "runs.db"
    record.write_bytes(record.read_bytes()[:3000] + b"\xff" * 5000)
    assert [entry.outcome for entry in run_fakes(tmp_path, ["a", "b"]).entries] == ["produced", "produced"]
    assert (tmp_path / ".kycpack" / "damaged-runs.db").exists()
    assert [entry.outcome for entry in run_fakes(tmp_path, ["a", "b"]).entries] == ["unchanged", "unchanged"]


@pytest.mark.parametrize(
    "damage", ["[]", "{}", '{"customer_id": 1}', '{"customer_id": "a", "outcome": "other"}']
)
def test_a_damaged_entry_is_done_again_and_stops_nobody_else(tmp_path: Path, damage: str) -> None:
    run_fakes(tmp_path, ["a", "b"])
    record = sqlite3.connect(tmp_path / ".kycpack" / "runs.db")
    record.execute("UPDATE packs SET entry = ? WHERE customer_id = 'a'", (damage,))
    record.commit()
    record.close()
    again = run_fakes(tmp_path, ["a", "b"], limit_seconds=60)
    assert [entry.outcome for entry in again.entries] == ["produced", "unchanged"]


def test_a_damaged_entry_of_an_interrupted_run_is_done_again(tmp_path: Path) -> None:
    def stop(entry: RunEntry) -> None:
        if entry.customer_id == "b":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_fakes(tmp_path, ["a", "b", "c"], workers=1, on_entry=stop)
    record = sqlite3.connect(tmp_path / ".kycpack" / "runs.db")
    record.execute("UPDATE run_customers SET entry = 'x' WHERE customer_id = 'a'")
    record.commit()
    record.close()
    again = run_fakes(tmp_path, ["a", "b", "c"])
    assert [entry.outcome for entry in again.entries] == ["unchanged", "skipped", "produced"]
