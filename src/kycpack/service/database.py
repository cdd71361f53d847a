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

from sqlalchemy import Connection, Engine, Table, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, InterfaceError, NoSuchModuleError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from kycpack.errors import ServiceError
from kycpack.service.migrations import migrate
from kycpack.service.occupancy import Occupancy
from kycpack.service.problems import database_unavailable

_POOL_SIZE = 48
_POOL_SECONDS = 5
_QUEUE_SECONDS = 3
_BUSY_MS = 2_000
_CONNECT_SECONDS = 5
_LOCK_MS = 5_000
_EXAMPLES = "a file, sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"
_UNAVAILABLE = (OperationalError, InterfaceError, PoolTimeoutError)


class Database:
    """The service's database.

    Args:
        url: A SQLAlchemy URL (`sqlite:///service.db`, `postgresql+psycopg://...`) or the path of a SQLite file.

    Raises:
        ServiceError: It cannot be opened, or it was made by another version or another program.
    """

    def __init__(self, url: str) -> None:
        self._occupancy: Occupancy | None = None
        self._url = _read_url(url)
        self._writer = threading.RLock() if self._url.get_backend_name() == "sqlite" else None
        try:
            self.engine = _open(self._url)
        except SQLAlchemyError as error:
            raise self._unusable(error) from error
        try:
            with self.engine.connect() as connection:
                writing = connection.execution_options(kycpack_write=True)
                with writing.begin():
                    migrate(writing)
        except BaseException as error:
            self.engine.dispose()
            if isinstance(error, SQLAlchemyError):
                raise self._unusable(error) from error
            raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection for reading one consistent state.

        Raises:
            RefusedError: 503, the database cannot be used at the moment.
        """
        with _available(), self.engine.connect() as connection:
            if self._writer is None:
                connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection whose changes are kept when the block ends without an exception, else none of them.

        Raises:
            RefusedError: 503, the database cannot be used at the moment.
        """
        with _available():
            if self._writer is None:
                with self.engine.begin() as connection:
                    yield connection
                return
            if not self._writer.acquire(timeout=_QUEUE_SECONDS):
                raise database_unavailable()
            try:
                with self.engine.connect() as connection:
                    writing = connection.execution_options(kycpack_write=True)
                    with writing.begin():
                        yield writing
            finally:
                self._writer.release()

    def occupy(self) -> None:
        """Claim the database for one running service, until it is closed.

        Raises:
            ServiceError: Another service runs on it.
        """
        self._occupancy = Occupancy(self.engine)

    def close(self) -> None:
        """Close all connections, and give up the claim."""
        if self._occupancy is not None:
            self._occupancy.end()
            self._occupancy = None
        self.engine.dispose()

    def _unusable(self, error: SQLAlchemyError) -> ServiceError:
        place = self._url.render_as_string(hide_password=True)
        return ServiceError(f"the database {place} cannot be opened: {_cause(error)}")


@contextmanager
def _available() -> Iterator[None]:
    """Turn what a database says when it is locked, stopped or full into the answer 503."""
    try:
        yield
    except _UNAVAILABLE as error:
        raise database_unavailable() from error


def _cause(error: SQLAlchemyError) -> str:
    text = str(getattr(error, "orig", None) or error).strip()
    return text.splitlines()[0][:200] if text else type(error).__name__


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
        url = make_url(text)
        url.get_dialect()
    except ArgumentError as error:
        kind = text.partition("://")[0]
        raise ServiceError(
            f"the database URL that begins with {kind!r} does not parse; give {_EXAMPLES}"
        ) from error
    except (NoSuchModuleError, ImportError) as error:
        kind = text.partition("://")[0]
        raise ServiceError(f"{kind} is not a database that the service knows; give {_EXAMPLES}") from error
    if url.get_backend_name() not in {"sqlite", "postgresql"}:
        raise ServiceError(
            f"{url.get_backend_name()} is not a database that the service knows; give {_EXAMPLES}"
        )
    return url


def _open(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        limits = {"connect_timeout": _CONNECT_SECONDS, "options": f"-c lock_timeout={_LOCK_MS}"}
        return create_engine(
            url,
            pool_size=_POOL_SIZE,
            pool_timeout=_POOL_SECONDS,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={name: value for name, value in limits.items() if name not in url.query},
        )
    if not url.database or url.database == ":memory:":
        raise ServiceError(
            "the service needs a database file; SQLite in memory is not shared between threads"
        )
    _create_private(Path(url.database))
    engine = create_engine(
        url,
        pool_size=_POOL_SIZE,
        pool_timeout=_POOL_SECONDS,
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
        raise ServiceError(f"the database file {path} cannot be opened: {error.strerror}") from error


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver would begin transactions by its own rules
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", f"busy_timeout={_BUSY_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("kycpack_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
