"""The index of evidence: the bytes of `index.json`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from kycpack.models.json import canonical_json

if TYPE_CHECKING:
    from kycpack.evidence.record import Entry

FORMAT = "kycpack-evidence/1"
INDEX_FILE = "index.json"
ROOT_FILE = "index.sha256"


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of bytes, hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def index_bytes(customer_id: str, entries: Sequence[Entry]) -> bytes:
    """Return the canonical `index.json`; its SHA-256 is the evidence root.

    Args:
        customer_id: Customer id.
        entries: Every entry, in order.
    """
    return canonical_json(
        {"format": FORMAT, "customerId": customer_id, "entries": [entry_document(entry) for entry in entries]}
    )


def entry_document(entry: Entry) -> dict[str, Any]:
    """Return an entry as written in the index, including members that are None or empty."""
    document = {field.name: getattr(entry, field.name) for field in fields(entry)}
    return {**document, "subject": dict(entry.subject), "redacted": list(entry.redacted)}
