"""Allows only one running service per database.

Two services would send each other's webhooks, and each would treat the other's as interrupted. Tools that only read or change
keys need no claim.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from kycpack.errors import ServiceError
from kycpack.locks import lock_file

_LOCK = 0x6B7974  # PostgreSQL's advisory lock of a running service; any number that nothing else uses


class Occupancy:
    """The claim of a running service on its database; it ends with the process in any case.

    Args:
        engine: The database.

    Raises:
        ServiceError: Another service is running on it.
    """

    def __init__(self, engine: Engine) -> None:
        self._file: int | None = None
        self._connection: Connection | None = None
        if engine.dialect.name == "sqlite":
            self._file = _lock_file(Path(f"{engine.url.database}.running"))
        else:
            self._connection = _lock_session(engine)

    def end(self) -> None:
        """Release the claim."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        if self._connection is not None:
            # The server notices only later that a connection has been closed, and a pooled one would keep the lock.
            with suppress(SQLAlchemyError):  # a server that is gone holds no lock
                self._connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK})
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def _lock_file(path: Path) -> int:
    # A file beside the database: closing any handle on the database itself would drop SQLite's own locks.
    handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        lock_file(handle, wait=False)
    except OSError:
        os.close(handle)
        raise _occupied() from None
    return handle


def _lock_session(engine: Engine) -> Connection:
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    if not connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": _LOCK}):
        connection.close()
        raise _occupied()
    return connection


def _occupied() -> ServiceError:
    return ServiceError(
        "another service is running on this database; stop it first, or give this one another database"
    )
