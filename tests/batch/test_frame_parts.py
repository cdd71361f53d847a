"""The data set of a run: equal to the frames of its packs, each customer once, whatever happened to the run."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import kycpack as kp
from kycpack.batch import Job, RunEntry, run_batch
from kycpack.batch.frame_checks import frame_problems
from kycpack.batch.frame_columns import as_lists
from kycpack.batch.frame_parts import NAMES, FrameParts, parts_in
from kycpack.batch.run_manifest import RUN_MANIFEST, write_run_manifest
from kycpack.batch.run_verification import verify_run
from kycpack.errors import InputError

sys.path.insert(0, str(Path(__file__).parent))
from stub_packs import StubTask, write_stub

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)


def _run(
    out: Path, ids: list[str], task: StubTask | None = None, as_of: datetime = AS_OF
) -> dict[str, RunEntry]:
    report = run_batch([Job(name) for name in ids], out, task=task or StubTask(), as_of=as_of, workers=1)
    return {entry.customer_id: entry for entry in report.entries}


def _rows(out: Path, name: str) -> list[dict[str, object]]:
    """Return a frame as anything that reads Parquet finds it."""
    table = ds.dataset(out / "frames" / name, format="parquet").to_table()
    return sorted(table.to_pylist(), key=repr)


def _rows_of_packs(out: Path, name: str) -> list[dict[str, object]]:
    entries = json.loads((out / "run.json").read_text())["entries"]
    packs = [entry["pack"] for entry in entries if entry["pack"]]
    rows = [
        row
        for pack in packs
        for row in as_lists(
            name, pq.read_table(out / pack / "data" / "frames" / f"{name}.parquet")
        ).to_pylist()
    ]
    return sorted(rows, key=repr)


def _three_packs(out: Path) -> tuple[Path, list[RunEntry]]:
    """Write three packs, and return the folder of the batch's own files with their entries."""
    own = out / ".kycpack"
    own.mkdir()
    return own, [
        RunEntry(name, "produced", pack=write_stub(out, name, AS_OF).name, level="review")
        for name in ("a", "b", "c")
    ]


def _assert_whole(out: Path) -> None:
    for name in NAMES:
        assert _rows(out, name) == _rows_of_packs(out, name), name
    assert not [path for path in out.iterdir() if path.name.startswith(".frames")]
    answer = verify_run(out)
    # A stub shows no index and no documents; what is said of the data set is what counts here.
    assert not [problem for problem in answer.problems if "frames" in problem], answer.problems


def test_the_data_set_has_the_rows_of_every_pack_once_also_after_a_retry(tmp_path: Path) -> None:
    entries = _run(tmp_path, ["b", "again-1", "bare-1", "none-1", "a"])
    assert entries["again-1"].pack == "again-1+2"
    _assert_whole(tmp_path)
    held = [row["customer_id"] for row in _rows(tmp_path, "packs")]
    assert sorted(map(str, held)) == ["a", "again-1", "b", "bare-1"]


def test_unchanged_and_new_packs_are_in_the_next_data_set_and_old_ones_are_not(tmp_path: Path) -> None:
    _run(tmp_path, ["a", "b", "c"])
    entries = _run(tmp_path, ["a", "b", "d"])
    assert [entries[name].outcome for name in ("a", "b", "d")] == ["unchanged", "unchanged", "produced"]
    _assert_whole(tmp_path)
    _run(tmp_path, ["a", "b", "d"], StubTask(fingerprint="other"), datetime(2026, 6, 2, tzinfo=UTC))
    _assert_whole(tmp_path)
    assert {str(row["pack"]) for row in _rows(tmp_path, "packs")} == {"a+2", "b+2", "d+2"}


def test_what_a_killed_process_left_is_not_counted(tmp_path: Path) -> None:
    own, entries = _three_packs(tmp_path)
    parts = FrameParts(tmp_path, own, as_they_land=1)
    for entry in entries[:2]:
        parts.add(entry)
    first = parts_in(own / "frames")[0]
    assert len(parts_in(own / "frames")) == 2
    (own / "frames" / "packs" / first).unlink()  # killed before the part was whole
    again = FrameParts(tmp_path, own, as_they_land=1)
    again.add(entries[0])
    again.add(entries[0])  # and once more, by a run that did the customer again
    again.publish(entries)
    for name in ("transactions", "findings", "packs"):
        assert len({row["customer_id"] for row in _rows(tmp_path, name)}) == 3
    assert len(_rows(tmp_path, "packs")) == 3
    assert len(_rows(tmp_path, "customers")) == 3
    again.publish(entries)
    assert len(_rows(tmp_path, "customers")) == 3


def test_parts_are_joined_one_after_the_other_and_are_not_in_memory_together(tmp_path: Path) -> None:
    own, entries = _three_packs(tmp_path)
    parts = FrameParts(tmp_path, own, as_they_land=1)
    for entry in entries:
        parts.add(entry)
    parts.publish(entries)
    (joined,) = (tmp_path / "frames" / "transactions").iterdir()
    assert pq.ParquetFile(joined).num_row_groups == len(entries)
    assert len({row["customer_id"] for row in _rows(tmp_path, "transactions")}) == len(entries)


def test_a_column_that_only_later_packs_have_is_there_for_every_reader(tmp_path: Path) -> None:
    own = tmp_path / ".kycpack"
    own.mkdir()
    entries = []
    for name in ("a", "b"):
        pack = write_stub(tmp_path, name, AS_OF)
        entries.append(RunEntry(name, "produced", pack=pack.name))
    path = tmp_path / "b" / "data" / "frames" / "results.parquet"
    table = pq.read_table(path)
    pq.write_table(table.append_column("newcomer", pa.array(["x"] * table.num_rows)), path)
    parts = FrameParts(tmp_path, own, as_they_land=1)
    for entry in entries:
        parts.add(entry)
    parts.publish(entries)
    found = ds.dataset(tmp_path / "frames" / "results").to_table()
    assert set(found["newcomer"].to_pylist()) == {None, "x"}


@pytest.mark.parametrize("together", [1, 10])
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([None, 3], [None, 3]),  # a pack without a value writes the column as text
        ([3, None], [3, None]),
        ([1.5, 2], [1.5, 2.0]),
        (["x", 2], ["x", "2"]),
        ([None, None], [None, None]),
    ],
)
def test_a_column_has_one_type_over_all_packs_and_no_value_is_lost(
    tmp_path: Path, values: list[object], expected: list[object], together: int
) -> None:
    own = tmp_path / ".kycpack"
    own.mkdir()
    entries = []
    for name, value in zip(("a", "b"), values, strict=True):
        pack = write_stub(tmp_path, name, AS_OF)
        path = pack / "data" / "frames" / "customers.parquet"
        column = pa.array([value], pa.string() if value is None else None)
        pq.write_table(pq.read_table(path).append_column("newcomer", column), path)
        entries.append(RunEntry(name, "produced", pack=pack.name))
    parts = FrameParts(tmp_path, own, as_they_land=together)
    for entry in entries:
        parts.add(entry)
    parts.publish(entries)
    table = ds.dataset(tmp_path / "frames" / "customers").to_table().sort_by("customer_id")
    assert table["newcomer"].to_pylist() == expected
    listed = {
        one["pack"]: {"customer_id": one["customer_id"], "manifest": one["manifest"]}
        for one in ds.dataset(tmp_path / "frames" / "packs").to_table().to_pylist()
    }
    assert not list(frame_problems(tmp_path, listed))


def test_a_run_is_read_from_its_data_set_with_the_frames_of_its_packs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _run(tmp_path, ["b", "again-1", "bare-1", "none-1", "a"])
    run = kp.open_run(tmp_path)
    packs = {name: tmp_path / entry.pack for name, entry in run.entries.items() if entry.pack}
    for group in (run.frames, run.wealth, run.triage):
        direct = type(group)(group, packs)
        for name in group:
            assert group[name].equals(direct[name]), name
            assert group[name].dtypes.equals(direct[name].dtypes), name
    assert list(run.frames.read("transactions", ["amount_minor", "currency"])) == ["amount_minor", "currency"]
    with pytest.raises(InputError, match="no column 'nothing'"):
        run.frames.read("transactions", ["nothing"])
    with pytest.raises(InputError, match="no frame 'nothing'"):
        run.frames.read("nothing")


def test_frames_of_other_packs_than_the_runs_are_not_read(tmp_path: Path) -> None:
    _run(tmp_path, ["a", "b"])
    document = json.loads((tmp_path / "run.json").read_text())
    document["entries"] = [entry for entry in document["entries"] if entry["customer_id"] == "a"]
    (tmp_path / "run.json").write_text(json.dumps(document))
    assert set(kp.open_run(tmp_path).frames.customers["customer_id"]) == {"a"}


@pytest.mark.parametrize("kind", ["changed", "added", "removed", "made anew"])
def test_verify_finds_a_data_set_that_is_not_that_of_the_packs(tmp_path: Path, kind: str) -> None:
    _run(tmp_path, ["a", "b"])
    assert not [each for each in verify_run(tmp_path).problems if "frames" in each]
    (part,) = (tmp_path / "frames" / "findings").iterdir()
    if kind == "changed":
        part.write_bytes(part.read_bytes()[:-1] + b"x")
    elif kind == "added":
        (tmp_path / "frames" / "findings" / "more.parquet").write_bytes(part.read_bytes())
    elif kind == "removed":
        part.unlink()
    else:
        _forge(tmp_path, part)
    assert [each for each in verify_run(tmp_path).problems if "frames/findings" in each]


def _forge(out: Path, part: Path) -> None:
    """Take a finding out, and write its hash into the manifest of the run."""
    pq.write_table(pq.read_table(part).slice(1), part)
    write_run_manifest(out, json.loads((out / "run.json").read_text()))
    assert (out / RUN_MANIFEST).exists()


def test_a_customer_whose_id_is_frames_has_a_folder_of_another_name(tmp_path: Path) -> None:
    entries = _run(tmp_path, ["frames", "Frames"])
    assert all(entry.pack.startswith("id-") for entry in entries.values())
    _assert_whole(tmp_path)
