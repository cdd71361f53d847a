"""The schema of a frame: its columns, their types and units, and its key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import pandas as pd
import pyarrow as pa

Dtype = Literal[
    "string", "category", "int64", "Int64", "float64", "Float64", "bool", "boolean", "date", "instant", "decimal", "object"
]  # fmt: skip

_PANDAS: dict[str, Any] = {
    "string": pd.StringDtype("pyarrow"),
    "category": "category",
    "int64": "int64",
    "Int64": pd.Int64Dtype(),
    "float64": "float64",
    "Float64": pd.Float64Dtype(),
    "bool": "bool",
    "boolean": pd.BooleanDtype(),
    "date": "datetime64[s]",
    "instant": pd.DatetimeTZDtype("us", "UTC"),
    "decimal": "object",
    "object": "object",
}
_ARROW = {
    "string": pa.large_string(),  # as pandas stores it, so that nothing is copied
    "category": pa.dictionary(pa.int32(), pa.string()),
    "int64": pa.int64(),
    "Int64": pa.int64(),
    "Float64": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.timestamp("s"),
    "instant": pa.timestamp("us", "UTC"),
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a frame.

    Args:
        name: Name of the column; the suffix is the unit (`_minor _at _on _share _days`).
        dtype: `date` is `datetime64[s]` without a zone, `instant` is `datetime64[us, UTC]`, `decimal` is an object
            column of `Decimal`; the others are pandas' own names.
        doc: What it contains, in a few words.
        required: Whether it must be present and never empty.
        default: The value of an absent optional column; None is NA.
        unit: The unit, if the suffix does not give it.
    """

    name: str
    dtype: Dtype
    doc: str = ""
    required: bool = False
    default: str | None = None
    unit: str = ""

    @property
    def pandas_dtype(self) -> Any:
        """The pandas dtype."""
        return _PANDAS[self.dtype]

    @property
    def arrow_type(self) -> pa.DataType | None:
        """The Arrow type in which rows are collected, None for `decimal`."""
        return _ARROW.get(self.dtype)


@dataclass(frozen=True, eq=False)
class Schema:
    """The columns of a frame, in order, and its key: the columns that identify a row."""

    name: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)
