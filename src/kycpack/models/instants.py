"""Instants on the wire: ISO 8601 in UTC with a fixed width, as in `2026-05-25T09:30:00.000Z`."""

from __future__ import annotations

from datetime import UTC, datetime

from kycpack.errors import InputError


def parse_instant(text: str) -> datetime:
    """Return an ISO 8601 timestamp as an aware datetime in UTC.

    Raises:
        InputError: It is not a timestamp, or names no offset.
    """
    try:
        instant = datetime.fromisoformat(text)
    except (ValueError, TypeError):
        raise InputError("expected an ISO 8601 timestamp") from None
    if instant.tzinfo is None:
        raise InputError("expected a timestamp with an offset, such as Z")
    try:
        return instant.astimezone(UTC)
    except OverflowError:
        raise InputError("expected a timestamp between the years 1 and 9999") from None


def format_instant(instant: datetime) -> str:
    """Return an aware datetime as a timestamp in UTC with milliseconds.

    Raises:
        InputError: The datetime names no offset.
    """
    if instant.tzinfo is None:
        raise InputError("expected a datetime with an offset")
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
