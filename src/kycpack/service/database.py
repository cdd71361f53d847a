"""The service's database: opens it, claims it for one running service, admits writers, and turns failures into 503.

Two services would send each other's webhooks, and each would treat the other's as interrupted. Tools that only read or change
keys need no claim.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, text
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as DatabaseTimeoutError

from kycpack.errors import ServiceError
from kycpack.locks import lock_file
from kycpack.service.problems import refusal
from kycpack.service.schema import LAYOUT
from kycpack.storage.engine import EngineOptions, close_engine, open_engine, read_url
from kycpack.storage.layout import migrate
from kycpack.storage.transactions import Transactions, take_turn, upsert

# PostgreSQL's advisory locks: of a running service, and of its writers; any numbers that nothing else uses.
_LOCK, _WRITERS = 0x6B7974, 0x6B7975


def occupied(engine: Engine) -> AbstractContextManager[None]:
    """Claim a database for one running service, during a block; the claim ends with the process in any case.

    Args:
        engine: The database.

    Raises:
        ServiceError: Another service is running on it; raised when the block is entered.
    """
    if engine.dialect.name == "sqlite":
        return _locked_file(Path(f"{engine.url.database}.running"))
    return _locked_session(engine)


@contextmanager
def _locked_file(path: Path) -> Iterator[None]:
    # A file beside the database: closing any handle on the database itself would drop SQLite's own locks.
    handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        try:
            lock_file(handle, wait=False)
        except OSError:
            raise _occupied() from None
        yield
    finally:
        os.close(handle)


@contextmanager
def _locked_session(engine: Engine) -> Iterator[None]:
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    if not connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": _LOCK}):
        connection.close()
        raise _occupied()
    try:
        yield
    finally:
        # The server notices only later that a connection has been closed, and a pooled one would keep the lock.
        with suppress(SQLAlchemyError):  # a server that is gone holds no lock
            connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": _LOCK})
        connection.invalidate()
        connection.close()


def _occupied() -> ServiceError:
    return ServiceError(
        "another service is running on this database; stop it first, or give this one another database"
    )


_QUEUE_SECONDS = 3
_LOCK_MS = 5_000
_OPTIONS = EngineOptions(
    busy_seconds=2,
    pragmas=("foreign_keys=ON",),
    pool={"pool_size": 48, "pool_timeout": 5},
    postgres={"connect_timeout": 5, "options": f"-c lock_timeout={_LOCK_MS}"},
)
_GONE_MEANWHILE = {"23503", "SQLITE_CONSTRAINT_FOREIGNKEY"}
"""What PostgreSQL (SQLSTATE, "foreign_key_violation") and SQLite call a record that refers to a missing one."""
_UNAVAILABLE = (OperationalError, InterfaceError, DatabaseTimeoutError)


class Database:
    """The service's database.

    Args:
        url: A SQLAlchemy URL (`sqlite:///service.db`, `postgresql+psycopg://...`) or the path of a SQLite file.

    Raises:
        ServiceError: The database cannot be opened, or was made by another version or another program.
    """

    def __init__(self, url: str) -> None:
        self._claim = ExitStack()
        self._url = read_url(url, ServiceError)
        try:
            self.engine = open_engine(self._url, _OPTIONS, ServiceError)
        except SQLAlchemyError as error:
            raise self._unusable(error) from error
        self._transactions = Transactions(self.engine, queue_seconds=_QUEUE_SECONDS)
        try:
            with self._transactions.write() as connection:
                migrate(connection, LAYOUT)
        except BaseException as error:
            self.engine.dispose()
            if isinstance(error, SQLAlchemyError):
                raise self._unusable(error) from error
            raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection for reading one consistent state.

        Raises:
            RefusedError: 503, the database cannot be used at the moment.
        """
        with _available(), self._transactions.read() as connection:
            yield connection

    @contextmanager
    def write(self, *, alone: bool = False, synced: bool = True) -> Iterator[Connection]:
        """Yield a connection whose changes are kept if the block ends without an exception, and discarded otherwise.

        Args:
            alone: Whether to exclude other writers: for reading or replacing all tables.
            synced: Whether the changes survive a power cut; needed for everything that is acknowledged to a caller.

        Raises:
            RefusedError: 503, the database cannot be used at the moment.
        """
        with _available(), self._transactions.write(synced=synced) as connection:
            take_turn(connection, _WRITERS, shared=not alone)
            yield connection

    def occupy(self) -> None:
        """Claim the database for one running service, until it is closed.

        Raises:
            ServiceError: Another service is running on it.
        """
        self._claim.enter_context(occupied(self.engine))

    def close(self) -> None:
        """Close all connections, and release the claim."""
        self._claim.close()
        close_engine(self.engine)

    def _unusable(self, error: SQLAlchemyError) -> ServiceError:
        place = self._url.render_as_string(hide_password=True)
        return ServiceError(f"the database {place} cannot be opened: {_cause(error)}")


@contextmanager
def _available() -> Iterator[None]:
    """Turn the errors of a locked, stopped or full database into the answer 503."""
    try:
        yield
    except _UNAVAILABLE as error:
        raise refusal("database_unavailable") from error
    except IntegrityError as error:
        said = {getattr(error.orig, name, None) for name in ("sqlstate", "sqlite_errorname")}
        if not said & _GONE_MEANWHILE:
            raise
        # A reset or a restored snapshot removed the records that the request started with.
        raise refusal("database_unavailable") from error


def _cause(error: SQLAlchemyError) -> str:
    text = str(getattr(error, "orig", None) or error).strip()
    return text.splitlines()[0][:200] if text else type(error).__name__


def insert_if_new(connection: Connection, table: Table, **values: Any) -> bool:
    """Insert a row unless one with the same key exists; return whether it was inserted."""
    statement = upsert(connection, table).values(**values).on_conflict_do_nothing()
    # The returned row shows it; on PostgreSQL the driver's row count does not.
    return connection.execute(statement.returning(*table.primary_key)).first() is not None
