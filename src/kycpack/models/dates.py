"""Dates and instants as text for people; data uses ISO 8601."""

from __future__ import annotations

from datetime import UTC, date, datetime

# Not from strftime, whose names depend on the locale of the process.
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day_words(day: date) -> str:
    """Return a date as `8 Jul 2026`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def instant_words(instant: datetime, *, seconds: bool = False) -> str:
    """Return an instant as `8 Jul 2026, 14:05 UTC`, or with its seconds where these tell it from another one."""
    moment = instant.astimezone(UTC)
    return (
        f"{day_words(moment)}, {moment:%H:%M:%S} UTC"
        if seconds
        else f"{day_words(moment)}, {moment:%H:%M} UTC"
    )


def in_one_minute(*instants: datetime) -> bool:
    """Return whether two of some instants cannot be told apart without their seconds."""
    words = [instant_words(one) for one in instants]
    return len(set(words)) < len(set(instants))


def month_words(year: int, month: int) -> str:
    """Return a month as `Jul 2026`."""
    return f"{MONTHS[month - 1]} {year}"
