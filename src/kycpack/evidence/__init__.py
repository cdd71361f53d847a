"""Evidence: an immutable snapshot of what was asked and answered for one customer, refusals and absences included.

`record` is the value, `index` its canonical form and hash, `store` reads and writes folders, `journal` writes answers as they
come, `redaction` removes links that open without a sign-in from bodies before they are stored, and `subjects` compares the
ids in an answer with those that were asked for.
"""

from __future__ import annotations

from kycpack.evidence.index import sha256_hex as sha256_hex
from kycpack.evidence.journal import Journal as Journal
from kycpack.evidence.journal import open_journal as open_journal
from kycpack.evidence.record import OUTCOMES as OUTCOMES
from kycpack.evidence.record import Entry as Entry
from kycpack.evidence.record import Evidence as Evidence
from kycpack.evidence.record import Outcome as Outcome
from kycpack.evidence.redaction import Redaction as Redaction
from kycpack.evidence.redaction import may_hold_links as may_hold_links
from kycpack.evidence.redaction import redact_links as redact_links
from kycpack.evidence.store import load_evidence as load_evidence
from kycpack.evidence.store import save_evidence as save_evidence
from kycpack.evidence.store import to_evidence as to_evidence
from kycpack.evidence.subjects import names_nothing as names_nothing
from kycpack.evidence.subjects import other_subject as other_subject

__all__ = [
    "OUTCOMES",
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
