"""Values by key in a temporary file, so that those of 100,000 customers are never in memory together."""

from __future__ import annotations

import errno
import sqlite3
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class DiskTable:
    """A table of values by key. It lies in a temporary file without a name, which is gone when the table is.

    Memory is limited to SQLite's page cache of 2 MB, whatever the number of rows.

    Args:
        rows: Keys, each with its value.

    Raises:
        OSError: The temporary file cannot be written, for example because the disk is full.
    """

    def __init__(self, rows: Iterable[tuple[str, str | int]]) -> None:
        # Whichever thread collects the garbage closes the connection.
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        weakref.finalize(self, self._connection.close)
        with _mapped():
            self._connection.execute("create table held (place integer primary key, key text, value)")
            self._connection.execute("begin")
            self._connection.executemany("insert into held (key, value) values (?, ?)", rows)
            self._connection.execute("create index by_key on held (key)")
            self._connection.execute("commit")

    def get(self, key: str) -> str | int | None:
        """Return the value of a key, the last one if there are several; None if there is none."""
        with _mapped():
            query = "select value from held where key = ? order by place desc limit 1"
            found = self._connection.execute(query, (key,)).fetchone()
        return None if found is None else found[0]

    def remove(self, key: str) -> None:
        """Remove the rows of a key."""
        with _mapped():
            self._connection.execute("delete from held where key = ?", (key,))

    def count_keys(self) -> int:
        """Return the number of different keys."""
        with _mapped():
            return int(self._connection.execute("select count(distinct key) from held").fetchone()[0])

    def rows(self) -> Iterator[tuple[str, str | int]]:
        """Yield the keys and values in the order in which they were given."""
        with _mapped():
            yield from self._connection.execute("select key, value from held order by place")

    def values_by_key(self) -> Iterator[str | int]:
        """Yield the values in the order of their keys; those of equal keys stay in the order in which they were given."""
        with _mapped():
            for (value,) in self._connection.execute("select value from held order by key, place"):
                yield value


@contextmanager
def _mapped() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(errno.EIO, f"a temporary file cannot be used: {error}") from None
