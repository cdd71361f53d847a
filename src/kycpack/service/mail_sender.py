"""Sends each message in the outbox once by SMTP, in a separate thread."""

from __future__ import annotations

import logging
import smtplib
import ssl
import threading
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any, Self
from urllib.parse import unquote, urlsplit

from sqlalchemy import Row

from kycpack.errors import ServiceError
from kycpack.service.clock import Clock
from kycpack.service.database import Database
from kycpack.service.links import Links
from kycpack.service.mail import claim_mail, has_mail, mark_interrupted, record_mail, subject_of, text_of

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
