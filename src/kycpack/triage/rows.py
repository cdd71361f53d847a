"""Going through the rows of a frame by the names of its columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd


def rows(frame: pd.DataFrame) -> Iterator[Any]:
    """Go through the rows; a column is an attribute of a row."""
    yield from frame.itertuples(index=False, name="Row")
