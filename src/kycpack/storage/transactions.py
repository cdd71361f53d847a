"""The two kinds of transaction: one reads a consistent state, the other writes all of its changes or none.

SQLite has one writer at a time. It waits for another writer by sleeping for longer and longer, so the writers of one process
can queue on a lock of their own first. SQLite's busy timeout applies to other processes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as DatabaseTimeoutError

from kycpack.storage.engine import UNSYNCED, WRITES


def take_turn(connection: Connection, lock: int, *, shared: bool = False) -> None:
    """Wait for a lock and hold it to the end of the transaction; SQLite needs none, as it has one writer at a time.

    Args:
        connection: A connection in a writing transaction.
        lock: Number of a PostgreSQL advisory lock; nothing else uses it.
        shared: Whether others who share it may hold it as well.
    """
    if connection.dialect.name == "postgresql":
        held = func.pg_advisory_xact_lock_shared if shared else func.pg_advisory_xact_lock
        connection.execute(select(held(lock)))


def upsert(connection: Connection, table: Table) -> Any:
    """Return an insert that can handle an existing row, for either database."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


class Transactions:
    """Reads and writes one database, from any thread.

    Args:
        engine: From `open_engine`.
        queue_seconds: How many seconds a writer waits for other writers of this process on SQLite; None to wait inside SQLite.
    """

    def __init__(self, engine: Engine, *, queue_seconds: float | None = None) -> None:
        self._engine = engine
        self._postgres = engine.dialect.name == "postgresql"
        self._queue_seconds = queue_seconds
        self._writer = threading.RLock()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection for reading one consistent state; readers and writers do not wait for each other.

        Raises:
            SQLAlchemyError: The database refused.
        """
        with self._engine.connect() as connection:
            if self._postgres:
                self._read_repeatably(connection)
            with connection.begin():
                yield connection

    def _read_repeatably(self, connection: Connection) -> None:
        """Set the isolation of a connection; here SQLAlchemy would pass the driver's own errors on."""
        try:
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        except self._engine.dialect.loaded_dbapi.Error as error:
            connection.invalidate(error)
            raise OperationalError(None, None, error, hide_parameters=True) from error

    @contextmanager
    def write(self, *, synced: bool = True) -> Iterator[Connection]:
        """Yield a connection whose changes are kept if the block ends without an exception, and discarded otherwise.

        Args:
            synced: Whether the changes survive a power cut as soon as the block ends. Otherwise SQLite may lose the last
                moments; a killed process loses nothing in either case.

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
