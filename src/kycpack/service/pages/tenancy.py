"""Finds the organisation of the record that a link opens."""

from __future__ import annotations

from sqlalchemy import Connection, select

from kycpack.service.pages.consent import read_consent
from kycpack.service.schema import attempts, payments, sessions


def tenant_of_link(connection: Connection, record_id: str) -> str | None:
    """Return the id of the organisation of a link's record, None if there is no such record."""
    consent = read_consent(record_id)
    named = consent.record_id if consent is not None else record_id
    for table in (sessions, payments, attempts):
        tenant_id = connection.scalar(select(table.c.tenant_id).where(table.c.id == named))
        if tenant_id is not None:
            return str(tenant_id)
    return None
