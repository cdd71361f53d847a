"""The origin of the numbers in a printed text: rows of a frame, and how they were used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import pandas as pd


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of numbers.

    Attributes:
        frame: Name of a frame of the pack; `evidence` is the index of the evidence.
        rows: Values by column, selecting the rows that have one of the values in each column. Empty for all rows.
        columns: Columns that were used; empty if the column can be found from the cell that holds the number.
        operation: One of `value`, `sum`, `count`, `distinct`, `share`, `min`, `max`, `median`, `latest`.
        of: For a share, the rows that make up the whole.
    """

    frame: str
    rows: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    operation: str = "value"
    of: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Given:
    """Numbers that are not figures: they were neither measured nor calculated.

    Attributes:
        why: What they are instead, such as `date of the review`.
    """

    why: str


Origins = tuple[Origin | Given, ...]


def value_of(frame: str, *columns: str, **rows: Any) -> Origin:
    """Return the origin of cells taken unchanged from a frame."""
    return Origin(frame, _conditions(rows), columns)


def count_of(frame: str, **rows: Any) -> Origin:
    """Return the origin of a number of rows."""
    return Origin(frame, _conditions(rows), (), "count")


def distinct_of(frame: str, column: str, **rows: Any) -> Origin:
    """Return the origin of a number of different values."""
    return Origin(frame, _conditions(rows), (column,), "distinct")


def calculated(operation: str, frame: str, column: str, **rows: Any) -> Origin:
    """Return the origin of a sum, minimum, maximum, median or latest value."""
    return Origin(frame, _conditions(rows), (column,), operation)


def share_of(frame: str, column: str, rows: Mapping[str, Any], of: Mapping[str, Any]) -> Origin:
    """Return the origin of a share: the sum over some rows divided by the sum over others."""
    return Origin(frame, _conditions(rows), (column,), "share", _conditions(of))


def _conditions(rows: Mapping[str, Any]) -> dict[str, tuple[str | None, ...]]:
    several = {c: v if isinstance(v, Iterable) and not isinstance(v, str) else (v,) for c, v in rows.items()}
    texts = {column: [_text(value) for value in values] for column, values in several.items()}
    unordered = [column for column, values in several.items() if isinstance(values, AbstractSet)]
    return {
        column: tuple(sorted(found, key=str) if column in unordered else found)
        for column, found in texts.items()
    }


def _text(value: Any) -> str | None:
    return None if value is None or value is pd.NA or value is pd.NaT else str(value)
