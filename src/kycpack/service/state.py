"""What one running service holds together."""

from __future__ import annotations

import base64
import secrets
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select

from kycpack.models.instants import format_instant
from kycpack.service import schema
from kycpack.service.auth import Verifier
from kycpack.service.clock import Clock
from kycpack.service.database import Database
from kycpack.service.faults import Faults
from kycpack.service.keys import NewKey, create_key
from kycpack.service.limits import RateLimiter
from kycpack.service.links import Links
from kycpack.service.request_log import RequestLog
from kycpack.service.webhooks.sender import Sender

FIRST_TENANT = "First organisation"
_FIRST_CURRENCY = "GBP"


@dataclass(frozen=True, slots=True)
class FirstKey:
    """The first tenant and its key, which hold everything."""

    tenant_id: str
    key: NewKey


@dataclass(frozen=True)
class Service:
    """One running service: its database, clock and what works on them.

    Attributes:
        database: Where everything is kept.
        clock: The time by which everything happens.
        links: Makes and reads links.
        verifier: Checks signatures.
        limiter: Limits requests.
        faults: Rules by which requests are spoilt for testing clients.
        sender: Sends webhooks.
        loopback: Whether it is bound to loopback, where the control API and plain loopback webhooks are allowed.
        public_url: What links begin with; empty for the address the caller used.
        first: The first tenant and key.
        requests: The log of requests and their journal.
    """

    database: Database
    clock: Clock
    links: Links
    verifier: Verifier
    limiter: RateLimiter
    faults: Faults
    sender: Sender
    loopback: bool
    public_url: str
    first: FirstKey
    requests: RequestLog


def ensure_first_key(database: Database, clock: Clock) -> FirstKey:
    """Return the first tenant and key of a database; make them when it is new."""
    with database.write() as connection:
        known = {row.name: row.value for row in connection.execute(select(schema.facts))}
        if "first_key" in known:
            newest = (
                select(schema.key_secrets.c.secret)
                .where(schema.key_secrets.c.key_id == known["first_key"])
                .order_by(schema.key_secrets.c.id.desc())
            )
            secret = connection.scalars(newest).first()
            return FirstKey(known["first_tenant"], NewKey(known["first_key"], str(secret)))
        tenant_id = add_tenant(connection, clock, FIRST_TENANT)
        key = create_key(connection, clock.now(), tenant_id=tenant_id)
        for name, value in (("first_tenant", tenant_id), ("first_key", key.key_id)):
            connection.execute(insert(schema.facts).values(name=name, value=value))
        return FirstKey(tenant_id, key)


def add_tenant(
    connection: Connection,
    clock: Clock,
    name: str,
    *,
    currency: str = _FIRST_CURRENCY,
    merchant_onboarded: bool = True,
) -> str:
    """Add an organisation and return its id."""
    tenant_id = str(uuid4())
    connection.execute(
        insert(schema.tenants).values(
            id=tenant_id,
            name=name,
            currency=currency,
            merchant_onboarded=merchant_onboarded,
            created_at=format_instant(clock.now()),
        )
    )
    return tenant_id


def ensure_link_key(database: Database) -> bytes:
    """Return the service's own key, which its links are made with; make it when the database is new."""
    with database.write() as connection:
        stored = connection.scalar(select(schema.facts.c.value).where(schema.facts.c.name == "link_key"))
        if stored is None:
            stored = base64.b64encode(secrets.token_bytes(32)).decode("ascii")
            connection.execute(insert(schema.facts).values(name="link_key", value=stored))
        return base64.b64decode(stored)


def reset(service: Service) -> None:
    """Forget everything but the first tenant and key; the clock goes back to real time, faults are lifted."""
    first = service.first
    with service.database.write() as connection:
        for table in reversed(schema.metadata.sorted_tables):
            if table is schema.tenants:
                connection.execute(delete(table).where(table.c.id != first.tenant_id))
            elif table is schema.keys:
                connection.execute(delete(table).where(table.c.id != first.key.key_id))
            elif table is schema.key_secrets:
                connection.execute(delete(table).where(table.c.key_id != first.key.key_id))
            elif table not in {schema.facts, schema.nonces}:
                connection.execute(delete(table))
    service.clock.reset()
    service.faults.clear()
    service.requests.clear()
