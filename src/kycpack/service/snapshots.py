"""Snapshots: all data of the service, stored under a name and restored.

A snapshot is stored in the same database, readable by anyone who can read the rest. It does not include the first key, the key of
links, used nonces and other snapshots: announced keys and links remain valid, and no request can be sent twice.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

from sqlalchemy import Connection, LargeBinary, Row, Table, delete, insert, select, text

from kycpack.models.instants import format_instant
from kycpack.service import schema
from kycpack.service.faults import FaultRule
from kycpack.service.problems import conflict, invalid_request
from kycpack.service.rows import require_row
from kycpack.service.state import POPULATION, Service, keep_fact, read_fact
from kycpack.service.webhooks.records import mark_interrupted

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_ROWS_AT_A_TIME = 500
_APART = {schema.facts, schema.nonces, schema.snapshots}
_TABLES = [table for table in schema.metadata.sorted_tables if table not in _APART]


def take_snapshot(service: Service, name: str) -> dict[str, Any]:
    """Store everything under a name.

    Raises:
        RefusedError: 400 the name is malformed; 409 the name is already taken.
    """
    if _NAME.fullmatch(name) is None:
        raise invalid_request("name: expected letters, digits, dots, dashes and underscores, at most 64")
    now = service.clock.now()
    with service.database.write(alone=True) as connection:
        taken = select(schema.snapshots.c.name).where(schema.snapshots.c.name == name)
        if connection.scalar(taken) is not None:
            raise conflict("snapshot_exists", "A snapshot with that name exists; delete it first")
        tables = {
            table.name: [
                _to_json(row._asdict())
                for row in connection.execute(select(table).order_by(*table.primary_key))
            ]
            for table in _TABLES
        }
        document = {
            "tables": tables,
            "population": read_fact(connection, POPULATION),
            "clock": service.clock.offsets(),
            "faults": [rule.model_dump(mode="json", exclude_none=True) for rule in service.faults.rules()],
        }
        values: dict[str, Any] = {
            "name": name,
            "created_at": format_instant(now),
            "rows": sum(len(rows) for rows in tables.values()),
            "content": gzip.compress(json.dumps(document).encode(), mtime=0),
        }
        connection.execute(insert(schema.snapshots).values(values))
    return _record(values["name"], values["created_at"], values["rows"])


def list_snapshots(connection: Connection) -> list[dict[str, Any]]:
    """Return the snapshots, oldest first, without their content."""
    table = schema.snapshots.c
    rows = connection.execute(
        select(table.name, table.created_at, table.rows).order_by(table.created_at, table.name)
    )
    return [_record(*row) for row in rows]


def restore_snapshot(service: Service, name: str) -> dict[str, Any]:
    """Restore everything as it was when a snapshot was taken: records, keys, clocks and fault rules.

    The clocks get the offsets from real time that they had then. A delivery that was being sent is marked unknown.

    Raises:
        RefusedError: 404 there is no snapshot with that name.
    """
    with service.database.write(alone=True) as connection:
        held = _find(connection, name, *schema.snapshots.c)
        document = json.loads(gzip.decompress(held.content))
        for table in reversed(_TABLES):
            connection.execute(delete(table))
        for table in _TABLES:
            rows = [_from_json(table, row) for row in document["tables"].get(table.name, [])]
            for start in range(0, len(rows), _ROWS_AT_A_TIME):
                connection.execute(insert(table), rows[start : start + _ROWS_AT_A_TIME])
            _go_on_counting(connection, table)
        keep_fact(connection, POPULATION, document["population"])
        mark_interrupted(connection, service.clock.now())
    service.clock.restore(document["clock"])
    service.statements.clear()
    service.faults.clear()
    for rule in document["faults"]:
        service.faults.add(FaultRule.model_validate(rule, strict=False))
    service.sender.wake()
    return _record(held.name, held.created_at, held.rows)


def delete_snapshot(connection: Connection, name: str) -> None:
    """Delete a snapshot.

    Raises:
        RefusedError: 404 there is no snapshot with that name.
    """
    _find(connection, name, schema.snapshots.c.name)
    connection.execute(delete(schema.snapshots).where(schema.snapshots.c.name == name))


def _find(connection: Connection, name: str, *columns: Any) -> Row[Any]:
    wanted = select(*columns).where(schema.snapshots.c.name == name)
    return require_row(connection, wanted if _NAME.fullmatch(name) else None, "snapshot")


def _record(name: str, created_at: str, rows: int) -> dict[str, Any]:
    return {"name": name, "created": created_at, "rows": rows}


def _to_json(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value
        for name, value in row.items()
    }


def _from_json(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: base64.b64decode(value)
        if value is not None and isinstance(table.c[name].type, LargeBinary)
        else value
        for name, value in row.items()
    }


def _go_on_counting(connection: Connection, table: Table) -> None:
    """Set PostgreSQL's sequence to continue after the restored numbers; SQLite uses the numbers themselves."""
    column = table.autoincrement_column
    if connection.dialect.name != "postgresql" or column is None:
        return
    preparer = connection.dialect.identifier_preparer
    name = preparer.format_table(table)
    statement = (
        f"SELECT setval(pg_get_serial_sequence('{name}', '{column.name}'), "  # noqa: S608 - names of our own tables
        f"GREATEST((SELECT COALESCE(MAX({column.name}), 0) FROM {name}), 1))"
    )
    connection.execute(text(statement))
