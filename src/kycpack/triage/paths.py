"""What a policy can look at: the paths of facts, and patterns over them.

Names are joined by dots. `*` stands for one name, `**` for one or more.
"""

from __future__ import annotations

import re
from functools import cache

from kycpack.frames.catalogue import RESULT_MEMBERS, SECTIONS

CONSISTENCY = (
    "consistency.name.record.document",
    "consistency.name.record.bank",
    "consistency.name.document.bank",
    "consistency.date_of_birth.record.document",
    "consistency.address.record.address",
)
SESSION_FACTS = (
    "session.status",
    "session.identity_completed",
    "session.identity_confirmed",
    "session.ais_completed",
    *(f"requested.{section}" for section in SECTIONS),
    "requested.bank",
    "expiry.document_days",
)
CUSTOMER_FACTS = (
    *CONSISTENCY,
    "country.record",
    "country.issuer",
    "country.nationality",
    "country.address",
    "bank.expected",
    "bank.access_days",
    "bank.history_days",
    "wealth.derived",
    "wealth.source_found",
    "triage.level",
)
CUSTOMER_ROOTS = ("consistency", "country", "bank", "wealth", "gaps", "triage")
"""Facts below these are the customer's, all others a session's."""

OWN_ROOTS = (*CUSTOMER_ROOTS, "session", "requested", "expiry")
"""Roots of our own; a section of a results document that takes one of these names is put below `results`."""

LEVEL = "triage.level"

_OPEN = (
    *(f"{section}.**" for section in SECTIONS),
    "wealth.flags.*",
    "gaps.*.*",
)
# Below these the interface says that more may come, so a policy may name what nobody has seen yet.
_GROWING = (
    "screening.summary.pep.",
    "screening.summary.watchlist.",
    "screening.summary.adverseMedia.",
    "wealth.flags.",
    "gaps.",
)
_KNOWN = (*RESULT_MEMBERS, *SESSION_FACTS, *CUSTOMER_FACTS)


def is_known(pattern: str) -> bool:
    """Tell whether a pattern can ever match: it names known facts, or lies where more may come."""
    if not re.fullmatch(r"(\*\*?|[A-Za-z0-9_]+)(\.(\*\*?|[A-Za-z0-9_]+))*", pattern):
        return False
    if any(pattern.startswith(prefix) and len(pattern) > len(prefix) for prefix in _GROWING):
        return True
    return pattern in _OPEN or any(matches(pattern, path) for path in _KNOWN)


def is_customers(pattern: str) -> bool:
    """Tell whether a pattern is about facts of the customer, as against those of a session."""
    return pattern.partition(".")[0] in CUSTOMER_ROOTS


def matches(pattern: str, path: str) -> bool:
    """Tell whether a fact's path is one that a pattern means, or lies below one.

    A member that is told as an object or a list, where a word was expected, is so still looked at leaf by leaf.
    """
    return _compiled(pattern).fullmatch(path) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = {"*": r"[^.]+", "**": r".+"}
    body = r"\.".join(parts.get(name) or re.escape(name) for name in pattern.split("."))
    return re.compile(rf"{body}(\..+)?", re.DOTALL)
