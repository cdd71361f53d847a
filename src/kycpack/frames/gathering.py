"""Gathering rows into frames, in chunks, so that memory is bounded by what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from kycpack.frames.column import Column, Schema

_CHUNK = 65_536


class Rows:
    """Rows of one frame, gathered column by column.

    Args:
        schema: What the frame is to hold. Values are expected to fit: the readers of `members` see to that.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._waiting: dict[str, list[Any]] = {name: [] for name in schema.names}
        self._chunks: dict[str, list[Any]] = {name: [] for name in schema.names}
        self._count = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row; columns that it does not name are NA."""
        value_of = row.get
        for name, values in self._waiting.items():
            values.append(value_of(name))
        self._count += 1
        if self._count >= _CHUNK:
            self._flush()

    def extend(self, count: int, columns: Mapping[str, Sequence[Any]], constants: Mapping[str, Any]) -> None:
        """Add many rows at once.

        Args:
            count: How many.
            columns: Values of the columns in which rows differ.
            constants: The value of the columns in which they do not.
        """
        for name, values in self._waiting.items():
            values.extend(columns[name] if name in columns else [constants.get(name)] * count)
        self._count += count
        if self._count >= _CHUNK:
            self._flush()

    def extend_columns(self, count: int, columns: Mapping[str, pa.Array]) -> None:
        """Add many rows that are in Arrow columns already; columns that are not named are NA."""
        self._flush()
        for column in self.schema.columns:
            values = columns[column.name] if column.name in columns else pa.nulls(count, column.arrow_type)
            self._chunks[column.name].append(values)

    def frame(self) -> pd.DataFrame:
        """Return the gathered rows as a frame of the schema."""
        self._flush()
        columns = {column.name: _array(column, self._chunks[column.name]) for column in self.schema.columns}
        return pd.DataFrame(columns, copy=False)

    def _flush(self) -> None:
        if not self._count and self._chunks[self.schema.names[0]]:
            return
        for column in self.schema.columns:
            waiting = self._waiting[column.name]
            arrow = column.arrow_type
            self._chunks[column.name].append(waiting if arrow is None else pa.array(waiting, arrow))
            self._waiting[column.name] = []
        self._count = 0


def _array(column: Column, chunks: list[Any]) -> Any:
    if column.arrow_type is None:
        return pd.Series([value for chunk in chunks for value in chunk], dtype=object)
    values = pa.chunked_array(chunks, column.arrow_type)
    if column.dtype == "category":
        return _categorical(values)
    if column.dtype == "date":
        return values.to_numpy().astype(column.pandas_dtype)
    if column.dtype in {"string", "Int64", "Float64", "boolean"}:
        dtype: Any = pd.api.types.pandas_dtype(column.pandas_dtype)
        return dtype.__from_arrow__(values)
    return pd.Series(values.to_pandas(), dtype=column.pandas_dtype)


def _categorical(values: pa.ChunkedArray) -> pd.Categorical:
    """Return words with their categories in order, so that they do not depend on which word came first."""
    encoded = values.unify_dictionaries()
    chunks = [chunk.indices.fill_null(-1).to_numpy(zero_copy_only=False) for chunk in encoded.chunks]
    codes = np.concatenate(chunks) if chunks else np.zeros(0, dtype=np.int64)
    words = encoded.chunk(0).dictionary.to_pylist() if chunks else []
    order = sorted((code for code in np.unique(codes).tolist() if code >= 0), key=words.__getitem__)
    # The last place is for codes of -1, which are holes.
    rank = np.full(len(words) + 1, -1, dtype=np.int64)
    rank[order] = np.arange(len(order))
    categories = pd.Index(pd.array([words[code] for code in order], dtype="string[pyarrow]"))
    return pd.Categorical.from_codes(rank[codes], categories=categories)
