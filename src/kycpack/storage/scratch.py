"""Rows that one process needs for a while: on the disk, so that those of 100,000 customers are never in memory together."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kycpack.errors import ConfigurationError

_AT_ONCE = 1000


class Scratch:
    """A database of this process alone, in a temporary file without a name: it is gone when the process ends, however it ends.

    Args:
        *statements: Make its tables and indexes.
    """

    def __init__(self, *statements: str) -> None:
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        # A run has about ten of these at once; the system caches their pages anyway.
        for statement in (
            "PRAGMA cache_size=-500",  # KiB
            "PRAGMA journal_mode=OFF",
            "PRAGMA synchronous=OFF",
            *statements,
        ):
            self._connection.execute(statement)
        weakref.finalize(self, self._connection.close)

    def write(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row of values.

        Raises:
            ConfigurationError: There is no space for temporary files.
            sqlite3.IntegrityError: A row contradicts a constraint of its table.
        """
        with _explained():
            self._connection.executemany(statement, rows)

    def rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        """Yield the rows of a query, reading some at a time; nothing may be written to its tables meanwhile.

        Raises:
            ConfigurationError: There is no space for temporary files.
        """
        with _explained():
            cursor = self._connection.execute(query, values)
            while some := cursor.fetchmany(_AT_ONCE):
                yield from some

    def value(self, query: str, values: Sequence[Any] = ()) -> Any:
        """Return the first value of a query; None if it has no row."""
        return next((row[0] for row in self.rows(query, values)), None)


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise ConfigurationError(
            f"temporary files cannot be written ({error}): make space, or set TMPDIR to a folder with more"
        ) from None
