"""The levels of a recommendation, and the outcomes of a rule."""

from __future__ import annotations

from collections.abc import Iterable

LEVELS = ("approve", "review", "edd", "escalate", "reject")
"""From soft to hard; `edd` is enhanced due diligence."""

CLEAR, UNKNOWN, HIT = 0, 1, 2
OUTCOMES = ("CLEAR", "UNKNOWN", "HIT")
"""By their number: a rule that is both takes the higher."""

RECOMMENDED = {"clear": "approve", "consider": "review", "warning": "review", "rejected": "reject"}
"""What the interface itself recommends for a section's outcome (interface.md, "Outcome meanings")."""


def rank(level: str) -> int:
    """Return how hard a level is, 0 for approve."""
    return LEVELS.index(level)


def highest(levels: Iterable[str]) -> str:
    """Return the hardest of some levels; approve for none."""
    return max(levels, key=rank, default=LEVELS[0])
