"""Invented customers with bank histories, and the truth about them for evaluation.

The generator is independent of how histories are read or judged: it shares no code with the toolkit's detector.
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
