"""The numbered changes of the workspace's tables, applied in order when an older workspace is opened.

A new workspace is made from `schema` at once. A test holds that both ways lead to the same tables, on SQLite and on
PostgreSQL.
"""

from __future__ import annotations

from sqlalchemy import Connection, Inspector, insert, inspect, select, text, update

from kycpack.errors import WorkspaceError
from kycpack.workspace import schema

_LOCK = 0x6B7963  # PostgreSQL's advisory lock while tables change; any number that others do not use

MIGRATIONS: dict[int, tuple[str, ...]] = {
    2: (
        "ALTER TABLE deliveries ADD COLUMN sender VARCHAR",
        "ALTER TABLE deliveries ADD COLUMN session_id VARCHAR",
    ),
    3: (
        """
        CREATE TABLE runs (run_id VARCHAR NOT NULL, output_id VARCHAR NOT NULL, output TEXT NOT NULL,
          identity VARCHAR NOT NULL, options TEXT NOT NULL, as_of VARCHAR NOT NULL, started_at VARCHAR NOT NULL,
          finished_at VARCHAR, state VARCHAR NOT NULL, in_scope INTEGER NOT NULL, PRIMARY KEY (run_id))
        """,
        "CREATE INDEX runs_by_output ON runs (output_id, state)",
        """
        CREATE TABLE run_customers (run_id VARCHAR NOT NULL, customer_id VARCHAR NOT NULL, position INTEGER NOT NULL,
          occasion TEXT NOT NULL, outcome VARCHAR, entry TEXT, settled VARCHAR, attempts INTEGER NOT NULL,
          claimed_by VARCHAR, claimed_until VARCHAR, PRIMARY KEY (run_id, customer_id))
        """,
        "CREATE INDEX run_customers_by_position ON run_customers (run_id, position)",
        """
        CREATE TABLE packs (output_id VARCHAR NOT NULL, customer_id VARCHAR NOT NULL, entry TEXT NOT NULL,
          PRIMARY KEY (output_id, customer_id))
        """,
    ),
    4: (
        """
        CREATE TABLE ledger_entries (seq INTEGER NOT NULL, prev VARCHAR NOT NULL, digest VARCHAR NOT NULL,
          hash VARCHAR NOT NULL, key VARCHAR, signature VARCHAR, PRIMARY KEY (seq))
        """,
        """
        CREATE TABLE ledger_payloads (seq INTEGER NOT NULL, kind VARCHAR NOT NULL, case_id VARCHAR,
          salt VARCHAR NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (seq))
        """,
        "CREATE INDEX ledger_payloads_by_case ON ledger_payloads (case_id, seq)",
        "CREATE INDEX ledger_payloads_by_kind ON ledger_payloads (kind, seq)",
        """
        CREATE TABLE cases (case_id VARCHAR NOT NULL, customer_id VARCHAR NOT NULL, occasion VARCHAR NOT NULL,
          state VARCHAR NOT NULL, version INTEGER NOT NULL, entries INTEGER NOT NULL, level VARCHAR NOT NULL,
          top_reason TEXT NOT NULL, run_id VARCHAR NOT NULL, evidence_root VARCHAR NOT NULL,
          policy_digest VARCHAR NOT NULL, opened_at VARCHAR NOT NULL, changed_at VARCHAR NOT NULL, due_on VARCHAR,
          assignee VARCHAR, snoozed_until VARCHAR, effect VARCHAR, outcome VARCHAR, decision_id VARCHAR,
          reopens_on VARCHAR, closed_at VARCHAR, findings TEXT NOT NULL, PRIMARY KEY (case_id))
        """,
        "CREATE INDEX cases_by_customer ON cases (customer_id)",
        "CREATE INDEX cases_by_state ON cases (state)",
        """
        CREATE TABLE cleared_customers (run_id VARCHAR NOT NULL, customer_id VARCHAR NOT NULL,
          evidence_root VARCHAR NOT NULL, policy_digest VARCHAR NOT NULL, PRIMARY KEY (run_id, customer_id))
        """,
        "CREATE TABLE rationales (decision_id VARCHAR NOT NULL, digest VARCHAR NOT NULL, PRIMARY KEY (decision_id))",
        "CREATE INDEX rationales_by_digest ON rationales (digest)",
        """
        CREATE TABLE policies (digest VARCHAR NOT NULL, policy_id VARCHAR NOT NULL, version VARCHAR NOT NULL,
          source {blob} NOT NULL, state VARCHAR NOT NULL, PRIMARY KEY (digest))
        """,
    ),
}
"""By the version that they lead to: statements that both databases understand; `{blob}` is the word for bytes."""


def is_current(connection: Connection) -> bool:
    """Return whether a workspace has the tables of this version.

    Raises:
        WorkspaceError: It is something else, or was written by a newer version.
    """
    return _version(connection) == schema.VERSION


def migrate(connection: Connection) -> None:
    """Make the tables of a new workspace, or bring those of an older one up to date; within a writing transaction.

    Raises:
        WorkspaceError: It is something else, was written by a newer version, or lacks a column.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    version = _version(connection)  # asked again: another process may have been faster
    if version is None:
        schema.metadata.create_all(connection)
        connection.execute(insert(schema.meta).values(name="version", value=str(schema.VERSION)))
    else:
        blob = "BYTEA" if connection.dialect.name == "postgresql" else "BLOB"
        for number in range(version + 1, schema.VERSION + 1):
            for statement in MIGRATIONS[number]:
                connection.execute(text(statement.replace("{blob}", blob)))
        is_version = schema.meta.c.name == "version"
        connection.execute(update(schema.meta).where(is_version).values(value=str(schema.VERSION)))
    check_tables(connection)


def check_tables(connection: Connection) -> None:
    """Refuse a workspace that lacks a table or a column.

    Raises:
        WorkspaceError: Names what is missing.
    """
    held = {
        name: {str(column["name"]) for column in columns}
        for (_, name), columns in _inspector(connection).get_multi_columns().items()
    }
    missing = [
        f"{table.name}.{column.name}"
        for table in schema.metadata.sorted_tables
        for column in table.columns
        if column.name not in held.get(table.name, ())
    ]
    if missing:
        raise WorkspaceError(
            f"the workspace lacks {', '.join(missing)}: something else has changed it; restore a backup, or give another "
            "workspace and fill it with `kycpack register import` and `kycpack register fetch`"
        )


def _version(connection: Connection) -> int | None:
    tables = _inspector(connection).get_table_names()
    if schema.meta.name not in tables:
        if tables and connection.dialect.name == "sqlite":
            raise WorkspaceError(
                "this SQLite file is something else than a kycpack workspace; give another path"
            )
        return None
    held = connection.scalar(select(schema.meta.c.value).where(schema.meta.c.name == "version"))
    if held is None:
        return None
    if not str(held).isdecimal() or not 1 <= int(held) <= schema.VERSION:
        raise WorkspaceError(
            f"the workspace was written by another version of kycpack (format {held}; this one reads up to "
            f"{schema.VERSION}); use that version, or another workspace"
        )
    return int(held)


def _inspector(connection: Connection) -> Inspector:
    return inspect(connection)
