"""What a policy can look at: the paths of observations, and patterns over them.

Names are joined by dots. `*` stands for one name, `**` for one or more.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache

from kycpack.frames.answer_members import RESULT_MEMBERS, SECTIONS
from kycpack.triage.likeness import KINDS, ORDER_ALONE

PAYMENT_SUPPORT = "wealth.payment_support"
CONSISTENCY = (
    "consistency.name.record.document",
    "consistency.name.record.bank",
    "consistency.name.document.bank",
    "consistency.name.record.statement",
    "consistency.date_of_birth.record.document",
    "consistency.address.record.address",
    "consistency.name.likeness.record.document",
    "consistency.name.likeness.record.bank",
    "consistency.name.likeness.document.bank",
    "consistency.name.likeness.record.statement",
    "consistency.address.likeness.record.address",
)
OF_SESSIONS = (
    "session.status",
    "session.identity_completed",
    "session.identity_confirmed",
    "session.ais_completed",
    "session.age_days",
    "session.times",
    "session.screening_depth",
    "session.score_scale",
    *(f"requested.{section}" for section in SECTIONS),
    "requested.bank",
    "expiry.document_days",
    "plausible.document_number",
    "plausible.document_type",
    "plausible.repeated_details",
    "plausible.result_dates",
    "plausible.name_letters",
    "plausible.specimens",
)
OF_CUSTOMERS = (
    *CONSISTENCY,
    "age.record",
    "age.document",
    "country.record",
    "country.issuer",
    "country.nationality",
    "country.address",
    "bank.expected",
    "bank.access_days",
    "bank.history_days",
    "wealth.derived",
    "wealth.source_found",
    PAYMENT_SUPPORT,
    "diligence.bank",
    "diligence.completion",
    "risk.pep",
    "triage.level",
)
CUSTOMER_ROOTS = ("consistency", "age", "country", "bank", "wealth", "gaps", "diligence", "risk", "triage")
"""Observations below these are the customer's, all others a session's."""

OWN_ROOTS = (*CUSTOMER_ROOTS, "session", "requested", "expiry", "plausible")
"""Roots of our own; a section of a results document that takes one of these names is put below `results`."""

LEVEL = "triage.level"

_VERDICTS = frozenset({"equal", "similar", "different", "missing"})
_YES_OR_NO = frozenset({True, False})
_WORDS = {
    "requested.*": frozenset({"answered", "absent", "not_ordered", "order_not_known"}),
    "session.screening_depth": frozenset({"as_ordered", "standard", "not_stated"}),
    "session.score_scale": frozenset({"of_1", "of_100"}),
    "session.*_completed": _YES_OR_NO,
    "session.identity_confirmed": _YES_OR_NO,
    "plausible.document_number": frozenset(
        {"plausible", "masked", "empty", "too_short", "no_digits", "date", "placeholder"}
    ),
    "plausible.document_type": frozenset({"plausible", "placeholder", "not_known"}),
    "consistency.name.likeness.*.*": frozenset({*KINDS, ORDER_ALONE}),
    "consistency.address.likeness.*.*": frozenset(KINDS),
    "consistency.*.*.*": _VERDICTS,
    "bank.expected": _YES_OR_NO,
    "wealth.source_found": _YES_OR_NO,
    PAYMENT_SUPPORT: frozenset({"supported", "below_limit", "partly_supported", "not_supported"}),
    "diligence.bank": frozenset({"not_required", "answered", "absent", "not_ordered"}),
    "diligence.completion": frozenset({"complete", "open", "cannot_complete"}),
}

_OPEN = (
    "**",
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
_KNOWN = (*RESULT_MEMBERS, *OF_SESSIONS, *OF_CUSTOMERS)


def is_known(pattern: str) -> bool:
    """Tell whether a pattern can ever match: it names what is known, or lies where more may come."""
    if not re.fullmatch(r"(\*\*?|[A-Za-z0-9_]+)(\.(\*\*?|[A-Za-z0-9_]+))*", pattern):
        return False
    if any(pattern.startswith(prefix) and len(pattern) > len(prefix) for prefix in _GROWING):
        return True
    return pattern in _OPEN or any(matches(pattern, path) is not None for path in _KNOWN)


def words_of(path: str) -> frozenset[object] | None:
    """Return all that an observation of our own can say; None where it may say anything.

    Args:
        path: Its path, or a pattern.
    """
    return next((said for pattern, said in _WORDS.items() if fnmatchcase(path, pattern)), None)


def is_customers(pattern: str) -> bool:
    """Tell whether a pattern is about what is known of the customer, as against a session."""
    return pattern.partition(".")[0] in CUSTOMER_ROOTS


def covers(pattern: str, other: str) -> bool:
    """Tell whether a pattern matches everything that another one does."""
    return pattern == other or matches(pattern, other.replace("**", "x").replace("*", "x")) is not None


@lru_cache(maxsize=262_144)
def matches(pattern: str, path: str) -> bool | None:
    """Tell whether a path is one that a pattern means.

    Returns:
        True for the path itself; False for a path below it, where a word was expected and an object or a list stands; None
        for any other path.
    """
    found = _compiled(pattern).fullmatch(path)
    if found is None:
        return None
    return found[1] is None


@lru_cache(maxsize=4_096)
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = {"*": r"[^.]+", "**": r".+"}
    body = r"\.".join(parts.get(name) or re.escape(name) for name in pattern.split("."))
    return re.compile(rf"{body}(\..+)?", re.DOTALL)
