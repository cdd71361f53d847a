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
from kycpack.workspace.rows import LEARNED_FROM, check_choice, check_id
from kycpack.workspace.schema import customers, meta, payments, sessions


def learn_customer(
    connection: Connection, now: str, customer_id: str, learned_from: str, *, org_id: str | None = None
) -> bool:
    """Add a customer to the register, within a transaction; return whether it is new."""
    return _learn(connection, now, customers, customer_id, learned_from, {"org_id": org_id})


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
    values = {
        "customer_id": customer_id,
        "created_at": created_at,
        "ordered": None if ordered is None else json.dumps(dict(ordered), sort_keys=True),
        "status": status,
    }
    _learn(connection, now, sessions, session_id, learned_from, values)
    if status is not None:  # the only value that changes
        connection.execute(update(sessions).where(sessions.c.session_id == session_id).values(status=status))


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
    values = {"customer_id": customer_id, "created_at": created_at}
    _learn(connection, now, payments, payment_id, learned_from, values)


def learn_created(
    connection: Connection,
    now: str,
    kind: str,
    subject_id: str,
    *,
    customer_id: str | None = None,
    org_id: str | None = None,
    created_at: str | None = None,
    ordered: Mapping[str, Any] | None = None,
) -> None:
    """Add what a client created to the register, within a transaction; `kind` is customer, session or payment, others add nothing."""
    if kind == "customer":
        learn_customer(connection, now, subject_id, "created", org_id=org_id)
    elif kind == "session":
        learn_session(
            connection,
            now,
            subject_id,
            "created",
            customer_id=customer_id,
            created_at=created_at,
            ordered=ordered,
        )
    elif kind == "payment":
        learn_payment(connection, now, subject_id, "created", customer_id=customer_id, created_at=created_at)


def upsert(connection: Connection, table: Table) -> Any:
    """Return an insert that can handle an existing row, for either database."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def put_row(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Write a row; it replaces one with the same key."""
    keys = [column.name for column in table.primary_key]
    changes = {name: value for name, value in row.items() if name not in keys}
    made = upsert(connection, table).values(row)
    connection.execute(made.on_conflict_do_update(index_elements=keys, set_=changes))


def stored_secret(connection: Connection, name: str, fresh: str) -> str:
    """Return a secret of the workspace; a fresh one is stored if it has none of this name."""
    connection.execute(upsert(connection, meta).values(name=name, value=fresh).on_conflict_do_nothing())
    return str(connection.scalar(select(meta.c.value).where(meta.c.name == name)))


def _learn(
    connection: Connection,
    now: str,
    table: Table,
    subject_id: str,
    learned_from: str,
    known: Mapping[str, str | None],
) -> bool:
    values = {"learned_from": check_choice(learned_from, LEARNED_FROM), "learned_at": now, **known}
    given = values.get("customer_id")
    if given is not None:
        learn_customer(connection, now, given, learned_from)
    (key,) = table.primary_key
    addition = upsert(connection, table).values({key.name: check_id(subject_id), **values})
    # A returned row shows that it is new; the row count of PostgreSQL's driver does not.
    added = addition.on_conflict_do_nothing(index_elements=[key]).returning(key)
    if connection.execute(added).first() is not None:
        return True
    found = connection.execute(select(table).where(key == subject_id).with_for_update())
    row = found.mappings().one()
    if given is not None and row["customer_id"] not in {None, given}:
        raise WorkspaceError(
            f"{subject_id} is known to be another customer's; it cannot be {given}'s as well"
        )
    changes = {name: value for name, value in values.items() if value is not None and row[name] is None}
    if "customer_id" in changes:
        # The source that counts is the one that gave its customer: before that, it had none.
        changes |= {"learned_from": learned_from, "learned_at": now}
    if changes:
        connection.execute(update(table).where(key == subject_id).values(changes))
    return False
