"""Collects rows into frames column by column, so that memory is limited to the size of the result."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from kycpack.frames.column import Column, Schema
from kycpack.frames.rows import frame_of_arrays

_CHUNK = 65_536
# Rows are tuples only for a moment: the garbage collector visits tuples, but not lists of text.
_MOMENT = 128
_FEW = 16
_NULLABLE: Mapping[str, tuple[Any, Any]] = {
    "Int64": (pd.arrays.IntegerArray, 0),
    "Float64": (pd.arrays.FloatingArray, 0.0),
    "boolean": (pd.arrays.BooleanArray, False),
}


class FrameBuilder:
    """Rows of one frame, collected column by column.

    Args:
        schema: The schema of the frame. Values must fit it, which the readers in `answer_fields` ensure.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._waiting: list[tuple[Any, ...]] = []
        # Created with the first rows: most frames of one customer have none.
        self._columns: list[_Words | _Values] = []

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row; columns that it lacks are NA."""
        self.extend([tuple(map(row.get, self.schema.names))])

    def extend(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows whose values are in the order of the schema's columns."""
        self._waiting.extend(rows)
        if len(self._waiting) >= _MOMENT:
            self._turn()

    def extend_columns(self, rows: int, columns: Iterable[Sequence[Any] | pa.Array | None]) -> None:
        """Add rows as columns, in the order of the schema.

        Args:
            rows: Number of rows.
            columns: Values of each column, as a sequence or in Arrow. A text is the value of every row, None leaves the column
                NA, and a tuple is cached because it is expected to recur.
        """
        self._turn()
        if rows:
            self._columns = self._columns or _columns(self.schema)
            for column, values in zip(self._columns, columns, strict=True):
                if type(values) is list or type(values) is tuple:
                    column.extend(values)
                elif values is None or isinstance(values, str):
                    column.repeat(values, rows)
                else:
                    column.extend_arrow(values)

    def frame(self) -> pd.DataFrame:
        """Return the collected rows as a frame of the schema."""
        self._turn()
        return _frame(self.schema, self._columns) if self._columns else empty_frame(self.schema)

    def _turn(self) -> None:
        """Turn the waiting rows into columns."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self.extend_columns(len(waiting), map(list, zip(*waiting, strict=True)))


def _columns(schema: Schema) -> list[_Words | _Values]:
    return [_Words() if column.dtype == "category" else _Values(column) for column in schema.columns]


def _frame(schema: Schema, columns: Sequence[_Words | _Values]) -> pd.DataFrame:
    alike: defaultdict[str, list[_Values]] = defaultdict(list)
    for column in columns:
        if isinstance(column, _Values) and not column.chunks:
            alike[column.column.dtype].append(column)
    made = {id(column): array for few in alike.values() for column, array in _arrays_of(few)}
    arrays = [made[id(column)] if id(column) in made else column.array() for column in columns]
    return frame_of_arrays(schema.names, arrays)


def _arrays_of(columns: Sequence[_Values]) -> Iterator[tuple[_Values, Any]]:
    """Yield the arrays of columns of one dtype: one array is made for all, since making it is what takes time."""
    whole = _array(columns[0].column, [value for column in columns for value in column.waiting])
    rows = len(columns[0].waiting)
    for number, column in enumerate(columns):
        yield column, whole[number * rows : (number + 1) * rows]


def empty_frame(schema: Schema) -> pd.DataFrame:
    """Return a frame of the schema without rows."""
    # pandas copies a column only when it is written to.
    return _empty(schema).copy(deep=False)


@cache
def _empty(schema: Schema) -> pd.DataFrame:
    return _frame(schema, _columns(schema))


def array_of(column: Column, values: list[Any]) -> Any:
    """Return the array of a column whose values fit; None is a missing value."""
    if column.dtype == "category":
        words = _Words()
        words.extend(values)
        return words.array()
    return _array(column, values)


class _Words:
    """A column of recurring words: each word once, and its number for each row."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str | None, int] = defaultdict(count().__next__)
        self._rows = array("i")
        self._known: dict[Sequence[str | None], array[int]] = {}

    def extend(self, values: Sequence[str | None]) -> None:
        rows = self._known.get(values) if type(values) is tuple else None
        if rows is None:
            # Through a list: an array takes other iterables one by one.
            rows = array("i", list(map(self._numbers.__getitem__, values)))
            if type(values) is tuple:
                self._known[values] = rows
        self._rows.extend(rows)

    def repeat(self, value: str | None, rows: int) -> None:
        self._rows.extend(array("i", (self._numbers[value],)) * rows)

    def extend_arrow(self, values: pa.DictionaryArray) -> None:
        words = [*values.dictionary.to_pylist(), None]
        numbers = np.fromiter(map(self._numbers.__getitem__, words), np.intc, len(words))
        # A missing value is the last of the words.
        self._rows.frombytes(numbers[values.indices.fill_null(-1).to_numpy()].tobytes())

    def array(self) -> pd.Categorical:
        """Return the column with sorted categories, so that they do not depend on the order of the rows."""
        rows = np.frombuffer(self._rows, np.intc)
        words = list(self._numbers)
        is_used = np.bincount(rows, minlength=len(words)).tolist()
        chosen = tuple(
            sorted(word for word, used in zip(words, is_used, strict=True) if used and word is not None)
        )
        place: dict[str | None, int] = {word: number for number, word in enumerate(chosen)}
        codes = np.array([place.get(word, -1) for word in words], np.min_scalar_type(-len(chosen) - 1))[rows]
        dtype = (_few_words if len(chosen) <= _FEW else _dtype)(chosen)
        held: Any = pd.Categorical
        made: pd.Categorical = held._simple_new(codes, dtype)  # noqa: SLF001 - the public way checks the codes again
        return made


class _Values:
    """A column of other values; those of many rows are stored as Arrow arrays."""

    def __init__(self, column: Column) -> None:
        self.column = column
        self.waiting: list[Any] = []
        self.chunks: list[pa.Array] = []

    def extend(self, values: Iterable[Any]) -> None:
        self.waiting.extend(values)
        if len(self.waiting) >= _CHUNK and self.column.arrow_type is not None:
            self._flush()

    def repeat(self, value: Any, rows: int) -> None:
        self.extend([value] * rows)

    def extend_arrow(self, values: pa.Array) -> None:
        self._flush()
        self.chunks.append(values.cast(self.column.arrow_type))

    def array(self) -> Any:
        self._flush()
        return _array_of_arrow(self.column, pa.chunked_array(self.chunks))

    def _flush(self) -> None:
        if self.waiting:
            self.chunks.append(pa.array(self.waiting, self.column.arrow_type))
            self.waiting = []


def _array(column: Column, values: list[Any]) -> Any:
    if column.arrow_type is None:
        return np.array(values, dtype=object)
    if column.dtype in _NULLABLE:
        # The same result as from Arrow for numbers with missing values; for a few rows, this is much faster.
        made, hole = _NULLABLE[column.dtype]
        holes = np.array([value is None for value in values], dtype=bool)
        return made(np.array([hole if value is None else value for value in values], dtype=type(hole)), holes)
    return _array_of_arrow(column, pa.chunked_array([pa.array(values, column.arrow_type)]))


def _array_of_arrow(column: Column, values: pa.ChunkedArray) -> Any:
    if column.dtype == "string":
        return pd.arrays.ArrowStringArray(values)
    if column.dtype in _NULLABLE:
        return column.pandas_dtype.__from_arrow__(values)
    plain = np.array(values.to_numpy())
    if column.dtype != "instant":
        return plain
    held: Any = pd.arrays.DatetimeArray
    return held._simple_new(plain, dtype=column.pandas_dtype)  # noqa: SLF001 - the public way takes twenty times as long


def _dtype(words: tuple[str, ...]) -> pd.CategoricalDtype:
    held: Any = pd.CategoricalDtype
    categories = pd.Index(pd.arrays.ArrowStringArray(pa.array(words, pa.large_string())))
    made: pd.CategoricalDtype = held._from_fastpath(categories, ordered=False)  # noqa: SLF001 - the public way checks for repeated words
    return made


# The same few words are in many columns of one customer's frames, and of the next customer's.
_few_words = lru_cache(maxsize=256)(_dtype)
