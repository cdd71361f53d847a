"""One database: opening it, its version, and the two kinds of transaction.

SQLite has one writer at a time. Waiting for it inside SQLite is a sleep that grows, so writers of one process queue on
a lock of their own first; another process is waited for by SQLite's busy timeout.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event, insert, inspect, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from kycpack.errors import ServiceError
from kycpack.service.schema import VERSION, facts, metadata

_POOL_SIZE = 48
_BUSY_MS = 15_000


class Database:
    """The service's database.

    Args:
        url: A SQLAlchemy URL (`sqlite:///service.db`, `postgresql+psycopg://...`) or the path of a SQLite file.

    Raises:
        ServiceError: It cannot be opened, or it was made by another version or another program.
    """

    def __init__(self, url: str) -> None:
        self._url = _read_url(url)
        self._writer = threading.RLock() if self._url.get_backend_name() == "sqlite" else None
        try:
            self.engine = _open(self._url)
        except SQLAlchemyError as error:
            raise self._unusable(error) from error
        try:
            self._require_version()
        except BaseException as error:
            self.engine.dispose()
            if isinstance(error, SQLAlchemyError):
                raise self._unusable(error) from error
            raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection for reading one consistent state."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection whose changes are kept when the block ends without an exception, else none of them."""
        if self._writer is None:
            with self.engine.begin() as connection:
                yield connection
            return
        with self._writer, self.engine.connect() as connection:
            writing = connection.execution_options(kycpack_write=True)
            with writing.begin():
                yield writing

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def _unusable(self, error: SQLAlchemyError) -> ServiceError:
        kind = self._url.get_backend_name()
        return ServiceError(f"the {kind} database cannot be opened: {type(error).__name__}")

    def _require_version(self) -> None:
        with self.write() as connection:
            present = set(inspect(connection).get_table_names())
            if not present:
                metadata.create_all(connection)
                connection.execute(insert(facts).values(name="version", value=VERSION))
                return
            if facts.name not in present:
                raise ServiceError(
                    "the database holds tables of another program; give the service one of its own"
                )
            version = connection.scalar(select(facts.c.value).where(facts.c.name == "version"))
            if version != VERSION:
                raise ServiceError(
                    f"the database is of version {version or 'unknown'}, this service needs version {VERSION}; "
                    "start it with a new database"
                )


def insert_if_new(connection: Connection, table: Table, **values: Any) -> bool:
    """Insert a row unless one with the same key is there; say whether it was inserted."""
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table).values(**values).on_conflict_do_nothing()
    # The row that comes back tells it; the count of rows that a driver reports does not, on PostgreSQL.
    return connection.execute(statement.returning(*table.primary_key)).first() is not None


def _read_url(text: str) -> URL:
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        return make_url(text)
    except ArgumentError as error:
        raise ServiceError("the database URL does not parse") from error


def _open(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_size=_POOL_SIZE, pool_pre_ping=True, hide_parameters=True)
    if not url.database or url.database == ":memory:":
        raise ServiceError(
            "the service needs a database file; SQLite in memory is not shared between threads"
        )
    _create_private(Path(url.database))
    engine = create_engine(
        url,
        pool_size=_POOL_SIZE,
        hide_parameters=True,
        connect_args={"check_same_thread": False, "timeout": _BUSY_MS / 1000},
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _create_private(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise ServiceError(f"the database file cannot be opened: {error.strerror}") from error


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver would begin transactions by its own rules
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", f"busy_timeout={_BUSY_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("kycpack_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
