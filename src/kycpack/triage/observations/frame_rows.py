"""The rows of frames that triage reads; each frame is read once."""

from __future__ import annotations

from typing import Any, NamedTuple

from kycpack.frames import Frames
from kycpack.frames.rows import plain_rows
from kycpack.triage.diligence import FACTORS

_ADDRESS = ("address_line1", "city", "postal_code", "country")
_COLUMNS = {
    "customers": (
        "customer_id", "evidence_id", "first_name", "last_name", "date_of_birth_on", *_ADDRESS, "address_line2", *(f"risk_{factor}" for factor in FACTORS),
        "risk_pep",
    ),
    "sessions": (
        "customer_id", "session_id", "evidence_id", "status", "identity_completed", "identity_confirmed", "ais_completed", "created_at",
        "updated_at", "identity_completed_at", "ais_completed_at", "attempt_count", "order_known", "ordered_document_check", "ordered_proof_of_address_check",
        "ordered_identity_check", "ordered_enhanced_identity_check", "ordered_aml_standard_screening", "ordered_aml_extensive_screening",
        "ordered_ais_accounts",
    ),
    "results": ("customer_id", "session_id", "evidence_id"),
    "documents": (
        "customer_id", "session_id", "evidence_id", "kind", "expires_on", "issuing_country", "holder_first_name", "holder_last_name",
        "holder_date_of_birth_on", "holder_nationality", *_ADDRESS,
    ),
    "media": ("customer_id", "session_id", "media_id", "file_name", "description", "type", "sha256", "evidence_id"),
    "accounts": ("customer_id", "account_id", "evidence_id", "holder_name", "token_expires_at", "currency", "bank_name", "account_number"),
    "balances": ("customer_id", "evidence_id", "account_id", "currency"),
    "payments": ("customer_id", "payment_id", "evidence_id", "requires_ais", "amount", "currency"),
    "statements": ("customer_id", "evidence_id", "payment_id", "first_name", "last_name", "city"),
    "gaps": ("customer_id", "evidence_id", "subject", "area", "code", "message"),
}  # fmt: skip


class FrameRows(NamedTuple):
    """The rows of frames by name; each column is an attribute, and a missing value is None, or `NaT` in a column of instants.

    The frames with many rows per customer, `checks` and `transactions`, are read column by column where they are needed.
    """

    customers: list[Any]
    sessions: list[Any]
    results: list[Any]
    documents: list[Any]
    media: list[Any]
    accounts: list[Any]
    balances: list[Any]
    payments: list[Any]
    statements: list[Any]
    gaps: list[Any]


def read_rows(frames: Frames) -> FrameRows:
    """Return the rows of frames.

    Args:
        frames: From `flatten`.
    """
    return FrameRows(
        **{name: plain_rows(getattr(frames, name), *columns) for name, columns in _COLUMNS.items()}
    )
