"""Intents to create something: written before the request is sent, settled by its answer or by hand."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select, update

from kycpack.errors import WorkspaceError
from kycpack.workspace.learning import learn_created
from kycpack.workspace.rows import IntentRow, read_json
from kycpack.workspace.schema import intents

_KINDS = {"customers.create": "customer", "onboarding.create": "session", "payments.create": "payment"}
"""What each operation creates."""


def add_intent(connection: Connection, now: str, operation: str, summary: Mapping[str, Any]) -> str:
    """Store an open intent and return its id."""
    intent_id = str(uuid.uuid4())
    connection.execute(
        insert(intents).values(
            intent_id=intent_id,
            operation=operation,
            summary=json.dumps(dict(summary), sort_keys=True, default=str),
            state="open",
            note="",
            made_at=now,
        )
    )
    return intent_id


def list_intents(connection: Connection, *, unsettled: bool) -> tuple[IntentRow, ...]:
    """Return the intents in the order in which they were made."""
    query = select(intents).order_by(intents.c.number)
    if unsettled:
        query = query.where(intents.c.state.in_(("open", "unknown")))
    return tuple(_intent(row) for row in connection.execute(query).mappings())


def resolve_intent(
    connection: Connection, now: str, intent_id: str, subject_id: str | None, note: str
) -> IntentRow:
    """Settle an open or unknown intent by hand, and return its new state.

    Raises:
        WorkspaceError: The intent is settled already.
    """
    intent = _get_intent(connection, intent_id)
    if intent.state not in {"open", "unknown"}:
        raise WorkspaceError(f"intent {intent_id} is already settled ({intent.state})")
    if subject_id is not None:
        learn_created(
            connection,
            now,
            _KINDS.get(intent.operation, ""),
            subject_id,
            customer_id=intent.summary.get("customerId"),
            ordered=intent.summary.get("ordered"),
        )
    settle_intent(connection, now, intent_id, state="resolved", subject_id=subject_id, note=note)
    return _get_intent(connection, intent_id)


def settle_intent(
    connection: Connection,
    now: str,
    intent_id: str,
    *,
    state: str,
    subject_id: str | None = None,
    note: str = "",
) -> None:
    """Store the result of an intent.

    Raises:
        WorkspaceError: There is no such intent.
    """
    settled = connection.execute(
        update(intents)
        .where(intents.c.intent_id == intent_id)
        .values(state=state, subject_id=subject_id, note=note, settled_at=now)
    )
    if not settled.rowcount:
        raise WorkspaceError(f"no intent {intent_id}")


def _get_intent(connection: Connection, intent_id: str) -> IntentRow:
    row = connection.execute(select(intents).where(intents.c.intent_id == intent_id)).mappings().first()
    if row is None:
        raise WorkspaceError(f"no intent {intent_id}; `kycpack register list --intents` shows them")
    return _intent(row)


def _intent(row: RowMapping) -> IntentRow:
    values = {name: value for name, value in row.items() if name != "number"}
    return IntentRow(**{**values, "summary": read_json(values["summary"], "summary")})
