"""Registered endpoints. Deleting one keeps its record."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select

from kycpack.models.enums import SESSION_COMPLETED
from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.models.webhooks import WebhookCreate
from kycpack.service.auth import Tenant
from kycpack.service.problems import invalid_request
from kycpack.service.rows import change_row, find_by_id
from kycpack.service.schema import webhooks
from kycpack.service.webhooks.delivery import DeliveryOutcome, deliver
from kycpack.service.webhooks.journal import completed_payload, progress

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
