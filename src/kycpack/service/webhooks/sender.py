"""Sends each queued delivery once, in the background, and fairly among organisations and endpoints.

A worker survives every failure: if the database fails, it waits, and sends queued deliveries when the database is back.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Row

from kycpack.models.instants import format_instant
from kycpack.service.clock import Clock
from kycpack.service.database import Database
from kycpack.service.webhooks.delivery import DEADLINE_SECONDS, DeliveryOutcome, deliver
from kycpack.service.webhooks.records import claim_next, mark_interrupted, record_outcome

_WORKERS = 16
_FOR_ONE_ENDPOINT = 2
_LOOK_EVERY_SECONDS = 2.0
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.2, 2.0
_STOP_SECONDS = 1.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SenderHealth:
    """The health of the webhook sender.

    Attributes:
        workers: The intended number of workers.
        alive: The number of running workers.
        last_failure: Time, by the service's clock, and cause of the last failure other than a receiver's; empty for none.
    """

    workers: int
    alive: int
    last_failure: str


class Sender:
    """Sends queued deliveries in separate threads, so that a receiver cannot block the service.

    One organisation gets at most half of the free workers, so that others do not wait for its dead receivers.

    Args:
        database: The database with the journal; there is one running sender per database.
        clock: The service's clock.
        loopback: Whether plain loopback addresses are allowed.
        deadline: Seconds for one delivery.
    """

    def __init__(
        self, database: Database, clock: Clock, *, loopback: bool, deadline: float = DEADLINE_SECONDS
    ) -> None:
        self._database = database
        self._clock = clock
        self._loopback = loopback
        self._deadline = deadline
        self._work = threading.Condition()
        self._claiming = threading.Lock()
        self._news, self._drained = 0, -1
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._busy: dict[int, tuple[str, str]] = {}  # delivery -> tenant, endpoint
        self._last_failure = ""
        self._interrupted = True

    def start(self) -> None:
        """Start sending queued deliveries; those interrupted by a crash are marked first."""
        self._stop.clear()
        self._interrupted = True
        self._threads = [
            threading.Thread(
                # One worker checks from time to time for deliveries that were not announced.
                target=partial(self._run, looks=index == 0),
                name=f"webhook-{index}",
                daemon=True,
            )
            for index in range(_WORKERS)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop sending. Wait briefly for a delivery that is being sent; otherwise the next start marks it as unknown."""
        self._stop.set()
        with self._work:
            self._work.notify_all()
        for thread in self._threads:
            thread.join(timeout=_STOP_SECONDS / _WORKERS)
        self._threads = []

    def wake(self) -> None:
        """Announce that something may have been queued; call it after the commit."""
        with self._work:
            self._news += 1
            self._work.notify_all()

    def health(self) -> SenderHealth:
        """Return the health of the sender."""
        alive = sum(thread.is_alive() for thread in self._threads)
        return SenderHealth(_WORKERS, alive, self._last_failure)

    def _run(self, *, looks: bool) -> None:
        seen, pause = -1, _FIRST_PAUSE_SECONDS
        while not self._stop.is_set():
            try:
                row, seen = self._claim(seen, looks=looks)
                if row is not None:
                    self._send(row)
                pause = _FIRST_PAUSE_SECONDS
            except Exception as error:  # noqa: BLE001 - a thread that died would end deliveries; it is waited out
                self._note(error)
                self._stop.wait(pause)
                pause, seen = min(pause * 2, _LONGEST_PAUSE_SECONDS), -1
                self._drained = -1

    def _claim(self, seen: int, *, looks: bool) -> tuple[Row[Any] | None, int]:
        """Wait until there may be something to send, and claim it; one worker at a time, so that shares stay fair."""
        with self._work:
            news = self._work.wait_for(
                lambda: self._stop.is_set() or self._news != seen, _LOOK_EVERY_SECONDS if looks else None
            )
        with self._claiming:
            before = self._news
            if self._stop.is_set() or (news and before == self._drained):
                return None, before
            row = self._take()
            if row is None:
                self._drained = before
                return None, before
            self._busy[row.number] = (row.tenant_id, row.webhook_id)
        if not news:
            self.wake()
        return row, -1

    def _take(self) -> Row[Any] | None:
        tenants = Counter(tenant for tenant, _ in self._busy.values())
        endpoints = Counter(endpoint for _, endpoint in self._busy.values())
        free = _WORKERS - len(self._busy)
        now = self._clock.now()
        with self._database.write() as connection:
            if self._interrupted:
                mark_interrupted(connection, now)
            row = claim_next(
                connection,
                self._clock.now,
                but_tenants=[tenant for tenant, count in tenants.items() if count >= free],
                but_endpoints=[one for one, count in endpoints.items() if count >= _FOR_ONE_ENDPOINT],
            )
        self._interrupted = False
        return row

    def _send(self, row: Row[Any]) -> None:
        try:
            outcome = deliver(row.url, row.payload.encode(), loopback=self._loopback, deadline=self._deadline)
        except Exception as error:  # noqa: BLE001 - becomes a failed delivery
            self._note(error)
            outcome = DeliveryOutcome(None, f"not delivered: {type(error).__name__}")
        try:
            self._record(row, outcome)
        finally:
            with self._claiming:
                self._busy.pop(row.number, None)
            self.wake()

    def _record(self, row: Row[Any], outcome: DeliveryOutcome) -> None:
        """Record an outcome, which must not be lost while the database is unavailable."""
        pause = _FIRST_PAUSE_SECONDS
        while True:
            try:
                # An outcome lost in a power cut is "unknown" afterwards, as for every delivery that was being sent.
                with self._database.write(synced=False) as connection:
                    now = self._clock.now(row.tenant_id)
                    record_outcome(connection, row, outcome.status, outcome.reason, now)
            except Exception as error:  # noqa: BLE001 - tried again until the service stops
                self._note(error)
                if self._stop.wait(pause):
                    return
                pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)
            else:
                return

    def _note(self, error: Exception) -> None:
        kind = type(error.__cause__ or error).__name__
        self._last_failure = f"{format_instant(self._clock.now())} {kind}"
        _log.warning("sending webhooks failed: %s", kind)
