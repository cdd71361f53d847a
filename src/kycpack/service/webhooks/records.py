"""Registered endpoints, and the journal of deliveries to them: a row is written with the event, before anything is sent. Deleting an endpoint keeps its record."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, literal, select, update

from kycpack.models.enums import SESSION_COMPLETED, SessionState
from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.models.webhooks import WebhookCreate
from kycpack.service.auth import Tenant
from kycpack.service.problems import invalid_request
from kycpack.service.rows import change_row, find_by_id, require_row
from kycpack.service.schema import deliveries, webhooks
from kycpack.service.webhooks.delivery import DeliveryOutcome, deliver

TRIAL_SESSION = "00000000-0000-4000-8000-000000000000"
"""The session id in a test; no session has this id."""

EVENTS = (SESSION_COMPLETED,)


def create_webhook(
    connection: Connection, tenant: Tenant, body: WebhookCreate, now: datetime
) -> dict[str, Any]:
    """Register an endpoint with a checked URL, and return its record.

    Raises:
        RefusedError: 400, an event is unknown.
    """
    events = list(dict.fromkeys(body.events))
    if set(events) - set(EVENTS):
        raise invalid_request(f"events: unknown event; the known ones are {', '.join(EVENTS)}")
    instant = format_instant(now)
    values = {
        "id": str(uuid4()),
        "tenant_id": tenant.id,
        "url": body.url,
        "name": body.name,
        "events": dump_json(events).decode(),
        "active": True,
        "created_at": instant,
        "updated_at": instant,
        "failures": 0,
    }
    row = connection.execute(insert(webhooks).values(values).returning(webhooks)).one()
    return _record(row)


def list_webhooks(connection: Connection, tenant: Tenant) -> dict[str, Any]:
    """Return the organisation's endpoints, oldest first, including inactive ones."""
    own = select(webhooks).where(webhooks.c.tenant_id == tenant.id)
    rows = connection.execute(own.order_by(webhooks.c.created_at, webhooks.c.id))
    return {"items": [_record(row) for row in rows]}


def delete_webhook(connection: Connection, tenant: Tenant, webhook_id: str, now: datetime) -> dict[str, Any]:
    """Deactivate an endpoint and return its record.

    Raises:
        RefusedError: 404 unknown or another organisation's.
    """
    own = webhooks.c.tenant_id == tenant.id
    held = find_by_id(connection, webhooks, webhook_id, "webhook", own, lock=True)
    return _record(change_row(connection, webhooks, held, active=False, updated_at=format_instant(now)))


def find_webhook(connection: Connection, webhook_id: str) -> Row[Any]:
    """Return the row of an endpoint of any organisation.

    Raises:
        RefusedError: 404 unknown.
    """
    return find_by_id(connection, webhooks, webhook_id, "webhook")


def try_webhook(url: str, now: datetime, *, loopback: bool) -> DeliveryOutcome:
    """POST an invented completion to an address and return the outcome. It is not recorded or counted.

    Args:
        url: The address.
        now: The service's time.
        loopback: Whether plain loopback addresses are allowed.
    """
    instant = format_instant(now)
    payload = completed_payload(
        TRIAL_SESSION,
        now,
        identity=progress(instant, confirmed=True),
        ais=progress(None, None),
        created=instant,
        updated=instant,
    )
    return deliver(url, dump_json(payload), loopback=loopback)


def _record(row: Row[Any]) -> dict[str, Any]:
    record = {
        "id": row.id,
        "url": row.url,
        "events": parse_json(row.events),
        "active": row.active,
        "created": row.created_at,
        "updated": row.updated_at,
        "lastDelivered": row.last_delivered_at,
        "deliveryAttempts": row.failures,
    }
    return record if row.name is None else {**record, "name": row.name}


QUEUED, SENDING, DELIVERED, FAILED, UNKNOWN = "queued", "sending", "delivered", "failed", "unknown"


def completed_payload(
    session_id: str,
    now: datetime,
    *,
    identity: Mapping[str, Any],
    ais: Mapping[str, Any],
    created: str,
    updated: str,
) -> dict[str, Any]:
    """Return the payload of `onboard.session.completed`; its names are PascalCase.

    Args:
        session_id: Session id.
        now: The service's time.
        identity: `progress` of the identity checks.
        ais: `progress` of bank access.
        created: When the session was created.
        updated: When it was changed last.
    """
    return {
        "Event": SESSION_COMPLETED,
        "Timestamp": format_instant(now),
        "Session": {
            "Id": session_id,
            "Status": SessionState.COMPLETE.value.capitalize(),
            "Progress": {"Identity": identity, "Ais": ais},
            "Created": created,
            "Updated": updated,
        },
    }


def progress(completed_at: str | None, confirmed: bool | None) -> dict[str, Any]:  # noqa: FBT001 - a value, not a switch
    """Return one part of the progress in a payload."""
    return {"Completed": completed_at is not None, "Confirmed": confirmed, "CompletedAt": completed_at}


def queue_deliveries(
    connection: Connection,
    tenant_id: str,
    session_id: str,
    event: str,
    payload: Mapping[str, Any],
    now: datetime,
) -> int:
    """Queue one delivery of an event for each active endpoint that is subscribed to it; return their number."""
    # One statement, however many endpoints there are, because completing a session blocks other writers.
    wanted = (
        select(
            webhooks.c.tenant_id,
            webhooks.c.id,
            literal(session_id),
            literal(event),
            webhooks.c.url,
            literal(dump_json(payload).decode()),
            literal(QUEUED),
            literal(format_instant(now)),
        )
        .where(
            webhooks.c.active.is_(True),
            webhooks.c.tenant_id == tenant_id,
            webhooks.c.events.contains(dump_json(event).decode(), autoescape=True),
        )
        .order_by(webhooks.c.created_at, webhooks.c.id)
    )
    names = ["tenant_id", "webhook_id", "session_id", "event", "url", "payload", "state", "created_at"]
    return connection.execute(insert(deliveries).from_select(names, wanted)).rowcount


def claim_next(
    connection: Connection,
    now_of: Callable[[str], datetime],
    *,
    but_tenants: Collection[str] = (),
    but_endpoints: Collection[str] = (),
) -> Row[Any] | None:
    """Mark the oldest queued delivery as being sent and return it, None if there is none.

    Args:
        connection: A writing connection.
        now_of: Returns the time of an organisation.
        but_tenants: Organisations whose deliveries have to wait.
        but_endpoints: Endpoints whose deliveries have to wait.
    """
    queued = select(deliveries).where(
        deliveries.c.state == QUEUED,
        deliveries.c.tenant_id.not_in(but_tenants),
        deliveries.c.webhook_id.not_in(but_endpoints),
    )
    oldest = queued.order_by(deliveries.c.number).limit(1)
    row = connection.execute(oldest.with_for_update(skip_locked=True)).one_or_none()
    if row is not None:
        _set(connection, row.number, state=SENDING, sent_at=format_instant(now_of(row.tenant_id)))
    return row


def record_outcome(
    connection: Connection, row: Row[Any], status: int | None, reason: str, now: datetime
) -> None:
    """Record the outcome of a delivery; only failures are counted in the endpoint's `deliveryAttempts`.

    Args:
        connection: A writing connection.
        row: The delivery.
        status: The endpoint's HTTP status; None if there was no answer.
        reason: Why it failed, in words; empty if it was delivered.
        now: The service's time.
    """
    instant = format_instant(now)
    state = FAILED if reason else DELIVERED
    _set(connection, row.number, state=state, status=status, reason=reason or None, finished_at=instant)
    endpoint = (webhooks.c.id == row.webhook_id) & (webhooks.c.tenant_id == row.tenant_id)
    change = {"failures": webhooks.c.failures + 1} if reason else {"last_delivered_at": instant}
    connection.execute(update(webhooks).where(endpoint).values(change))


def mark_interrupted(connection: Connection, now: datetime) -> int:
    """Mark deliveries interrupted by a crash: it is unknown whether they arrived, and they are not sent again."""
    instant = format_instant(now)
    interrupted = update(deliveries).where(deliveries.c.state == SENDING)
    values = {
        "state": UNKNOWN,
        "reason": "the service stopped while it was being sent",
        "finished_at": instant,
    }
    return connection.execute(interrupted.values(values)).rowcount


def list_deliveries(connection: Connection) -> list[dict[str, Any]]:
    """Return the journal, oldest first."""
    rows = connection.execute(select(deliveries).order_by(deliveries.c.number))
    return [
        {
            "id": row.number,
            "tenantId": row.tenant_id,
            "webhookId": row.webhook_id,
            "sessionId": row.session_id,
            "event": row.event,
            "url": row.url,
            "state": row.state,
            "status": row.status,
            "reason": row.reason,
            "payload": parse_json(row.payload),
            "created": row.created_at,
            "sent": row.sent_at,
            "finished": row.finished_at,
        }
        for row in rows
    ]


def find_delivery(connection: Connection, number: str) -> Row[Any]:
    """Return the row of a delivery of any organisation.

    Args:
        connection: A connection.
        number: The number as it was given.

    Raises:
        RefusedError: 404 there is no delivery with that number.
    """
    is_number = number.isdecimal() and len(number) <= 18
    wanted = select(deliveries).where(deliveries.c.number == int(number)) if is_number else None
    return require_row(connection, wanted, "delivery")


def redeliver(connection: Connection, row: Row[Any], now_of: Callable[[str], datetime]) -> int:
    """Queue a delivery again, with the same payload and endpoint; return the new delivery's number."""
    kept = ("tenant_id", "webhook_id", "session_id", "event", "url", "payload")
    values = {name: getattr(row, name) for name in kept}
    added = insert(deliveries).values(
        **values, state=QUEUED, created_at=format_instant(now_of(row.tenant_id))
    )
    return int(connection.execute(added.returning(deliveries.c.number)).scalar_one())


def _set(connection: Connection, number: int, **values: Any) -> None:
    connection.execute(update(deliveries).where(deliveries.c.number == number).values(values))
