"""The tables of a database and their version: created at once in a new database, migrated step by step in an older one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, MetaData, Table, insert, inspect, select, text, update

from kycpack.errors import KycpackError
from kycpack.storage.transactions import take_turn

_VERSION = "version"
_WORDS = {
    "postgresql": {"{blob}": "BYTEA", "{serial}": "BIGSERIAL"},
    "sqlite": {"{blob}": "BLOB", "{serial}": "INTEGER"},
}


@dataclass(frozen=True, slots=True)
class Layout:
    """The tables of one program.

    Attributes:
        owner: The program that the database belongs to, as in `service`.
        metadata: The tables of the newest version.
        facts: The table of names and values that holds the version.
        version: The newest version.
        changes: Statements for SQLite and PostgreSQL, by the version that they lead to; `{blob}` and `{serial}` stand for
            each database's own types for bytes and for an automatic number.
        lock: Number of PostgreSQL's advisory lock while tables change; nothing else uses it.
        error: The class of error to raise.
        shares: Whether a PostgreSQL database may contain other tables as well.
    """

    owner: str
    metadata: MetaData
    facts: Table
    version: int
    changes: Mapping[int, tuple[str, ...]]
    lock: int
    error: type[KycpackError]
    shares: bool = False


def is_current(connection: Connection, layout: Layout) -> bool:
    """Return whether a database has the tables of the newest version.

    Raises:
        KycpackError: Of the layout's class; the database belongs to another program, or was written by a newer version.
    """
    return _version(connection, layout) == layout.version


def migrate(connection: Connection, layout: Layout) -> None:
    """Create the tables of a new database, or bring those of an older one up to date, in a writing transaction.

    Raises:
        KycpackError: Of the layout's class; the database belongs to another program, or was written by a newer version.
    """
    take_turn(connection, layout.lock)
    version = _version(connection, layout)  # read under the lock: another process may have done it already
    if version == layout.version:
        return
    facts = layout.facts.c
    if version is None:
        layout.metadata.create_all(connection)
        connection.execute(insert(layout.facts).values(name=_VERSION, value=str(layout.version)))
        return
    for number in range(version + 1, layout.version + 1):
        for statement in layout.changes[number]:
            connection.execute(text(_in_words_of(connection.dialect.name, statement)))
    is_version = facts.name == _VERSION
    connection.execute(update(layout.facts).where(is_version).values(value=str(layout.version)))


def missing_columns(connection: Connection, layout: Layout) -> list[str]:
    """Return the columns that a database lacks, as in `customers.org_id`."""
    held = {
        name: {str(column["name"]) for column in columns}
        for (_, name), columns in inspect(connection).get_multi_columns().items()
    }
    return [
        f"{table.name}.{column.name}"
        for table in layout.metadata.sorted_tables
        for column in table.columns
        if column.name not in held.get(table.name, ())
    ]


def _version(connection: Connection, layout: Layout) -> int | None:
    present = inspect(connection).get_table_names()
    if layout.facts.name not in present:
        if present and not (layout.shares and connection.dialect.name == "postgresql"):
            raise layout.error(
                f"the database contains tables of another program; give the {layout.owner} a database of its own"
            )
        return None
    facts = layout.facts.c
    held = connection.scalar(select(facts.value).where(facts.name == _VERSION))
    if not str(held).isdecimal() or not 1 <= int(str(held)) <= layout.version:
        raise layout.error(
            f"the database is of version {held or 'unknown'}, this {layout.owner} reads versions 1 to {layout.version}; "
            "use the kycpack that wrote it, or another database"
        )
    return int(str(held))


def _in_words_of(dialect: str, statement: str) -> str:
    for placeholder, word in _WORDS[dialect].items():
        statement = statement.replace(placeholder, word)
    return statement
