"""The service's clock: real time plus an offset that tests and trainings may set, for all organisations or for one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from kycpack.errors import InputError

EVERYBODY = ""
"""Stands for the organisations that have no clock of their own."""


def _real_now() -> datetime:
    return datetime.now(UTC)


class Clock:
    """Tells the time by which everything in the service happens.

    Args:
        source: What the time is taken from before the offset is added; the machine's clock by default.
        offsets: What is added, as a service that ran before left it: by organisation, and under `EVERYBODY` for those
            without a clock of their own.
        keep: Called with an organisation and each new offset in seconds, so that it survives a restart; None where the
            organisation has no clock of its own any more.
    """

    def __init__(
        self,
        source: Callable[[], datetime] | None = None,
        offsets: Mapping[str, timedelta] | None = None,
        keep: Callable[[str, float | None], None] | None = None,
    ) -> None:
        self._source = source or _real_now
        self._offsets = {EVERYBODY: timedelta(), **(offsets or {})}
        self._keep = keep
        self._lock = threading.Lock()

    def now(self, tenant_id: str | None = None) -> datetime:
        """Return the present instant in UTC, by the organisation's own clock where it has one."""
        offsets = self._offsets
        offset = offsets.get(tenant_id or EVERYBODY)
        return self.real_now() + (offsets[EVERYBODY] if offset is None else offset)

    def real_now(self) -> datetime:
        """Return the present instant without an offset."""
        return self._source().astimezone(UTC)

    def advance(self, seconds: float, tenant_id: str | None = None) -> None:
        """Move the clock by so many seconds; a negative number moves it back.

        Args:
            seconds: How far.
            tenant_id: Whose clock, which becomes its own; the service's where None.

        Raises:
            InputError: The result would lie outside the calendar.
        """
        with self._lock:
            held = self._offsets.get(tenant_id or EVERYBODY, self._offsets[EVERYBODY])
            try:
                moved = held + _delta(seconds)
            except OverflowError as error:
                raise InputError("outside the calendar", place="advance_seconds") from error
            self._move(tenant_id or EVERYBODY, moved)

    def set(self, instant: datetime, tenant_id: str | None = None) -> None:
        """Let the clock show an instant now and go on from there; that of one organisation where it is named."""
        with self._lock:
            self._move(tenant_id or EVERYBODY, instant.astimezone(UTC) - self.real_now())

    def follow(self, tenant_id: str) -> None:
        """Let an organisation follow the service's clock again."""
        with self._lock:
            self._drop(tenant_id)

    def reset(self) -> None:
        """Go back to real time, for everybody."""
        with self._lock:
            for tenant_id in self.own():
                self._drop(tenant_id)
            self._move(EVERYBODY, timedelta())

    def own(self) -> tuple[str, ...]:
        """Return the organisations that have a clock of their own."""
        return tuple(sorted(tenant_id for tenant_id in self._offsets if tenant_id != EVERYBODY))

    def offsets(self) -> dict[str, float]:
        """Return the offsets in seconds: by organisation, and under `EVERYBODY`."""
        return {tenant_id: offset.total_seconds() for tenant_id, offset in self._offsets.items()}

    def restore(self, offsets: Mapping[str, float]) -> None:
        """Set every offset as `offsets` returned it before."""
        with self._lock:
            for tenant_id in self.own():
                self._drop(tenant_id)
            for tenant_id, seconds in {EVERYBODY: 0.0, **offsets}.items():
                self._move(tenant_id, _delta(seconds))

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
        # Sessions, tokens and links reach up to 90 days ahead of the clock, and HTTP dates begin with 1970.
        if not 1970 <= moved.year <= 9000:
            raise InputError("outside the years 1970 to 9000", place="now")
        if self._keep is not None:
            self._keep(tenant_id, offset.total_seconds())
        self._offsets = {**self._offsets, tenant_id: offset}


def _delta(seconds: float) -> timedelta:
    try:
        return timedelta(seconds=seconds)
    except (OverflowError, ValueError) as error:
        raise InputError("outside the calendar", place="advance_seconds") from error


def http_date(instant: datetime) -> str:
    """Return an instant as an IMF-fixdate, as in `Tue, 20 Apr 2021 02:07:55 GMT`."""
    return format_datetime(instant.astimezone(UTC), usegmt=True)
