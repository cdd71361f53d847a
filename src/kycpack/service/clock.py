"""The service's clock: real time plus an offset that tests and training can set, for all organisations or for one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from kycpack.errors import InputError

EVERYBODY = ""
"""Stands for all organisations without a clock of their own."""


class Clock:
    """The clock for everything in the service.

    Args:
        source: The source of time before the offset is added; by default the machine's clock.
        offsets: Stored offsets in seconds, by organisation, and under `EVERYBODY` for those without a clock of their
            own.
        keep: Called with an organisation and each new offset in seconds, so that it survives a restart; None means that the
            organisation no longer has a clock of its own.
    """

    def __init__(
        self,
        source: Callable[[], datetime] | None = None,
        offsets: Mapping[str, timedelta] | None = None,
        keep: Callable[[str, float | None], None] | None = None,
    ) -> None:
        self._source = source or (lambda: datetime.now(UTC))
        self._offsets = {EVERYBODY: timedelta(), **(offsets or {})}
        self._keep = keep
        self._lock = threading.Lock()

    def now(self, tenant_id: str | None = None) -> datetime:
        """Return the current instant in UTC, by the organisation's own clock if it has one."""
        offsets = self._offsets
        offset = offsets.get(tenant_id or EVERYBODY)
        return self.real_now() + (offsets[EVERYBODY] if offset is None else offset)

    def real_now(self) -> datetime:
        """Return the current instant without an offset."""
        return self._source().astimezone(UTC)

    def advance(self, seconds: float, tenant_id: str | None = None) -> None:
        """Move the clock by some seconds; a negative number moves it back.

        Args:
            seconds: How far to move it.
            tenant_id: Id of the organisation, which gets a clock of its own; None for the service's clock.

        Raises:
            InputError: The result would be outside the calendar.
        """
        with self._lock:
            held = self._offsets.get(tenant_id or EVERYBODY, self._offsets[EVERYBODY])
            self._move(tenant_id or EVERYBODY, _moved(held, seconds))

    def set(self, instant: datetime, tenant_id: str | None = None) -> None:
        """Set the clock to an instant, from which it continues; only that of one organisation if one is given."""
        with self._lock:
            self._move(tenant_id or EVERYBODY, instant.astimezone(UTC) - self.real_now())

    def follow(self, tenant_id: str) -> None:
        """Make an organisation follow the service's clock again."""
        with self._lock:
            self._drop(tenant_id)

    def reset(self) -> None:
        """Return to real time for all organisations."""
        self.restore({})

    def own(self) -> tuple[str, ...]:
        """Return the ids of organisations with a clock of their own."""
        return tuple(sorted(tenant_id for tenant_id in self._offsets if tenant_id != EVERYBODY))

    def offsets(self) -> dict[str, float]:
        """Return the offsets in seconds: by organisation, and under `EVERYBODY`."""
        return {tenant_id: offset.total_seconds() for tenant_id, offset in self._offsets.items()}

    def restore(self, offsets: Mapping[str, float]) -> None:
        """Set all offsets to those that `offsets` returned earlier."""
        with self._lock:
            for tenant_id in self.own():
                self._drop(tenant_id)
            for tenant_id, seconds in {EVERYBODY: 0.0, **offsets}.items():
                self._move(tenant_id, _moved(timedelta(), seconds))

    def _drop(self, tenant_id: str) -> None:
        if tenant_id in self._offsets:
            if self._keep is not None:
                self._keep(tenant_id, None)
            self._offsets = {key: value for key, value in self._offsets.items() if key != tenant_id}

    def _move(self, tenant_id: str, offset: timedelta) -> None:
        try:
            moved = self.real_now() + offset
        except OverflowError as error:
            raise InputError("outside the calendar", place="now") from error
        # Sessions, tokens and links extend up to 90 days ahead of the clock, and HTTP dates begin in 1970.
        if not 1970 <= moved.year <= 9000:
            raise InputError("outside the years 1970 to 9000", place="now")
        if self._keep is not None:
            self._keep(tenant_id, offset.total_seconds())
        self._offsets = {**self._offsets, tenant_id: offset}


def _moved(offset: timedelta, seconds: float) -> timedelta:
    try:
        return offset + timedelta(seconds=seconds)
    except (OverflowError, ValueError) as error:
        raise InputError("outside the calendar", place="advance_seconds") from error


def http_date(instant: datetime) -> str:
    """Return an instant as an IMF-fixdate, as in `Tue, 20 Apr 2021 02:07:55 GMT`."""
    return format_datetime(instant.astimezone(UTC), usegmt=True)
