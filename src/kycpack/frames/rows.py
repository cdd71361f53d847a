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
        yield from map(make, zip(*(values_of(frame[name].array) for name in wanted), strict=True))


def records(frame: pd.DataFrame, *names: str) -> list[dict[str, Any]]:
    """Return the rows as dictionaries by column name; what is missing is None, and `NaT` where the column holds moments.

    Args:
        frame: The frame.
        names: The columns that are needed; all of them where none is named.
    """
    wanted = names or tuple(map(str, frame.columns))
    columns = (_values_or_none(frame[name].array) for name in wanted)
    return [dict(zip(wanted, values, strict=True)) for values in zip(*columns, strict=True)]


def _values_or_none(array: Any) -> list[Any]:
    if isinstance(array, pd.Categorical) and (array.codes < 0).any():
        return [None if code < 0 else array.categories[code] for code in array.codes.tolist()]
    return [None if value is pd.NA else value for value in values_of(array)]


def values_of(array: Any) -> list[Any]:
    """Return what `tolist` of a column does, faster for the words of a few rows.

    Args:
        array: The array of a column of any dtype; what is missing is `NA`.
    """
    if not isinstance(array, pd.Categorical):
        return _words(array)
    codes, categories = array.codes, array.categories
    # All categories are read, so there may not be many more than rows; and what is missing has none.
    if len(categories) > max(len(codes), _SMALL) or (codes < 0).any():
        return list(array.tolist())
    words = _words(categories.array)
    return [words[code] for code in codes.tolist()]


def _words(array: Any) -> list[Any]:
    if isinstance(array, pd.arrays.NumpyExtensionArray):
        return list(array.to_numpy().tolist())
    if not (isinstance(array.dtype, pd.StringDtype) and array.dtype.na_value is pd.NA):
        return list(array.tolist())
    words: list[Any] = pa.array(array).to_pylist()
    return [pd.NA if word is None else word for word in words] if None in words else words


def columns_of(names: Sequence[str], made: Sequence[Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """Return rows of plain values as columns by name.

    Args:
        names: The columns.
        made: The rows; each has a value for each column, in order.
    """
    return dict(zip(names, zip(*made, strict=True) if made else ((),) * len(names), strict=True))


def frame_of(columns: Mapping[str, Sequence[Any]], dtypes: Mapping[str, str]) -> pd.DataFrame:
    """Return a frame of columns of one length.

    Args:
        columns: The values of each column.
        dtypes: The dtypes of columns that are not words, as in `Float64`, `bool` or `object`.
    """
    count = len(next(iter(columns.values())))
    made = {name: _array(values, dtypes.get(name, "")) for name, values in columns.items()}
    return pd.DataFrame(made, index=pd.RangeIndex(count), copy=False)


def _array(values: Sequence[Any], dtype: Any) -> Any:
    if not dtype:
        return pd.arrays.ArrowStringArray(pa.array(values, pa.large_string()))
    if dtype == "object":
        # Filled one by one: NumPy makes a table of lists that are of one length.
        objects = np.empty(len(values), dtype=object)
        for place, value in enumerate(values):
            objects[place] = value
        return objects
    return np.array(values, dtype=dtype) if dtype in {"bool", "int64"} else pd.array(values, dtype=dtype)


def with_dtypes(frame: pd.DataFrame, dtypes: Mapping[str, str]) -> pd.DataFrame:
    """Return a frame with columns of other dtypes, as `astype` does; faster where many plain columns become words.

    Args:
        frame: The frame.
        dtypes: The new dtype of each column that gets one.
    """
    made = {name: _cast(column.array, dtypes.get(str(name))) for name, column in frame.items()}
    return pd.DataFrame(made, index=frame.index, columns=frame.columns, copy=False)


def _cast(array: Any, dtype: str | None) -> Any:
    if dtype is None:
        return array
    if dtype == "string" and _holds_words(array):
        words = array if isinstance(array.dtype, pd.StringDtype) else array.to_numpy()
        return pd.arrays.ArrowStringArray(pa.array(words, pa.large_string(), from_pandas=True))
    return array.astype(dtype)


def _holds_words(array: Any) -> bool:
    if isinstance(array.dtype, pd.StringDtype):
        return True
    return array.dtype == object and pd.api.types.infer_dtype(array, skipna=True) in {"string", "empty"}


def first_entries(frame: pd.DataFrame) -> list[tuple[str, Any]]:
    """Return each customer with the `evidence_id` of the first of the customer's rows, in the order of the frame.

    Args:
        frame: A frame of the catalogue.
    """
    if not len(frame.index):
        return []
    customers, names = pd.factorize(frame["customer_id"].array)
    # Customers are numbered as they first come, so their first rows are in order; a row of nobody has -1.
    numbers, places = np.unique(customers, return_index=True)
    places = places[numbers >= 0]
    return list(zip(values_of(names), values_of(frame["evidence_id"].array.take(places)), strict=True))


# Making a type takes longer than going through the few rows that one customer has.
@cache
def _row_type(names: tuple[str, ...]) -> Any:
    return namedtuple("Row", names)  # noqa: PYI024 - the names come from the frame
