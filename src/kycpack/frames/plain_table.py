"""Frames as stored in a pack: Arrow tables of plain values, which depend only on their content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from kycpack.frames.rows import arrays_of, values_of
from kycpack.models.json import canonical_json


class PlainTable(Mapping[str, Sequence[Any]]):
    """A frame made plain once for all files written from it: its columns as lists, each made when first used.

    Args:
        arrow: The table.

    Attributes:
        arrow: The table.
    """

    def __init__(self, arrow: pa.Table) -> None:
        self.arrow = arrow
        self._names: tuple[str, ...] = tuple(arrow.column_names)
        self._made: dict[str, list[Any]] = {}

    def __getitem__(self, name: str) -> Sequence[Any]:
        if name not in self._made:
            column = self.arrow.column(name)
            # Arrow makes times one by one, which takes as long as everything else together.
            is_local = (
                pa.types.is_timestamp(column.type) and column.type.tz is None and column.type.unit != "ns"
            )
            self._made[name] = column.to_numpy().tolist() if is_local else column.to_pylist()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def plain_table(frame: pd.DataFrame) -> PlainTable:
    """Return a frame with plain texts in place of categories, decimals as text, objects as JSON."""
    names = list(map(str, values_of(frame.columns.array)))
    return PlainTable(pa.table(dict(zip(names, map(_array, arrays_of(frame, names)), strict=True))))


def _array(array: Any) -> Any:
    if isinstance(array, pd.Categorical):
        words = pa.array(array.categories.array)
        return words.take(pa.array(array.codes, mask=array.codes < 0))
    if isinstance(array, np.ndarray) and array.dtype == object:
        values = [_plain(value) for value in array]
        return pa.array(values, type=_type_of(values))
    if isinstance(array, pd.arrays.DatetimeArray):
        # Arrow would make a Series of dates first, and would go through instants one by one.
        zone = None if array.tz is None else str(array.tz)
        return pa.array(array.view("int64").view(f"datetime64[{array.unit}]"), pa.timestamp(array.unit, zone))
    return pa.array(array, from_pandas=True)


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [str(item) for item in value]
    if isinstance(value, dict):
        # As columns, the members of all rows would be mixed, and whole numbers with missing values would become floats.
        return canonical_json(value).decode()
    if value is None or pd.isna(value):
        return None
    # Text, because a Parquet decimal type has a single scale, and amounts keep their original digits.
    return str(value) if isinstance(value, Decimal) else value


def _type_of(values: list[Any]) -> Any:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {str}:
        return pa.string()
    return pa.list_(pa.string()) if kinds == {list} else None
