"""Opening the workspace database: SQLite by path, PostgreSQL by URL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from kycpack.errors import ConfigurationError, WorkspaceError
from kycpack.workspace import schema

_BUSY_SECONDS = 30
_SCHEMA_LOCK = 0x6B7963  # PostgreSQL's advisory lock while tables are made; any number that others do not use


class Workspace:
    """The workspace database; safe for several threads and processes at once.

    Args:
        engine: An engine whose transactions begin with a write lock on SQLite; use `open`.
        now: The clock.
    """

    def __init__(self, engine: Engine, *, now: Callable[[], datetime]) -> None:
        self._engine = engine
        self._now = now

    @classmethod
    def open(cls, place: str | Path, *, now: Callable[[], datetime] | None = None) -> Workspace:
        """Open a workspace, making it where there is none.

        Args:
            place: Path of an SQLite file (made with mode 0600), or an SQLAlchemy URL of SQLite or PostgreSQL.
            now: The clock; the machine's own by default.

        Raises:
            ConfigurationError: The URL is none, or names a database that is not supported.
            WorkspaceError: The database cannot be opened, or was written by another version.
        """
        engine = _engine(place)
        workspace = cls(engine, now=now or _utc_now)
        try:
            with engine.begin() as connection:
                _make_tables(connection)
        except SQLAlchemyError as error:
            engine.dispose()
            raise WorkspaceError(
                f"the workspace database cannot be opened ({type(error).__name__}); is it a kycpack workspace, "
                "and may you write to it?"
            ) from error
        except WorkspaceError:
            engine.dispose()
            raise
        return workspace

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Run one transaction; on SQLite it holds the write lock from its beginning.

        Raises:
            WorkspaceError: The database refused.
        """
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            # The statement's parameters stay out of the message: they are what the workspace keeps.
            raise WorkspaceError(f"the workspace database refused ({type(error).__name__})") from error

    def timestamp(self) -> str:
        """Return the clock's time as it is stored."""
        return self._now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Workspace {self._engine.dialect.name}>"


def _utc_now() -> datetime:
    return datetime.now(UTC)


def _engine(place: str | Path) -> Engine:
    if isinstance(place, Path) or "://" not in place:
        return _sqlite(Path(place))
    try:
        url = make_url(place)
        if url.get_backend_name() == "sqlite":
            if not url.database or url.database == ":memory:":
                raise ConfigurationError("a workspace in memory would forget the register; give a path")
            return _sqlite(Path(url.database))
        if url.get_backend_name() != "postgresql":
            raise ConfigurationError(
                f"a workspace is kept in SQLite or PostgreSQL, not {url.get_backend_name()}"
            )
        return create_engine(url, hide_parameters=True, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError) as error:
        raise ConfigurationError("the workspace's address is not a database URL") from error
    except ImportError as error:
        raise ConfigurationError(
            "PostgreSQL needs the extra `postgres`: pip install 'kycpack[postgres]'"
        ) from error


def _sqlite(path: Path) -> Engine:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Made before SQLite opens it, so that at no moment anybody else can read it; -wal and -shm take its mode.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise WorkspaceError(f"{path}: cannot be opened ({error.strerror})") from error
    engine = create_engine(f"sqlite:///{path}", hide_parameters=True, connect_args={"timeout": _BUSY_SECONDS})

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver's own BEGIN would come too late to hold the write lock
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")  # an intent has to survive a power cut
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _make_tables(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _SCHEMA_LOCK})
    elif (tables := inspect(connection).get_table_names()) and schema.meta.name not in tables:
        raise WorkspaceError("this SQLite file is no kycpack workspace but something else; give another path")
    schema.metadata.create_all(connection)
    version = connection.scalar(select(schema.meta.c.value).where(schema.meta.c.name == "version"))
    if version is None:
        connection.execute(insert(schema.meta).values(name="version", value=schema.VERSION))
    elif version != schema.VERSION:
        raise WorkspaceError(
            f"the workspace was written by another version of kycpack (format {version}, this one is "
            f"{schema.VERSION}); use that version, or another workspace"
        )
