"""Checks whether paged lists are complete, by the last page and by the counts that pages give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from kycpack.errors import InputError
from kycpack.evidence import Entry
from kycpack.frames.adapters.catalogue import OWN_SHAPE, get_adapter
from kycpack.frames.answer_fields import items
from kycpack.frames.reading import EvidenceReading
from kycpack.frames.transactions import MisfitError
from kycpack.models.json import without_odd_values
from kycpack.models.paging import PageEnd, read_page_end


def note_missing_pages(reading: EvidenceReading) -> None:
    """Add a gap if accounts or transactions are missing."""
    _note(reading, list(reading.select("bank_accounts.list")), reading.customer_id, "bank accounts")
    by_account: dict[str, list[Entry]] = {}
    for entry in reading.select("bank_accounts.transactions"):
        if "account_id" in entry.subject:
            by_account.setdefault(entry.subject["account_id"], []).append(entry)
    for account_id, pages in by_account.items():
        _note(reading, pages, account_id, "transactions")


def _note(reading: EvidenceReading, pages: Sequence[Entry], subject: str, things: str) -> None:
    answered = [entry for entry in pages if entry.outcome == "answered"]
    found = [
        (entry, read_page_end(document))
        for entry in answered
        if (body := reading.body(entry)) and _says_more(body, is_last=entry is pages[-1])
        if (document := _document(reading, entry)) is not None
    ]
    if not found:
        return
    last, end = found[-1]
    if last is pages[-1] and end.names:
        message = f"there are more {things} than were read: the last page has {' and '.join(end.names)}"
        reading.gaps.add("bank", "more_not_read", message, subject=subject, evidence_id=last.id)
    if any(end.totals for _, end in found):
        counts = {entry.id: _count(entry, _document(reading, entry)) for entry in answered}
        _note_counts(reading, found, counts, subject, things)


def _says_more(body: bytes, *, is_last: bool) -> bool:
    """Whether a page may give a count, or say as the last page that there are more. A quick check: strict reading is slow."""
    try:
        end = read_page_end(orjson.loads(body))
    except orjson.JSONDecodeError:
        return True
    return bool(end.totals or (is_last and end.names))


def _note_counts(
    reading: EvidenceReading,
    found: Sequence[tuple[Entry, PageEnd]],
    counts: dict[str, int | None],
    subject: str,
    things: str,
) -> None:
    came = sum(count for count in counts.values() if count is not None)
    for entry, end in found:
        for name, total in end.totals:
            # Some providers count the page, others count everything.
            if total not in {came, counts[entry.id]}:
                message = f"{name} says {total:,} {things}, and {came:,} were read"
                reading.gaps.add("bank", "count_differs", message, subject=subject, evidence_id=entry.id)
                return


def _document(reading: EvidenceReading, entry: Entry) -> Any:
    return without_odd_values(reading.lenient_document(entry))


def _count(entry: Entry, document: Any) -> int | None:
    try:
        if entry.operation == "bank_accounts.list" or entry.adapter == OWN_SHAPE:
            return len(items(document))
        return sum(1 for _ in get_adapter(entry.adapter).list_records(document))
    except (InputError, MisfitError, ValueError):
        return None
