"""Scheduled work: results of a session in review, and transactions that a bank books later.

It becomes due by the clock of its organisation. Without a due time it waits until somebody completes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, or_, select, update

from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.service.clock import Clock
from kycpack.service.schema import scheduled

SESSION, TRANSACTIONS = "session", "transactions"
"""The kinds of work: the end of a session, or transactions of an account."""

WAITING, DONE, FAILED = "waiting", "done", "failed"


def add_scheduled(
    connection: Connection,
    tenant_id: str,
    kind: str,
    subject_id: str,
    body: Mapping[str, Any],
    *,
    due: datetime | None,
    now: datetime,
) -> int:
    """Schedule work and return its number.

    Args:
        connection: A writing connection.
        tenant_id: Id of the organisation.
        kind: `SESSION` or `TRANSACTIONS`.
        subject_id: Id of the session or the customer.
        body: The work to do.
        due: Due time by the organisation's clock; None to wait until somebody completes it.
        now: The organisation's time.
    """
    values = {
        "tenant_id": tenant_id,
        "kind": kind,
        "subject_id": subject_id,
        "body_json": dump_json(body).decode(),
        "due_at": None if due is None else format_instant(due),
        "state": WAITING,
        "created_at": format_instant(now),
    }
    added = insert(scheduled).values(values).returning(scheduled.c.number)
    return int(connection.execute(added).scalar_one())


def list_scheduled(connection: Connection) -> list[dict[str, Any]]:
    """Return the scheduled work, in the order in which it was scheduled."""
    rows = connection.execute(select(scheduled).order_by(scheduled.c.number))
    return [
        {
            "number": row.number,
            "tenant_id": row.tenant_id,
            "kind": row.kind,
            "subject_id": row.subject_id,
            "due": row.due_at,
            "state": row.state,
            "reason": row.reason,
            "created": row.created_at,
            "finished": row.finished_at,
        }
        for row in rows
    ]


def claim_due(connection: Connection, clock: Clock) -> Row[Any] | None:
    """Return the first row that is due, locked against others; None if nothing is due."""
    own = clock.own()
    rest = (scheduled.c.tenant_id.not_in(own)) & (scheduled.c.due_at <= format_instant(clock.now()))
    theirs = [
        (scheduled.c.tenant_id == tenant_id) & (scheduled.c.due_at <= format_instant(clock.now(tenant_id)))
        for tenant_id in own
    ]
    due = select(scheduled).where(scheduled.c.state == WAITING, or_(rest, *theirs))
    first = due.order_by(scheduled.c.due_at, scheduled.c.number).limit(1)
    return connection.execute(first.with_for_update(skip_locked=True)).one_or_none()


def is_due(connection: Connection, clock: Clock) -> bool:
    """Return whether anything may be due; cheaper than `claim_due`, and without a lock."""
    latest = max(format_instant(clock.now(tenant_id)) for tenant_id in (None, *clock.own()))
    waits = select(scheduled.c.number).where(scheduled.c.state == WAITING, scheduled.c.due_at <= latest)
    return connection.scalar(waits.limit(1)) is not None


def end_scheduled(connection: Connection, number: int, now: datetime, reason: str = "") -> None:
    """Record that a row was carried out, or why it could not be carried out."""
    values = {
        "state": FAILED if reason else DONE,
        "reason": reason or None,
        "finished_at": format_instant(now),
    }
    connection.execute(update(scheduled).where(scheduled.c.number == number).values(values))


def take_reviewed_results(connection: Connection, session_id: str, now: datetime) -> list[Any]:
    """Return the results of a session that is now completed after a review; empty if it was not in review."""
    waiting = select(scheduled).where(
        scheduled.c.subject_id == session_id, scheduled.c.kind == SESSION, scheduled.c.state == WAITING
    )
    parts: list[dict[str, Any]] = []
    for row in connection.execute(waiting.order_by(scheduled.c.number)).all():
        parts += parse_json(row.body_json)["parts"]
        end_scheduled(connection, row.number, now)
    return parts
