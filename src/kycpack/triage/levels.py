"""The levels of a recommendation, and the outcomes of a rule."""

from __future__ import annotations

from collections.abc import Iterable

LEVELS = ("approve", "review", "edd", "escalate", "reject")
"""From the softest to the hardest; `edd` is enhanced due diligence."""

LEVEL_WORDS = {
    "approve": "approve",
    "review": "manual review",
    "edd": "enhanced due diligence",
    "escalate": "escalate",
    "reject": "reject",
}
"""The levels as they stand within a sentence."""

NOT_APPLICABLE, CLEAR, UNKNOWN, HIT = "NOT_APPLICABLE", "CLEAR", "UNKNOWN", "HIT"
OUTCOMES = (NOT_APPLICABLE, CLEAR, UNKNOWN, HIT)
"""From the least to the most serious. NOT_APPLICABLE is neither clear nor a hit: the policy marks the check as optional, and it was not made."""

ACTIONS = ("none", "hold", "internal_report", "decline", "complete_session", "ask", "senior_approval")
"""What has to be done about a finding, apart from its level and its owner, in the order in which it is done: what stands after `decline` serves an approval."""
PLAIN = frozenset({"", "none", "ask"})
"""Actions that ask for no more than an answer."""

OF_SECTION = "OUT-"
"""Beginning of the rule id of a section's outcome, which no rule of a policy may have."""

ANALYST = "Analyst"
"""The owner where a policy names none; any other owner has more authority."""

RECOMMENDED = {"clear": "approve", "consider": "review", "warning": "review", "rejected": "reject"}
"""What the interface recommends for the outcome of a section (interface.md, "Outcome meanings")."""


_RANKS = {level: number for number, level in enumerate(LEVELS)}
_WEIGHTS = {outcome: number for number, outcome in enumerate(OUTCOMES)}


def rank(level: str) -> int:
    """Return the rank of a level; 0 for approve."""
    return _RANKS[level]


def weight(outcome: str) -> int:
    """Return the rank of an outcome."""
    return _WEIGHTS[outcome]


def highest(levels: Iterable[str]) -> str:
    """Return the hardest of some levels; approve if there are none."""
    return max(levels, key=_RANKS.__getitem__, default=LEVELS[0])


def strictness(level: str, action: str, owner: str) -> tuple[int, bool, bool]:
    """Return what is greater the stricter something is: by its level, then by its action, then by its owner."""
    return rank(level), action not in PLAIN, owner != ANALYST
