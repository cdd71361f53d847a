"""The record of what was asked and answered for one customer, and the bytes of its index."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from kycpack.errors import EvidenceError, InputError
from kycpack.evidence.subjects import CHECKED_WHEN_MADE, other_subject
from kycpack.models.arguments import require_each, require_text
from kycpack.models.cards import card
from kycpack.models.instants import parse_instant
from kycpack.models.json import canonical_json, parse_json

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


Outcome = Literal["answered", "refused", "failed", "timeout", "not_asked"]
OUTCOMES: tuple[str, ...] = get_args(Outcome)
REUSED = "from earlier evidence"
"""The last part of the note of an entry that was not requested again: its answer still holds, and keeps its `requested_at`."""
INVENTED = "the service says that its data is invented"
"""A part of the note of the entry with a customer's record, where the answer has the header `X-Demonstration-Data: true`."""
SESSION_STATE = "the session is "
"""How the note of an entry begins that could not be requested because its session is not complete."""
NO_PAYMENT = "no payment of this customer is known"
"""The note of the entry of a payment that could not be requested."""
NO_STATEMENT = "there is no statement: the request for it as JSON was answered with 404"
"""The note of the entry of a statement as PDF that was not requested."""
_ASK_AGAIN = frozenset({"failed", "timeout"})

_CARD_COLUMNS = ("id", "operation", "outcome", "status", "requested_at", "bytes", "note")


@dataclass(frozen=True, slots=True)
class Entry:
    """One request that was made, or deliberately not made, and its outcome.

    Attributes:
        id: `E-01` for answers, `M-01` for media, `R-01` for data from the register; in order of the plan.
        operation: The operation's name, as in `onboarding.results`.
        subject: Ids that the entry is about: customer_id, and if applicable session_id, payment_id, account_id,
            media_id, format.
        outcome: answered (2xx), refused (4xx), failed (5xx, 408, 425, 429, connection, wrong shape), timeout or
            not_asked.
        method: HTTP method; empty if no request was sent.
        path: Path below the base URL.
        query: Query string without the question mark.
        status: HTTP status; None if there was no answer.
        requested_at: When the request was sent, ISO 8601 UTC; None if none was sent.
        request_id: The `X-Request-Id` that was sent.
        content_type: Media type of the answer.
        bytes: Size of the stored body in bytes.
        sha256: Hash of the stored body, hexadecimal; None without a body.
        file: Name of the stored body; None without a body.
        note: What a reader should know: the error code, the page, why no request was made.
        adapter: The format of the body; `service-v1` is the interface's own.
        received_sha256: Hash of the body as received, if it was redacted before it was stored.
        redacted: Paths of the values that were redacted.
    """

    id: str
    operation: str
    subject: Mapping[str, str]
    outcome: str
    method: str = ""
    path: str = ""
    query: str = ""
    status: int | None = None
    requested_at: str | None = None
    request_id: str | None = None
    content_type: str | None = None
    bytes: int = 0
    sha256: str | None = None
    file: str | None = None
    note: str = ""
    adapter: str = "service-v1"
    received_sha256: str | None = None
    redacted: tuple[str, ...] = ()

    @property
    def asked_at(self) -> datetime | None:
        """`requested_at` as an instant; None if it is absent, is not a time or has no offset."""
        try:
            return parse_instant(self.requested_at or "")
        except InputError:
            return None


@dataclass(frozen=True)
class Evidence:
    """An immutable snapshot of what was asked and answered for one customer, refusals and absences included.

    Args:
        customer_id: Customer id.
        entries: Every entry, in order of the plan.
        bodies: The stored bodies by entry id, for the entries that have one.

    Raises:
        EvidenceError: Entries and bodies do not match, or a body is about another subject than its entry.
    """

    customer_id: str
    entries: tuple[Entry, ...]
    bodies: Mapping[str, bytes] = field(repr=False)

    def __post_init__(self) -> None:
        require_text("customer_id", self.customer_id)
        require_each("entries", self.entries, Entry, "a tuple of Entry")
        ids = [entry.id for entry in self.entries]
        if len(set(ids)) != len(ids):
            raise EvidenceError(f"evidence of customer {self.customer_id} names an entry twice")
        with_body = {entry.id for entry in self.entries if entry.file is not None}
        if with_body != set(self.bodies):
            odd = ", ".join(sorted(with_body ^ set(self.bodies)))
            raise EvidenceError(f"evidence of customer {self.customer_id}: entries and bodies differ: {odd}")
        for entry in self.entries:
            self._check_subject(entry)

    def _check_subject(self, entry: Entry) -> None:
        if entry.operation not in CHECKED_WHEN_MADE or entry.outcome != "answered" or entry.file is None:
            return
        try:
            document = parse_json(self.bodies[entry.id])
        except InputError:
            return  # an unreadable body is reported as a gap, and contains no id to compare
        if problem := other_subject(entry.operation, entry.subject, document):
            raise EvidenceError(
                f"evidence of customer {self.customer_id}, entry {entry.id} ({entry.operation}): {problem}"
            )

    @cached_property
    def root(self) -> str:
        """The SHA-256 of the canonical index, which contains the hash of every body."""
        return sha256_hex(index_bytes(self.customer_id, self.entries))

    @cached_property
    def incomplete(self) -> tuple[Entry, ...]:
        """The entries that failed or timed out: asking again may give an answer. A refusal (403, 404) is an answer."""
        return tuple(entry for entry in self.entries if entry.outcome in _ASK_AGAIN)

    @property
    def asked_between(self) -> tuple[str, str] | None:
        """When the first and the last request were sent, as recorded; None if none was sent at a known time."""
        times = {entry.asked_at: str(entry.requested_at) for entry in self.entries if entry.method}
        sent = sorted(filter(None, times))
        return (times[sent[0]], times[sent[-1]]) if sent else None

    def entry(self, entry_id: str) -> Entry:
        """Return an entry by its id.

        Raises:
            EvidenceError: The entry does not exist.
        """
        for entry in self.entries:
            if entry.id == entry_id:
                return entry
        raise EvidenceError(f"evidence of customer {self.customer_id} has no entry {entry_id}")

    def select(self, operation: str) -> tuple[Entry, ...]:
        """Return the entries of an operation, in order."""
        return tuple(entry for entry in self.entries if entry.operation == operation)

    def body(self, entry_id: str) -> bytes:
        """Return the stored body of an entry.

        Raises:
            EvidenceError: The entry does not exist, or has no body.
        """
        try:
            return self.bodies[entry_id]
        except KeyError:
            entry = self.entry(entry_id)
        raise EvidenceError(f"entry {entry_id} ({entry.operation}, {entry.outcome}) has no body")

    def json(self, entry_id: str) -> Any:
        """Return the stored body of an entry as JSON; numbers with a point are Decimal.

        Raises:
            EvidenceError: The entry or its body does not exist, or the body is not JSON.
        """
        body = self.body(entry_id)
        try:
            return parse_json(body)
        except InputError as error:
            reason = str(error)
        raise EvidenceError(f"entry {entry_id} is not JSON: {reason}")

    def save(self, path: Path | str, *, replace: bool = False) -> Path:
        """Write this evidence to a folder that only its owner can read; see `save_evidence`."""
        from kycpack.evidence.store import save_evidence  # noqa: PLC0415 - the store reads records, so it comes later

        return save_evidence(self, path, replace=replace)

    def __repr__(self) -> str:
        return f"Evidence(customer {self.customer_id}, {len(self.entries)} entries, root {self.root[:12]})"

    def _repr_html_(self) -> str:
        span = self.asked_between
        return card(
            repr(self),
            _CARD_COLUMNS,
            [[getattr(entry, name) for name in _CARD_COLUMNS] for entry in self.entries],
            notes=[f"Asked from {span[0]} to {span[1]}."] if span else [],
            following=("kp.flatten(evidence)", ".json(entry_id)", ".save(path)"),
        )
