"""The names for an index: from the data set, from packs that it lacks, and never all in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from tests.traced_memory import with_peak

from kycpack.batch.customer_names import CustomerNames
from kycpack.batch.frame_parts import PackFrames, write_part
from kycpack.storage.paged import Paged


def _table(customer_ids: list[str]) -> pa.Table:
    return pa.table(
        {
            "customer_id": customer_ids,
            "first_name": [f"Ada {each}" for each in customer_ids],
            "last_name": pa.array(
                [None if each.endswith("0") else "Specimen" for each in customer_ids], pa.string()
            ),
        }
    )


def _write(out: Path, customer_ids: list[str]) -> None:
    packs = [PackFrames(each, f"pack-{each}", "") for each in customer_ids]
    sink = pa.BufferOutputStream()
    pq.write_table(_table(customer_ids), sink)
    write_part(out / "frames", packs, [("customers", sink.getvalue().to_pybytes())])


def _entries(count: int) -> Paged[dict[str, Any]]:
    return Paged(
        count,
        lambda first, end: [{"customer_id": f"c-{n}", "pack": f"pack-c-{n}"} for n in range(first, end)],
    )


def test_a_pack_that_the_data_set_lacks_or_holds_in_another_edition_is_read_itself(tmp_path: Path) -> None:
    _write(tmp_path, ["c-0", "c-1", "gone"])
    again = tmp_path / "pack-c-1-2" / "data" / "frames"
    again.mkdir(parents=True)
    pq.write_table(
        _table(["c-1"]).set_column(1, "first_name", pa.array(["Grace"])), again / "customers.parquet"
    )
    entries = [
        {"customer_id": "c-0", "pack": "pack-c-0"},
        {"customer_id": "c-1", "pack": "pack-c-1-2"},
        {"customer_id": "none", "pack": ""},
    ]
    assert dict(CustomerNames(tmp_path, {"entries": entries})) == {"c-0": "Ada c-0", "c-1": "Grace Specimen"}


def test_the_names_of_very_many_customers_are_not_in_memory(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        names, found = with_peak(lambda: CustomerNames(tmp_path, {"entries": _entries(count)}))
        assert names[f"c-{count - 1}"] == f"Ada c-{count - 1} Specimen"
        return found

    for first in range(0, 10_000, 500):
        _write(tmp_path, [f"c-{number}" for number in range(first, first + 500)])
    peak(2_000)
    assert peak(10_000) < 1.3 * peak(2_000)
