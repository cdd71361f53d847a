"""Turns an answer, the lack of one, or an earlier answer that need not be fetched again into an entry of evidence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

from kycpack.api import operations as op
from kycpack.api.answers import Answer
from kycpack.api.bodies import check_media, media_extension
from kycpack.api.collection_plan import REGISTER, REGISTER_PARTS, Ask, CollectJob
from kycpack.api.failures import clock_advice, describe
from kycpack.api.unchanged import STATEMENT
from kycpack.errors import ApiError, InputError, RequestTimeoutError, StatusError
from kycpack.evidence import (
    INVENTED,
    REUSED,
    Entry,
    Journal,
    may_hold_links,
    names_nothing,
    other_subject,
    redact_links,
    sha256_hex,
)
from kycpack.models.instants import parse_instant
from kycpack.models.json import canonical_json, dump_json, parse_json, parse_json_leniently

_REGISTER = "register-v1"
_ASK_AGAIN = frozenset({408, 425, 429})  # the service was busy or slow: this says nothing about the request
_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,80}")
_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]{1,64}/[a-z0-9.+-]{1,64}")


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    """The outcome of one request that was made or skipped.

    Attributes:
        entry: The entry; its id and file are set when the evidence is assembled.
        body: The body to keep; None if there is none.
        extension: The file extension of the body.
        document: The parsed body of a success, which may lead to more.
        stored: Path of the body if it is stored on disk already.
        received: Path of a body that was received into a file but not stored yet.
        error: What the client would raise, if the service answered with an error status.
    """

    entry: Entry
    body: bytes | None = field(default=None, repr=False)
    extension: str = "json"
    document: Any = field(default=None, repr=False)
    stored: Path | None = None
    received: Path | None = None
    error: StatusError | None = None


def not_asked(ask: Ask) -> EntryOutcome:
    """Return the outcome of a request that was deliberately skipped."""
    adapter = _REGISTER if ask.operation == REGISTER else ask.adapter
    return EntryOutcome(_entry(ask, outcome="not_asked", adapter=adapter))


def from_register(ask: Ask, known: Mapping[str, Any], now: str) -> EntryOutcome:
    """Return the outcome for the register's data, or for a part of it that has an entry of its own."""
    part = REGISTER_PARTS.get(ask.operation)
    rest = {name: value for name, value in known.items() if name not in REGISTER_PARTS.values()}
    body = canonical_json(known[part] if part else rest)
    entry = _entry(
        ask, outcome="answered", adapter=_REGISTER, requested_at=now, content_type="application/json"
    )
    return _keep(entry, body, "json")


def from_error(ask: Ask, error: ApiError, requested_at: str) -> EntryOutcome:
    """Return the outcome of a request without a usable answer."""
    outcome = "timeout" if isinstance(error, RequestTimeoutError) else "failed"
    note = _join(ask.note, describe(error))
    return EntryOutcome(
        _entry(
            ask, outcome=outcome, requested_at=requested_at, request_id=error.request_id or None, note=note
        )
    )


def from_answer(ask: Ask, answer: Answer[Any]) -> EntryOutcome:
    """Return the outcome for an answer of any status.

    A JSON body is kept as received, except that the secret is removed from links that open without a sign-in. A body that
    cannot be read is not kept, because its content is unknown; its hash is kept.
    """
    entry = _entry(
        ask,
        outcome=_outcome(answer.status),
        status=answer.status,
        requested_at=answer.requested_at,
        request_id=answer.request_id,
        content_type=answer.content_type if _MEDIA_TYPE.fullmatch(answer.content_type) else None,
        note=_join(ask.note, _renamed(answer), _invented(ask, answer)),
    )
    if not answer.is_success:
        return _refusal(entry, answer)
    if ask.operation == op.DOWNLOAD_MEDIA.name:
        beginning = answer.file.beginning if answer.file else answer.content
        problem = check_media(beginning, answer.content_type)
        return _file(entry, answer, problem, media_extension(answer.content_type) or "bin")
    if ask.operation == STATEMENT and ask.subject.get("format") == "pdf":
        problem = None if answer.content.startswith(b"%PDF-") else "the content is not a PDF"
        return _file(entry, answer, problem, "pdf")
    try:
        document = _read(ask, answer.content)
    except InputError as error:
        problem = f"the answer cannot be read: {error}"
        return _unreadable(replace(entry, outcome="failed"), answer, problem)
    problem = other_subject(entry.operation, entry.subject, document)
    if not problem and names_nothing(entry.operation, document):
        problem = "the answer does not say what it is about"
    if problem:
        return _unreadable(replace(entry, outcome="failed"), answer, problem)
    return replace(_json(entry, answer, document), document=document)


def _read(ask: Ask, content: bytes) -> Any:
    """Read an answer. A results document is read leniently, so that one odd value does not hide it; it has no links to redact."""
    if ask.operation != op.GET_RESULTS.name or b"http" in content:
        return parse_json(content)
    return parse_json_leniently(content)


def reused(ask: Ask, entry: Entry, body: bytes | None, extension: str, why: str) -> EntryOutcome:
    """Return the outcome for an earlier answer that is recent enough.

    Args:
        ask: The request.
        entry: The entry of the earlier answer.
        body: Its body; None for a file that remains on disk.
        extension: File extension of the body.
        why: Where the answer comes from, for the note.
    """
    is_answer = entry.outcome == "answered"
    invented = INVENTED if INVENTED in entry.note else ""
    noted = _join(ask.note, invented) if is_answer else entry.note.removesuffix(why).removesuffix("; ")
    kept = replace(entry, note=_join(noted, why), subject=dict(ask.subject))
    document = _read(ask, body) if extension == "json" and body is not None and is_answer else None
    return EntryOutcome(kept, body, extension, document)


def _entry(ask: Ask, **facts: Any) -> Entry:
    call = ask.call
    wire = {"method": call.operation.method, "path": call.path, "query": call.query} if call else {}
    return Entry(
        **{
            "id": "",
            "operation": ask.operation,
            "subject": dict(ask.subject),
            "note": ask.note,
            "adapter": ask.adapter,
            **wire,
            **facts,
        }
    )


def _renamed(answer: Answer[Any]) -> str:
    """Return the request id of an answer if it differs from ours and is well formed; gateways write their own."""
    answered = answer.headers.get("x-request-id", "")
    if answered == answer.request_id or not _REQUEST_ID.fullmatch(answered):
        return ""
    return f"answered as request {answered}"


def _invented(ask: Ask, answer: Answer[Any]) -> str:
    """Return that the service says its data is invented, for the entry with the customer's record; empty if it does not."""
    said = answer.headers.get("x-demonstration-data", "")
    is_said = ask.operation == op.GET_CUSTOMER.name and said.strip().casefold() == "true"
    return INVENTED if is_said else ""


def _outcome(status: int) -> str:
    if 200 <= status < 300:
        return "answered"
    return "refused" if 400 <= status < 500 and status not in _ASK_AGAIN else "failed"


def _refusal(entry: Entry, answer: Answer[Any]) -> EntryOutcome:
    refusal: StatusError | None = None
    try:
        answer.raise_for_status()
    except StatusError as error:
        refusal, note = error, error.code
    except ApiError as error:
        note = describe(error)
    noted = replace(entry, note=_join(entry.note, note, clock_advice(answer)))
    try:
        document = parse_json(answer.content)
    except InputError:
        kept = _unreadable(noted, answer, "" if not answer.content else "the body is not JSON")
    else:
        kept = _json(noted, answer, document)
    return replace(kept, error=refusal)


def _json(entry: Entry, answer: Answer[Any], document: Any) -> EntryOutcome:
    redaction = redact_links(document) if may_hold_links(answer.content) else None
    if redaction is None or not redaction.paths:
        return _keep(entry, answer.content, "json")
    redacted = replace(entry, received_sha256=sha256_hex(answer.content), redacted=redaction.paths)
    return _keep(redacted, dump_json(redaction.document), "json")


def _file(entry: Entry, answer: Answer[Any], problem: str | None, extension: str) -> EntryOutcome:
    if problem is not None:
        return _unreadable(replace(entry, outcome="failed"), answer, problem)
    if answer.file is not None:
        kept = replace(entry, bytes=answer.file.size, sha256=answer.file.sha256)
        return EntryOutcome(kept, extension=extension, received=answer.file.path)
    return _keep(entry, answer.content, extension)


def _unreadable(entry: Entry, answer: Answer[Any], problem: str) -> EntryOutcome:
    if answer.file is not None and answer.file.size:
        received: str | None = answer.file.sha256
    else:
        received = sha256_hex(answer.content) if answer.content else None
    return EntryOutcome(replace(entry, note=_join(entry.note, problem), received_sha256=received))


def _keep(entry: Entry, body: bytes, extension: str) -> EntryOutcome:
    return EntryOutcome(replace(entry, bytes=len(body), sha256=sha256_hex(body)), body, extension)


def _join(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


_KEPT_FOR = timedelta(hours=24)
_ASKED_AGAIN = frozenset(
    {op.GET_CUSTOMER.name, op.GET_SESSION.name, op.GET_RESULTS.name, op.LIST_ACCOUNTS.name}
)
"""The customer's record, and what determines the other requests: they may have changed since an interrupted collection."""


@dataclass(frozen=True, slots=True)
class EarlierAnswers:
    """What one collection can take over.

    Attributes:
        job: The earlier evidence, and how old its answers may be.
        journal: The answers of the interrupted collection; None for none.
        entries: The entries of the earlier evidence that may hold still, by method, path and query.
    """

    job: CollectJob
    journal: Journal | None
    entries: Mapping[tuple[str, str, str], Entry]

    @classmethod
    def of(cls, job: CollectJob, journal: Journal | None) -> Self:
        """Return what a job gives to take over."""
        entries = job.previous.entries if job.previous else ()
        kept = (entry for entry in entries if entry.method and (_has_answer(entry) or _is_missing(entry)))
        by_request = {(entry.method, entry.path, entry.query): entry for entry in kept}
        return cls(job, journal, by_request)

    def recall(self, ask: Ask, now: datetime) -> EntryOutcome | None:
        """Return the answer to a request if it need not be fetched again; None if it is to be fetched."""
        call = ask.call
        if call is None:
            return None
        key = (call.operation.method, call.path, call.query)
        if self.journal is not None and ask.operation not in _ASKED_AGAIN:
            kept = self.journal.earlier.get((ask.operation, *key, ask.adapter))
            if (
                kept is not None
                and kept.entry.outcome == "answered"
                and now - parse_instant(kept.entry.requested_at or "") <= _KEPT_FOR
            ):
                extension = kept.path.suffix[1:]
                body = kept.path.read_bytes() if extension == "json" else None
                return replace(
                    reused(ask, kept.entry, body, extension, "kept from an interrupted start"),
                    stored=kept.path,
                )
        entry = self.entries.get(key)
        if (
            self.job.previous is None
            or entry is None
            or entry.requested_at is None
            or entry.adapter != ask.adapter
        ):
            return None
        age = now - parse_instant(entry.requested_at)
        # Media are those of a session that was not updated; an answer from the future has an age that nobody knows.
        in_time = self.job.reuse_for is None or timedelta() <= age <= self.job.reuse_for
        unchanging = ask.operation == op.DOWNLOAD_MEDIA.name or (
            ask.unchanged and (in_time or ask.operation == op.ACCESS_MEDIA.name)
        )
        fresh = self.job.max_age is not None and _has_answer(entry) and age <= self.job.max_age
        if not (unchanging or fresh):
            return None
        body = None if entry.file is None else self.job.previous.body(entry.id)
        return reused(ask, entry, body, (entry.file or "").rpartition(".")[2], REUSED)


def _has_answer(entry: Entry) -> bool:
    return entry.outcome == "answered" and entry.file is not None


def _is_missing(entry: Entry) -> bool:
    return entry.operation == STATEMENT and entry.status == HTTPStatus.NOT_FOUND
