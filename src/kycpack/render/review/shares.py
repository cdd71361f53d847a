"""How much of a customer's credits is explained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from kycpack.render.wording import percents
from kycpack.wealth.judge.coverage import DISPOSITIONS, EXPLAINED

SMALL = ("small_other",)
UNEXPLAINED = ("unexplained",)


@dataclass(frozen=True, slots=True)
class Shares:
    """Booked credits of one currency, in minor units, duplicates set aside.

    Attributes:
        currency: ISO 4217 code.
        explained_minor: Streams, own transfers, refunds and named single credits.
        small_minor: Small credits that were not examined.
        unexplained_minor: Credits that nothing explains.
    """

    currency: str
    explained_minor: int
    small_minor: int
    unexplained_minor: int

    @property
    def total_minor(self) -> int:
        """All credits counted."""
        return self.explained_minor + self.small_minor + self.unexplained_minor

    @property
    def explained_share(self) -> float:
        """The explained part, 0..1; of nothing, nothing is explained."""
        return self.explained_minor / self.total_minor if self.total_minor else 0.0

    @property
    def percents(self) -> tuple[str, str, str]:
        """The parts explained, small and unexplained in words; together 100.0%."""
        explained, small, unexplained = percents(
            [self.explained_minor, self.small_minor, self.unexplained_minor]
        )
        return explained, small, unexplained

    def figures(self) -> dict[str, Any]:
        """Return the numbers as data."""
        return {
            "currency": self.currency,
            "total_minor": self.total_minor,
            "explained_minor": self.explained_minor,
            "small_minor": self.small_minor,
            "unexplained_minor": self.unexplained_minor,
            "explained_share": self.percents[0],
        }


def shares_of(coverage: pd.DataFrame) -> tuple[Shares, ...]:
    """Sum a coverage frame by currency, the currency with most credits first, as a statement's base currency is chosen.

    Args:
        coverage: customer_id, currency, disposition, count, total_minor, share.
    """
    found = []
    for currency, rows in coverage.groupby(coverage["currency"].astype("string"), sort=True):
        kinds = rows["disposition"].astype("string")
        explained, small, unexplained = (
            int(rows.loc[kinds.isin(kind), "total_minor"].sum()) for kind in (EXPLAINED, SMALL, UNEXPLAINED)
        )
        count = int(rows.loc[kinds.isin(DISPOSITIONS), "count"].sum())
        found.append((-count, str(currency), Shares(str(currency), explained, small, unexplained)))
    return tuple(share for _, _, share in sorted(found, key=lambda one: one[:2]))
