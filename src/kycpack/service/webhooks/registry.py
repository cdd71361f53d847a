"""Registered endpoints. Deleting one keeps its record."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select, update

from kycpack.models.enums import SESSION_COMPLETED
from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.models.webhooks import WebhookCreate
from kycpack.service.auth import Tenant
from kycpack.service.problems import invalid_request
from kycpack.service.rows import find_by_id
from kycpack.service.schema import webhooks

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
    changed = update(webhooks).where(own, webhooks.c.id == held.id).returning(webhooks)
    ended = changed.values(active=False, updated_at=format_instant(now))
    return _record(connection.execute(ended).one())


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
