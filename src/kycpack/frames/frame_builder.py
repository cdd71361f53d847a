"""Gathering rows into frames, in chunks, so that memory is bounded by what comes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from kycpack.frames.column import Column, Schema
from kycpack.frames.rows import frame_of_arrays

_CHUNK = 65_536
# Rows wait as tuples only for a moment: the garbage collector goes through tuples, and not through lists of text.
_MOMENT = 128
_FEW = 16


class FrameBuilder:
    """Rows of one frame, gathered column by column.

    Args:
        schema: What the frame is to hold. Values are expected to fit: the readers of `answer_fields` see to that.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._waiting: list[tuple[Any, ...]] = []
        self._columns: list[list[Any]] = [[] for _ in schema.names]
        self._chunks: dict[str, list[Any]] = {name: [] for name in schema.names}

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row; columns that it does not name are NA."""
        self.extend([tuple(map(row.get, self._chunks))])

    def extend(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows whose values are in the order of the schema's columns."""
        self._waiting.extend(rows)
        if len(self._waiting) >= _MOMENT:
            self._turn()

    def extend_columns(self, count: int, columns: Mapping[str, pa.Array]) -> None:
        """Add many rows that are in Arrow columns already; columns that are not named are NA."""
        self._flush()
        for column in self.schema.columns:
            values = columns[column.name] if column.name in columns else pa.nulls(count, column.arrow_type)
            self._chunks[column.name].append(
                values.cast(column.arrow_type) if column.dtype == "string" else values
            )

    def frame(self) -> pd.DataFrame:
        """Return the gathered rows as a frame of the schema."""
        self._flush()
        if not self._chunks[self.schema.names[0]]:
            return _empty(self.schema).copy(deep=False)
        return _frame(self.schema, self._chunks)

    def _turn(self) -> None:
        """Turn the rows that wait into columns."""
        for values, more in zip(self._columns, zip(*self._waiting, strict=True), strict=True):
            values.extend(more)
        self._waiting = []
        if len(self._columns[0]) >= _CHUNK:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._turn()
        if not self._columns[0]:
            return
        for column, values in zip(self.schema.columns, self._columns, strict=True):
            arrow = column.arrow_type
            self._chunks[column.name].append(values if arrow is None else pa.array(values, arrow))
        self._columns = [[] for _ in self._columns]


def _frame(schema: Schema, chunks: Mapping[str, list[Any]]) -> pd.DataFrame:
    arrays = [_array(column, chunks[column.name]) for column in schema.columns]
    return frame_of_arrays(schema.names, arrays)


@cache
def _empty(schema: Schema) -> pd.DataFrame:
    return _frame(schema, {name: [] for name in schema.names})


def _array(column: Column, chunks: list[Any]) -> Any:
    if column.arrow_type is None:
        return np.array([value for chunk in chunks for value in chunk], dtype=object)
    values = pa.chunked_array(chunks, column.arrow_type)
    if column.dtype == "category":
        return _categorical(values)
    if column.dtype == "date":
        return values.to_numpy().astype(column.pandas_dtype)
    if column.dtype == "string":
        return pd.arrays.ArrowStringArray(values)
    if column.dtype in {"Int64", "Float64", "boolean"}:
        return _pandas_dtype(column.pandas_dtype).__from_arrow__(values)
    return pd.array(values.to_numpy(), dtype=column.pandas_dtype)


@cache
def _pandas_dtype(name: str) -> Any:
    return pd.api.types.pandas_dtype(name)


def _categorical(values: pa.ChunkedArray) -> pd.Categorical:
    """Return words with their categories in order, so that they do not depend on which word came first."""
    encoded = values.unify_dictionaries().combine_chunks()
    words = encoded.dictionary.to_pylist()
    codes = (encoded.indices.fill_null(-1) if encoded.null_count else encoded.indices).to_numpy()
    used = np.unique(codes).tolist()
    order = sorted((code for code in used if code >= 0), key=words.__getitem__)
    # The last place is for codes of -1, which are holes.
    rank = np.full(len(words) + 1, -1, dtype=np.min_scalar_type(-len(words) - 1))
    rank[order] = range(len(order))
    dtype = (_few_words if len(order) <= _FEW else _words)(tuple(words[code] for code in order))
    return pd.Categorical.from_codes(rank[codes], dtype=dtype, validate=False)


def _words(words: tuple[str, ...]) -> pd.CategoricalDtype:
    held: Any = pd.CategoricalDtype
    categories = pd.Index(pd.arrays.ArrowStringArray(pa.array(words, pa.large_string())))
    made: pd.CategoricalDtype = held._from_fastpath(categories, ordered=False)  # noqa: SLF001 - what is public looks for words that come twice
    return made


# The frames of one customer have the same few words in many columns, and those of the next customer too.
_few_words = lru_cache(maxsize=256)(_words)
