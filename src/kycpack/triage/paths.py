"""What a policy can ask about: the paths of observations, and patterns that match them.

Names are joined by dots. `*` stands for one name, `**` for one or more.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache

from kycpack.frames.answer_members import RESULT_MEMBERS, SECTIONS
from kycpack.triage.diligence import PEP_KINDS
from kycpack.triage.levels import LEVELS
from kycpack.triage.likeness import KINDS, ORDER_ALONE
from kycpack.wealth.judge.accounts import CERTAIN, POSSIBLE, QUIET
from kycpack.wealth.prepare.feed_holes import HOLE

PAYMENT_SUPPORT = "wealth.payment_support"
SOURCE_FOUND = "wealth.source_found"
SANCTIONS_ENTRIES = "plausible.sanctions_entries"
QUESTIONS_OF_MONEY = "wealth.questions."
"""How the path of a question that the money leaves open begins; its code follows."""
UNNAMED_MATCHES = "plausible.unnamed_matches"
_OF_IDENTITY = (
    "session.", "document.", "address.", "identity.", "diligence.", "requested.", "consistency.", "expiry.", "plausible.", "age.",
)  # fmt: skip
"""How the path of an observation begins that says whether the customer is who they claim to be."""
CONSISTENCY = (
    "consistency.name.record.document",
    "consistency.name.record.bank",
    "consistency.name.document.bank",
    "consistency.name.document.document",
    "consistency.name.record.statement",
    "consistency.name.document.statement",
    "consistency.name.bank.statement",
    "consistency.date_of_birth.record.document",
    "consistency.date_of_birth.document.document",
    "consistency.address.record.address",
    "consistency.town.record.statement",
    "consistency.name.likeness.record.document",
    "consistency.name.likeness.record.bank",
    "consistency.name.likeness.document.bank",
    "consistency.name.likeness.document.document",
    "consistency.name.likeness.record.statement",
    "consistency.name.likeness.document.statement",
    "consistency.name.likeness.bank.statement",
    "consistency.address.likeness.record.address",
    "consistency.town.likeness.record.statement",
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
    "plausible.refusals",
    SANCTIONS_ENTRIES,
    UNNAMED_MATCHES,
)
OF_CUSTOMERS = (
    *CONSISTENCY,
    "age.record",
    "age.document",
    "country.record",
    "country.issuer",
    "country.nationality",
    "country.address",
    "country.residences",
    "bank.expected",
    "bank.access_days",
    "bank.history_days",
    "bank.currencies_compared",
    "wealth.derived",
    SOURCE_FOUND,
    "wealth.linked_twice",
    "wealth.silent_account",
    "wealth.questions.pay_beside_benefit",
    PAYMENT_SUPPORT,
    "diligence.bank",
    "diligence.completion",
    "risk.pep",
    "triage.level",
)
NOT_JUDGED = ("session.ais_completed",)
"""Observations that no rule of the default policy reads: whether bank access was given is judged by the accounts that it gives, `requested.bank`."""
CUSTOMER_ROOTS = ("consistency", "age", "country", "bank", "wealth", "gaps", "diligence", "risk", "triage")
"""Roots of observations about the customer; all others are about a session."""

OWN_ROOTS = (*CUSTOMER_ROOTS, "session", "requested", "expiry", "plausible")
"""Roots of kycpack's own observations; a section of a results document with one of these names is put below `results`."""

LEVEL = "triage.level"

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
    "consistency.town.likeness.*.*": frozenset(KINDS),
    "consistency.*.*.*": frozenset({"equal", "similar", "different", "missing"}),
    "bank.expected": _YES_OR_NO,
    "bank.currencies_compared": _YES_OR_NO,
    SOURCE_FOUND: _YES_OR_NO,
    "session.times": frozenset({"in_order", "out_of_order"}),
    "risk.pep": frozenset(PEP_KINDS),
    "wealth.derived": frozenset({"yes"}),
    "wealth.linked_twice": frozenset({POSSIBLE, CERTAIN}),
    "wealth.silent_account": frozenset({HOLE, QUIET, POSSIBLE}),
    "wealth.flags.*": frozenset(LEVELS[1:]),
    "wealth.questions.pay_beside_benefit": frozenset({"open"}),
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
# The interface says that more members may be added below these, so a policy may name ones that do not exist yet.
_GROWING = (
    "screening.summary.pep.",
    "screening.summary.watchlist.",
    "screening.summary.adverseMedia.",
    "wealth.flags.",
    "gaps.",
)


def is_known(pattern: str) -> bool:
    """Return whether a pattern can ever match: it names a known path, or one in a place where more may be added."""
    if not re.fullmatch(r"(\*\*?|[A-Za-z0-9_]+)(\.(\*\*?|[A-Za-z0-9_]+))*", pattern):
        return False
    known = (*RESULT_MEMBERS, *OF_SESSIONS, *OF_CUSTOMERS)
    return (
        any(pattern.startswith(prefix) and len(pattern) > len(prefix) for prefix in _GROWING)
        or pattern in _OPEN
        or any(matches(pattern, path) is not None for path in known)
    )


def words_of(path: str) -> frozenset[object] | None:
    """Return all values that one of kycpack's own observations can have; None if it may have any.

    Args:
        path: Its path, or a pattern.
    """
    return next((said for pattern, said in _WORDS.items() if fnmatchcase(path, pattern)), None)


def is_customers(pattern: str) -> bool:
    """Return whether a pattern is about the customer, and not about a session."""
    return pattern.partition(".")[0] in CUSTOMER_ROOTS


def covers(pattern: str, other: str) -> bool:
    """Return whether a pattern matches everything that another one matches."""
    return pattern == other or matches(pattern, other.replace("**", "x").replace("*", "x")) is not None


@lru_cache(maxsize=262_144)
def matches(pattern: str, path: str) -> bool | None:
    """Return whether a pattern matches a path.

    Returns:
        True for the path itself; False for a path below it, so an object or a list is in place of a word; None for any
        other path.
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


def is_of_identity(path: str) -> bool:
    """Return whether an observation says whether the customer is who they claim to be, which has to be verified first (MLR 2017 reg. 28(2))."""
    return path.startswith(_OF_IDENTITY)
