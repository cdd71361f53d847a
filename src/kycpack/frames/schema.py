"""Makes a frame fit its schema: columns, dtypes, no missing values in required columns, and one row per key."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from types import NoneType
from typing import Any

import numpy as np
import pandas as pd

from kycpack.errors import FrameError, InputError
from kycpack.frames.catalogue import SCHEMAS
from kycpack.frames.column import Column, Schema
from kycpack.frames.frame_builder import array_of, empty_frame
from kycpack.frames.rows import arrays_of, frame_of_arrays
from kycpack.models.money import read_decimal

__all__ = ["SCHEMAS", "Column", "Schema", "conform", "empty"]

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_PLAIN_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LARGEST_EXACT_FLOAT = 2**53
_TEXTS: frozenset[type] = frozenset((str, NoneType))


def empty(name: str) -> pd.DataFrame:
    """Return a frame of a schema without rows.

    Args:
        name: Name of the frame, as in `transactions`.
    """
    return empty_frame(_schema(name))


def conform(name: str, frame: pd.DataFrame, place: str = "", *, unique: bool = True) -> pd.DataFrame:
    """Return a frame in the form of its schema: columns in order, dtypes cast, optional columns filled.

    Columns that are not in the schema are kept, after the others.

    Args:
        name: Name of the schema, as in `transactions`.
        frame: The frame; its dtypes need only be compatible, such as plain objects and strings.
        place: Name of the frame in errors; `name` if empty.
        unique: Whether two rows with the same key are an error.

    Returns:
        A new frame with the same rows and index 0, 1, 2, ...

    Raises:
        FrameError: A required column is absent or has a missing value, a value does not fit, or a column or key is repeated.
            The error names the frame, column and row, and never the value.
    """
    schema = _schema(name)
    place = place or name
    _refuse_repeated_columns(frame, place)
    given = set(frame.columns)
    present = [column for column in schema.names if column in given]
    held = dict(zip(present, arrays_of(frame, present), strict=True))
    arrays = []
    for column in schema.columns:
        if column.name in held:
            arrays.append(_cast(column, held[column.name], place))
        elif column.required:
            raise FrameError("is missing", place=f"{place}, column {column.name}")
        else:
            arrays.append(array_of(column, [0 if column.dtype == "int64" else column.default] * len(frame)))
    made = frame_of_arrays(schema.names, arrays)
    for other in frame.columns:
        if other not in made.columns:
            made[other] = frame[other].array.copy()
    if unique:
        check_key(schema, made, place)
    return made


def _refuse_repeated_columns(frame: pd.DataFrame, place: str) -> None:
    if not frame.columns.is_unique:
        column = frame.columns[frame.columns.duplicated()][0]
        raise FrameError("is repeated", place=f"{place}, column {column}")


def check_key(schema: Schema, frame: pd.DataFrame, place: str = "") -> None:
    """Refuse a frame with a repeated key.

    Raises:
        FrameError: A key is repeated; the error names the frame, the key's columns and the second row.
    """
    if not schema.key or len(frame) < 2:
        return
    repeated = frame.duplicated(list(schema.key)).to_numpy()
    if repeated.any():
        raise FrameError(
            "is repeated and must be unique",
            place=f"{place or schema.name}, columns {', '.join(schema.key)}, row {int(repeated.argmax())}",
        )


def _schema(name: str) -> Schema:
    try:
        return SCHEMAS[name]
    except KeyError:
        raise FrameError(f"no such frame; the frames are {', '.join(SCHEMAS)}", place=name) from None


def _cast(column: Column, array: Any, place: str) -> Any:
    """Return a copy of a column's array in the dtype of the schema."""
    where = f"{place}, column {column.name}"
    holes = np.asarray(pd.isna(array))
    if column.required and holes.any():
        raise FrameError("must not be empty", place=f"{where}, row {int(holes.argmax())}")
    if isinstance(array.dtype, pd.CategoricalDtype):
        if column.dtype == "category" and pd.api.types.is_string_dtype(array.categories.dtype):
            return array.copy() if column.default is None or not holes.any() else _defaulted(column, array)
        array = array.astype(array.categories.dtype)
    return _CASTS[column.dtype](column, array, holes, where)


def _defaulted(column: Column, array: pd.Categorical) -> Any:
    if column.default not in array.categories:
        array = array.add_categories([column.default])
    return pd.Series(array, copy=False).fillna(column.default).array


def _as(array: Any, dtype: Any) -> Any:
    """Return a typed array in another dtype, or a copy of it."""
    return pd.Series(array, copy=False).astype(dtype).array if array.dtype != dtype else array.copy()


def _texts(column: Column, array: Any, holes: Any, where: str) -> Any:
    if array.dtype == object or not pd.api.types.is_string_dtype(array.dtype):
        texts = _each(array, holes, _text, where, "is not text", is_read=_TEXTS)
        return array_of(column, _with_default(column, texts))
    texts = _as(array, pd.StringDtype("pyarrow"))
    if column.default is not None and holes.any():
        texts = texts.fillna(column.default)
    return texts if column.dtype == "string" else _as(texts, "category")


def _with_default(column: Column, texts: list[Any]) -> list[Any]:
    if column.default is None:
        return texts
    return [column.default if text is None else text for text in texts]


def _integers(column: Column, array: Any, holes: Any, where: str) -> Any:
    if pd.api.types.is_integer_dtype(array.dtype):
        return _as(array, column.pandas_dtype)
    wholes = _each(array, holes, _integer, where, "is not a whole number")
    for row, value in enumerate(wholes):
        if value is not None and not -(2**63) <= value < 2**63:
            raise FrameError("does not fit in 64 bits", place=f"{where}, row {row}")
    return array_of(column, wholes)


def _floats(column: Column, array: Any, holes: Any, where: str) -> Any:
    if pd.api.types.is_numeric_dtype(array.dtype):
        return _as(array, "Float64")
    numbers = _each(array, holes, float, where, "is not a number")
    return array_of(column, [None if value is None or math.isnan(value) else value for value in numbers])


def _booleans(column: Column, array: Any, holes: Any, where: str) -> Any:
    if pd.api.types.is_bool_dtype(array.dtype):
        return _as(array, "boolean")
    return array_of(column, _each(array, holes, _boolean, where, "is neither true nor false"))


def _decimals(column: Column, array: Any, holes: Any, where: str) -> Any:
    return array_of(column, _each(array, holes, read_decimal, where, "is not an exact decimal"))


def _dates(column: Column, array: Any, holes: Any, where: str) -> Any:
    if isinstance(array.dtype, pd.DatetimeTZDtype):
        raise FrameError("has a time zone; dates are the bank's own and have none", place=where)
    if pd.api.types.is_datetime64_dtype(array.dtype):
        days = _as(array, column.pandas_dtype).normalize()
        return np.array(days.to_numpy())
    days = _each(array, holes, _date, where, "is not a date, as in 2026-05-25")
    return np.array(days, dtype=column.pandas_dtype)


def _instants(column: Column, array: Any, holes: Any, where: str) -> Any:
    if pd.api.types.is_datetime64_dtype(array.dtype):
        raise FrameError("has no time zone; instants are UTC", place=where)
    if isinstance(array.dtype, pd.DatetimeTZDtype):
        return _as(array, column.pandas_dtype)
    instants = _each(array, holes, _instant, where, "is not a timestamp with an offset")
    return pd.array(instants, dtype=column.pandas_dtype)


def _each(
    array: Any,
    holes: Any,
    read: Callable[[Any], Any],
    where: str,
    complaint: str,
    *,
    is_read: frozenset[type] = frozenset(),
) -> list[Any]:
    """Return each value as read, None for a missing one; if all values have a type in `is_read`, they are returned unread."""
    values = array.tolist() if isinstance(array, np.ndarray) else list(array)
    if is_read.issuperset(map(type, values)):
        return values
    read_values: list[Any] = []
    for row, (value, hole) in enumerate(zip(values, holes.tolist(), strict=True)):
        try:
            read_values.append(None if hole else read(value))
        except (ValueError, TypeError, OverflowError, InputError):
            raise FrameError(complaint, place=f"{where}, row {row}") from None
    return read_values


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return str(_integer(value))


def _integer(value: Any) -> int:
    if isinstance(value, str):
        if not _WHOLE.fullmatch(value):
            raise ValueError
        return int(value)
    whole = int(value)
    # A column with missing values turns whole numbers into floats; beyond 2**53 a float is no longer exact.
    if (
        isinstance(value, bool)
        or whole != value
        or (isinstance(value, float) and abs(whole) > _LARGEST_EXACT_FLOAT)
    ):
        raise ValueError
    return whole


def _boolean(value: object) -> bool:
    if not isinstance(value, bool) and str(value) not in {"True", "False"}:
        raise ValueError
    return str(value) == "True"


def _date(value: Any) -> dt.datetime:
    if isinstance(value, dt.datetime):
        if value.tzinfo is not None:
            raise ValueError
        return dt.datetime.combine(value.date(), dt.time())
    if isinstance(value, dt.date):
        return dt.datetime.combine(value, dt.time())
    if _PLAIN_DATE.fullmatch(value):
        return dt.datetime.fromisoformat(value)
    return dt.datetime.strptime(value, "%Y-%m-%d")  # noqa: DTZ007 - bank-local dates have no zone


def _instant(value: Any) -> dt.datetime:
    instant = value if isinstance(value, dt.datetime) else dt.datetime.fromisoformat(value)
    if instant.tzinfo is None:
        raise ValueError
    return instant.astimezone(dt.UTC)


_CASTS: dict[str, Callable[[Column, Any, Any, str], Any]] = {
    "string": _texts,
    "category": _texts,
    "int64": _integers,
    "Int64": _integers,
    "Float64": _floats,
    "boolean": _booleans,
    "date": _dates,
    "instant": _instants,
    "decimal": _decimals,
}
