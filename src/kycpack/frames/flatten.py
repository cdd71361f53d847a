"""From evidence to frames."""

from __future__ import annotations

from collections.abc import Iterable

from kycpack.errors import FrameError
from kycpack.evidence import Entry, Evidence
from kycpack.frames.bank_data import read_bank_data
from kycpack.frames.catalogue import SCHEMAS
from kycpack.frames.customers import read_customer
from kycpack.frames.frames import Frames
from kycpack.frames.gathering import Rows
from kycpack.frames.onboarding import read_sessions
from kycpack.frames.payments import read_payments
from kycpack.frames.reading import Reading
from kycpack.frames.register import read_register
from kycpack.frames.statements import read_statements


def flatten(evidence: Evidence | Iterable[Evidence]) -> Frames:
    """Return everything that evidence holds as frames, one row an item.

    What cannot be read never stops the rest: it is a row of `gaps` that names entry and member.

    Args:
        evidence: Of one customer, or of many, each given once. An iterable is read one by one and not kept.

    Returns:
        One frame for each schema of the catalogue; the same columns whatever the evidence holds.

    Raises:
        FrameError: A customer is given twice.
    """
    rows = {name: Rows(schema) for name, schema in SCHEMAS.items()}
    seen: set[str] = set()
    for one in [evidence] if isinstance(evidence, Evidence) else evidence:
        if one.customer_id in seen:
            raise FrameError(f"customer {one.customer_id} is given twice", place="evidence")
        seen.add(one.customer_id)
        _read(one, rows)
    return Frames(**{name: gathered.frame() for name, gathered in rows.items()})


def _read(evidence: Evidence, rows: dict[str, Rows]) -> None:
    reading = Reading(evidence, rows)
    for entry in evidence.entries:
        if entry.outcome != "answered":
            _note_unanswered(reading, entry)
    read_customer(reading)
    known = read_register(reading)
    read_sessions(reading, known)
    read_payments(reading, known)
    read_bank_data(reading)
    read_statements(reading)
    for gap in reading.gaps.found:
        reading.add(
            "gaps", gap.evidence_id, subject=gap.subject, area=gap.area, code=gap.code, message=gap.message
        )


def _note_unanswered(reading: Reading, entry: Entry) -> None:
    if entry.operation == "bank_accounts.list" and entry.status == 404:
        message = "no bank account is linked: the service answered 404"
        reading.gaps.add("bank", "no_accounts", message, subject=reading.customer_id, evidence_id=entry.id)
    else:
        reading.gaps.add_unanswered(entry)
