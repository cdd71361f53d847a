"""What an observation is about: the document, the address, the identity, the screening, the bank data or the payments."""

from __future__ import annotations

from collections.abc import Mapping

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.paths import UNNAMED_MATCHES

_RESULTS = frozenset(SECTIONS)
# The parts that an observation is about, by the beginning of its path; the longest match counts.
_SUBJECTS: Mapping[str, frozenset[str]] = {
    **{section: frozenset({section}) for section in SECTIONS},
    "expiry": frozenset({"document"}),
    "plausible": frozenset({"document"}),
    UNNAMED_MATCHES: frozenset({"screening"}),
    "age.document": frozenset({"document"}),
    "country.issuer": frozenset({"document"}),
    "country.nationality": frozenset({"document"}),
    "country.address": frozenset({"address"}),
    "risk.pep": frozenset({"screening"}),
    "session.screening_depth": frozenset({"screening"}),
    "session.score_scale": frozenset({"identity"}),
    "session.identity_completed": frozenset({"identity"}),
    "session.identity_confirmed": frozenset({"identity"}),
    "session.age_days": _RESULTS,
    "session.times": _RESULTS,
    "gaps.session": _RESULTS,
    "gaps.screening": frozenset({"screening"}),
    "gaps.media": frozenset({"document"}),
    "gaps.register": frozenset({"identity"}),
    "gaps.register.document_shared": frozenset({"document"}),
    "gaps.bank": frozenset({"bank"}),
    "gaps.statement": frozenset({"bank"}),
    "gaps.payment": frozenset({"payment"}),
    "session.ais_completed": frozenset({"bank"}),
    "bank": frozenset({"bank"}),
    "wealth": frozenset({"bank"}),
    "wealth.payment_support": frozenset({"payment"}),
}
# For comparisons of two sources, and for ordered or required checks, the path after its root names the parts of the strip.
_NAMING = frozenset({"consistency", "requested", "diligence"})
_SOURCES = {**{section: section for section in SECTIONS}, "bank": "bank", "statement": "bank"}
_WHO = frozenset(
    {"record", "document"}
)  # whether these two agree shows whether the customer is the person of the document


def subjects_of(path: str) -> frozenset[str]:
    """Return the parts of the strip that an observation is about; none for observations such as the country of residence."""
    root, *rest = path.split(".")
    if root in _NAMING:
        compared = rest[1:] if root == "consistency" else rest  # the first word names the compared field
        who = frozenset({"identity"}) if root == "consistency" and set(compared) >= _WHO else frozenset[str]()
        return who | {_SOURCES[one] for one in compared if one in _SOURCES}
    words = path.split(".")
    starts = (".".join(words[:count]) for count in range(len(words), 0, -1))
    return next((_SUBJECTS[start] for start in starts if start in _SUBJECTS), frozenset())
