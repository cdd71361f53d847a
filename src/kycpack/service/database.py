"""The service's database: opened, claimed by one running service, and answered by 503 while it cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as DatabaseTimeoutError

from kycpack.errors import ServiceError
from kycpack.service.migrations import LAYOUT
from kycpack.service.occupancy import Occupancy
from kycpack.service.problems import database_unavailable
from kycpack.service.writer_gate import WriterGate
from kycpack.storage.engine import EngineOptions, open_engine, read_url
from kycpack.storage.layout import migrate
from kycpack.storage.transactions import Transactions

_QUEUE_SECONDS = 3
_LOCK_MS = 5_000
_OPTIONS = EngineOptions(
    busy_seconds=2,
    pragmas=("foreign_keys=ON",),
    pool={"pool_size": 48, "pool_timeout": 5},
    postgres={"connect_timeout": 5, "options": f"-c lock_timeout={_LOCK_MS}"},
)
_GONE_MEANWHILE = {"23503", "SQLITE_CONSTRAINT_FOREIGNKEY"}
"""What PostgreSQL (SQLSTATE, "foreign_key_violation") and SQLite call a record that points to one which is not there."""
_UNAVAILABLE = (OperationalError, InterfaceError, DatabaseTimeoutError)


class Database:
    """The service's database.

    Args:
        url: A SQLAlchemy URL (`sqlite:///service.db`, `postgresql+psycopg://...`) or the path of a SQLite file.

    Raises:
        ServiceError: It cannot be opened, or it was made by another version or another program.
    """

    def __init__(self, url: str) -> None:
        self._occupancy: Occupancy | None = None
        self._url = read_url(url, ServiceError)
        try:
            self.engine = open_engine(self._url, _OPTIONS, ServiceError)
        except SQLAlchemyError as error:
            raise self._unusable(error) from error
        self._transactions = Transactions(self.engine, queue_seconds=_QUEUE_SECONDS)
        self._gate = WriterGate(_QUEUE_SECONDS)
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
        """Give a connection for reading one consistent state.

        Raises:
            RefusedError: 503, the database cannot be used at the moment.
        """
        with _available(), self._transactions.read() as connection:
            yield connection

    @contextmanager
    def write(self, *, alone: bool = False, synced: bool = True) -> Iterator[Connection]:
        """Give a connection whose changes are kept when the block ends without an exception, else none of them.

        Args:
            alone: Whether no other writer may be at work meanwhile: for what reads or replaces every table.
            synced: Whether the changes survive a power cut; needed for everything that is acknowledged to somebody.

        Raises:
            RefusedError: 503, the database cannot be used at the moment.
        """
        with (
            _available(),
            self._gate.entered(alone=alone),
            self._transactions.write(synced=synced) as connection,
        ):
            yield connection

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
    except IntegrityError as error:
        said = {getattr(error.orig, name, None) for name in ("sqlstate", "sqlite_errorname")}
        if not said & _GONE_MEANWHILE:
            raise
        # A reset or a restored snapshot took away what the request began with.
        raise database_unavailable() from error


def _cause(error: SQLAlchemyError) -> str:
    text = str(getattr(error, "orig", None) or error).strip()
    return text.splitlines()[0][:200] if text else type(error).__name__


def insert_if_new(connection: Connection, table: Table, **values: Any) -> bool:
    """Insert a row unless one with the same key is there; return whether it was inserted."""
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table).values(**values).on_conflict_do_nothing()
    # The row that comes back shows it; the count of rows that a driver reports does not, on PostgreSQL.
    return connection.execute(statement.returning(*table.primary_key)).first() is not None
