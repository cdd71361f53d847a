"""The names of a run's customers, for an index that is to show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from kycpack.batch.frame_parts import FRAMES, packs_in, parts_in, read_parquet
from kycpack.storage.paged import PAGE
from kycpack.storage.scratch import Scratch

_FRAME = "customers"
_COLUMNS = ("customer_id", "first_name", "last_name")


class CustomerNames(Mapping[str, str]):
    """The first and last name by customer id, from the frames of the run's packs, in a temporary file.

    Args:
        out: The run's output.
        report: The content of `run.json`.

    Raises:
        OSError: A pack cannot be read.
        ConfigurationError: There is no space for temporary files.
    """

    def __init__(self, out: Path, report: Mapping[str, Any]) -> None:
        self._kept = Scratch("CREATE TABLE names (customer_id TEXT PRIMARY KEY, pack TEXT, name TEXT)")
        packs = ((str(one["customer_id"]), str(one["pack"])) for one in report["entries"] if one["pack"])
        self._kept.write("INSERT OR REPLACE INTO names VALUES (?, ?, NULL)", packs)
        keep = "UPDATE names SET name = ? WHERE customer_id = ? AND pack = ?"
        self._kept.write(keep, _of_data_set(out / FRAMES))
        query = "SELECT customer_id, pack FROM names WHERE name IS NULL AND customer_id > ? ORDER BY customer_id LIMIT ?"
        last = ""
        while unread := list(self._kept.rows(query, (last, PAGE))):
            self._kept.write(keep, _of_packs(out, (pack for _, pack in unread)))
            last = unread[-1][0]

    def __getitem__(self, customer_id: str) -> str:
        name = self._kept.value("SELECT name FROM names WHERE customer_id = ?", (customer_id,))
        if name is None:
            raise KeyError(customer_id)
        return str(name)

    def __iter__(self) -> Iterator[str]:
        named = self._kept.rows("SELECT customer_id FROM names WHERE name IS NOT NULL ORDER BY customer_id")
        yield from (customer_id for (customer_id,) in named)

    def __len__(self) -> int:
        return int(self._kept.value("SELECT count(name) FROM names"))


def _of_data_set(place: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the name, customer and pack of each row of a data set; a part that cannot be read has none."""
    for part in parts_in(place):
        try:
            packs = {pack.customer_id: pack.pack for pack in packs_in(place, part)}
            named = list(_named(place / _FRAME / part))
        except (OSError, pa.ArrowException, TypeError):
            continue
        yield from ((name, customer_id, packs.get(customer_id, "")) for name, customer_id in named)


def _of_packs(out: Path, packs: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    for pack in packs:
        named = _named(out / pack / "data" / FRAMES / f"{_FRAME}.parquet")
        yield from ((name, customer_id, pack) for name, customer_id in named)


def _named(path: Path) -> Iterator[tuple[str, str]]:
    for row in read_parquet(path, _COLUMNS).to_pylist():
        yield f"{row.get('first_name') or ''} {row.get('last_name') or ''}".strip(), str(row["customer_id"])
