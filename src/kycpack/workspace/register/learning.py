"""Adds customers, sessions and payments to the register, within a transaction.

Later information fills in what was missing and never overwrites anything: if two sources disagree about whose session it
is, that is an error.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, select, update

from kycpack.errors import WorkspaceError
from kycpack.storage.transactions import upsert
from kycpack.workspace.rows import LEARNED_FROM, check_choice, check_id
from kycpack.workspace.schema import customers, payments, sessions

TABLES = {"customer": customers, "session": sessions, "payment": payments}
"""The table of each kind of record in the register."""


def learn_record(
    connection: Connection, now: str, kind: str, subject_id: str, learned_from: str, **known: Any
) -> bool:
    """Add a customer, a session or a payment to the register, within a transaction.

    Args:
        connection: The transaction.
        now: When it was learned.
        kind: One of `TABLES`.
        subject_id: Its id.
        learned_from: One of `LEARNED_FROM`.
        **known: What is known of it, by column; what a session ordered is a mapping.

    Returns:
        Whether it is new.

    Raises:
        InputError: An id or the source cannot be used.
        WorkspaceError: It is known to be another customer's.
    """
    table, given = TABLES[kind], known.get("customer_id")
    if known.get("ordered") is not None:
        known["ordered"] = json.dumps(dict(known["ordered"]), sort_keys=True)
    values = {"learned_from": check_choice(learned_from, LEARNED_FROM), "learned_at": now, **known}
    if given is not None:
        learn_record(connection, now, "customer", given, learned_from)
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
    changes = {
        name: value
        for name, value in values.items()
        if value is not None and (row[name] is None or name == "status")  # the only value that changes
    }
    if given is not None and row["customer_id"] is None:
        # The source that counts is the one that gave its customer: before that, it had none.
        changes |= {"learned_from": learned_from, "learned_at": now}
    if changes:
        connection.execute(update(table).where(key == subject_id).values(changes))
    return False
