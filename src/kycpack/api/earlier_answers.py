"""Answers of earlier evidence, or of a collection that was interrupted, which need not be fetched again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Self

from kycpack.api.collection_plan import Ask, CollectJob
from kycpack.api.evidence_entries import EntryOutcome, reused
from kycpack.api.operations import (
    ACCESS_MEDIA,
    DOWNLOAD_MEDIA,
    GET_CUSTOMER,
    GET_RESULTS,
    GET_SESSION,
    LIST_ACCOUNTS,
)
from kycpack.api.unchanged import STATEMENT
from kycpack.evidence import REUSED, Entry, Evidence, Journal
from kycpack.models.instants import parse_instant

_KEPT = "kept from an interrupted start"
_KEPT_FOR = timedelta(hours=24)
_ASKED_AGAIN = frozenset({GET_CUSTOMER.name, GET_SESSION.name, GET_RESULTS.name, LIST_ACCOUNTS.name})
"""The customer's record, and what determines the other requests: they may have changed since an interrupted collection."""


@dataclass(frozen=True, slots=True)
class EarlierAnswers:
    """What one collection can take over.

    Attributes:
        previous: The earlier evidence; None for none.
        max_age: How old its answers may be; None if their age does not count.
        reuse_for: How old an answer may be whose subject did not change; None for no limit.
        journal: The answers of the interrupted collection; None for none.
        entries: The entries of the earlier evidence that may hold still, by method, path and query.
    """

    previous: Evidence | None
    max_age: timedelta | None
    reuse_for: timedelta | None
    journal: Journal | None
    entries: Mapping[tuple[str, str, str], Entry]

    @classmethod
    def of(cls, job: CollectJob, journal: Journal | None) -> Self:
        """Return what a job gives to take over."""
        entries = job.previous.entries if job.previous else ()
        kept = (entry for entry in entries if entry.method and (_has_answer(entry) or _is_missing(entry)))
        by_request = {(entry.method, entry.path, entry.query): entry for entry in kept}
        return cls(job.previous, job.max_age, job.reuse_for, journal, by_request)

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
                return replace(reused(ask, kept.entry, body, extension, _KEPT), stored=kept.path)
        entry = self.entries.get(key)
        if (
            self.previous is None
            or entry is None
            or entry.requested_at is None
            or entry.adapter != ask.adapter
        ):
            return None
        age = now - parse_instant(entry.requested_at)
        # Media are those of a session that was not updated; an answer from the future has an age that nobody knows.
        in_time = self.reuse_for is None or timedelta() <= age <= self.reuse_for
        unchanging = ask.operation == DOWNLOAD_MEDIA.name or (
            ask.unchanged and (in_time or ask.operation == ACCESS_MEDIA.name)
        )
        fresh = self.max_age is not None and _has_answer(entry) and age <= self.max_age
        if not (unchanging or fresh):
            return None
        body = None if entry.file is None else self.previous.body(entry.id)
        return reused(ask, entry, body, (entry.file or "").rpartition(".")[2], REUSED)


def _has_answer(entry: Entry) -> bool:
    return entry.outcome == "answered" and entry.file is not None


def _is_missing(entry: Entry) -> bool:
    return entry.operation == STATEMENT and entry.status == HTTPStatus.NOT_FOUND
