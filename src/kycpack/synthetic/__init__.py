"""Invented customers with bank histories, and the truth about them for measuring.

Nothing here knows how histories are read or judged: the toolkit's detector and this generator share no code.
"""

from __future__ import annotations

from kycpack.synthetic.population import generate
from kycpack.synthetic.records import (
    Account,
    CustomerPlan,
    Population,
    Posting,
    SessionPlan,
    StatementLine,
    Truth,
)

__all__ = [
    "Account",
    "CustomerPlan",
    "Population",
    "Posting",
    "SessionPlan",
    "StatementLine",
    "Truth",
    "generate",
]
