from __future__ import annotations

import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, MetaData, create_engine, inspect, text

from kycpack.errors import KycpackError, WorkspaceError
from kycpack.workspace import Inbox, Register, Workspace, schema

FIRST = """
CREATE TABLE kycpack_workspace (name VARCHAR NOT NULL, value VARCHAR NOT NULL, PRIMARY KEY (name));
CREATE TABLE customers (customer_id VARCHAR NOT NULL, org_id VARCHAR, learned_from VARCHAR NOT NULL,
  learned_at VARCHAR NOT NULL, PRIMARY KEY (customer_id));
CREATE TABLE sessions (session_id VARCHAR NOT NULL, customer_id VARCHAR, learned_from VARCHAR NOT NULL,
  learned_at VARCHAR NOT NULL, created_at VARCHAR, ordered TEXT, status VARCHAR, PRIMARY KEY (session_id));
CREATE INDEX sessions_by_customer ON sessions (customer_id);
CREATE TABLE payments (payment_id VARCHAR NOT NULL, customer_id VARCHAR, learned_from VARCHAR NOT NULL,
  learned_at VARCHAR NOT NULL, created_at VARCHAR, PRIMARY KEY (payment_id));
CREATE INDEX payments_by_customer ON payments (customer_id);
CREATE TABLE intents (number {serial}, intent_id VARCHAR NOT NULL UNIQUE,
  operation VARCHAR NOT NULL, summary TEXT NOT NULL, state VARCHAR NOT NULL, subject_id VARCHAR, note TEXT NOT NULL,
  made_at VARCHAR NOT NULL, settled_at VARCHAR, PRIMARY KEY (number));
CREATE TABLE deliveries (number {serial}, received_at VARCHAR NOT NULL, body {bytes} NOT NULL,
  state VARCHAR NOT NULL, note TEXT NOT NULL, worked_at VARCHAR, PRIMARY KEY (number));
CREATE INDEX deliveries_by_state ON deliveries (state, number);
CREATE TABLE completions (session_id VARCHAR NOT NULL, updated VARCHAR NOT NULL, learned_from VARCHAR NOT NULL,
  learned_at VARCHAR NOT NULL, state VARCHAR NOT NULL, PRIMARY KEY (session_id));
INSERT INTO kycpack_workspace VALUES ('version', '1');
INSERT INTO customers VALUES ('c-1', NULL, 'import', '2026-01-01T00:00:00.000000Z');
INSERT INTO deliveries (received_at, body, state, note) VALUES ('2026-01-01T00:00:00.000000Z', '{{', 'new', '');
"""


def _engine(place: str) -> Engine:
    return create_engine(place if "://" in place else f"sqlite:///{place}")


def _columns(place: str) -> dict[str, set[tuple[str, str, bool]]]:
    engine = _engine(place)
    tables = {
        str(name): {(str(c["name"]), str(c["type"]), bool(c["nullable"])) for c in columns}
        for (_, name), columns in inspect(engine).get_multi_columns().items()
    }
    engine.dispose()
    return tables


def _make_first(place: str) -> None:
    is_sqlite = "://" not in place
    script = FIRST.format(
        serial="INTEGER NOT NULL" if is_sqlite else "SERIAL", bytes="BLOB" if is_sqlite else "BYTEA"
    )
    engine = _engine(place)
    with engine.begin() as connection:
        for statement in filter(str.strip, script.split(";\n")):
            connection.exec_driver_sql(statement)
    engine.dispose()


def test_a_workspace_of_the_first_version_is_brought_up_to_date_and_keeps_what_it_held(
    place: str, tmp_path: Path
) -> None:
    _make_first(place)
    for _ in range(2):
        with Workspace.open(place) as workspace:
            assert [row.customer_id for row in Register(workspace).customers()] == ["c-1"]
            assert Inbox(workspace).counts() == {"new": 1}
            Inbox(workspace).keep(b"{}", sender="192.0.2.1")
            assert len(Inbox(workspace).waiting()) == 2
            workspace_tables = _columns(place)
            with workspace.transaction() as connection:
                connection.execute(text("DELETE FROM deliveries WHERE sender IS NOT NULL"))
    if "://" not in place:
        Workspace.open(tmp_path / "fresh.db").close()
        assert workspace_tables == _columns(str(tmp_path / "fresh.db"))
    expected = {
        table.name: {column.name for column in table.columns} for table in schema.metadata.sorted_tables
    }
    assert {
        name: {column for column, _, _ in columns} for name, columns in workspace_tables.items()
    } == expected


@pytest.mark.parametrize(
    ("table", "column"), [("sessions", "ordered"), ("deliveries", "state"), ("customers", "org_id")]
)
def test_a_missing_column_is_named_with_what_to_do(place: str, table: str, column: str) -> None:
    Workspace.open(place).close()
    engine = _engine(place)
    with engine.begin() as connection:
        for index in inspect(connection).get_indexes(table):
            connection.exec_driver_sql(f"DROP INDEX {index['name']}")
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {column}")
    engine.dispose()
    with pytest.raises(WorkspaceError, match=rf"lacks {table}\.{column}.*restore a backup"):
        Workspace.open(place)


def test_a_missing_table_is_named(place: str) -> None:
    Workspace.open(place).close()
    engine = _engine(place)
    with engine.begin() as connection:
        MetaData().reflect(connection)
        connection.exec_driver_sql("DROP TABLE completions")
    engine.dispose()
    with pytest.raises(WorkspaceError, match=r"lacks completions\.session_id"):
        Workspace.open(place)


def _held(path: Path) -> list[Any]:
    with Workspace.open(path) as workspace:
        register = Register(workspace)
        return [register.customers(), register.sessions(), register.payments(), Inbox(workspace).counts()]


def test_flipped_bytes_are_refused_or_harmless_and_never_change_whose_session_it_is(tmp_path: Path) -> None:
    path = tmp_path / "kycpack.db"
    with Workspace.open(path) as workspace:
        register = Register(workspace)
        for number in range(60):
            register.add_session(f"session-{number}", learned_from="import", customer_id=f"customer-{number}")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()
    whole, before = path.read_bytes(), _held(path)
    whose = {row.session_id: row.customer_id for row in before[1]}
    chance = random.Random(7)  # noqa: S311 - a replay has to be the same each time
    refused: list[str] = []
    for _ in range(220):
        for leftover in tmp_path.glob("kycpack.db-*"):
            leftover.unlink()
        damaged = bytearray(whole)
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        try:
            after = _held(path)
        except KycpackError as error:
            refused.append(str(error))
            continue
        assert {row.session_id: row.customer_id for row in after[1]} == whose
    assert len(refused) > 10
    assert all("backup" in message or "another" in message for message in refused)
