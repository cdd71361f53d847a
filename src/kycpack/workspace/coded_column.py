"""A column with few distinct values, each stored once, so that anything that depends on a value is computed once for all its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """The distinct values of a column in order, and which of them each row has.

    Attributes:
        values: The distinct values, sorted.
        codes: For each row the index of its value; -1 if it has none.
    """

    values: tuple[str, ...]
    codes: np.ndarray

    @classmethod
    def of(cls, column: Sequence[str | None]) -> Self:
        """Read a column.

        Args:
            column: A value for each row; None if it has none.
        """
        values = tuple(sorted(value for value in {*column} if value is not None))
        places: dict[str | None, int] = {value: place for place, value in enumerate(values)}
        places[None] = -1
        return cls(values, np.fromiter(map(places.__getitem__, column), dtype="int64", count=len(column)))

    @classmethod
    def of_each(cls, keys: Sequence[np.ndarray], word: Callable[[int], str]) -> Self:
        """Make a text column: one text for all rows that agree in some other columns.

        Args:
            keys: What a text depends on: for each column, an integer of at least -1 for each row.
            word: Returns the text for a row; called for one of the rows that agree.
        """
        together = np.zeros(len(keys[0]), dtype="int64")
        for key in keys:
            together = together * (key.max(initial=0) + 2) + key + 1
        _, first, which = np.unique(together, return_index=True, return_inverse=True)
        words = cls.of([word(row) for row in first.tolist()])
        return cls(words.values, words.codes[which])

    def valued(self, number: Callable[[str], int]) -> np.ndarray:
        """Return an integer for each row, by its value; 0 if it has none."""
        # A row without a value has the index -1, which is the last element.
        of_each: np.ndarray = np.array([*map(number, self.values), 0], dtype="int64")
        of_rows: np.ndarray = of_each[self.codes]
        return of_rows

    def categories(self, order: np.ndarray) -> pd.Categorical:
        """Return the column with its rows in the given order, as a pandas Categorical."""
        return pd.Categorical.from_codes(self.codes[order], categories=pd.Index(self.values, dtype="str"))
