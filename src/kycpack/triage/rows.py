"""Going through the rows of a frame by the names of its columns."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from functools import cache
from typing import Any

import pandas as pd


def rows(frame: pd.DataFrame) -> Iterator[Any]:
    """Go through the rows; a column is an attribute of a row."""
    if not frame.empty:
        make = _row_type(tuple(frame.columns))._make
        yield from map(make, zip(*(frame[name] for name in frame.columns), strict=True))


# Making a type takes longer than going through the few rows that one customer has.
@cache
def _row_type(names: tuple[str, ...]) -> Any:
    return namedtuple("Row", names)  # noqa: PYI024 - the names come from the frame
