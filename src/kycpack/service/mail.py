"""Email notifications: an outbox that can be read. If a mail server is set, `mail_sender` sends the queued messages.

A message is not stored as text: its bearer link is created when the message is read or sent.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select, update

from kycpack.models.instants import format_instant
from kycpack.service.links import ONBOARD, Links
from kycpack.service.schema import mails, tenants

QUEUED, SENDING, SENT, FAILED, UNKNOWN = "queued", "sending", "sent", "failed", "unknown"
INVITATION, COMPLETED = "invitation", "completed"


def queue_mail(connection: Connection, session: Row[Any], kind: str, base_url: str, now: datetime) -> None:
    """Put a notification about a session into the outbox, if the customer has an email address."""
    if not session.email_address:
        return
    connection.execute(
        insert(mails).values(
            id=str(uuid4()),
            tenant_id=session.tenant_id,
            session_id=session.id,
            kind=kind,
            recipient=session.email_address,
            first_name=session.first_name,
            base_url=base_url,
            state=QUEUED,
            created_at=format_instant(now),
        )
    )


def list_mails(connection: Connection, links: Links) -> list[dict[str, Any]]:
    """Return the outbox as documents, oldest first."""
    rows = connection.execute(
        select(mails, tenants.c.name.label("tenant")).join(tenants).order_by(mails.c.created_at, mails.c.id)
    )
    return [
        {
            "id": row.id,
            "tenantId": row.tenant_id,
            "sessionId": row.session_id,
            "kind": row.kind,
            "to": row.recipient,
            "subject": subject_of(row),
            "text": text_of(row, links),
            "state": row.state,
            "reason": row.reason,
            "created": row.created_at,
            "sent": row.sent_at,
        }
        for row in rows
    ]


def subject_of(row: Row[Any]) -> str:
    """Return the subject of a message."""
    tenant = " ".join(row.tenant.split())
    return (
        f"{tenant} asks you to confirm who you are" if row.kind == INVITATION else f"Thank you from {tenant}"
    )


def text_of(row: Row[Any], links: Links) -> str:
    """Return the text of a message."""
    hello = f"Hello {row.first_name}," if row.first_name else "Hello,"
    if row.kind == INVITATION:
        link = links.page(row.base_url, ONBOARD, row.session_id)
        said = f"{row.tenant} needs to confirm who you are. Open this link within 7 days:\n\n{link}"
    else:
        said = f"{row.tenant} has received everything it needs. There is nothing left for you to do."
    return f"{hello}\n\n{said}\n"


def has_mail(connection: Connection) -> bool:
    """Return whether a message is queued."""
    return connection.scalar(select(mails.c.id).where(mails.c.state == QUEUED).limit(1)) is not None


def claim_mail(connection: Connection) -> Row[Any] | None:
    """Mark the oldest queued message as being sent and return it, None if there is none."""
    oldest = (
        select(mails, tenants.c.name.label("tenant"))
        .join(tenants)
        .where(mails.c.state == QUEUED)
        .order_by(mails.c.created_at, mails.c.id)
        .limit(1)
    )
    row = connection.execute(oldest).one_or_none()
    if row is not None:
        connection.execute(update(mails).where(mails.c.id == row.id).values(state=SENDING))
    return row


def record_mail(connection: Connection, mail_id: str, reason: str, now: datetime) -> None:
    """Record the outcome of sending a message; an empty reason means that it was sent."""
    values = {"state": FAILED if reason else SENT, "reason": reason or None, "sent_at": format_instant(now)}
    connection.execute(update(mails).where(mails.c.id == mail_id).values(values))


def mark_interrupted(connection: Connection) -> None:
    """Mark messages interrupted by a crash: it is unknown whether they were sent, and they are not sent again."""
    connection.execute(update(mails).where(mails.c.state == SENDING).values(state=UNKNOWN))
