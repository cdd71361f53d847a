"""Instants: on the wire, ISO 8601 in UTC with a fixed width, as in `2026-05-25T09:30:00.000Z`; and the `as_of` of a review."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

from kycpack.errors import InputError


def parse_instant(text: str) -> datetime:
    """Return an ISO 8601 timestamp as an aware datetime in UTC.

    Raises:
        InputError: The text is not a timestamp, or has no offset.
    """
    try:
        instant = datetime.fromisoformat(text)
    except (ValueError, TypeError):
        raise InputError("expected an ISO 8601 timestamp") from None
    if instant.tzinfo is None:
        raise InputError("expected a timestamp with an offset, such as Z")
    return _in_utc(instant, "")


def format_instant(instant: datetime) -> str:
    """Return an aware datetime as a timestamp in UTC with milliseconds.

    Raises:
        InputError: The datetime has no offset.
    """
    return _format(instant, "milliseconds")


def format_seconds(instant: datetime) -> str:
    """Return an aware datetime as a timestamp in UTC with whole seconds, as in `2026-05-25T09:30:00Z`.

    Raises:
        InputError: The datetime has no offset.
    """
    return _format(instant, "seconds")


def format_microseconds(instant: datetime) -> str:
    """Return an aware datetime as a timestamp in UTC with microseconds, as in `2026-05-25T09:30:00.000000Z`.

    Raises:
        InputError: The datetime has no offset.
    """
    return _format(instant, "microseconds")


def read_as_of(value: date | datetime | str) -> datetime:
    """Return the `as_of` instant of a review.

    Args:
        value: A datetime with an offset; a date, which means the end of that day, 23:59:59 UTC; or either as ISO 8601 text.

    Returns:
        UTC, whole seconds.

    Raises:
        InputError: The text is not a date or a timestamp, the timestamp has no offset, or its year is out of range.
        TypeError: The value is not a date, a datetime or text.
    """
    given: object = value
    # pandas' NaT is a datetime that differs from itself.
    if not isinstance(given, str | date) or given != given:  # noqa: PLR0124
        raise TypeError("as_of must be a date, a datetime with an offset, or ISO 8601 text")
    if isinstance(value, str):
        value = _parse_day_or_instant(value.strip())
    if not isinstance(value, datetime):
        return datetime.combine(value, time(23, 59, 59), tzinfo=UTC)
    if value.tzinfo is None:
        raise InputError("a timestamp needs its offset, as in 2026-01-31T12:00:00Z", place="as_of")
    # Not `replace`: a Timestamp of pandas would stay one.
    return datetime(*_in_utc(value, "as_of").timetuple()[:6], tzinfo=UTC)


def _in_utc(instant: datetime, place: str) -> datetime:
    try:
        return instant.astimezone(UTC)
    except OverflowError:
        raise InputError("expected a timestamp between the years 1 and 9999", place=place) from None


def _format(instant: datetime, timespec: str) -> str:
    if instant.tzinfo is None:
        raise InputError("expected a datetime with an offset")
    return instant.astimezone(UTC).isoformat(timespec=timespec).replace("+00:00", "Z")


def _parse_day_or_instant(text: str) -> date | datetime:
    try:
        return date.fromisoformat(text)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise InputError(
            "expected a date or a timestamp with an offset, as in 2026-01-31 or 2026-01-31T12:00:00Z",
            place="as_of",
        ) from None
