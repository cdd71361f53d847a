"""The levels of a recommendation, and the outcomes of a rule."""

from __future__ import annotations

from collections.abc import Iterable

LEVELS = ("approve", "review", "edd", "escalate", "reject")
"""From soft to hard; `edd` is enhanced due diligence."""

NOT_APPLICABLE, CLEAR, UNKNOWN, HIT = "NOT_APPLICABLE", "CLEAR", "UNKNOWN", "HIT"
OUTCOMES = (NOT_APPLICABLE, CLEAR, UNKNOWN, HIT)
"""From light to heavy. NOT_APPLICABLE is neither clear nor a hit: the policy marks it optional and nobody looked."""

ACTIONS = ("none", "ask", "hold", "senior_approval", "internal_report", "decline")
"""What a finding asks somebody to do, apart from how bad it is and who looks at it."""

RECOMMENDED = {"clear": "approve", "consider": "review", "warning": "review", "rejected": "reject"}
"""What the interface itself recommends for a section's outcome (interface.md, "Outcome meanings")."""


_RANKS = {level: number for number, level in enumerate(LEVELS)}
_WEIGHTS = {outcome: number for number, outcome in enumerate(OUTCOMES)}


def rank(level: str) -> int:
    """Return how hard a level is, 0 for approve."""
    return _RANKS[level]


def weight(outcome: str) -> int:
    """Return how heavy an outcome is."""
    return _WEIGHTS[outcome]


def highest(levels: Iterable[str]) -> str:
    """Return the hardest of some levels; approve for none."""
    return max(levels, key=_RANKS.__getitem__, default=LEVELS[0])
