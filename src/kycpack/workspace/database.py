"""Opening the workspace database: SQLite by path, PostgreSQL by URL."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DatabaseError, SQLAlchemyError

from kycpack.errors import ConfigurationError, WorkspaceError
from kycpack.models.instants import format_microseconds
from kycpack.storage.engine import EngineOptions, close_engine, open_engine, read_url
from kycpack.storage.layout import is_current, migrate
from kycpack.storage.transactions import Transactions
from kycpack.workspace.migrations import LAYOUT, check_tables
from kycpack.workspace.server_vacuum import vacuum_server

_BUSY_SECONDS = 30
_HEADER_BYTES = 100
_CHECKED_BYTES = 64 * 2**20  # a larger file takes too long to check every time
_OPTIONS = EngineOptions(
    busy_seconds=_BUSY_SECONDS,
    pragmas=("secure_delete=ON",),  # deleted content is overwritten
    reads_alone=True,
)
_READ_ALONE = "the workspace can only be read, not written to; nothing was recorded"
_REFUSALS = {
    "database is locked": f"another process has held the workspace for more than {_BUSY_SECONDS} seconds; try again",
    "disk is full": "the disk of the workspace is full{place}; nothing was recorded",
    "no space left": "the disk of the workspace is full{place}; nothing was recorded",
    "disk i/o error": "the disk of the workspace is full or failing{place}; nothing was recorded",
    "unable to open": (
        "the workspace file cannot be opened here; copy it, and the file of the same name with -wal, to a folder of your own"
    ),
    **dict.fromkeys(("readonly", "read-only", "permission denied"), _READ_ALONE),
}
"""The error message for each of these reasons from a database."""
_RESTORE = "restore a backup, or give another path and fill it with `kycpack register import` and `kycpack register fetch`"


class Workspace:
    """The workspace database; safe for several threads and processes at once.

    Args:
        engine: An engine whose writing transactions begin with the write lock on SQLite; use `open`.
        now: The clock.
    """

    def __init__(self, engine: Engine, *, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._transactions = Transactions(engine)
        self._now = now

    @classmethod
    def open(cls, place: str | Path, *, now: Callable[[], datetime] | None = None) -> Workspace:
        """Open a workspace; create it if it does not exist, and update one of an older version.

        A workspace without write permission is opened for reading.

        Args:
            place: Path of an SQLite file (created with mode 0600), or an SQLAlchemy URL of SQLite or PostgreSQL.
            now: The clock; the system clock by default.

        Raises:
            ConfigurationError: The URL cannot be read, or names a database that is not supported.
            WorkspaceError: The database cannot be opened, is damaged, lacks a column, or was written by a newer
                version.
        """
        engine = _engine(place)
        workspace = cls(engine, now=now or (lambda: datetime.now(UTC)))
        try:
            with workspace.reading() as connection:
                current = is_current(connection, LAYOUT)
                if current:
                    _check_file(connection)
                    check_tables(connection)
            if not current:
                workspace._bring_up_to_date()
        except BaseException:
            engine.dispose()
            raise
        return workspace

    def _bring_up_to_date(self) -> None:
        try:
            with self.transaction() as connection:
                migrate(connection, LAYOUT)
                check_tables(connection)
        except WorkspaceError as error:
            if str(error) != _READ_ALONE:
                raise
            raise WorkspaceError(
                "the workspace is empty or of an earlier version, and it can only be read; open it once where it may be written to"
            ) from error

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Run one transaction that may write; on SQLite it holds the write lock from the start.

        Raises:
            WorkspaceError: The database reported an error.
        """
        with self._explained(), self._transactions.write() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Run one read-only transaction on a consistent snapshot; it does not wait for writers, and writers do not wait for it.

        Raises:
            WorkspaceError: The database reported an error.
        """
        with self._explained(writes=False), self._transactions.read() as connection:
            yield connection

    def free_bytes(self) -> int | None:
        """Return the free disk space for an SQLite file, in bytes; None for PostgreSQL."""
        path = self._engine.url.database
        if self._engine.dialect.name != "sqlite" or path is None:
            return None
        return shutil.disk_usage(Path(path).parent).free

    def scrub(self) -> None:
        """Rewrite the database so that no free page and no log contains what was deleted.

        On PostgreSQL this does not reach the server's own log (WAL), archives and backups.

        Raises:
            WorkspaceError: Another process has the database open (on PostgreSQL: a read that began earlier is running), or it reported an error.
        """
        with self._explained():
            if self._engine.dialect.name == "sqlite":
                self._scrub_file()
                return
            with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                vacuum_server(connection, LAYOUT.metadata)

    def _scrub_file(self) -> None:
        self._engine.dispose()  # an idle connection in the pool would keep the log
        raw = self._engine.raw_connection()
        try:
            cursor = raw.cursor()
            cursor.execute("VACUUM")
            busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            cursor.close()
        finally:
            raw.close()
        if busy:
            raise WorkspaceError(
                "another process has the workspace open, so its log still holds what was erased; end it and try again"
            )

    def timestamp(self) -> str:
        """Return the clock's time in the stored format."""
        return format_microseconds(self._now())

    def now(self) -> datetime:
        """Return the clock's time, UTC."""
        return self._now().astimezone(UTC)

    def close(self) -> None:
        """Close the connections."""
        close_engine(self._engine)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @contextmanager
    def _explained(self, *, writes: bool = True) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            _raise_interruption(error)
            url = self._engine.url
            place = url.database if self._engine.dialect.name == "sqlite" else url.host
            raise _explain(error, f" ({place})" if place else "", writes=writes) from error
        except UnicodeDecodeError as error:
            # The SQLite driver may fail to decode its own error message before SQLAlchemy sees it.
            raise _damaged() from error

    def __repr__(self) -> str:
        return f"<Workspace {self._engine.dialect.name}>"


def _raise_interruption(error: SQLAlchemyError) -> None:
    """Raise the interruption that led to an error: a signal inside a query of PostgreSQL makes ending its transaction fail too."""
    seen: BaseException | None = error
    while seen is not None:
        if not isinstance(seen, Exception | GeneratorExit):
            raise seen
        seen = seen.__cause__ or seen.__context__


def _explain(error: SQLAlchemyError, place: str, *, writes: bool) -> WorkspaceError:
    # The statement's parameters are stored data, so they are left out of the message.
    reason = str(error.orig).lower() if isinstance(error, DatabaseError) else ""
    if any(sign in reason for sign in ("malformed", "not a database", "could not decode")):
        return _damaged()
    if "permission denied" in reason and not writes:
        return WorkspaceError("you may not read the tables of the workspace")
    for sign, words in _REFUSALS.items():
        if sign in reason:
            refusal = WorkspaceError(words.format(place=place))
            refusal.may_pass = True
            return refusal
    return WorkspaceError(
        f"the workspace database refused ({type(error).__name__}); check that it exists and that you may write to it"
    )


def _damaged() -> WorkspaceError:
    return WorkspaceError(f"the workspace file is damaged, or is not a kycpack workspace; {_RESTORE}")


def _engine(place: str | Path) -> Engine:
    url = read_url(place, ConfigurationError)
    if url.get_backend_name() == "sqlite":
        folder = Path(url.database or "").parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WorkspaceError(f"{folder}: cannot be opened ({error.strerror})") from error
        _require_database(Path(url.database or ""))
    return open_engine(url, _OPTIONS, WorkspaceError)


def _require_database(path: Path) -> None:
    """Raise an error if a file is too short for a database; SQLite takes one of a single byte for an empty one and writes over it."""
    if path.is_file() and 0 < path.stat().st_size < _HEADER_BYTES:
        raise _damaged()


def _check_file(connection: Connection) -> None:
    """Raise an error if the pages or indexes of an SQLite file are inconsistent, as after flipped bytes."""
    if connection.dialect.name != "sqlite":
        return
    pages, size = (
        connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size")
    )
    if pages * size > _CHECKED_BYTES:
        return
    if connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one() != "ok":
        raise WorkspaceError(f"the workspace file is damaged; {_RESTORE}")
