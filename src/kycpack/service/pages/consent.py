"""The consent that a bank's page asks for, and the organisation of a link.

A consent is not stored until it is given: it is encoded in the token of the page's link.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from kycpack.service.links import AUTHORISE, Links
from kycpack.service.schema import attempts, payments, sessions

_BETWEEN = "~"
_PARTS = 3


@dataclass(frozen=True, slots=True)
class Consent:
    """The consent that a bank's page asks for.

    Attributes:
        purpose: `session` or `payment`.
        record_id: Id of the session or payment.
        bank: Reference of the bank.
    """

    purpose: str
    record_id: str
    bank: str


def consent_token(links: Links, consent: Consent) -> str:
    """Return the token of a consent for the bank's page."""
    return links.token(AUTHORISE, _BETWEEN.join([consent.purpose, consent.record_id, consent.bank]))


def read_consent(record_id: str) -> Consent | None:
    """Return the consent of an opened token, None if the token is for an attempt."""
    parts = record_id.split(_BETWEEN)
    return Consent(*parts) if len(parts) == _PARTS else None


def tenant_of_link(connection: Connection, record_id: str) -> str | None:
    """Return the id of the organisation of a link's record, None if there is no such record."""
    consent = read_consent(record_id)
    named = consent.record_id if consent is not None else record_id
    for table in (sessions, payments, attempts):
        tenant_id = connection.scalar(select(table.c.tenant_id).where(table.c.id == named))
        if tenant_id is not None:
            return str(tenant_id)
    return None
