"""Iterates over the rows of a frame by column name, and makes frames from columns."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

_SMALL = 64
_MASKED = (pd.arrays.BooleanArray, pd.arrays.IntegerArray, pd.arrays.FloatingArray)


def rows(frame: pd.DataFrame, *names: str) -> Iterator[Any]:
    """Iterate over the rows; each column is an attribute of the row.

    Args:
        frame: The frame.
        names: The columns that are needed; all of them if none is given. Reading fewer columns is faster.
    """
    yield from _rows(frame, names, missing=pd.NA)


def plain_rows(frame: pd.DataFrame, *names: str) -> list[Any]:
    """Return the rows as `rows` does; missing values are None, or `NaT` in date and time columns.

    Args:
        frame: The frame.
        names: The columns that are needed; all of them if none is given.
    """
    return list(_rows(frame, names, missing=None))


def _rows(frame: pd.DataFrame, names: tuple[str, ...], *, missing: Any) -> Iterator[Any]:
    if not len(frame.index):
        return iter(())
    wanted = names or tuple(frame.columns)
    columns = (_values(array, missing) for array in arrays_of(frame, wanted))
    return map(_row_type(wanted)._make, zip(*columns, strict=True))


def records(frame: pd.DataFrame, *names: str) -> list[dict[str, Any]]:
    """Return the rows as dictionaries by column name; missing values are None, or `NaT` in date and time columns.

    Args:
        frame: The frame.
        names: The columns that are needed; all of them if none is given.
    """
    wanted = names or tuple(map(str, frame.columns))
    columns = (_values(array, None) for array in arrays_of(frame, wanted))
    return [dict(zip(wanted, values, strict=True)) for values in zip(*columns, strict=True)]


def arrays_of(frame: pd.DataFrame, names: Sequence[str]) -> list[Any]:
    """Return the arrays of columns, for reading only; for one customer's few rows, `frame[name].array` is too slow.

    Args:
        frame: The frame.
        names: The columns.
    """
    held: Any = frame
    places = {name: place for place, name in enumerate(values_of(frame.columns.array))}
    return [held._get_column_array(places[name]) for name in names]  # noqa: SLF001 - what is public makes a Series first


def values_of(array: Any) -> list[Any]:
    """Return the same list as `tolist` of a column, but faster for a few rows of words.

    Args:
        array: The array of a column of any dtype; missing values are `NA`.
    """
    return _values(array, pd.NA)


def _values(array: Any, missing: Any) -> list[Any]:
    if not isinstance(array, pd.Categorical):
        return _plain_values(array, missing)
    codes, categories = array.codes.tolist(), array.categories.array
    # All categories are read, so there may not be many more than rows.
    if len(categories) > max(len(codes), _SMALL):
        return _values(array.remove_unused_categories(), missing)
    # A missing value has the code -1, which is the last position.
    words = [*_plain_values(categories, missing), missing]
    return [words[code] for code in codes]


def _plain_values(array: Any, missing: Any) -> list[Any]:
    if isinstance(array, _MASKED):
        held: Any = array
        known = held._data.astype(object)  # noqa: SLF001 - what is public takes ten times as long for few rows
        known[held._mask] = missing  # noqa: SLF001 - as above
        return list(known.tolist())
    if not isinstance(array, pd.arrays.ArrowStringArray):
        # pandas would return plain objects one by one.
        values: list[Any] = (np.asarray(array) if array.dtype == "object" else array).tolist()
        return values if missing is pd.NA else [missing if value is pd.NA else value for value in values]
    values = pa.array(array).to_pylist()
    if None not in values:
        return values
    hole = missing if array.dtype.na_value is pd.NA else array.dtype.na_value
    return [hole if value is None else value for value in values]


def columns_of(names: Sequence[str], made: Sequence[Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """Return rows of plain values as columns by name.

    Args:
        names: The columns.
        made: The rows; each has a value for each column, in order.
    """
    return dict(zip(names, zip(*made, strict=True) if made else ((),) * len(names), strict=True))


def frame_of(columns: Mapping[str, Any], dtypes: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
    """Return a frame of columns of the same length.

    Args:
        columns: The values of each column. Arrays of numbers and dates, and pandas arrays, are used as they are.
        dtypes: The dtypes of other columns that are not words, as in `Float64`, `bool` or `object`.
    """
    return frame_of_arrays(
        tuple(columns), [_array(values, dtypes.get(name, "")) for name, values in columns.items()]
    )


def frame_of_arrays(names: tuple[str, ...], arrays: Sequence[Any]) -> pd.DataFrame:
    """Return a frame of NumPy or pandas arrays of the same length; the public constructor would check each of them again.

    Args:
        names: The columns.
        arrays: Their arrays, in order.
    """
    held: Any = pd.DataFrame
    made: pd.DataFrame = held._from_arrays(  # noqa: SLF001 - as above
        arrays, columns=_index(names).view(), index=pd.RangeIndex(len(arrays[0])), verify_integrity=False
    )
    return made


@cache
def _index(names: tuple[str, ...]) -> pd.Index:
    return pd.Index(names)


def _array(values: Any, dtype: Any) -> Any:
    if not dtype and _is_typed(values):
        return values
    if not dtype:
        return pd.arrays.ArrowStringArray(pa.array(values, pa.large_string()))
    if dtype == "object":
        # One by one: from lists of the same length NumPy would otherwise make a table.
        return np.fromiter(values, dtype=object, count=len(values))
    return np.array(values, dtype=dtype) if dtype in {"bool", "int64"} else pd.array(values, dtype=dtype)


def _is_typed(values: Any) -> bool:
    if isinstance(values, np.ndarray):
        return values.dtype.kind in "biufM"
    return isinstance(values, pd.api.extensions.ExtensionArray)


def with_dtypes(frame: pd.DataFrame, dtypes: Mapping[str, str]) -> pd.DataFrame:
    """Return a frame with columns of other dtypes, as `astype` does; faster if many plain columns become categories.

    Args:
        frame: The frame.
        dtypes: The new dtypes, by column.
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


# Making a type takes longer than reading the few rows of one customer.
@cache
def _row_type(names: tuple[str, ...]) -> Any:
    return namedtuple("Row", names)  # noqa: PYI024 - the names come from the frame
