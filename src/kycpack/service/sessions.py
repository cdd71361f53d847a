"""Onboard sessions: ordering, the customer's steps, and their end.

The portal's pages and the control API use the same functions, so that a session has the same records whoever completed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select

from kycpack.models.enums import SessionState
from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json
from kycpack.models.onboarding import IdentityOptions, SessionCreate
from kycpack.service.auth import Tenant
from kycpack.service.customers import address_of, find_customer
from kycpack.service.problems import (
    RefusedError,
    conflict,
    invalid_customer_id,
    missing_person_data,
    no_merchant,
    not_found,
    session_forbidden,
)
from kycpack.service.results import Subject
from kycpack.service.rows import change_row, find_by_id
from kycpack.service.schema import customers, sessions, tenants
from kycpack.service.session_reading import (
    ADDRESS,
    BANK,
    DOCUMENT,
    IDENTITY,
    is_in_review,
    state_of,
    steps_done,
    steps_of,
)

LIFETIME = timedelta(days=7)
"""Source: interface, "Limits"."""

_PERSON = ("firstName", "lastName", "emailAddress")
_DOCUMENT_MEMBERS = ("documentType", "issuingCountry", "documentNumber", "expirationDate")


def create_session(connection: Connection, tenant: Tenant, body: SessionCreate, now: datetime) -> str:
    """Store a session and return its id.

    Raises:
        RefusedError: The customer is invalid or unknown, person data is missing, or AIS comes before merchant onboarding.
    """
    try:
        customer = find_customer(connection, tenant, body.customer_id)
    except RefusedError:
        raise invalid_customer_id() from None
    identity = (body.options and body.options.identity) or IdentityOptions()
    ais = body.options.ais if body.options else None
    person = {
        "firstName": body.first_name or customer.first_name,
        "lastName": body.last_name or customer.last_name,
        "emailAddress": body.email_address or customer.email_address,
    }
    missing = [name for name in _PERSON if not person[name]]
    if identity.any_enabled and missing:
        raise missing_person_data(missing)
    if ais is not None and ais.any_enabled and not tenant.merchant_onboarded:
        raise no_merchant()
    session_id = str(uuid4())
    instant = format_instant(now)
    values = {
        "id": session_id,
        "tenant_id": tenant.id,
        "customer_id": customer.id,
        "org_id": body.org_id,
        "first_name": person["firstName"],
        "last_name": person["lastName"],
        "email_address": person["emailAddress"],
        "return_url": body.return_url,
        "identity_json": dump_json(identity.model_dump(by_alias=True)).decode(),
        "ais_json": dump_json(ais.model_dump(by_alias=True)).decode() if ais and ais.any_enabled else None,
        "status": SessionState.PENDING.value,
        "attempt_count": 0,
        "steps_json": "{}",
        "created_at": instant,
        "updated_at": instant,
        "expires_at": format_instant(now + LIFETIME),
    }
    connection.execute(insert(sessions), values)
    return session_id


def find_session(connection: Connection, session_id: str, *, lock: bool = False) -> Row[Any]:
    """Return the row of a session of any organisation, for the holder of its link or for the control API.

    Raises:
        RefusedError: 404 unknown.
    """
    return find_by_id(connection, sessions, session_id, "session", lock=lock)


def find_own_session(connection: Connection, tenant: Tenant, session_id: str) -> Row[Any]:
    """Return the row of an organisation's session.

    Raises:
        RefusedError: 404 unknown; 403 another organisation's.
    """
    own = sessions.c.tenant_id == tenant.id
    try:
        return find_by_id(connection, sessions, session_id, "session", own)
    except RefusedError:
        find_session(connection, session_id)
        raise session_forbidden() from None


def require_open(row: Row[Any], now: datetime) -> None:
    """Refuse a session that has ended.

    Raises:
        RefusedError: 409 complete or expired.
    """
    state = state_of(row, now)
    if state is SessionState.EXPIRED:
        raise conflict("session_expired", "The session has expired")
    if state is SessionState.COMPLETE:
        raise conflict("session_complete", "The session is complete")


def _require_open_to_person(row: Row[Any], now: datetime) -> None:
    require_open(row, now)
    if is_in_review(row):
        raise conflict("session_in_review", "Everything has been sent; the session is in review")


def start_portal(connection: Connection, session_id: str, now: datetime) -> Row[Any]:
    """Count a start of the portal and return the session's row; only a click of the customer is a start, not showing a page.

    Raises:
        RefusedError: 404 unknown; 409 the session has ended.
    """
    row = find_session(connection, session_id, lock=True)
    _require_open_to_person(row, now)
    return change_row(
        connection,
        sessions,
        row,
        status=SessionState.IN_PROGRESS.value,
        attempt_count=row.attempt_count + 1,
        updated_at=format_instant(now),
    )


def take_step(
    connection: Connection,
    session_id: str,
    step: str,
    now: datetime,
    entered: Mapping[str, Any] | None = None,
) -> Row[Any]:
    """Record that the customer completed a step, and return the session's row.

    Args:
        connection: A writing connection.
        session_id: Session id.
        step: One of `steps_of`; if it is repeated, the values entered are replaced.
        now: The service's time.
        entered: The values entered, JSON.

    Raises:
        RefusedError: 409 the session has ended; 404 the session does not have this step.
    """
    row = find_session(connection, session_id, lock=True)
    _require_open_to_person(row, now)
    if step not in steps_of(row):
        raise not_found("step")
    instant = format_instant(now)
    done = {**steps_done(row), step: {"at": instant, **(entered or {})}}
    changes: dict[str, Any] = {"steps_json": dump_json(done).decode(), "updated_at": instant}
    asked_of_person = [name for name in steps_of(row) if name in {IDENTITY, DOCUMENT, ADDRESS}]
    if (
        asked_of_person
        and all(name in done for name in asked_of_person)
        and row.identity_completed_at is None
    ):
        changes["identity_completed_at"] = instant
    if step == BANK:
        changes["ais_completed_at"] = instant
    return change_row(connection, sessions, row, status=SessionState.IN_PROGRESS.value, **changes)


def expire_session(connection: Connection, session_id: str, now: datetime) -> Row[Any]:
    """Expire an open session now, as if its 7 days were over.

    Raises:
        RefusedError: 404 unknown; 409 complete or expired already.
    """
    row = find_session(connection, session_id, lock=True)
    require_open(row, now)
    return change_row(connection, sessions, row, expires_at=format_instant(now))


def subject_of(connection: Connection, row: Row[Any]) -> Subject:
    """Return the person of a session: from its own person data, and the rest from the customer record."""
    own = (customers.c.id == row.customer_id) & (customers.c.tenant_id == row.tenant_id)
    customer = connection.execute(select(customers).where(own)).one()
    entered = steps_done(row).get(DOCUMENT, {})
    return Subject(
        seed=customer.id,
        first_name=row.first_name or "",
        last_name=row.last_name or "",
        email=row.email_address or "",
        date_of_birth=customer.date_of_birth or "",
        address=address_of(customer),
        document={name: entered[name] for name in _DOCUMENT_MEMBERS if name in entered},
    )


def tenant_of(connection: Connection, tenant_id: str) -> Tenant:
    """Return the organisation with an id."""
    row = connection.execute(select(tenants).where(tenants.c.id == tenant_id)).one()
    return Tenant(row.id, row.currency, row.merchant_onboarded)
