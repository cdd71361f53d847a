"""Reading the frames of a run from its data set, or from the packs themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kycpack.batch.frame_columns import as_lists, joined
from kycpack.batch.frame_parts import FRAMES, PACKS, packs_in, parts_in, read_parquet
from kycpack.batch.remote_run import RemoteRun
from kycpack.errors import InputError
from kycpack.frames.catalogue import SCHEMAS
from kycpack.frames.schema import conform

_TOGETHER = 500
"""How many packs are read before their rows are put together."""


class RunFrames(Mapping[str, pd.DataFrame]):
    """Frames of many packs by name, each read when it is first used.

    Args:
        names: Names of the frames; each is also an attribute.
        packs: Folder of each customer's pack, in the order of the rows.
        data_set: The run's own data set of all packs; None to read the packs themselves, for example because the data set
            holds other packs.
        remote: Where files are copied from when they are first used; None if they are already in place.
    """

    def __init__(
        self,
        names: Iterable[str],
        packs: Mapping[str, Path],
        data_set: Path | None = None,
        remote: RemoteRun | None = None,
    ) -> None:
        self._names = tuple(names)
        self._packs = packs
        self._data_set = data_set
        self._remote = remote
        self._read: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._read:
            self._read[name] = self._frame(name, None)
        return self._read[name]

    def read(self, name: str, columns: Collection[str] | None = None) -> pd.DataFrame:
        """Return a frame of all customers with only some of its columns, without caching it.

        Args:
            name: The frame.
            columns: Names of the columns, in this order; None for all.

        Raises:
            InputError: The frame or a column does not exist.
        """
        if name not in self._names:
            raise InputError(f"no frame {name!r}; there are {', '.join(self._names)}", place="name")
        frame = self._frame(name, columns)
        if columns is None:
            return frame
        if unknown := [column for column in columns if column not in frame]:
            raise InputError(f"frame {name} has no column {unknown[0]!r}", place="columns")
        return frame[list(columns)]

    def __getattr__(self, name: str) -> pd.DataFrame:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no frame {name!r}; there are {', '.join(self._names)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        return f"RunFrames({', '.join(self._names)}; {len(self._packs)} packs)"

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        """The parts of the data set; empty if it does not hold exactly the packs of the run."""
        if self._data_set is None:
            return ()
        self._fetch(f"{FRAMES}/{PACKS}/")
        try:
            parts = parts_in(self._data_set)
            held = [
                (pack.customer_id, pack.pack) for part in parts for pack in packs_in(self._data_set, part)
            ]
        except (OSError, pa.ArrowException, TypeError):
            return ()
        expected = {name: folder.name for name, folder in self._packs.items()}
        return parts if len(held) == len(expected) and dict(held) == expected else ()

    def _frame(self, name: str, columns: Collection[str] | None) -> pd.DataFrame:
        schema = SCHEMAS.get(name)
        wanted = None
        if columns is not None:
            required = {column.name for column in schema.columns if column.required} if schema else set()
            wanted = {*columns, "customer_id", *required}
        paths: list[Path] = []
        if self._parts and self._data_set is not None:
            self._fetch(f"{FRAMES}/{name}/")
            paths = [path for part in self._parts if (path := self._data_set / name / part).is_file()]
        is_whole = bool(self._parts) and len(paths) == len(self._parts)
        if is_whole:
            whole = pa.concat_tables([as_lists(name, read_parquet(path, wanted)) for path in paths])
            return _conformed(name, self._ordered(whole))
        together: list[pa.Table] = []
        folders = iter(self._packs.values())
        while read := [self._of_pack(name, folder, wanted) for folder in islice(folders, _TOGETHER)]:
            # A table of few rows takes far more memory than its rows.
            together.append(_joined_rows(read))
        return _conformed(name, _joined_rows(together) if together else pa.table({}))

    def _of_pack(self, name: str, folder: Path, wanted: Collection[str] | None) -> pa.Table:
        self._fetch(f"{folder.name}/data/{FRAMES}/{name}.parquet")
        return as_lists(name, read_parquet(folder / "data" / "frames" / f"{name}.parquet", wanted))

    def _fetch(self, prefix: str) -> None:
        if self._remote is not None:
            self._remote.fetch(prefix)

    def _ordered(self, table: pa.Table) -> pa.Table:
        """Return the rows in the order of the run's customers; rows of the same customer keep their order."""
        order = pa.array(list(self._packs), pa.string())
        places = pc.index_in(table["customer_id"].cast(pa.string()), value_set=order)
        return table.take(pc.sort_indices(pa.table({"place": places}), sort_keys=[("place", "ascending")]))


def _joined_rows(tables: Sequence[pa.Table]) -> pa.Table:
    """Return the rows of several tables as one table; a table without rows adds no column, unless none has rows."""
    return joined([table for table in tables if table.num_rows] or tables[:1])


def _conformed(name: str, table: pa.Table) -> pd.DataFrame:
    """Return a table as the frame of that name; lists, which Parquet returns as arrays, become lists again."""
    frame: pd.DataFrame = table.to_pandas()
    for field in table.schema:
        if pa.types.is_list(field.type):
            frame[field.name] = table.column(field.name).to_pylist()
    if name not in SCHEMAS:
        return frame
    if not table.num_columns:
        frame = pd.DataFrame(columns=[column.name for column in SCHEMAS[name].columns])
    return conform(name, frame, unique=False)
