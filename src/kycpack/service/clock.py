"""The service's clock: real time plus an offset that tests and trainings may set."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from kycpack.errors import InputError


def _real_now() -> datetime:
    return datetime.now(UTC)


class Clock:
    """Tells the time by which everything in the service happens.

    Args:
        source: What the time is taken from before the offset is added; the machine's clock by default.
        offset: What is added, as a service that ran before left it.
        keep: Told each new offset in seconds, so that it survives a restart.
    """

    def __init__(
        self,
        source: Callable[[], datetime] | None = None,
        offset: timedelta = timedelta(),
        keep: Callable[[float], None] | None = None,
    ) -> None:
        self._source = source or _real_now
        self._offset = offset
        self._keep = keep
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """Return the present instant in UTC."""
        return self._source().astimezone(UTC) + self._offset

    def real_now(self) -> datetime:
        """Return the present instant without the offset."""
        return self._source().astimezone(UTC)

    def advance(self, seconds: float) -> None:
        """Move the clock by so many seconds; a negative number moves it back.

        Raises:
            InputError: The result would lie outside the calendar.
        """
        with self._lock:
            self._move(self._offset + _delta(seconds))

    def set(self, instant: datetime) -> None:
        """Let the clock show an instant now and go on from there."""
        with self._lock:
            self._move(instant.astimezone(UTC) - self._source().astimezone(UTC))

    def reset(self) -> None:
        """Go back to real time."""
        with self._lock:
            self._move(timedelta())

    def _move(self, offset: timedelta) -> None:
        try:
            moved = self._source().astimezone(UTC) + offset
        except OverflowError as error:
            raise InputError("outside the calendar", place="now") from error
        # Sessions, tokens and links reach up to 90 days ahead of the clock, and HTTP dates begin with 1970.
        if not 1970 <= moved.year <= 9000:
            raise InputError("outside the years 1970 to 9000", place="now")
        if self._keep is not None:
            self._keep(offset.total_seconds())
        self._offset = offset


def _delta(seconds: float) -> timedelta:
    try:
        return timedelta(seconds=seconds)
    except (OverflowError, ValueError) as error:
        raise InputError("outside the calendar", place="advance_seconds") from error


def http_date(instant: datetime) -> str:
    """Return an instant as an IMF-fixdate, as in `Tue, 20 Apr 2021 02:07:55 GMT`."""
    return format_datetime(instant.astimezone(UTC), usegmt=True)
