"""Gathering rows into frames, in chunks, so that memory is bounded by what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
        for name, values in self._waiting.items():
            values.append(row.get(name))
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

    def frame(self) -> pd.DataFrame:
        """Return the gathered rows as a frame of the schema."""
        self._flush()
        columns = {column.name: _series(column, self._chunks[column.name]) for column in self.schema.columns}
        return pd.DataFrame(columns)

    def _flush(self) -> None:
        for column in self.schema.columns:
            waiting = self._waiting[column.name]
            arrow = column.arrow_type
            self._chunks[column.name].append(waiting if arrow is None else pa.array(waiting, arrow))
            self._waiting[column.name] = []
        self._count = 0


def _series(column: Column, chunks: list[Any]) -> pd.Series[Any]:
    if column.arrow_type is None:
        return pd.Series([value for chunk in chunks for value in chunk], dtype=object)
    return arrow_series(column, pa.chunked_array(chunks, column.arrow_type))


def arrow_series(column: Column, values: pa.ChunkedArray) -> pd.Series[Any]:
    """Return an Arrow column as the pandas column that a schema promises.

    Args:
        column: What it is to become; `category` columns are given as strings.
        values: Of the column's Arrow type.
    """
    if column.dtype == "category":
        return pd.Series(_categorical(values))
    if column.dtype == "date":
        dates: pd.Series[Any] = pd.Series(values.to_numpy(), dtype=column.pandas_dtype)
        return dates
    if column.dtype in {"string", "Int64", "Float64", "boolean"}:
        dtype: Any = pd.api.types.pandas_dtype(column.pandas_dtype)
        extension: pd.Series[Any] = pd.Series(dtype.__from_arrow__(values))
        return extension
    plain: pd.Series[Any] = pd.Series(values.to_pandas(), dtype=column.pandas_dtype)
    return plain


def _categorical(values: pa.ChunkedArray) -> pd.Categorical:
    encoded = values.dictionary_encode().unify_dictionaries()
    words = encoded.chunk(0).dictionary.to_pylist() if encoded.num_chunks else []
    order = sorted(range(len(words)), key=words.__getitem__)
    rank = pa.array(_ranks(order), pa.int32())
    codes = pa.chunked_array([chunk.indices for chunk in encoded.chunks], pa.int32())
    ranked = rank.take(codes.combine_chunks()).fill_null(-1).to_numpy(zero_copy_only=False)
    categories = pd.Index(pd.array([words[code] for code in order], dtype="string[pyarrow]"))
    return pd.Categorical.from_codes(ranked, categories=categories)


def _ranks(order: list[int]) -> list[int]:
    ranks = [0] * len(order)
    for rank, code in enumerate(order):
        ranks[code] = rank
    return ranks
