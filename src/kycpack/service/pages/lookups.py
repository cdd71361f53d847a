"""Finds the records that a link opens, and formats names and amounts for pages."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, func, select

from kycpack.models.money import from_minor
from kycpack.service.links import ONBOARD, PAY
from kycpack.service.pages.page import PageCall
from kycpack.service.pages.screen import unknown_link
from kycpack.service.payments import find_any_payment
from kycpack.service.problems import conflict
from kycpack.service.schema import media, tenants
from kycpack.service.sessions import find_session

MOST_FILES = 20
"""Maximum number of uploaded files per session; the portal asks for six at most."""

_SIGNS = {"GBP": "£", "EUR": "€", "USD": "$"}


def opened(call: PageCall, kind: str) -> str:
    """Return the id of the record that the link opens.

    Raises:
        RefusedError: 404, the link is not of this kind, or was altered.
    """
    record_id = call.links.open(kind, call.path["token"])
    if record_id is None:
        raise unknown_link()
    return record_id


def session_of(call: PageCall) -> Row[Any]:
    """Return the session of the page's link.

    Raises:
        RefusedError: 404, the link is not valid.
    """
    return find_session(call.connection, opened(call, ONBOARD))


def require_room(connection: Connection, session: Row[Any], files: int) -> None:
    """Refuse files above the limit of a session, so that a link cannot be used to fill the database.

    Raises:
        RefusedError: 409.
    """
    own = (media.c.session_id == session.id) & (media.c.tenant_id == session.tenant_id)
    held = connection.scalar(select(func.count()).select_from(media).where(own)) or 0
    if files and held + files > MOST_FILES:
        raise conflict("too_many_files", "The session already has the maximum number of files")


def payment_of(call: PageCall) -> Row[Any]:
    """Return the payment of the page's link.

    Raises:
        RefusedError: 404, the link is not valid.
    """
    return find_any_payment(call.connection, opened(call, PAY))


def organisation_of(connection: Connection, tenant_id: str) -> str:
    """Return the name of an organisation."""
    return str(connection.scalar(select(tenants.c.name).where(tenants.c.id == tenant_id)))


def money(minor: int, currency: str) -> str:
    """Return an amount as text for people, as in `£1,234.50` or `1,234.50 CZK`."""
    figure = f"{from_minor(minor, currency):,}"
    return f"{_SIGNS[currency]}{figure}" if currency in _SIGNS else f"{figure} {currency}"
