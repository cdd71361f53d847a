"""The receiver of webhooks: one path, one method; deliveries are stored before they are answered.

Many deliveries are stored in one durable transaction: syncing the disk is the slow part, so they share it. The receiver uses
only the standard library, because the client half does not depend on a web framework.
"""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from concurrent.futures import Future
from concurrent.futures import TimeoutError as StillWaiting
from contextlib import suppress
from dataclasses import dataclass, field
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, SimpleQueue
from typing import Any, Literal

from kycpack.errors import ConfigurationError, WorkspaceError
from kycpack.workspace.inbox.inbox import MAX_BODY, Delivery, Inbox

Verdict = Literal["kept", "sender is over its share", "inbox is full"]

_GROUP = 500
_COUNTED_EVERY_SECONDS = 10.0
_SLOWEST_SECONDS = 20.0
_BACKLOG = 4096
_CONNECTIONS_OF_A_SENDER = 2000
_ANSWERS = {
    "kept": HTTPStatus.NO_CONTENT,
    "sender is over its share": HTTPStatus.TOO_MANY_REQUESTS,
    "inbox is full": HTTPStatus.SERVICE_UNAVAILABLE,
}
_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\nRetry-After: 5\r\n\r\n"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the inbox, beyond which deliveries are refused.

    Attributes:
        waiting: Number of waiting deliveries from all senders.
        waiting_bytes: Size of their bodies, in bytes.
        sender_waiting: Number of waiting deliveries from one address.
        sender_bytes: Size of their bodies, in bytes.
        free_bytes: Disk space to leave free, in bytes; only for SQLite.
    """

    waiting: int = 1_000_000
    waiting_bytes: int = 4 * 2**30
    sender_waiting: int = 500_000
    sender_bytes: int = 2 * 2**30
    free_bytes: int = 256 * 2**20


class Receiver:
    """Listens for deliveries and stores them in the inbox.

    Args:
        inbox: The inbox.
        host: The address to listen on; the loopback address unless a TLS proxy is in front.
        port: The port; 0 for a free one.
        limits: Limits of the inbox, beyond which deliveries are refused.

    Raises:
        ConfigurationError: The address is in use, or does not belong to this machine.
    """

    def __init__(
        self, inbox: Inbox, *, host: str = "127.0.0.1", port: int = 0, limits: Limits | None = None
    ) -> None:
        path = f"/hooks/{inbox.token()}"
        try:
            self._server = _Server((host, port), _Handler)
        except OSError as error:
            raise ConfigurationError(f"cannot listen on {host}:{port} ({error.strerror})") from error
        self._server.accepted_path = path
        self._server.deliveries = self._deliveries = _GroupCommit(inbox, limits or Limits())
        self.url = f"http://{host}:{self._server.server_address[1]}{path}"

    def serve(self) -> None:
        """Answer until `close` is called from another thread, or Ctrl-C."""
        self._server.serve_forever(poll_interval=0.2)

    def close(self) -> None:
        """Stop listening, after storing what was received."""
        self._server.shutdown()
        self._server.server_close()
        self._deliveries.close()


class _Server(ThreadingHTTPServer):
    request_queue_size = _BACKLOG
    daemon_threads = True
    block_on_close = False
    accepted_path: str
    deliveries: _GroupCommit

    def __init__(self, *arguments: Any) -> None:
        self._lock = threading.Lock()
        self._open: dict[socket.socket, tuple[str, float]] = {}
        self._of_sender: Counter[str] = Counter()
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        sender = str(client_address[0])
        with self._lock:
            is_welcome = self._of_sender[sender] < _CONNECTIONS_OF_A_SENDER
            if is_welcome:
                self._of_sender[sender] += 1
                self._open[request] = (sender, time.monotonic())
        if is_welcome:
            super().process_request(request, client_address)
            return
        with suppress(OSError):
            request.sendall(_BUSY)
        self.shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            sender, _ = self._open.pop(request, ("", 0.0))
            if sender:
                self._of_sender[sender] -= 1
                if not self._of_sender[sender]:
                    del self._of_sender[sender]
        super().shutdown_request(request)

    def service_actions(self) -> None:
        """Close connections that send slowly without end, although each single wait is short."""
        begun_before = time.monotonic() - _SLOWEST_SECONDS
        with self._lock:
            slow = [request for request, (_, begun) in self._open.items() if begun < begun_before]
        for request in slow:
            with suppress(OSError):
                request.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing: a closed connection does not matter, and the path is a secret."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = _SLOWEST_SECONDS
    server_version = "kycpack"
    sys_version = ""

    def do_POST(self) -> None:
        if not compare_digest(self.path.encode(), self.server.accepted_path.encode()):
            self._answer(HTTPStatus.NOT_FOUND)
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            self._answer(HTTPStatus.LENGTH_REQUIRED)
            return
        if len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
            self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        try:
            body = self.rfile.read(int(length))
        except OSError:
            self.close_connection = True
            return
        if len(body) != int(length):
            self._answer(HTTPStatus.BAD_REQUEST)
            return
        self._answer(self._keep(body))

    def _keep(self, body: bytes) -> HTTPStatus:
        answer = self.server.deliveries.keep(Delivery(body, str(self.client_address[0])))
        try:
            return _ANSWERS[answer.result(_SLOWEST_SECONDS)]
        except (StillWaiting, WorkspaceError):
            return HTTPStatus.SERVICE_UNAVAILABLE

    def _answer(self, status: HTTPStatus) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
        """Print nothing: the path is a secret."""


@dataclass(slots=True)
class _Waiting:
    deliveries: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)
    room: int | None = None
    counted_at: float = float("-inf")


class _GroupCommit:
    """Stores deliveries for many threads, each group in one transaction.

    Args:
        inbox: The inbox.
        limits: Limits of the inbox.
    """

    def __init__(self, inbox: Inbox, limits: Limits) -> None:
        self._inbox = inbox
        self._limits = limits
        self._queue: SimpleQueue[tuple[Delivery, Future[Verdict]] | None] = SimpleQueue()
        self._waiting = _Waiting()
        self._thread = threading.Thread(target=self._work, name="inbox", daemon=True)
        self._thread.start()

    def keep(self, delivery: Delivery) -> Future[Verdict]:
        """Store a delivery; the call returns when it is on the disk, or raises `WorkspaceError`."""
        answer: Future[Verdict] = Future()
        self._queue.put((delivery, answer))
        return answer

    def close(self) -> None:
        """Store all deliveries received so far, then stop."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (first := self._queue.get()) is not None:
            group = [first]
            with suppress(Empty):
                while len(group) < _GROUP:
                    if (following := self._queue.get_nowait()) is None:
                        self._queue.put(None)  # the end, after this group
                        break
                    group.append(following)
            self._keep(group)

    def _keep(self, group: list[tuple[Delivery, Future[Verdict]]]) -> None:
        try:
            self._count()
            judged = [(delivery, answer, self._verdict(delivery)) for delivery, answer in group]
            self._inbox.keep_all([delivery for delivery, _, verdict in judged if verdict == "kept"])
        except (WorkspaceError, OSError) as error:
            self._waiting.counted_at = float("-inf")
            for _, answer in group:
                answer.set_exception(WorkspaceError(f"nothing was saved ({type(error).__name__})"))
            return
        for _, answer, verdict in judged:
            answer.set_result(verdict)

    def _count(self) -> None:
        """Count the waiting deliveries from time to time; in between, new ones are added."""
        if time.monotonic() - self._waiting.counted_at < _COUNTED_EVERY_SECONDS:
            return
        waiting = _Waiting(room=self._inbox.free_bytes(), counted_at=time.monotonic())
        for sender, count, size in self._inbox.waiting():
            waiting.deliveries[sender] += count
            waiting.bytes[sender] += size
        self._waiting = waiting

    def _verdict(self, delivery: Delivery) -> Verdict:
        waiting, limits, size = self._waiting, self._limits, len(delivery.body)
        if (
            waiting.deliveries.total() >= limits.waiting
            or waiting.bytes.total() + size > limits.waiting_bytes
        ):
            return "inbox is full"
        if waiting.room is not None and waiting.room - size < limits.free_bytes:
            return "inbox is full"
        if (
            waiting.deliveries[delivery.sender] >= limits.sender_waiting
            or waiting.bytes[delivery.sender] + size > limits.sender_bytes
        ):
            return "sender is over its share"
        waiting.deliveries[delivery.sender] += 1
        waiting.bytes[delivery.sender] += size
        if waiting.room is not None:
            waiting.room -= size
        return "kept"
