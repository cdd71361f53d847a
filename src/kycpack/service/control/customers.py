"""A customer's bank access, later transactions and next results, and the end of a session."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from kycpack.errors import InputError
from kycpack.models.instants import parse_instant
from kycpack.models.onboarding import SessionStatus
from kycpack.service.auth import Tenant
from kycpack.service.bank_access import end_access, grant_access
from kycpack.service.bank_reading import list_accounts
from kycpack.service.completion import finish_session, set_next_results
from kycpack.service.control.models import (
    AccessEnded,
    Booked,
    BookTransactions,
    Control,
    ControlCall,
    CustomerNamed,
    LinkedAccounts,
    PartialResults,
)
from kycpack.service.customers import find_any_customer
from kycpack.service.postings import BankAccessInput, add_transactions
from kycpack.service.problems import invalid_request
from kycpack.service.schedule import TRANSACTIONS, add_scheduled
from kycpack.service.sessions import expire_session, find_session, status_of, tenant_of
from kycpack.service.state import reading, writing


def _customer(call: ControlCall, connection: Connection) -> tuple[Tenant, str, datetime]:
    row = find_any_customer(connection, call.path["id"])
    return tenant_of(connection, row.tenant_id), row.id, call.service.clock.now(row.tenant_id)


@writing
def _load_access(call: ControlCall, connection: Connection) -> dict[str, Any]:
    tenant, customer_id, now = _customer(call, connection)
    return {"items": grant_access(connection, tenant, customer_id, call.body, now)}


@writing
def expire_access(call: ControlCall, connection: Connection) -> dict[str, Any]:
    """End the bank access of the customer with the path's id."""
    tenant, customer_id, now = _customer(call, connection)
    return {"customer_id": customer_id, "accounts": end_access(connection, tenant, customer_id, now)}


@writing
def _book(call: ControlCall, connection: Connection) -> dict[str, Any]:
    wanted: BookTransactions = call.body
    tenant, customer_id, now = _customer(call, connection)
    due = _due_at(wanted, now)
    # Tried at once in any case, so that transactions that can never be booked are refused now and not later.
    attempt = connection.begin_nested()
    added = add_transactions(connection, tenant, customer_id, wanted, now)
    if due <= now:
        return {"added": added, "scheduled": None}
    attempt.rollback()
    body = wanted.model_dump(mode="python", by_alias=True, exclude_none=True, exclude={"after_seconds", "at"})
    number = add_scheduled(connection, tenant.id, TRANSACTIONS, customer_id, body, due=due, now=now)
    return {"added": 0, "scheduled": number}


def _due_at(wanted: BookTransactions, now: datetime) -> datetime:
    try:
        if wanted.at is not None:
            return parse_instant(wanted.at)
        return now + timedelta(seconds=wanted.after_seconds or 0)
    except (InputError, OverflowError):
        raise invalid_request("at: expected an instant, as in 2026-05-25T09:00:00Z") from None


@writing
def keep_next_results(call: ControlCall, connection: Connection) -> dict[str, Any]:
    """Keep the body's results for the next session of the customer with the path's id."""
    wanted: PartialResults = call.body
    customer = find_any_customer(connection, call.path["id"], lock=True)
    set_next_results(connection, customer, wanted.results, wanted.review)
    return {"customer_id": customer.id}


@writing
def finish(call: ControlCall, connection: Connection) -> dict[str, Any]:
    """Finish the session with the path's id, or send it to review; return its status."""
    wanted: PartialResults = call.body
    held = find_session(connection, call.path["id"])
    now = call.service.clock.now(held.tenant_id)
    row = finish_session(connection, held.id, now, results=wanted.results, review=wanted.review)
    return status_of(row, now)


@writing
def expire(call: ControlCall, connection: Connection) -> dict[str, Any]:
    """Expire the session with the path's id; return its status."""
    held = find_session(connection, call.path["id"])
    now = call.service.clock.now(held.tenant_id)
    return status_of(expire_session(connection, held.id, now), now)


CONTROLS = (
    Control(
        "GET",
        "/customers/{id}/bank-access",
        reading(lambda call, connection: list_accounts(connection, *_customer(call, connection))),
        "Read a customer's linked accounts",
        answer=LinkedAccounts,
    ),
    Control(
        "POST",
        "/customers/{id}/bank-access",
        _load_access,
        "Load bank access",
        BankAccessInput,
        answer=LinkedAccounts,
        about="An account that is linked already is renewed, and new transactions are added to it.",
    ),
    Control(
        "POST",
        "/customers/{id}/expire-access",
        expire_access,
        "End a customer's bank access now",
        answer=AccessEnded,
        about="As if the token had expired: accounts remain listed, balances and transactions answer 403 ais_access_expired.",
    ),
    Control(
        "POST",
        "/customers/{id}/transactions",
        _book,
        "Book transactions, now or later",
        BookTransactions,
        answer=Booked,
        about="They are added to a linked account; its access is neither renewed nor ended.",
    ),
    Control(
        "POST",
        "/customers/{id}/next-results",
        keep_next_results,
        "Set the results of the customer's next completed session",
        PartialResults,
        answer=CustomerNamed,
        about="With after_seconds or hold the session is reviewed first, whoever completes it.",
    ),
    Control(
        "POST",
        "/sessions/{id}/finish",
        finish,
        "Finish a session, or send it to review",
        PartialResults,
        answer=SessionStatus,
        about="A session in review is completed, and the results are merged over those from when it was sent to review.",
    ),
    Control("POST", "/sessions/{id}/expire", expire, "Expire a session now", answer=SessionStatus),
)
