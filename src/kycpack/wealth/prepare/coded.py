"""Columns of transactions as arrays: integers for numbers and dates, and codes into the distinct values for texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Reader = Callable[[npt.NDArray[np.object_]], Sequence[object] | pd.arrays.ArrowStringArray]
"""A function from distinct texts to a reading of each, such as `to_plain_text`; what Arrow reads stays there until it is down to the distinct ones."""

_LARGEST_CODE = 2**62
_FEW_ROWS = 4_096
_MOST_BITS = 62


def pick(values: npt.NDArray[Any], codes: Codes, missing: Any) -> npt.NDArray[Any]:
    """Return the value of each code, and `missing` for -1."""
    with_missing = np.empty(len(values) + 1, dtype=values.dtype)
    with_missing[:-1] = values
    with_missing[-1] = missing
    return with_missing[codes]


def text_column(texts: npt.NDArray[np.object_], codes: Codes) -> pd.arrays.ArrowStringArray:
    """Return a frame's column of the text of each code, missing for -1: as `pick`, without an object for each row."""
    words = pa.array(texts, pa.large_string())
    return pd.arrays.ArrowStringArray(words.take(pa.array(codes, mask=codes < 0)))


def joint_code(*columns: Codes) -> Codes:
    """Return the place of each row's values in the order of all that occur, by the first column, then by the next; equal values have one place."""
    return _ranked(_packed(columns))


def sorted_by(*columns: npt.NDArray[Any]) -> Codes:
    """Return the order of rows by the first column, then by the next; rows that are equal in all of them stay in their order."""
    # One number per row costs more than it saves for the rows of one customer.
    few = len(columns[0]) < _FEW_ROWS
    return np.lexsort(columns[::-1]) if few else _order_of(_packed(columns))


def _packed(columns: tuple[npt.NDArray[Any], ...]) -> Codes:
    """Return one number per row for several columns: the numbers are in the order of the values."""
    code, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for values in columns:
        low = int(values.min(initial=0))
        span = int(values.max(initial=0)) - low + 1
        if size * span > _LARGEST_CODE:
            code, values, low = _ranked(code), _ranked(values), 0  # noqa: PLW2901 - the same values, by other numbers
            size = span = len(code) + 1
        code *= span
        code += values
        code -= low
        size *= span
    return code


def _order_of(values: Codes) -> Codes:
    """Return the order of rows by one number, equal ones in their order: numbers that hold value and place are sorted faster than places."""
    if (values[1:] >= values[:-1]).all():
        return np.arange(len(values))
    low, bits = int(values.min()), len(values).bit_length()
    if (int(values.max()) - low).bit_length() + bits > _MOST_BITS:
        return np.argsort(values, kind="stable")
    number = ((values - low) << bits) | np.arange(len(values))
    number.sort()
    return number & ((1 << bits) - 1)


def _ranked(values: Codes) -> Codes:
    order = _order_of(values)
    rank = np.empty(len(values), dtype=np.int64)
    rank[order] = np.cumsum(_begins(values[order])) - 1
    return rank


def bounds_of(group: Codes, values: Codes, size: int) -> tuple[Codes, Codes]:
    """Return the smallest and the largest value of each group, 0 .. size - 1; for a group without values the largest and the smallest integer."""
    low, high = np.full(size, np.iinfo(np.int64).max), np.full(size, np.iinfo(np.int64).min)
    np.minimum.at(low, group, values)
    np.maximum.at(high, group, values)
    return low, high


def distinct_of(values: Codes) -> Codes:
    """Return the distinct values, ascending, as `np.unique` does, which hashes whole numbers and takes ten times as long."""
    ordered = np.sort(values)
    return ordered[_begins(ordered)]


def is_in(values: Codes, some: Codes) -> Mask:
    """Return which values are among some others, as `np.isin` does; faster where the numbers are far apart and neighbours are alike."""
    if not len(some):
        return np.zeros(len(values), dtype=np.bool_)
    distinct = distinct_of(some)
    # A value before all of them is compared with the last one.
    return np.asarray(distinct[np.searchsorted(distinct, values, side="right") - 1] == values, dtype=np.bool_)


def _begins(ordered: Codes) -> Mask:
    """Return which elements differ from the one before."""
    new = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return new


def first_of_each(group: Codes, *by: npt.NDArray[Any]) -> Codes:
    """Return the index of one element of each group, the groups in ascending order: the first one by the last of the given keys, then by the one before it, and so on."""
    order = np.lexsort((*by, group))
    return order[_begins(group[order])]


def ordinals(code: Codes, *by: Codes) -> Codes:
    """Return how many elements with the same code come before each, in the order of the given keys."""
    order = sorted_by(code, *by)
    place = np.empty(len(code), dtype=np.int64)
    place[order] = np.arange(len(code)) - np.searchsorted(code[order], code[order], side="left")
    return place


def lowest_of_joined(size: int, pairs: Iterable[Sequence[int]]) -> Codes:
    """Return for each of 0 .. size - 1 the lowest number that pairs connect it with, directly or through others; itself if none do."""
    lowest = list(range(size))

    def root(one: int) -> int:
        while lowest[one] != one:
            lowest[one] = one = lowest[lowest[one]]
        return one

    for pair in pairs:
        low, high = sorted(map(root, pair))
        lowest[high] = low
    return np.array([root(one) for one in range(size)], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of text as codes into its distinct values; -1 for a missing value.

    Args:
        codes: Code of each row.
        distinct: Values, without repeats.
        part_of: The column and rows that this column was taken from; None for a whole column.
        fold: Reader applied before all others, to reduce many texts with the same meaning to few. None for no such reader.
    """

    codes: Codes
    distinct: npt.NDArray[np.object_]
    part_of: tuple[Coded, Codes] | None = None
    fold: Reader | None = None
    _read: dict[Reader, Coded] = field(default_factory=dict, repr=False)

    def texts(self, rows: Codes) -> npt.NDArray[np.object_]:
        """Return the texts of rows; None for a missing one."""
        return pick(self.distinct, self.codes[rows], None)

    def of_rows(self, rows: Codes) -> Coded:
        """Return the column for some rows, with only their values."""
        whole, all_rows = (self, rows) if self.part_of is None else (self.part_of[0], self.part_of[1][rows])
        codes = self.codes[rows]
        # Marking the codes in use is cheaper than sorting the rows. The last element is for rows without a value.
        used = np.zeros(len(self.distinct) + 1, dtype=np.bool_)
        used[codes] = True
        kept = np.flatnonzero(used[:-1])
        place = np.full(len(used), -1, dtype=np.int64)
        place[kept] = np.arange(len(kept))
        return Coded(place[codes], self.distinct[kept], (whole, all_rows))

    def read(self, reader: Reader) -> Coded:
        """Return the texts as read by a reader. The texts of a whole column are read once, whichever rows are wanted."""
        if self.part_of is not None:
            return self.part_of[0].read(reader).of_rows(self.part_of[1])
        if reader not in self._read:
            given = self if self.fold in (None, reader) else self.read(self.fold)
            made: Any = reader(given.distinct)
            in_arrow = isinstance(made, pd.arrays.ArrowStringArray)
            code, distinct = pd.factorize(made if in_arrow else np.array(made, dtype=object))
            self._read[reader] = Coded(pick(code.astype(np.int64), given.codes, -1), distinct.astype(object))
        return self._read[reader]


@dataclass(frozen=True, eq=False)
class Words:
    """Texts of rows, looked up a few at a time.

    Args:
        codes: Code of each row; -1 for the last of the texts.
        distinct: The texts.
    """

    codes: Codes
    distinct: npt.NDArray[np.object_]

    def __getitem__(self, rows: Any) -> Any:
        """Return the texts of rows, or the text of one."""
        return self.distinct[self.codes[rows]]

    def ordered(self, order: Codes) -> Words:
        """Return the texts of rows in the given order."""
        return Words(self.codes[order], self.distinct)

    def put(self, text: str, rows: Mask) -> None:
        """Set the text of rows to one of the texts."""
        self.codes[rows] = self.distinct.tolist().index(text)

    def are(self, *texts: str) -> Mask:
        """Return which rows have one of the given texts."""
        found: Mask = np.array([one in texts for one in self.distinct], dtype=np.bool_)[self.codes]
        return found

    @property
    def present(self) -> Mask:
        """Which rows have a text that is not empty."""
        found: Mask = (self.distinct != "")[self.codes]
        return found


def words_of(values: npt.NDArray[np.object_], codes: Codes, missing: str | None = "") -> Words:
    """Return texts by code, each text once, and the missing text for -1."""
    last = np.array([missing], dtype=object)
    number, distinct = pd.factorize(np.append(values, last))
    # None has the code -1 and comes last.
    return Words(number.astype(np.int64)[codes], distinct if missing == "" else np.append(distinct, last))


def first_said(*columns: Coded | Words) -> Words:
    """Return the first non-empty text of each row, each text once; empty if there is none."""
    code = np.full(len(columns[0].codes), -1, dtype=np.int64)
    size = 0
    for column in columns:
        takes = (code < 0) & pick(column.distinct != "", column.codes, missing=False)
        code[takes] = column.codes[takes] + size
        size += len(column.distinct)
    every = Coded(code, np.concatenate([column.distinct for column in columns]))
    used = every.of_rows(np.arange(len(code)))
    return words_of(used.distinct, used.codes)
