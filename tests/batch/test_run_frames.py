"""Frames of many packs that are read from the packs themselves, a few at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kycpack.batch import run_frames
from kycpack.batch.run_frames import RunFrames

COLUMNS = ("customer_id", "sort_code", "account_number")


def _pack(folder: Path, numbers: Sequence[str], extra: Mapping[str, str] | None = None) -> Path:
    place = folder / "data" / "frames"
    place.mkdir(parents=True)
    values = {"customer_id": folder.name, "sort_code": "000000", **(extra or {})}
    columns = {name: pa.array([value] * len(numbers), pa.string()) for name, value in values.items()}
    table = pa.table({**columns, "account_number": pa.array(numbers, pa.string())})
    pq.write_table(table, place / "stub.parquet")
    return folder


@pytest.fixture
def most(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Read two packs at a time; collect how many tables are put together at once."""
    counts: list[int] = []
    put_together = run_frames.joined

    def joined(tables: Sequence[pa.Table]) -> pa.Table:
        counts.append(len(tables))
        return put_together(tables)

    monkeypatch.setattr(run_frames, "_TOGETHER", 2)
    monkeypatch.setattr(run_frames, "joined", joined)
    return counts


def _frame(packs: Sequence[Path]) -> pd.DataFrame:
    return RunFrames(["stub"], {pack.name: pack for pack in packs}).read("stub", COLUMNS)


def test_packs_are_read_a_few_at_a_time_and_no_row_is_lost(tmp_path: Path, most: list[int]) -> None:
    rows = [["1"], [], [], [], ["2", "3"], [], ["4"], ["5"]]
    found = _frame([_pack(tmp_path / f"c-{number}", each) for number, each in enumerate(rows)])
    assert found[["customer_id", "account_number"]].to_numpy().tolist() == [
        ["c-0", "1"],
        ["c-4", "2"],
        ["c-4", "3"],
        ["c-6", "4"],
        ["c-7", "5"],
    ]
    assert max(most) <= len(rows) / 2


def test_a_frame_that_has_no_rows_keeps_its_columns(tmp_path: Path, most: list[int]) -> None:
    found = _frame([_pack(tmp_path / f"c-{number}", []) for number in range(5)])
    assert list(found.columns) == list(COLUMNS)
    assert len(found) == 0
    assert max(most) == 1


def test_packs_without_rows_add_no_column(tmp_path: Path, most: list[int]) -> None:
    packs = [_pack(tmp_path / f"c-{number}", [], {"later": "x"}) for number in range(2)]
    packs.append(_pack(tmp_path / "c-2", ["1"]))
    found = RunFrames(["stub"], {pack.name: pack for pack in packs})["stub"]
    assert "later" not in found
    assert max(most) == 1
