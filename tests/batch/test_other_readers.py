"""The data set of a run as polars and DuckDB read it: as it lies, every frame, all parts, no value lost."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kycpack as kp
from kycpack.batch import RunEntry, frame_parts
from kycpack.batch.frame_parts import FRAMES, NAMES, FrameParts, parts_in
from kycpack.batch.report import RunReport, dump

sys.path.insert(0, str(Path(__file__).parent))
from stub_packs import write_stub

AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
PARTS = 3
Rows = list[dict[str, Any]]


def by_polars(pattern: str) -> Rows:
    return pl.scan_parquet(pattern).collect().to_dicts()


def by_duckdb(pattern: str) -> Rows:
    with duckdb.connect() as database:
        found = database.execute("select * from read_parquet(?)", [pattern])
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three parts: of one customer the frames are empty, and another's results have a column of their own."""
    out = tmp_path_factory.mktemp("run")
    own = out / ".kycpack"
    own.mkdir()
    entries = []
    for name in ("a", "b", "c"):
        pack = write_stub(out, name, AS_OF, empty=name == "b")
        entries.append(RunEntry(name, "produced", pack=pack.name, level="review"))
    path = out / "c" / "data" / FRAMES / "results.parquet"
    results = pq.read_table(path)
    pq.write_table(results.append_column("newcomer", pa.array([7] * results.num_rows)), path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frame_parts, "_LARGEST", 1)  # so that the parts stay apart, as those of a large run do
        parts = FrameParts(out, own, as_they_land=1)
        for entry in entries:
            parts.add(entry)
        parts.publish(entries)
    stamp = "2026-06-01T00:00:00Z"
    report = RunReport("run", stamp, stamp, stamp, kp.__version__, 1, tuple(entries))
    (out / "run.json").write_bytes(dump(report.to_document()))
    assert len(parts_in(out / FRAMES)) == PARTS
    return out


@pytest.mark.parametrize("read", [by_polars, by_duckdb])
@pytest.mark.parametrize("name", NAMES)
def test_every_frame_is_read_as_it_lies(run: Path, name: str, read: Callable[[str], Rows]) -> None:
    parts = [run / FRAMES / name / part for part in parts_in(run / FRAMES)]
    expected = [row for part in parts for row in pq.read_table(part).to_pylist()]
    found = read(str(run / FRAMES / name / "*.parquet"))
    assert sorted(found, key=repr) == sorted(expected, key=repr)


def test_both_count_what_an_opened_run_counts(run: Path) -> None:
    findings = kp.open_run(run).triage.findings
    expected = findings.groupby(["customer_id", "outcome"]).size().to_dict()
    pattern = str(run / FRAMES / "findings" / "*.parquet")
    counted = pl.scan_parquet(pattern).group_by("customer_id", "outcome").len().collect()
    assert {(customer, outcome): count for customer, outcome, count in counted.iter_rows()} == expected
    with duckdb.connect() as database:
        answer = database.execute(
            "select customer_id, outcome, count(*) from read_parquet(?) group by all", [pattern]
        )
        assert {(customer, outcome): count for customer, outcome, count in answer.fetchall()} == expected


@pytest.mark.parametrize("read", [by_polars, by_duckdb])
def test_a_column_that_one_part_alone_has_is_there_for_all(run: Path, read: Callable[[str], Rows]) -> None:
    found = read(str(run / FRAMES / "results" / "*.parquet"))
    assert {row["newcomer"] for row in found if row["customer_id"] == "c"} == {7}
    assert {row["newcomer"] for row in found if row["customer_id"] == "a"} == {None}
