"""Email notifications: an outbox that can be read, and a thread that sends each message once by SMTP if a mail server is set.

A message is not stored as text: its bearer link is created when the message is read or sent.
"""

from __future__ import annotations

import logging
import smtplib
import ssl
import threading
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from typing import Any, Self
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from sqlalchemy import Connection, Row, insert, select, update

from kycpack.errors import ServiceError
from kycpack.models.instants import format_instant
from kycpack.service.clock import Clock
from kycpack.service.database import Database
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


_SECONDS = 15.0
_LOOK_EVERY_SECONDS = 2.0
_STOP_SECONDS = 1.0
_PORTS = {"smtp": 587, "smtps": 465}
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MailServer:
    """An SMTP server.

    Attributes:
        host: Host name.
        port: Port.
        sender: Sender address of messages.
        user: User name; empty for none.
        password: Password.
        starttls: Whether the connection is secured by STARTTLS.
        tls: Whether it uses TLS from the start.
    """

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    starttls: bool = False
    tls: bool = False

    @classmethod
    def read(cls, url: str, sender: str) -> Self:
        """Return the server given by a URL, as in `smtp://user:password@mail.example:587`.

        `smtp` is secured by STARTTLS unless the server is on this machine; `smtps` uses TLS from the start.

        Raises:
            ServiceError: The URL or the sender does not have that form.
        """
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme not in _PORTS or not parts.hostname or port == -1 or "@" not in sender:
            raise ServiceError(
                "the mail server must be given as smtp://USER:PASSWORD@HOST:PORT, together with the address of the sender"
            )
        return cls(
            host=parts.hostname,
            port=port or _PORTS[parts.scheme],
            sender=sender,
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            starttls=parts.scheme == "smtp" and parts.hostname not in {"127.0.0.1", "localhost", "::1"},
            tls=parts.scheme == "smtps",
        )


class MailSender:
    """Sends the messages queued in the outbox; without a mail server they stay there, to be read.

    Args:
        database: The database with the outbox.
        clock: The service's clock.
        links: Creates the links in messages.
        server: The mail server; None for none.
    """

    def __init__(self, database: Database, clock: Clock, links: Links, server: MailServer | None) -> None:
        self._database = database
        self._clock = clock
        self._links = links
        self._server = server
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start sending."""
        if self._server is None:
            return
        self._stop.clear()
        self._thread = threading.Thread(
            target=self._run, args=(self._server,), name="mail_sender", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop sending; wait briefly for a message that is being sent."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=_STOP_SECONDS)

    def _run(self, server: MailServer) -> None:
        interrupted = True
        while not self._stop.is_set():
            try:
                if interrupted:
                    with self._database.write() as connection:
                        mark_interrupted(connection)
                    interrupted = False
                while not self._stop.is_set() and self._send_next(server):
                    pass
            except Exception as error:  # noqa: BLE001 - a thread that died would end all mail; it is waited out
                _log.warning("sending mail failed: %s", type(error).__name__)
            self._stop.wait(_LOOK_EVERY_SECONDS)

    def _send_next(self, server: MailServer) -> bool:
        with self._database.read() as connection:
            if not has_mail(connection):
                return False
        with self._database.write() as connection:
            row = claim_mail(connection)
        if row is None:
            return False
        reason = send_mail(server, row, self._links)
        with self._database.write() as connection:
            record_mail(connection, row.id, reason, self._clock.now(row.tenant_id))
        return True


def send_mail(server: MailServer, row: Row[Any], links: Links) -> str:
    """Send a message once; return why it failed, empty if it was sent."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = server.sender, row.recipient, subject_of(row)
    message.set_content(text_of(row, links))
    try:
        _send(server, message)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        return f"not sent: {type(error).__name__}"
    return ""


def _send(server: MailServer, message: EmailMessage) -> None:
    context = ssl.create_default_context()
    if server.tls:
        client: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=_SECONDS, context=context)
    else:
        client = smtplib.SMTP(server.host, server.port, timeout=_SECONDS)
    with client:
        if server.starttls:
            client.starttls(context=context)
        if server.user:
            client.login(server.user, server.password)
        client.send_message(message)
