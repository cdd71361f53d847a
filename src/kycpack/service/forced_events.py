"""Actions for testers outside the interface: expire a session, deliver again, test an endpoint.

The control API and the console use the same functions.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from kycpack.models.enums import SESSION_COMPLETED, SessionState
from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json
from kycpack.service.problems import not_found
from kycpack.service.rows import find_by_id
from kycpack.service.schema import deliveries, webhooks
from kycpack.service.sessions import change, find_session, require_open
from kycpack.service.webhooks.delivery import DeliveryOutcome, deliver
from kycpack.service.webhooks.journal import QUEUED

TRIAL_SESSION = "00000000-0000-4000-8000-000000000000"
"""The session id in a test; no session has this id."""
_LONGEST_NUMBER = 18


def expire_session(connection: Connection, session_id: str, now: datetime) -> Row[Any]:
    """Expire an open session now, as if its 7 days were over.

    Raises:
        RefusedError: 404 unknown; 409 complete or expired already.
    """
    row = find_session(connection, session_id, lock=True)
    require_open(row, now)
    return change(connection, row, expires_at=format_instant(now))


def find_delivery(connection: Connection, number: str) -> Row[Any]:
    """Return the row of a delivery of any organisation.

    Args:
        connection: A connection.
        number: The number as it was given.

    Raises:
        RefusedError: 404 there is no delivery with that number.
    """
    row = None
    if number.isdecimal() and len(number) <= _LONGEST_NUMBER:
        wanted = select(deliveries).where(deliveries.c.number == int(number))
        row = connection.execute(wanted).one_or_none()
    if row is None:
        raise not_found("delivery")
    return row


def redeliver(connection: Connection, row: Row[Any], now_of: Callable[[str], datetime]) -> int:
    """Queue a delivery again, with the same payload and endpoint; return the new delivery's number."""
    kept = ("tenant_id", "webhook_id", "session_id", "event", "url", "payload")
    values = {name: getattr(row, name) for name in kept}
    added = insert(deliveries).values(
        **values, state=QUEUED, created_at=format_instant(now_of(row.tenant_id))
    )
    return int(connection.execute(added.returning(deliveries.c.number)).scalar_one())


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
    return deliver(url, dump_json(_trial(now)), loopback=loopback)


def _trial(now: datetime) -> dict[str, Any]:
    instant = format_instant(now)
    done = {"Completed": True, "Confirmed": True, "CompletedAt": instant}
    not_ordered = {"Completed": False, "Confirmed": None, "CompletedAt": None}
    return {
        "Event": SESSION_COMPLETED,
        "Timestamp": instant,
        "Session": {
            "Id": TRIAL_SESSION,
            "Status": SessionState.COMPLETE.value.capitalize(),
            "Progress": {"Identity": done, "Ais": not_ordered},
            "Created": instant,
            "Updated": instant,
        },
    }
