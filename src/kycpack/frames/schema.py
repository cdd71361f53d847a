"""Making a frame keep its promises: the right columns, dtypes, no holes where there must be none, one row a key."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Hashable
from typing import Any

import pandas as pd

from kycpack.errors import FrameError, InputError
from kycpack.frames.catalogue import SCHEMAS
from kycpack.frames.column import Column, Schema
from kycpack.models.money import read_decimal

__all__ = ["SCHEMAS", "Column", "Schema", "conform", "empty"]

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_LARGEST_EXACT_FLOAT = 2**53


def empty(name: str) -> pd.DataFrame:
    """Return a frame of a schema without rows.

    Args:
        name: Name of the frame, as in `transactions`.
    """
    return pd.DataFrame({column.name: filled(column, 0) for column in _schema(name).columns})


def conform(name: str, frame: pd.DataFrame, place: str = "", *, unique: bool = True) -> pd.DataFrame:
    """Return a frame in the form its schema promises: columns in order, dtypes cast, optional ones filled.

    Columns that the schema does not know are kept, after the others.

    Args:
        name: Name of the schema, as in `transactions`.
        frame: Compatible dtypes will do: plain objects and strings too.
        place: What to call the frame in errors; its name when empty.
        unique: Whether two rows with one key are an error.

    Returns:
        A new frame with the same rows and index 0, 1, 2, ...

    Raises:
        FrameError: A required column is absent or has a hole, a value does not fit, or a key comes twice; the error names
            frame, column and row, and never the value.
    """
    schema = _schema(name)
    place = place or name
    columns: dict[Hashable, Any] = {}
    for column in schema.columns:
        if column.name in frame.columns:
            columns[column.name] = _cast(column, frame[column.name].reset_index(drop=True), place)
        elif column.required:
            raise FrameError("is not there and must be", place=f"{place}, column {column.name}")
        else:
            columns[column.name] = filled(column, len(frame))
    for other in frame.columns:
        if other not in columns:
            columns[other] = frame[other].reset_index(drop=True)
    made = pd.DataFrame(columns, index=pd.RangeIndex(len(frame)))
    if unique:
        check_key(schema, made, place)
    return made


def check_key(schema: Schema, frame: pd.DataFrame, place: str = "") -> None:
    """Refuse a frame in which a key comes twice.

    Raises:
        FrameError: It names the frame, the key's columns and the second row.
    """
    if not schema.key:
        return
    repeated = frame.duplicated(list(schema.key)).to_numpy()
    if repeated.any():
        raise FrameError(
            "comes twice and must be unique",
            place=f"{place or schema.name}, columns {', '.join(schema.key)}, row {int(repeated.argmax())}",
        )


def filled(column: Column, rows: int) -> pd.Series[Any]:
    """Return a column of default values, or of NA where it has no default."""
    value = column.default if column.default is not None else None
    if column.dtype == "category":
        return pd.Series(pd.array([value] * rows, dtype="string[pyarrow]")).astype("category")
    if column.dtype == "int64":
        return pd.Series([0] * rows, dtype="int64")
    return pd.Series([value] * rows, dtype=column.pandas_dtype)


def _schema(name: str) -> Schema:
    try:
        return SCHEMAS[name]
    except KeyError:
        raise FrameError(f"no such frame; the frames are {', '.join(SCHEMAS)}", place=name) from None


def _cast(column: Column, series: pd.Series[Any], place: str) -> pd.Series[Any]:
    where = f"{place}, column {column.name}"
    holes = series.isna().to_numpy()
    if column.required and holes.any():
        raise FrameError("is empty and must not be", place=f"{where}, row {int(holes.argmax())}")
    if isinstance(series.dtype, pd.CategoricalDtype):
        if column.dtype == "category" and pd.api.types.is_string_dtype(series.cat.categories.dtype):
            return series if column.default is None or not holes.any() else _defaulted(column, series)
        series = series.astype(series.cat.categories.dtype)
    return _CASTS[column.dtype](column, series, where)


def _defaulted(column: Column, series: pd.Series[Any]) -> pd.Series[Any]:
    if column.default not in series.cat.categories:
        series = series.cat.add_categories([column.default])
    return series.fillna(column.default)


def _texts(column: Column, series: pd.Series[Any], where: str) -> pd.Series[Any]:
    if not pd.api.types.is_string_dtype(series.dtype) or series.dtype == object:
        series = pd.Series(_each(series, _text, where, "is not text"), dtype=object)
    series = series.astype("string[pyarrow]")
    return series if column.default is None else series.fillna(column.default)


def _categories(column: Column, series: pd.Series[Any], where: str) -> pd.Series[Any]:
    return _texts(column, series, where).astype("category")


def _integers(column: Column, series: pd.Series[Any], where: str) -> pd.Series[Any]:
    if not pd.api.types.is_integer_dtype(series.dtype):
        series = pd.Series(_each(series, _integer, where, "is not a whole number"), dtype=object)
        _refuse_wide(series, where)
    return series.astype(column.pandas_dtype)


def _refuse_wide(series: pd.Series[Any], where: str) -> None:
    for row, value in enumerate(series):
        if value is not None and not -(2**63) <= value < 2**63:
            raise FrameError("is a number beyond 64 bits", place=f"{where}, row {row}")


def _floats(_column: Column, series: pd.Series[Any], where: str) -> pd.Series[Any]:
    if not pd.api.types.is_numeric_dtype(series.dtype):
        series = pd.Series(_each(series, float, where, "is not a number"), dtype=object)
    return series.astype("Float64")


def _booleans(_column: Column, series: pd.Series[Any], where: str) -> pd.Series[Any]:
    if not pd.api.types.is_bool_dtype(series.dtype):
        series = pd.Series(_each(series, _boolean, where, "is neither true nor false"), dtype=object)
    return series.astype("boolean")


def _decimals(_column: Column, series: pd.Series[Any], where: str) -> pd.Series[Any]:
    return pd.Series(_each(series, read_decimal, where, "is not an exact decimal"), dtype=object)


def _dates(_column: Column, series: pd.Series[Any], where: str) -> pd.Series[Any]:
    if isinstance(series.dtype, pd.DatetimeTZDtype):
        raise FrameError("has a time zone; dates are bank-local and have none", place=where)
    if not pd.api.types.is_datetime64_dtype(series.dtype):
        series = pd.Series(
            _each(series, _date, where, "is not a date, as in 2026-05-25"), dtype="datetime64[s]"
        )
    return series.astype("datetime64[s]").dt.normalize()


def _instants(column: Column, series: pd.Series[Any], where: str) -> pd.Series[Any]:
    if pd.api.types.is_datetime64_dtype(series.dtype):
        raise FrameError("has no time zone; instants are UTC", place=where)
    if not isinstance(series.dtype, pd.DatetimeTZDtype):
        instants = _each(series, _instant, where, "is not a timestamp with an offset")
        series = pd.Series(instants, dtype=column.pandas_dtype)
    return series.astype(column.pandas_dtype)


def _each(series: pd.Series[Any], read: Callable[[Any], Any], where: str, complaint: str) -> list[Any]:
    read_values: list[Any] = []
    for row, (value, hole) in enumerate(zip(series, series.isna(), strict=True)):
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
    # A column with holes turns whole numbers into floats; beyond 2**53 a float no longer says which number it was.
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
    return dt.datetime.strptime(value, "%Y-%m-%d")  # noqa: DTZ007 - bank-local dates have no zone


def _instant(value: Any) -> dt.datetime:
    instant = value if isinstance(value, dt.datetime) else dt.datetime.fromisoformat(value)
    if instant.tzinfo is None:
        raise ValueError
    return instant.astimezone(dt.UTC)


_CASTS: dict[str, Callable[[Column, pd.Series[Any], str], pd.Series[Any]]] = {
    "string": _texts,
    "category": _categories,
    "int64": _integers,
    "Int64": _integers,
    "Float64": _floats,
    "boolean": _booleans,
    "date": _dates,
    "instant": _instants,
    "decimal": _decimals,
}
