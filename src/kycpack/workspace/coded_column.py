"""A column of few different values, each kept once: what depends on a value is worked out once for all rows that have it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """The different values of a column in their order, and which of them each row has.

    Attributes:
        values: The different values, sorted.
        codes: For each row the place of its value; -1 where it has none.
    """

    values: tuple[str, ...]
    codes: np.ndarray

    @classmethod
    def of(cls, column: Sequence[str | None]) -> Self:
        """Read a column.

        Args:
            column: A value for each row; None where it has none.
        """
        import numpy as np  # noqa: PLC0415 - slow to import

        values = tuple(sorted(value for value in {*column} if value is not None))
        places: dict[str | None, int] = {value: place for place, value in enumerate(values)}
        places[None] = -1
        return cls(values, np.fromiter(map(places.__getitem__, column), dtype="int64", count=len(column)))

    @classmethod
    def of_each(cls, keys: Sequence[np.ndarray], word: Callable[[int], str]) -> Self:
        """Make a column of words: one for all rows that agree in some other columns.

        Args:
            keys: What a word depends on: a whole number from -1 for each row, of each column.
            word: Says the word of a row, asked for one row of those that agree.
        """
        import numpy as np  # noqa: PLC0415 - slow to import

        together = np.zeros(len(keys[0]), dtype="int64")
        for key in keys:
            together = together * (key.max(initial=0) + 2) + key + 1
        _, first, which = np.unique(together, return_index=True, return_inverse=True)
        words = cls.of([word(row) for row in first.tolist()])
        return cls(words.values, words.codes[which])

    def valued(self, number: Callable[[str], int]) -> np.ndarray:
        """Return a whole number for each row, by its value; 0 where it has none."""
        import numpy as np  # noqa: PLC0415 - slow to import

        # A row without a value has -1 for its place, which is the last.
        of_each: np.ndarray = np.array([*map(number, self.values), 0], dtype="int64")
        of_rows: np.ndarray = of_each[self.codes]
        return of_rows

    def categories(self, order: np.ndarray) -> pd.Categorical:
        """Return the column in an order of its rows, as pandas keeps a column of few values."""
        import pandas as pd  # noqa: PLC0415 - slow to import

        return pd.Categorical.from_codes(self.codes[order], categories=pd.Index(self.values, dtype="str"))
