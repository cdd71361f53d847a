"""Carries out scheduled work when it becomes due."""

from __future__ import annotations

import logging
import threading
from typing import Any

from sqlalchemy import Connection, Row

from kycpack.errors import InputError
from kycpack.models.instants import parse_instant
from kycpack.models.json import parse_json
from kycpack.service.clock import Clock
from kycpack.service.completion import finish_session
from kycpack.service.database import Database
from kycpack.service.postings import LaterTransactions, add_transactions
from kycpack.service.problems import RefusedError
from kycpack.service.schedule import SESSION, claim_due, end_scheduled, is_due
from kycpack.service.sessions import tenant_of
from kycpack.service.webhooks.sender import Sender

_LOOK_EVERY_SECONDS = 1.0
_STOP_SECONDS = 1.0
_log = logging.getLogger(__name__)


class Scheduler:
    """Checks for due work every second, and at once when the clock is moved.

    Args:
        database: The database with the schedule.
        clock: The service's clock.
        sender: Sends the resulting webhooks.
    """

    def __init__(self, database: Database, clock: Clock, sender: Sender) -> None:
        self._database = database
        self._clock = clock
        self._sender = sender
        self._running = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start checking."""
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop checking; wait briefly for work that is being carried out."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=_STOP_SECONDS)

    def run_due(self) -> int:
        """Carry out all due work in the order of its due times, and return how many rows that were.

        Raises:
            RefusedError: 503, the database cannot be used at the moment.
        """
        count = 0
        with self._running:
            while self._run_next():
                count += 1
        if count:
            self._sender.wake()
        return count

    def _run(self) -> None:
        while not self._stop.wait(_LOOK_EVERY_SECONDS):
            try:
                self.run_due()
            except Exception as error:  # noqa: BLE001 - a thread that died would end all of it; it is waited out
                _log.warning("scheduled work failed: %s", type(error.__cause__ or error).__name__)

    def _run_next(self) -> bool:
        with self._database.read() as connection:
            if not is_due(connection, self._clock):
                return False
        with self._database.write() as connection:
            row = claim_due(connection, self._clock)
            if row is None:
                return False
            # As of its due time, however far the clock was moved beyond it.
            now, reason = parse_instant(row.due_at), ""
            part = connection.begin_nested()
            try:
                _carry_out(connection, row, now)
                part.commit()
            except (RefusedError, InputError) as error:
                part.rollback()
                reason = str(error)
            end_scheduled(connection, row.number, now, reason)
        return True


def _carry_out(connection: Connection, row: Row[Any], now: Any) -> None:
    if row.kind == SESSION:
        finish_session(connection, row.subject_id, now)
        return
    tenant = tenant_of(connection, row.tenant_id)
    later = LaterTransactions.read(parse_json(row.body_json))
    add_transactions(connection, tenant, row.subject_id, later, now)
