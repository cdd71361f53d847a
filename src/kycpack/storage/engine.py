"""Opens a database: a file that only its owner can read, or a PostgreSQL URL."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from kycpack.errors import KycpackError
from kycpack.folders import write_new

WRITES = "kycpack_write"
"""The execution option of a connection for writing transactions."""

UNSYNCED = "kycpack_unsynced"
"""The execution option of a writing connection that does not wait for the disk at the end; SQLite only."""

_AGAIN_SECONDS = 0.01
_PRIMARY_CODE = 0xFF  # SQLite's extended codes hold it in the last byte

_EXAMPLES = "a file, sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """How a database is opened.

    Attributes:
        busy_seconds: How many seconds SQLite waits while another process writes.
        pragmas: Pragmas of each SQLite connection, as in `foreign_keys=ON`.
        pool: Arguments of SQLAlchemy's connection pool.
        postgres: Arguments of each PostgreSQL connection; those in the URL take precedence.
        reads_alone: Whether a read-only SQLite file may be opened for reading.
    """

    busy_seconds: float
    pragmas: tuple[str, ...]
    pool: Mapping[str, Any] = field(default_factory=dict)
    postgres: Mapping[str, Any] = field(default_factory=dict)
    reads_alone: bool = False


def read_url(place: str | Path, error: type[KycpackError]) -> URL:
    """Return the URL of a database that is given as a path or as a URL.

    Args:
        place: A path, or a SQLAlchemy URL of SQLite or PostgreSQL.
        error: The class of error to raise.

    Raises:
        KycpackError: Of the given class; the message names the kind of database, never its password.
    """
    if isinstance(place, Path) or "://" not in place:
        return URL.create("sqlite", database=str(place))
    kind = place.partition("://")[0]
    try:
        url = make_url(place)
        backend = url.get_backend_name()
        if backend in {"sqlite", "postgresql"}:
            url.get_dialect().import_dbapi()
    except ArgumentError as cause:
        raise error(f"the database URL that begins with {kind!r} does not parse; give {_EXAMPLES}") from cause
    except NoSuchModuleError as cause:
        raise error(f"{kind} is not a database that kycpack can use; give {_EXAMPLES}") from cause
    except ImportError as cause:
        raise error(f"{kind} needs a driver: pip install 'kycpack[postgres]'") from cause
    if backend not in {"sqlite", "postgresql"}:
        raise error(f"{backend} is not a database that kycpack can use; give {_EXAMPLES}")
    if backend == "sqlite" and url.database in {None, "", ":memory:"}:
        raise error(f"a SQLite database in memory is lost when the process ends; give {_EXAMPLES}")
    return url


def open_engine(url: URL, options: EngineOptions, error: type[KycpackError]) -> Engine:
    """Return an engine. On SQLite, writing transactions take the write lock when they begin, and are on disk when they end.

    Args:
        url: From `read_url`.
        options: How it is opened.
        error: The class of error to raise.

    Raises:
        KycpackError: Of the given class; the file cannot be made or opened.
    """
    if url.get_backend_name() != "sqlite":
        given = {name: value for name, value in options.postgres.items() if name not in url.query}
        return create_engine(
            url, hide_parameters=True, pool_pre_ping=True, connect_args=given, **options.pool
        )
    path = Path(url.database or "")
    if options.reads_alone and path.is_file() and _may_only_be_read(path):
        pragmas: tuple[str, ...] = ()
        engine = create_engine(
            url,
            hide_parameters=True,
            creator=lambda: _open_to_read(path, options.busy_seconds),
            poolclass=NullPool,
        )
    else:
        pragmas = ("journal_mode=WAL", *options.pragmas)
        _make_private(path, error)
        engine = create_engine(
            url,
            hide_parameters=True,
            connect_args={"check_same_thread": False, "timeout": options.busy_seconds},
            **options.pool,
        )

    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver's own BEGIN would come too late to hold the write lock
        for pragma in pragmas:
            _set_pragma(connection, pragma, options.busy_seconds)

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", _begin)
    return engine


def close_engine(engine: Engine) -> None:
    """Close the connections: idle ones now, and those that another thread is still using when it returns them."""
    event.listen(engine, "checkin", _close_returned)
    engine.dispose()


def _close_returned(_connection: object, record: ConnectionPoolEntry) -> None:
    record.invalidate()


def _may_only_be_read(path: Path) -> bool:
    beside = [path.with_name(f"{path.name}-{name}") for name in ("wal", "shm")]
    may_write = os.access(path, os.W_OK) and (
        os.access(path.parent, os.W_OK) or all(each.exists() for each in beside)
    )
    return os.access(path, os.R_OK) and not may_write


def _open_to_read(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """Open a read-only file.

    If there is no write-ahead log beside it, SQLite is asked not to look for one or make one (sqlite.org/uri.html, `immutable`).
    """
    log = path.with_name(f"{path.name}-wal")
    alone = "" if log.exists() and log.stat().st_size else "&immutable=1"
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro{alone}",
        uri=True,
        timeout=busy_seconds,
        check_same_thread=False,
    )


def _make_private(path: Path, error: type[KycpackError]) -> None:
    try:
        # Made before SQLite opens it, so that nobody else can read it at any moment; -wal and -shm get the same mode.
        write_new(path)
    except FileExistsError:
        # An existing file is never opened here: closing it would drop the locks that this process already holds on it
        # for SQLite, and another process could then remove its log (sqlite.org/howtocorrupt.html, 2.2).
        if path.is_dir() or not os.access(path, os.R_OK | os.W_OK):
            reason = os.strerror(errno.EISDIR if path.is_dir() else errno.EACCES)
            raise error(f"the database file {path} cannot be opened: {reason}") from None
    except OSError as cause:
        raise error(f"the database file {path} cannot be opened: {cause.strerror}") from cause


def _set_pragma(connection: Any, pragma: str, busy_seconds: float) -> None:
    """Set a pragma. Of two processes that both turn a new file to WAL, SQLite refuses one at once and does not let it wait."""
    limit = time.monotonic() + busy_seconds
    while True:
        try:
            connection.execute(f"PRAGMA {pragma}")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & _PRIMARY_CODE != sqlite3.SQLITE_BUSY or time.monotonic() >= limit:
                raise
            time.sleep(_AGAIN_SECONDS)
        else:
            return


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    if not options.get(WRITES, False):
        connection.exec_driver_sql("BEGIN")
        return
    # With NORMAL, SQLite writes to its log without waiting for the disk (sqlite.org/pragma.html#pragma_synchronous).
    level = "NORMAL" if options.get(UNSYNCED, False) else "FULL"
    connection.exec_driver_sql(f"PRAGMA synchronous={level}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")
