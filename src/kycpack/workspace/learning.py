"""Adds customers, sessions and payments to the register, within a transaction.

Later information fills in what was missing and never overwrites anything: if two sources disagree about whose session it
is, that is an error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table, select, update
from sqlalchemy.dialects import postgresql, sqlite

from kycpack.errors import WorkspaceError
from kycpack.workspace import schema
from kycpack.workspace.rows import check_id, check_source


def learn_customer(
    connection: Connection, now: str, customer_id: str, learned_from: str, *, org_id: str | None = None
) -> bool:
    """Add a customer to the register, within a transaction; return whether it is new."""
    check_source(learned_from)
    values = {"learned_from": learned_from, "learned_at": now, "org_id": org_id}
    return _learn(connection, schema.customers, "customer_id", check_id(customer_id), values)


def learn_session(
    connection: Connection,
    now: str,
    session_id: str,
    learned_from: str,
    *,
    customer_id: str | None = None,
    created_at: str | None = None,
    ordered: Mapping[str, Any] | None = None,
    status: str | None = None,
) -> None:
    """Add a session to the register, within a transaction."""
    check_source(learned_from)
    values = {
        "learned_from": learned_from,
        "learned_at": now,
        "customer_id": customer_id,
        "created_at": created_at,
        "ordered": None if ordered is None else json.dumps(dict(ordered), sort_keys=True),
        "status": status,
    }
    if customer_id is not None:
        learn_customer(connection, now, customer_id, learned_from)
    _learn(connection, schema.sessions, "session_id", check_id(session_id), values)
    if status is not None:  # the only value that changes
        table = schema.sessions
        connection.execute(update(table).where(table.c.session_id == session_id).values(status=status))


def learn_payment(
    connection: Connection,
    now: str,
    payment_id: str,
    learned_from: str,
    *,
    customer_id: str | None = None,
    created_at: str | None = None,
) -> None:
    """Add a payment to the register, within a transaction."""
    check_source(learned_from)
    values = {
        "learned_from": learned_from,
        "learned_at": now,
        "customer_id": customer_id,
        "created_at": created_at,
    }
    if customer_id is not None:
        learn_customer(connection, now, customer_id, learned_from)
    _learn(connection, schema.payments, "payment_id", check_id(payment_id), values)


def upsert(connection: Connection, table: Table) -> Any:
    """Return an insert that can handle an existing row, for either database."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def _learn(
    connection: Connection, table: Table, key: str, subject_id: str, values: Mapping[str, str | None]
) -> bool:
    addition = upsert(connection, table).values({key: subject_id, **values})
    # A returned row shows that it is new; the row count of PostgreSQL's driver does not.
    added = addition.on_conflict_do_nothing(index_elements=[key]).returning(table.c[key])
    if connection.execute(added).first() is not None:
        return True
    found = connection.execute(select(table).where(table.c[key] == subject_id).with_for_update())
    row = found.mappings().one()
    changes: dict[str, str | None] = {
        name: value for name, value in values.items() if value is not None and row[name] is None
    }
    given = values.get("customer_id")
    if given is not None and row["customer_id"] not in {None, given}:
        raise WorkspaceError(
            f"{subject_id} is known to be another customer's; it cannot be {given}'s as well"
        )
    if "customer_id" in changes:
        # The source that counts is the one that gave its customer: before that, it had none.
        changes |= {"learned_from": values["learned_from"], "learned_at": values["learned_at"]}
    if changes:
        connection.execute(update(table).where(table.c[key] == subject_id).values(changes))
    return False
