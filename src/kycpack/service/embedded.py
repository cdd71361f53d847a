"""The service inside another program: on a free loopback port, in a thread, for the duration of a `with` block."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from kycpack.errors import ServiceError
from kycpack.service.address import ListenAddress, listen
from kycpack.service.app import create_app
from kycpack.service.mail import MailServer
from kycpack.service.server import info_of, make_server
from kycpack.service.state import Service

_READY_SECONDS = 30
_STOP_SECONDS = 20
_POLL_SECONDS = 0.01


class EmbeddedService:
    """A running service; it is ready when the `with` block begins and stops when it ends.

    Args:
        database_url: A SQLAlchemy URL or path of a SQLite file; a temporary database of its own by default.
        port: Port on loopback; 0 for a free one.
        clock: The source of time; by default the machine's clock.
        requests_per_minute: Limit for each key; None for no limit.
        webhook_deadline: Seconds that one webhook delivery may take.
        mail_server: Sends email notifications; without one they stay in the outbox.

    Attributes:
        service: The running service: database, clock, links. For programs that use it without HTTP.
        info: Address and key, as `kycpack serve` prints them.
        base_url: The service's address.
        control_url: The control API's address.
        key_id: Id of the first key.
        secret: Secret of the first key.
        tenant_id: Id of the first tenant.
    """

    def __init__(
        self,
        database_url: str | None = None,
        *,
        port: int = 0,
        clock: Callable[[], datetime] | None = None,
        requests_per_minute: int | None = None,
        webhook_deadline: float = 15.0,
        mail_server: MailServer | None = None,
    ) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if database_url is None:
            self._folder = tempfile.TemporaryDirectory(prefix="kycpack-service-")
            database_url = str(Path(self._folder.name) / "service.db")
        app = create_app(
            database_url,
            clock=clock,
            requests_per_minute=requests_per_minute,
            webhook_deadline=webhook_deadline,
            mail_server=mail_server,
        )
        self.service: Service = app.state.service
        address = ListenAddress(port=port)
        self._listener = listen(address)
        self.info = info_of(self.service, self._listener, address)
        self.base_url, self.control_url = self.info.base_url, self.info.control_url
        self.key_id, self.secret = self.info.key_id, self.info.secret
        self.tenant_id = self.info.tenant_id
        self._server = make_server(app, address)
        self._thread = threading.Thread(
            target=self._server.run, args=([self._listener],), name="kycpack-service", daemon=True
        )

    def start(self) -> Self:
        """Start the service and wait until it is ready.

        Raises:
            ServiceError: The service did not start.
        """
        self._thread.start()
        limit = time.monotonic() + _READY_SECONDS
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > limit:
                self.stop()
                raise ServiceError("the embedded service did not start")
            time.sleep(_POLL_SECONDS)
        return self

    def stop(self) -> None:
        """Stop the service and remove a temporary database."""
        self._server.should_exit = True
        self._thread.join(timeout=_STOP_SECONDS)
        self._listener.close()
        self.service.database.close()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
