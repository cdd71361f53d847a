"""Onboard sessions: ordering, the customer's steps, their state and results, and their end.

The portal's pages and the control API use the same functions, so that a session has the same records whoever completed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select

from kycpack.models.enums import OPEN_SESSIONS, SessionState
from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.models.onboarding import AisOptions, IdentityOptions, SessionCreate
from kycpack.service.auth import Tenant
from kycpack.service.customers import address_of, find_customer
from kycpack.service.problems import (
    RefusedError,
    conflict,
    missing_person_data,
    not_found,
    refusal,
)
from kycpack.service.results import Subject
from kycpack.service.rows import change_row, find_by_id, present
from kycpack.service.schema import customers, sessions, tenants

CONSENT, IDENTITY, DOCUMENT, ADDRESS, BANK = "consent", "identity", "document", "address", "bank"
"""The steps of the portal, in order; steps that were not ordered are skipped."""

IN_REVIEW = "in_review"
"""Marker among the completed steps: the customer has finished, and the results are still to come."""


def state_of(row: Row[Any], now: datetime) -> SessionState:
    """Return the state of a session at an instant; one that was not completed in time is expired."""
    state = SessionState(row.status)
    return SessionState.EXPIRED if state in OPEN_SESSIONS and format_instant(now) >= row.expires_at else state


def status_of(row: Row[Any], now: datetime) -> dict[str, Any]:
    """Return a session's status as in the interface."""
    state = state_of(row, now)
    confirmed = None if row.identity_completed_at is None else False
    if state is SessionState.COMPLETE and ordered_sections(row):
        confirmed = is_confirmed(row)
    identity = {
        "completed": row.identity_completed_at is not None,
        "confirmed": confirmed,
        "completedAt": row.identity_completed_at,
    }
    ais = {"completed": row.ais_completed_at is not None, "completedAt": row.ais_completed_at}
    return {
        "id": row.id,
        "status": state.value,
        "progress": {"identity": present(identity), "ais": present(ais)},
        "created": row.created_at,
        "updated": row.expires_at if state is SessionState.EXPIRED else row.updated_at,
        "attemptCount": row.attempt_count,
    }


def results_of(row: Row[Any], now: datetime) -> dict[str, Any]:
    """Return a session's results.

    Raises:
        RefusedError: 404 before the session is complete.
    """
    if state_of(row, now) is not SessionState.COMPLETE:
        raise RefusedError(404, "results_not_found", "Results not found: the session is not complete")
    return dict(parse_json(row.results_json))


def identity_options(row: Row[Any]) -> IdentityOptions:
    """Return the checks that a session orders."""
    return IdentityOptions.read(parse_json(row.identity_json))


def ais_options(row: Row[Any]) -> AisOptions | None:
    """Return the bank access that a session orders, None if it orders none."""
    return AisOptions.read(parse_json(row.ais_json)) if row.ais_json else None


def ordered_sections(row: Row[Any]) -> tuple[str, ...]:
    """Return the sections of the results that a session orders."""
    options = identity_options(row)
    ordered = {
        "document": options.document_check,
        "address": options.proof_of_address_check,
        "identity": options.identity_check or options.enhanced_identity_check,
        "screening": bool(screening_type(row)),
    }
    return tuple(section for section, wanted in ordered.items() if wanted)


def screening_type(row: Row[Any]) -> str:
    """Return the screening that a session orders: extensive, standard, or empty for none. Monitoring starts with one."""
    options = identity_options(row)
    if options.aml_extensive_screening or options.aml_extensive_monitoring:
        return "extensive"
    return "standard" if options.aml_standard_screening or options.aml_standard_monitoring else ""


def steps_of(row: Row[Any]) -> tuple[str, ...]:
    """Return the steps that the customer has to complete, in order."""
    options = identity_options(row)
    wanted = {
        CONSENT: True,
        IDENTITY: options.identity_check or options.enhanced_identity_check,
        DOCUMENT: options.document_check,
        ADDRESS: options.proof_of_address_check,
        BANK: row.ais_json is not None,
    }
    return tuple(step for step, asked in wanted.items() if asked)


def steps_done(row: Row[Any]) -> dict[str, Any]:
    """Return the completed steps, each with the values entered."""
    return dict(parse_json(row.steps_json))


def next_step(row: Row[Any]) -> str | None:
    """Return the next step, None if all are completed."""
    done = steps_done(row)
    return next((step for step in steps_of(row) if step not in done), None)


def is_in_review(row: Row[Any]) -> bool:
    """Return whether the customer has finished and the results are still to come."""
    return row.status == SessionState.IN_PROGRESS.value and IN_REVIEW in steps_done(row)


def is_over_for_person(row: Row[Any], now: datetime) -> bool:
    """Return whether the customer has nothing left to do in a session: it is complete, or in review."""
    state = state_of(row, now)
    reviewed = state is SessionState.IN_PROGRESS and is_in_review(row)
    return state is SessionState.COMPLETE or reviewed


def is_confirmed(row: Row[Any]) -> bool:
    """Return whether every ordered section of a complete session is present and clear."""
    results = parse_json(row.results_json) if row.results_json else {}
    sections = [results.get(section) for section in ordered_sections(row)]
    return all(isinstance(section, dict) and section.get("outcome") == "clear" for section in sections)


def link_has_ended(row: Row[Any], now: datetime) -> bool:
    """Return whether a session's link is older than 7 days; this applies to complete sessions as well."""
    return format_instant(now) >= str(row.expires_at)


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
        raise refusal("invalid_customer_id") from None
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
        raise refusal("no_merchant")
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
        raise refusal("session_forbidden") from None


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
        raise refusal("session_in_review")


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
