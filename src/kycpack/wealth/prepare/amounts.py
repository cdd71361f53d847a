"""Reads amounts and running balances as minor units, exactly, and refuses what cannot be read."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.errors import FrameError
from kycpack.wealth.prepare.coded import Codes, Mask

_BALANCE = "balance_after_minor"
_LARGEST_SUM = 2.0**62


def read_amounts(frame: pd.DataFrame) -> Codes:
    """Return the amount of each row, minor units.

    Raises:
        FrameError: An amount is missing or not whole, or they are too large to be added up exactly; `place` names column and row.
    """
    column = frame["amount_minor"]
    refuse(column.isna().to_numpy(), column, "a value is missing")
    amount = _whole_minor(column)
    size = np.abs(amount.astype(np.float64))
    if size.sum() >= _LARGEST_SUM:
        refuse(size == size.max(), column, "too large to be added up exactly")
    return amount


def read_balances(frame: pd.DataFrame) -> tuple[Codes, Mask]:
    """Return the running balance of each row, minor units, 0 where it has none; and which rows have one.

    Raises:
        FrameError: A balance is not whole; `place` names column and row.
    """
    if _BALANCE not in frame.columns:
        return np.zeros(len(frame), dtype=np.int64), np.zeros(len(frame), dtype=np.bool_)
    column = frame[_BALANCE]
    known = column.notna().to_numpy(dtype=np.bool_)
    column = column if pd.api.types.is_numeric_dtype(column.dtype) else column.astype(object)
    return _whole_minor(column if known.all() else column.where(known, 0)), known


def _whole_minor(column: pd.Series) -> Codes:
    """Return a column of minor units without missing values as integers, exactly, from any dtype."""
    if pd.api.types.is_bool_dtype(column.dtype):
        raise FrameError("expected whole minor units", place=place_of(column, 0))
    if pd.api.types.is_integer_dtype(column.dtype):
        return column.to_numpy(dtype=np.int64)
    if pd.api.types.is_float_dtype(column.dtype):
        values = column.to_numpy(dtype=np.float64)
        exact = np.isfinite(values) & (np.abs(values) < 2.0**53)
        refuse(~exact | (values != np.where(exact, np.floor(values), 0)), column, "not whole minor units")
        return values.astype(np.int64)
    result = np.empty(len(column), dtype=np.int64)
    for position, value in enumerate(column):
        try:
            number = int(value)
            result[position] = number
        except (ValueError, TypeError, OverflowError):
            raise FrameError("not whole minor units", place=place_of(column, position)) from None
        if isinstance(value, bool) or (not isinstance(value, str) and number != value):
            raise FrameError("not whole minor units", place=place_of(column, position))
    return result


def refuse(wrong: npt.NDArray[Any], column: pd.Series[Any], message: str) -> None:
    """Refuse a column of which any row is wrong.

    Raises:
        FrameError: A row is wrong; `place` names column and row of the first.
    """
    if wrong.any():
        raise FrameError(message, place=place_of(column, int(np.argmax(wrong))))


def place_of(column: pd.Series[Any], position: int) -> str:
    """Return column and row in words, for an error."""
    return f"transactions.{column.name}, row {column.index[position]}"
