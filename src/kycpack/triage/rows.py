"""Going through the rows of a frame by the names of its columns, and making a frame of columns."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

_SMALL = 64


def rows(frame: pd.DataFrame, *names: str) -> Iterator[Any]:
    """Go through the rows; a column is an attribute of a row.

    Args:
        frame: The frame.
        names: The columns that are needed; all of them where none is named. Few columns are read faster than many.
    """
    if len(frame.index):
        wanted = names or tuple(frame.columns)
        make = _row_type(wanted)._make
        yield from map(make, zip(*(values_of(frame[name]) for name in wanted), strict=True))


def values_of(column: pd.Series) -> list[Any]:
    """Return what `Series.tolist` does, faster for the words of a few rows.

    Args:
        column: A column of any dtype; what is missing is `NA`.
    """
    array: Any = column.array
    if isinstance(array, pd.Categorical):
        codes, categories = array.codes, array.categories
        # All categories are read, so there may not be many more than rows; and what is missing has none.
        if len(categories) <= max(len(codes), _SMALL) and (codes >= 0).all():
            words = _words(categories.array)
            return [words[code] for code in codes.tolist()]
        return column.tolist()
    return _words(array)


def _words(array: Any) -> list[Any]:
    if not (isinstance(array.dtype, pd.StringDtype) and array.dtype.na_value is pd.NA):
        return list(array.tolist())
    words: list[Any] = pa.array(array).to_pylist()
    return [pd.NA if word is None else word for word in words] if None in words else words


def frame_of(columns: Mapping[str, Sequence[Any]], dtypes: Mapping[str, str]) -> pd.DataFrame:
    """Return a frame of columns of one length.

    Args:
        columns: The values of each column.
        dtypes: The dtypes of columns that are not words, as in `Float64`, `bool` or `object`.
    """
    count = len(next(iter(columns.values())))
    made = {name: _array(values, dtypes.get(name, "")) for name, values in columns.items()}
    return pd.DataFrame(made, index=pd.RangeIndex(count), copy=False)


def _array(values: Sequence[Any], dtype: str) -> Any:
    if not dtype:
        return pd.arrays.ArrowStringArray(pa.array(values, pa.large_string()))
    if dtype == "object":
        # Filled one by one: NumPy makes a table of lists that are of one length.
        objects = np.empty(len(values), dtype=object)
        for place, value in enumerate(values):
            objects[place] = value
        return objects
    return np.array(values, dtype=dtype) if dtype in {"bool", "int64"} else pd.array(values, dtype=dtype)


def first_rows(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the first row of each value of a column, in the order of the frame.

    Args:
        frame: The frame.
        name: The column; nothing is missing in it.
    """
    codes, _ = pd.factorize(frame[name])
    # Values are numbered as they first come, so their first rows are in order.
    return frame.iloc[np.unique(codes, return_index=True)[1]]


# Making a type takes longer than going through the few rows that one customer has.
@cache
def _row_type(names: tuple[str, ...]) -> Any:
    return namedtuple("Row", names)  # noqa: PYI024 - the names come from the frame
