"""Tables and their version: a new database and an older one end alike; another program's is left alone."""

from __future__ import annotations

import sqlite3
import stat
import threading
from pathlib import Path

import pytest
from sqlalchemy import Column, Engine, Integer, LargeBinary, MetaData, String, Table, inspect, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as DatabaseTimeoutError

from kycpack.errors import ConfigurationError, WorkspaceError
from kycpack.storage.engine import EngineOptions, open_engine, read_url
from kycpack.storage.layout import Layout, is_current, migrate, missing_columns
from kycpack.storage.transactions import Transactions

OPTIONS = EngineOptions(busy_seconds=0.1, pragmas=())


def _layout(version: int) -> Layout:
    metadata = MetaData()
    facts = Table("facts", metadata, Column("name", String, primary_key=True), Column("value", String))
    if version > 1:
        Table(
            "notes",
            metadata,
            Column("number", Integer, primary_key=True),
            Column("content", LargeBinary, nullable=False),
        )
    changes = {
        2: ("CREATE TABLE notes (number {serial} NOT NULL, content {blob} NOT NULL, PRIMARY KEY (number))",)
    }
    return Layout("notebook", metadata, facts, version, changes, 7, WorkspaceError)


def _open(path: Path) -> Engine:
    return open_engine(read_url(path, ConfigurationError), OPTIONS, WorkspaceError)


def test_an_older_database_ends_with_the_tables_of_a_new_one(tmp_path: Path) -> None:
    older, newer = _open(tmp_path / "older.db"), _open(tmp_path / "newer.db")
    with Transactions(older).write() as connection:
        migrate(connection, _layout(1))
        assert not is_current(connection, _layout(2))
        migrate(connection, _layout(2))
    with Transactions(newer).write() as connection:
        migrate(connection, _layout(2))
    layouts = []
    for engine in (older, newer):
        with Transactions(engine).read() as connection:
            assert is_current(connection, _layout(2))
            assert missing_columns(connection, _layout(2)) == []
            columns = inspect(connection).get_columns("notes")
            layouts.append([(column["name"], str(column["type"])) for column in columns])
        engine.dispose()
    assert layouts[0] == layouts[1]


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    engine = _open(tmp_path / "a.db")
    with Transactions(engine).write() as connection:
        migrate(connection, _layout(2))
        connection.execute(text("ALTER TABLE notes DROP COLUMN content"))
        assert missing_columns(connection, _layout(2)) == ["notes.content"]
    engine.dispose()


def test_another_programs_tables_are_left_alone(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "a.db")
    other.execute("CREATE TABLE recipes (id TEXT)")
    other.close()
    engine = _open(tmp_path / "a.db")
    with (
        pytest.raises(
            WorkspaceError, match="tables of another program; give the notebook a database of its own"
        ),
        Transactions(engine).write() as connection,
    ):
        migrate(connection, _layout(2))
    with Transactions(engine).read() as connection:
        assert inspect(connection).get_table_names() == ["recipes"]
    engine.dispose()


def test_a_file_is_its_owners_alone_and_a_failed_block_changes_nothing(tmp_path: Path) -> None:
    engine = _open(tmp_path / "a.db")
    transactions = Transactions(engine)
    with transactions.write() as connection:
        migrate(connection, _layout(2))

    def fail() -> None:
        with transactions.write() as connection:
            connection.execute(text("INSERT INTO notes (content) VALUES ('x')"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with transactions.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM notes")) == 0
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}
    engine.dispose()


@pytest.mark.parametrize(("queue_seconds", "error"), [(0.05, DatabaseTimeoutError), (None, OperationalError)])
def test_a_writer_gives_up_on_a_writer_that_takes_too_long(
    tmp_path: Path, queue_seconds: float | None, error: type[Exception]
) -> None:
    engine = _open(tmp_path / "a.db")
    transactions = Transactions(engine, queue_seconds=queue_seconds)
    refused: list[Exception] = []

    def write() -> None:
        try:
            with transactions.write():
                pass
        except Exception as raised:  # noqa: BLE001 - handed to the test
            refused.append(raised)

    with transactions.write(), transactions.read():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join(timeout=10)
    assert [type(one) for one in refused] == [error]
    engine.dispose()


@pytest.mark.parametrize(
    "place", ["mysql://u:hunter2@db/x", "nonsense://u:hunter2@db", "://hunter2", "sqlite://"]
)
def test_a_url_that_cannot_be_used_is_refused_without_its_password(place: str) -> None:
    with pytest.raises(ConfigurationError, match="postgresql") as raised:
        read_url(place, ConfigurationError)
    assert "hunter2" not in str(raised.value)
