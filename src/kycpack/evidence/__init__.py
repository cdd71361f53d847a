"""Evidence: an immutable snapshot of what was asked and answered for one customer, refusals and absences included.

`record` is the value, `index` its canonical form and hash, `store` reads and writes folders, `journal` writes answers as they
come, `redaction` removes links that open without a sign-in from bodies before they are stored, and `subjects` compares the
ids in an answer with those that were asked for.
"""

from __future__ import annotations

from kycpack.evidence.journal import Journal, open_journal
from kycpack.evidence.record import (
    INVENTED,
    NO_PAYMENT,
    NO_STATEMENT,
    OUTCOMES,
    REUSED,
    SESSION_STATE,
    Entry,
    Evidence,
    Outcome,
    sha256_hex,
)
from kycpack.evidence.redaction import Redaction, may_hold_links, redact_links
from kycpack.evidence.store import load_evidence, save_evidence, to_evidence
from kycpack.evidence.subjects import names_nothing, other_subject

__all__ = [
    "INVENTED",
    "NO_PAYMENT",
    "NO_STATEMENT",
    "OUTCOMES",
    "REUSED",
    "SESSION_STATE",
    "Entry",
    "Evidence",
    "Journal",
    "Outcome",
    "Redaction",
    "load_evidence",
    "may_hold_links",
    "names_nothing",
    "open_journal",
    "other_subject",
    "redact_links",
    "save_evidence",
    "sha256_hex",
    "to_evidence",
]
