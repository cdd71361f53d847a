"""Sends queued deliveries: once each, to the address that was checked, within a deadline, beside the service's own work."""

from __future__ import annotations

import http.client
import logging
import socket
import ssl
import threading
from dataclasses import dataclass
from urllib.parse import quote

from kycpack.service.clock import Clock
from kycpack.service.database import Database
from kycpack.service.webhooks.journal import claim_next, mark_interrupted, record_outcome
from kycpack.service.webhooks.targets import Target, TargetError, resolve_target

DEADLINE_SECONDS = 15.0
"""How long one delivery may take in all."""

_WORKERS = 8
_AS_GIVEN = "%/?&=:@!$'()*+,;-._~[]"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a delivery went: the status, if there was one, and why it failed, if it did."""

    status: int | None
    reason: str


def post_once(target: Target, payload: bytes, deadline: float = DEADLINE_SECONDS) -> Outcome:
    """POST a payload once; redirects are not followed, and only the head of the answer is read.

    Args:
        target: Where, with the address that was checked.
        payload: JSON bytes.
        deadline: Seconds for all of it; a receiver that drips is cut off.
    """
    connection = _connection(target, deadline)
    overdue = threading.Event()

    def cut_off() -> None:
        overdue.set()
        if connection.sock is not None:
            # A close alone would not wake a thread that waits in recv.
            _shut(connection.sock)

    timer = threading.Timer(deadline, cut_off)
    timer.daemon = True
    timer.start()
    try:
        headers = {
            "Host": _host_header(target),
            "Content-Type": "application/json",
            "User-Agent": "kycpack-service",
        }
        connection.request("POST", quote(target.path, safe=_AS_GIVEN), body=payload, headers=headers)
        with connection.getresponse() as answer:
            status = answer.status
    except TimeoutError:
        return Outcome(None, "no answer in time")
    except (OSError, http.client.HTTPException) as error:
        return Outcome(
            None, "no answer in time" if overdue.is_set() else f"not delivered: {type(error).__name__}"
        )
    finally:
        timer.cancel()
        connection.close()
    if 200 <= status < 300:
        return Outcome(status, "")
    kind = "a redirect is not followed" if 300 <= status < 400 else "not a 2xx answer"
    return Outcome(status, kind)


class Sender:
    """Sends what is queued from threads of its own, so that no receiver holds the service up.

    Args:
        database: Where the journal is; one running sender a database.
        clock: The service's clock.
        loopback: Whether plain loopback addresses are allowed.
        deadline: Seconds for one delivery.
    """

    def __init__(
        self, database: Database, clock: Clock, *, loopback: bool, deadline: float = DEADLINE_SECONDS
    ) -> None:
        self._database = database
        self._clock = clock
        self._loopback = loopback
        self._deadline = deadline
        self._work = threading.Condition()
        self._pending = 0
        self._stopping = False
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Mark what a crash interrupted, and begin to send what is queued."""
        with self._database.write() as connection:
            mark_interrupted(connection, self._clock.now())
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._run, name=f"webhook-{index}", daemon=True)
            for index in range(_WORKERS)
        ]
        for thread in self._threads:
            thread.start()
        self.wake()

    def stop(self) -> None:
        """Stop taking deliveries; those being sent may end on their own."""
        with self._work:
            self._stopping = True
            self._work.notify_all()
        for thread in self._threads:
            thread.join(timeout=self._deadline + 1)
        self._threads = []

    def wake(self) -> None:
        """Say that something may have been queued; to be called after the commit."""
        with self._work:
            self._pending = _WORKERS
            self._work.notify_all()

    def _run(self) -> None:
        while self._wait():
            while not self._stopping and self._send_next():
                pass

    def _wait(self) -> bool:
        with self._work:
            while not self._pending and not self._stopping:
                self._work.wait()
            self._pending = max(0, self._pending - 1)
            return not self._stopping

    def _send_next(self) -> bool:
        with self._database.write() as connection:
            row = claim_next(connection, self._clock.now())
        if row is None:
            return False
        try:
            outcome = post_once(
                resolve_target(row.url, loopback=self._loopback), row.payload.encode(), self._deadline
            )
        except TargetError as error:
            outcome = Outcome(None, str(error))
        except Exception as error:  # noqa: BLE001 - a thread that died would end all deliveries; it becomes a failure
            _log.warning("delivery %s failed: %s", row.number, type(error).__name__)
            outcome = Outcome(None, f"not delivered: {type(error).__name__}")
        with self._database.write() as connection:
            record_outcome(connection, row, outcome.status, outcome.reason, self._clock.now())
        return True


def _connection(target: Target, deadline: float) -> http.client.HTTPConnection:
    if target.scheme == "http":
        return http.client.HTTPConnection(target.address, target.port, timeout=deadline)
    return _PinnedConnection(target, deadline)


class _PinnedConnection(http.client.HTTPSConnection):
    """HTTPS to a checked address, with the certificate checked against the URL's host."""

    def __init__(self, target: Target, deadline: float) -> None:
        super().__init__(target.host, target.port, timeout=deadline, context=ssl.create_default_context())
        self._target = target

    def connect(self) -> None:
        """Connect to the checked address; resolving the name again could give another."""
        plain = socket.create_connection((self._target.address, self._target.port), self.timeout)
        self.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=self._target.host)


def _host_header(target: Target) -> str:
    host = f"[{target.host}]" if ":" in target.host else target.host
    return host if target.port == {"http": 80, "https": 443}[target.scheme] else f"{host}:{target.port}"


def _shut(sock: socket.socket) -> None:
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        _log.debug("the connection was closed already")
