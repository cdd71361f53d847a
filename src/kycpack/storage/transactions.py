"""The two kinds of transaction: one that reads a single state, and one that writes all of its changes or none.

SQLite has one writer at a time. Waiting for it inside SQLite is a sleep that grows, so the writers of one process can queue on a
lock of their own first; another process is waited for by SQLite's busy timeout.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import TimeoutError as DatabaseTimeoutError

from kycpack.storage.engine import UNSYNCED, WRITES


def take_turn(connection: Connection, lock: int) -> None:
    """Wait until no other transaction has this turn, and keep it to the end of this one; SQLite has one writer at a time anyway.

    Args:
        connection: In a transaction that writes.
        lock: Number of a PostgreSQL advisory lock, which nothing else uses.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": lock})


class Transactions:
    """Reads and writes one database, from any thread.

    Args:
        engine: From `open_engine`.
        queue_seconds: How long a writer waits for other writers of this process on SQLite; None where they wait inside SQLite.
    """

    def __init__(self, engine: Engine, *, queue_seconds: float | None = None) -> None:
        self._engine = engine
        self._postgres = engine.dialect.name == "postgresql"
        self._queue_seconds = queue_seconds
        self._writer = threading.RLock()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection for reading one consistent state; it waits for no writer, and no writer waits for it.

        Raises:
            SQLAlchemyError: The database refused.
        """
        with self._engine.connect() as connection:
            if self._postgres:
                connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                yield connection

    @contextmanager
    def write(self, *, synced: bool = True) -> Iterator[Connection]:
        """Give a connection whose changes are kept when the block ends without an exception, else none of them.

        Args:
            synced: Whether the changes survive a power cut from the end of the block on. Without it SQLite may lose the
                last moments; a process that is killed loses nothing either way.

        Raises:
            SQLAlchemyError: The database refused, or other writers took too long.
        """
        queues = self._queue_seconds is not None and not self._postgres
        if queues and not self._writer.acquire(timeout=self._queue_seconds or 0):
            raise DatabaseTimeoutError("other writers took too long")
        try:
            with self._engine.connect() as connection:
                connection.execution_options(**{WRITES: True, UNSYNCED: not synced})
                with connection.begin():
                    yield connection
        finally:
            if queues:
                self._writer.release()
