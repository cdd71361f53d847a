"""The frames of one or several customers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

import pandas as pd

from kycpack.errors import FrameError
from kycpack.frames.schema import conform, empty
from kycpack.models.arguments import require
from kycpack.models.cards import card


@dataclass(frozen=True, eq=False)
class Frames:
    """One frame for each schema of the catalogue; `customer_id` is the customer of a row, `evidence_id` the evidence entry that it was read from."""

    customers: pd.DataFrame
    sessions: pd.DataFrame
    results: pd.DataFrame
    checks: pd.DataFrame
    screening: pd.DataFrame
    documents: pd.DataFrame
    media: pd.DataFrame
    accounts: pd.DataFrame
    balances: pd.DataFrame
    transactions: pd.DataFrame
    payments: pd.DataFrame
    attempts: pd.DataFrame
    statements: pd.DataFrame
    sources: pd.DataFrame
    gaps: pd.DataFrame

    @classmethod
    def concat(cls, parts: Iterable[Frames]) -> Frames:
        """Join the frames of several calls of `flatten`, with the dtypes of each schema.

        `pandas.concat` would turn different categories, such as customer ids, into plain objects.

        Args:
            parts: Frames of different customers.

        Raises:
            FrameError: A customer is in more than one part.
        """
        given = list(parts)
        seen: set[str] = set()
        for part in given:
            ids = {
                str(customer)
                for _, frame in part.items()
                for customer in frame["customer_id"].dropna().unique()
            }
            if repeated := sorted(ids & seen):
                raise FrameError(f"customer {repeated[0]} is given twice", place="parts")
            seen |= ids
        return cls(**{field.name: _stacked(field.name, given) for field in fields(cls)})

    def __post_init__(self) -> None:
        for name, frame in self.items():
            require(name, frame, pd.DataFrame, "a DataFrame")

    def items(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """Yield each frame with its name, in the order of the catalogue."""
        for field in fields(self):
            yield field.name, getattr(self, field.name)

    def copy(self) -> Frames:
        """Return a copy; changes to it do not affect the original."""
        # pandas copies a column when it is written to, and not before.
        return Frames(**{name: frame.copy(deep=False) for name, frame in self.items()})

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {len(frame)}" for name, frame in self.items())
        return f"Frames({counts})"

    def _repr_html_(self) -> str:
        rows = [(name, len(frame), frame.shape[1]) for name, frame in self.items()]
        return card(
            "Frames",
            ("frame", "rows", "columns"),
            rows,
            following=(
                "kp.describe('transactions')",
                "kp.derive(frames.transactions, ...)",
                "kp.evaluate(frames, policy, as_of=...)",
            ),
        )


def _stacked(name: str, parts: list[Frames]) -> pd.DataFrame:
    frames = [frame for part in parts if len(frame := getattr(part, name))]
    if not frames:
        return empty(name)
    plain = [
        frame.astype(dict.fromkeys(frame.select_dtypes("category").columns, "string")) for frame in frames
    ]
    return conform(name, pd.concat(plain, ignore_index=True))
