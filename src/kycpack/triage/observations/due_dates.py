"""The dates that matter for a customer: when sessions, bank access, documents and links expire, and the next review.

Source: interface.md, "Lifetimes and limits": a session 7 days, bank access 90 days, a media link 2 hours.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kycpack.frames.rows import rows
from kycpack.models.enums import OPEN_SESSIONS
from kycpack.models.instants import format_seconds

SESSION_LIFE = dt.timedelta(days=7)
MEDIA_LIFE = dt.timedelta(hours=2)
_LAST_INSTANT = dt.datetime(9999, 12, 31, 23, 59, 59, tzinfo=dt.UTC)
KINDS = {
    "media": "The link to a file of the session expires",
    "session": "The session ends unless the customer completes it",
    "bank_access": "Access to the account ends unless the customer renews it",
    "document": "The identity document expires",
    "next_review": "The next review is due",
}
"""The meaning of each kind of date."""

NAMES = {
    "media": "link to a file",
    "session": "session",
    "bank_access": "bank access",
    "document": "identity document",
    "next_review": "next review",
}
"""What ends on each kind of date, in one or two words."""

NEEDED = {
    "recommendations": ("customer_id", "next_review_on"),
    "sessions": ("customer_id", "session_id", "status", "created_at", "expires_at"),
    "accounts": ("customer_id", "account_id", "token_expires_at"),
    "documents": ("customer_id", "session_id", "kind", "expires_on"),
    "media": ("customer_id", "media_id", "downloaded"),
}
"""The frames that dates are read from, and their columns."""

_OPEN_STATUSES = OPEN_SESSIONS | {""}


@dataclass(frozen=True, slots=True)
class DueDate:
    """One date.

    Attributes:
        kind: One of `KINDS`.
        subject: Id of the session, the account or the file; empty for the customer.
        due_at: The instant, ISO 8601 UTC; a bare date means the end of that day.
    """

    kind: str
    subject: str
    due_at: str


def due_dates(
    frames: Mapping[str, pd.DataFrame], collected_at: dt.datetime
) -> dict[str, tuple[DueDate, ...]]:
    """Return the dates of each customer, the earliest first.

    Args:
        frames: The frames in `NEEDED` by name, for one or more customers.
        collected_at: When the evidence was collected; links to media expire two hours later.
    """
    found: dict[str, set[DueDate]] = {}
    for customer_id, due in _all(frames, collected_at.astimezone(dt.UTC)):
        found.setdefault(customer_id, set()).add(due)
    return {
        customer_id: tuple(sorted(dates, key=lambda one: (one.due_at, one.kind, one.subject)))
        for customer_id, dates in found.items()
    }


def _all(frames: Mapping[str, pd.DataFrame], collected_at: dt.datetime) -> Iterator[tuple[str, DueDate]]:
    yield from _sessions(frames)
    for row in _rows_of(frames, "accounts"):
        if not pd.isna(row.token_expires_at):
            yield (
                row.customer_id,
                DueDate("bank_access", str(row.account_id), format_seconds(row.token_expires_at)),
            )
    for row in _rows_of(frames, "media"):
        if not pd.isna(row.downloaded) and not row.downloaded:
            yield (
                row.customer_id,
                DueDate("media", str(row.media_id), format_seconds(collected_at + MEDIA_LIFE)),
            )
    for row in _rows_of(frames, "documents"):
        if row.kind == "identity" and not pd.isna(row.expires_on):
            yield row.customer_id, DueDate("document", str(row.session_id), _end_of_day(row.expires_on))
    for row in _rows_of(frames, "recommendations"):
        if isinstance(row.next_review_on, str):
            day = dt.date.fromisoformat(row.next_review_on)
            yield row.customer_id, DueDate("next_review", "", _end_of_day(day))


def _sessions(frames: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, DueDate]]:
    for row in _rows_of(frames, "sessions"):
        status = "" if pd.isna(row.status) else str(row.status).casefold()
        # A placeholder such as 9999-12-31 has no week after it; NaT stays.
        begun = min(row.created_at, _LAST_INSTANT - SESSION_LIFE)
        ends_at = begun + SESSION_LIFE if pd.isna(row.expires_at) else row.expires_at
        if status in _OPEN_STATUSES and not pd.isna(ends_at):
            yield row.customer_id, DueDate("session", str(row.session_id), format_seconds(ends_at))


def _rows_of(frames: Mapping[str, pd.DataFrame], name: str) -> Iterator[Any]:
    return rows(frames[name], *NEEDED[name])


def _end_of_day(day: dt.date) -> str:
    return f"{day.strftime('%Y-%m-%d')}T23:59:59Z"
