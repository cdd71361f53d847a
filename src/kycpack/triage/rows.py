"""Going through the rows of a frame by the names of its columns."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from functools import cache
from typing import Any

import pandas as pd


def rows(frame: pd.DataFrame, *names: str) -> Iterator[Any]:
    """Go through the rows; a column is an attribute of a row.

    Args:
        frame: The frame.
        names: The columns that are needed; all of them where none is named. Few columns are read faster than many.
    """
    if len(frame.index):
        wanted = names or tuple(frame.columns)
        make = _row_type(wanted)._make
        yield from map(make, zip(*(frame[name].tolist() for name in wanted), strict=True))


# Making a type takes longer than going through the few rows that one customer has.
@cache
def _row_type(names: tuple[str, ...]) -> Any:
    return namedtuple("Row", names)  # noqa: PYI024 - the names come from the frame
