"""The state of one running service."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import wraps
from typing import Protocol, TypeVar
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select

from kycpack.models.instants import format_instant
from kycpack.service import schema
from kycpack.service.auth import RateLimiter, Verifier
from kycpack.service.clock import Clock
from kycpack.service.database import Database
from kycpack.service.faults import Faults
from kycpack.service.keys import NewKey, create_key
from kycpack.service.links import Links
from kycpack.service.mail import MailSender
from kycpack.service.request_log import RequestLog
from kycpack.service.scheduler import Scheduler
from kycpack.service.statements import DerivedStatements
from kycpack.service.webhooks.sender import Sender

FIRST_TENANT = "First organisation"
POPULATION = "population"
"""The name of the database's fact about loaded invented customers."""

_OFFSET = "clock_offset_"  # followed by the organisation


@dataclass(frozen=True, slots=True)
class FirstKey:
    """The first tenant and its key, which has all permissions."""

    tenant_id: str
    key: NewKey


@dataclass(frozen=True)
class Service:
    """One running service: its database, clock and components.

    Attributes:
        database: The database.
        clock: The clock for everything in the service.
        links: Creates and reads links.
        verifier: Checks signatures.
        limiter: Limits requests.
        faults: Rules that make requests fail, for testing clients.
        sender: Sends webhooks.
        mail_sender: Sends email notifications.
        scheduler: Carries out scheduled work.
        loopback: Whether it is bound to loopback, where the console and plain loopback webhooks are allowed.
        public_url: The base URL of links; empty for the address that the caller used.
        first: The first tenant and key.
        requests: The log of requests and their journal.
        statements: The source of wealth statements that were derived last.
        control_token: Token for requests to the control API; empty if it is only for this machine.
    """

    database: Database
    clock: Clock
    links: Links
    verifier: Verifier
    limiter: RateLimiter
    faults: Faults
    sender: Sender
    mail_sender: MailSender
    scheduler: Scheduler
    loopback: bool
    public_url: str
    first: FirstKey
    requests: RequestLog
    statements: DerivedStatements = field(default_factory=DerivedStatements)
    control_token: str = field(default="", repr=False)

    @property
    def has_control(self) -> bool:
        """Whether the control API is available: on loopback, and elsewhere with a token."""
        return self.loopback or bool(self.control_token)


class _Asked(Protocol):
    @property
    def service(self) -> Service: ...


_AskedT = TypeVar("_AskedT", bound=_Asked)
_AnswerT = TypeVar("_AnswerT")


def reading(handle: Callable[[_AskedT, Connection], _AnswerT]) -> Callable[[_AskedT], _AnswerT]:
    """Give a handler of the console or the control API a connection for reading."""

    @wraps(handle)
    def handler(asked: _AskedT) -> _AnswerT:
        with asked.service.database.read() as connection:
            return handle(asked, connection)

    return handler


def writing(handle: Callable[[_AskedT, Connection], _AnswerT]) -> Callable[[_AskedT], _AnswerT]:
    """Give a handler of the console or the control API a writing connection, and send queued webhooks after the commit."""

    @wraps(handle)
    def handler(asked: _AskedT) -> _AnswerT:
        with asked.service.database.write() as connection:
            answer = handle(asked, connection)
        asked.service.sender.wake()
        return answer

    return handler


def ensure_first_key(database: Database, clock: Clock) -> FirstKey:
    """Return the first tenant and key of a database; a new key is created if the database is new or the key was revoked."""
    with database.write() as connection:
        tenant_id, key_id = read_fact(connection, "first_tenant"), read_fact(connection, "first_key")
        if tenant_id is not None and key_id is not None:
            newest = (
                select(schema.key_secrets.c.secret)
                .where(schema.key_secrets.c.key_id == key_id, schema.key_secrets.c.retired_at.is_(None))
                .order_by(schema.key_secrets.c.id.desc())
            )
            secret = connection.scalars(newest).first()
            if secret is not None:
                return FirstKey(tenant_id, NewKey(key_id, secret))
        if tenant_id is None:
            tenant_id = add_tenant(connection, clock, FIRST_TENANT)
            keep_fact(connection, "first_tenant", tenant_id)
        key = create_key(connection, clock.now(), tenant_id=tenant_id)
        keep_fact(connection, "first_key", key.key_id)
        return FirstKey(tenant_id, key)


def open_clock(database: Database, source: Callable[[], datetime] | None = None) -> Clock:
    """Return the clock of a database, with its stored offsets; new offsets are stored there."""

    def keep(tenant_id: str, seconds: float | None) -> None:
        with database.write() as connection:
            keep_fact(connection, f"{_OFFSET}{tenant_id}", None if seconds is None else repr(seconds))

    named = schema.facts.c.name.startswith(_OFFSET, autoescape=True)
    with database.read() as connection:
        held = connection.execute(select(schema.facts.c.name, schema.facts.c.value).where(named)).all()
    offsets = {row.name.removeprefix(_OFFSET): timedelta(seconds=float(row.value)) for row in held}
    return Clock(source, offsets, keep)


def read_fact(connection: Connection, name: str) -> str | None:
    """Return a fact that the database stores about itself, None if there is none."""
    value = connection.scalar(select(schema.facts.c.value).where(schema.facts.c.name == name))
    return None if value is None else str(value)


def keep_fact(connection: Connection, name: str, value: str | None) -> None:
    """Store a fact about the database under a name; None deletes it."""
    connection.execute(delete(schema.facts).where(schema.facts.c.name == name))
    if value is not None:
        connection.execute(insert(schema.facts).values(name=name, value=value))


def add_tenant(
    connection: Connection,
    clock: Clock,
    name: str,
    *,
    currency: str = "GBP",
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
    """Return the service's own key, which signs its links; it is created if the database is new."""
    with database.write() as connection:
        stored = read_fact(connection, "link_key")
        if stored is None:
            stored = base64.b64encode(secrets.token_bytes(32)).decode("ascii")
            keep_fact(connection, "link_key", stored)
        return base64.b64decode(stored)


def reset(service: Service) -> None:
    """Delete everything except the first tenant and key; reset the clock to real time and remove fault rules."""
    key_id = service.first.key.key_id
    others: dict[Table, tuple[ColumnElement[bool], ...]] = {
        schema.tenants: (schema.tenants.c.id != service.first.tenant_id,),
        schema.keys: (schema.keys.c.id != key_id,),
        schema.key_secrets: (schema.key_secrets.c.key_id != key_id,),
    }
    with service.database.write(alone=True) as connection:
        for table in reversed(schema.metadata.sorted_tables):
            if table not in {schema.facts, schema.nonces}:
                connection.execute(delete(table).where(*others.get(table, ())))
        keep_fact(connection, POPULATION, None)
    service.clock.reset()
    service.faults.clear()
    service.requests.clear()
    service.statements.clear()
