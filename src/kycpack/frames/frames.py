"""The frames of one or many customers, together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import pandas as pd


@dataclass(frozen=True, eq=False)
class Frames:
    """One frame for each schema of the catalogue; `customer_id` says whose a row is, `evidence_id` where it was read."""

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

    def items(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """Go through the frames by name, in the order of the catalogue."""
        for field in fields(self):
            yield field.name, getattr(self, field.name)

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {len(frame)}" for name, frame in self.items())
        return f"Frames({counts})"
