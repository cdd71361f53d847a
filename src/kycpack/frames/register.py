"""What the register knows of a customer: which sessions and payments there are, how that was learned, what was ordered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kycpack.frames.answer_members import AIS_OPTIONS, IDENTITY_OPTIONS, ordered_column
from kycpack.frames.members import boolean, instant, items, label, whole
from kycpack.frames.reading import Reading

NOT_LISTABLE = "The service has no way to list a customer's sessions or payments: only those that were named are here, others may exist."
SHARED_DOCUMENTS = "register.shared_documents"
"""The operation of the register's entry that names other customers with the same identity document."""


@dataclass(frozen=True, slots=True)
class Known:
    """The register's excerpt: columns of `sessions` and `payments` by id, and the entry that holds them."""

    evidence_id: str = ""
    sessions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    payments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def read_register(reading: Reading) -> Known:
    """Return what the register knows; it never knows whether that is all."""
    asked = reading.select("register.known")
    entries = [entry for entry in asked if entry.outcome == "answered"]
    anchor = (entries or asked or reading.evidence.entries)[:1]
    for entry in anchor:
        reading.gaps.add(
            "register", "not_listable", NOT_LISTABLE, subject=reading.customer_id, evidence_id=entry.id
        )
    _read_shared_documents(reading)
    if not entries:
        return Known()
    entry = entries[-1]
    members = reading.open(entry)
    sessions: dict[str, Mapping[str, Any]] = {}
    for session_id, document in _named(members.get("sessions", items), "sessionId"):
        part = reading.members(entry, document, subject=session_id)
        ordered = document.get("ordered")
        sessions[session_id] = {
            "learned_from": part.get("learnedFrom", label),
            "created_at": part.get("createdAt", instant),
            "order_known": ordered is not None,
            **({} if ordered is None else _ordered(part)),
        }
    payments: dict[str, Mapping[str, Any]] = {}
    for payment_id, document in _named(members.get("payments", items), "paymentId"):
        part = reading.members(entry, document, subject=payment_id)
        payments[payment_id] = {
            "learned_from": part.get("learnedFrom", label),
            "created_at": part.get("createdAt", instant),
        }
    return Known(entry.id, sessions, payments)


def _read_shared_documents(reading: Reading) -> None:
    """Note the other customers who show the same identity document; the note names their ids and no number of a document."""
    for entry in reading.select(SHARED_DOCUMENTS):
        if entry.outcome != "answered":
            continue
        for part in reading.open(entry).get("sharedDocuments", items) or []:
            document = reading.members(entry, part)
            session_id = document.get("sessionId", label)
            for other in document.get("customerIds", items) or []:
                message = f"customer {other} shows the document of session {session_id}"
                reading.gaps.add(
                    "register", "document_shared", message, subject=str(other), evidence_id=entry.id
                )


def _named(documents: list[Any] | None, name: str) -> Iterable[tuple[str, dict[str, Any]]]:
    for document in documents or []:
        if isinstance(document, dict) and isinstance(document.get(name), str):
            yield document[name], document


def _ordered(part: Any) -> dict[str, Any]:
    columns: dict[str, Any] = {
        ordered_column(option): part.get(f"ordered.identity.{option}", boolean) for option in IDENTITY_OPTIONS
    }
    ais = part.document["ordered"].get("ais") if isinstance(part.document["ordered"], dict) else None
    for option in AIS_OPTIONS:
        columns[f"ordered_ais_{option}"] = (
            False if ais is None else part.get(f"ordered.ais.{option}", boolean)
        )
    columns["account_limit"] = None if ais is None else part.get("ordered.ais.accountLimit", whole)
    return columns
