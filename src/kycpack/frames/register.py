"""A customer's data in the register: sessions and payments, how the register learned of them, and what was ordered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kycpack.frames.answer_fields import AnswerFields, boolean, instant, items, label, whole
from kycpack.frames.answer_members import AIS_OPTIONS, IDENTITY_OPTIONS, ordered_column
from kycpack.frames.gaps import GapCode
from kycpack.frames.reading import EvidenceReading
from kycpack.models.dates import day_words

NOT_LISTABLE = "The service cannot list all sessions and payments of a customer. This pack covers those that the firm named; there may be others."
SHARED_DOCUMENTS = "register.shared_documents"
"""The operation of the register's entry that lists other customers with the same identity document."""
SAME_PERSON = "register.same_person"
"""The operation of the register's entry that lists other customers who may be the same person."""
_REJECTED, _NOT_REJECTED = "rejected", "not rejected"


@dataclass(frozen=True, slots=True)
class RegisterExcerpt:
    """The register's excerpt: columns of `sessions` and `payments` by id, and the id of its evidence entry."""

    evidence_id: str = ""
    sessions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    payments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def read_register(reading: EvidenceReading) -> RegisterExcerpt:
    """Return the register's excerpt, which may be incomplete."""
    asked = reading.select("register.known")
    entries = reading.answered("register.known")
    anchor = (entries or asked or reading.evidence.entries)[:1]
    for entry in anchor:
        reading.gaps.add(
            "register", "not_listable", NOT_LISTABLE, subject=reading.customer_id, evidence_id=entry.id
        )
    _read_shared_documents(reading)
    _read_same_person(reading)
    if not entries:
        return RegisterExcerpt()
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
    return RegisterExcerpt(entry.id, sessions, payments)


def _read_shared_documents(reading: EvidenceReading) -> None:
    """Add a gap for each other customer with the same identity document; it contains ids, but no document numbers."""
    for evidence_id, document in _listed(reading, SHARED_DOCUMENTS, "sharedDocuments"):
        session_id = document.get("sessionId", label)
        for other in document.get("customerIds", items) or []:
            message = f"customer {other} shows the document of session {session_id}"
            reading.gaps.add(
                "register", "document_shared", message, subject=str(other), evidence_id=evidence_id
            )


def _read_same_person(reading: EvidenceReading) -> None:
    """Add gaps for other customers who may be this person, and for differences in treatment; they contain ids, but no names."""
    for evidence_id, one in _listed(reading, SAME_PERSON, "samePerson"):
        other = one.get("customerId", label)
        if other is None:
            continue
        grounds = [str(ground) for ground in one.get("grounds", items) or []]
        same = " and ".join(grounds)
        notes: list[tuple[GapCode, str]] = [
            (code, f"customer {other}, who has {same}, {words}") for code, words in _differences(one)
        ]
        if set(grounds) - {"the same identity document"}:
            notes.append(("same_person", f"customer {other} has {same}"))
        for code, message in notes:
            reading.gaps.add("register", code, message, subject=str(other), evidence_id=evidence_id)


def _listed(reading: EvidenceReading, operation: str, name: str) -> Iterator[tuple[str, AnswerFields]]:
    """Yield the items that the register's entries list under a name, each with the entry's id."""
    for entry in reading.answered(operation):
        for part in reading.open(entry).get(name, items) or []:
            yield entry.id, reading.members(entry, part)


def _differences(one: AnswerFields) -> Iterator[tuple[GapCode, str]]:
    """Yield each way in which the other customer was treated differently, with its code."""
    decided, other_decided = one.get("decided", label), one.get("otherDecided", label)
    checks, other_checks = one.get("checks", label), one.get("otherChecks", label)
    moment = one.get("otherDecidedAt", instant)
    on = "" if moment is None else f" on {day_words(moment.date())}"
    if other_decided == "reject":
        later = ", before this customer's record was made" if one.get("returned", boolean) else ""
        yield "rejected_before", f"was rejected by decision{on}{later}"
    elif decided and other_decided and decided != other_decided:
        yield "decided_otherwise", f"was decided {other_decided}{on}; this customer was decided {decided}"
    if (checks, other_checks) == (_NOT_REJECTED, _REJECTED):
        yield "decided_otherwise", "had a check rejected; this customer had none"
    if (checks, other_checks) == (_REJECTED, _NOT_REJECTED):
        yield "decided_otherwise", "had no check rejected; this customer had one"


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
