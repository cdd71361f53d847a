"""Opening a database file: private from its first moment, and never to the harm of a connection that is open already."""

from __future__ import annotations

import fcntl
import functools
import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

from kycpack.errors import ConfigurationError, WorkspaceError
from kycpack.storage.engine import EngineOptions, close_engine, open_engine, read_url
from kycpack.workspace import Workspace

OPTIONS = EngineOptions(busy_seconds=0.1, pragmas=())
# Source: sqlite.org/src/file?name=src/os.h, SHARED_FIRST and SHARED_SIZE; in WAL mode each connection holds a shared lock there.
_SHARED_FIRST, _SHARED_SIZE = 0x4000_0002, 510


def _open(path: Path) -> Engine:
    return open_engine(read_url(path, ConfigurationError), OPTIONS, WorkspaceError)


def _is_held(path: Path) -> bool:
    """Whether another process sees the lock by which SQLite knows that somebody uses the file."""
    child = os.fork()
    if child == 0:
        descriptor = os.open(path, os.O_RDWR)
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_SIZE, _SHARED_FIRST)
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1


def test_opening_a_file_again_does_not_drop_the_locks_of_the_first_connection(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    first = _open(path)
    with first.connect() as connection:
        connection.execute(text("CREATE TABLE facts (name TEXT)"))
        connection.commit()
        assert _is_held(path)
        _open(path).dispose()
        assert _is_held(path)
    first.dispose()
    assert not _is_held(path)


def test_opening_a_workspace_again_does_not_drop_the_locks_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "kycpack.db"
    with Workspace.open(path) as first:
        with first.reading() as connection:
            connection.execute(text("SELECT 1"))
        assert _is_held(path)
        Workspace.open(path).close()
        assert _is_held(path)


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    _open(path).dispose()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="Is a directory"):
        _open(tmp_path)


class Contested(sqlite3.Connection):
    """A connection to a file that another process turns to WAL at the same time: SQLite refuses this one without letting it wait."""

    refusals = 0

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if "journal_mode=WAL" in statement and Contested.refusals:
            Contested.refusals -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return super().execute(statement, *values)


@pytest.mark.parametrize(("refusals", "opens"), [(2, True), (1_000, False)])
def test_a_file_that_another_process_turns_to_wal_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusals: int, *, opens: bool
) -> None:
    monkeypatch.setattr(sqlite3.dbapi2, "connect", functools.partial(sqlite3.connect, factory=Contested))
    monkeypatch.setattr(Contested, "refusals", refusals)
    engine = _open(tmp_path / "a.db")
    if opens:
        with engine.connect() as connection:
            assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
    else:
        with pytest.raises(OperationalError, match="locked"), engine.connect():
            pass
    engine.dispose()


def test_a_connection_that_is_in_use_when_the_engine_is_closed_is_closed_when_it_is_returned(
    tmp_path: Path,
) -> None:
    engine = _open(tmp_path / "a.db")
    with engine.connect() as late:
        driver: Any = late.connection.dbapi_connection
        close_engine(engine)
        assert late.execute(text("SELECT 1")).scalar_one() == 1
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        driver.execute("SELECT 1")
