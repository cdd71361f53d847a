"""HTTP/1.1 connections with limits: none stays open for ever, and idle ones do not block new ones."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from kycpack.models.json import dump_json
from kycpack.service.request_log import HEADER

HEAD_SECONDS = 10.0
"""Seconds that the head of a request may take, from the opening of the connection or its first byte."""

BODY_SECONDS = 60.0
"""Seconds that the body of a request may take."""

MOST_CONNECTIONS = 400
"""Maximum number of connections; beyond it the longest idle one is closed. Below the usual limit of 1,024 open files."""

_LINGER_SECONDS = 1


class LimitedProtocol(H11Protocol):
    """Closes connections with incomplete requests, and answers invalid HTTP with the usual error body."""

    _over = False
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection; if there are too many, close the one that has been idle for longest."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._await_head()
        if len(self.connections) > MOST_CONNECTIONS:
            idle = [other for other in self.connections if isinstance(other, LimitedProtocol) and other.idle]
            if idle:
                min(idle, key=lambda other: other._since).transport.abort()  # noqa: SLF001 - one of its own kind

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a closed connection."""
        self._unset_deadline()
        super().connection_lost(exc)

    @property
    def idle(self) -> bool:
        """Whether no request is being answered on this connection."""
        cycle = getattr(self, "cycle", None)  # uvicorn has none before the first request
        return cycle is None or cycle.response_complete

    def data_received(self, data: bytes) -> None:
        """Read data, unless the connection is only kept open until its last answer has arrived."""
        if self._over:
            return
        if self.idle and self._deadline is None:
            self._await_head()
        super().data_received(data)

    def handle_events(self) -> None:
        """Process received data, and set the time limit for the rest."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._unset_deadline()
            self._since = self.loop.time()
        if not self.idle:
            if not self.cycle.more_body:
                self._unset_deadline()
            elif self._deadline is None:
                self._deadline = self.loop.call_later(BODY_SECONDS, self._cut)

    def on_response_complete(self) -> None:
        """Finish an answer; the keep-alive limit applies from now on."""
        self._unset_deadline()
        self._since = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer 400 and close."""
        self._refuse(400, b"Bad Request", "invalid_request", f"Invalid request: {msg}")

    def _await_head(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._refuse_slow)

    def _unset_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse_slow(self) -> None:
        self._deadline = None
        if self.transport.is_closing() or not self.idle:
            return
        self._refuse(408, b"Request Timeout", "request_timeout", "The request took too long to arrive")

    def _cut(self) -> None:
        """Close a connection whose body does not arrive; the reader of the body sees the end."""
        self._deadline = None
        self.transport.abort()

    def _refuse(self, status: int, reason: bytes, code: str, message: str) -> None:
        """Answer, and close after the caller has had time to read: closing with unread bytes would discard the answer."""
        request_id = str(uuid4())
        body = dump_json({"error": code, "message": message, "requestId": request_id})
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (HEADER.encode(), request_id.encode()),
            (b"connection", b"close"),
        ]
        events: tuple[Any, ...] = (
            h11.Response(status_code=status, headers=headers, reason=reason),
            h11.Data(data=body),
            h11.EndOfMessage(),
        )
        self._over = True
        try:
            for event in events:
                output = self.conn.send(event)
                if output:
                    self.transport.write(output)
        except h11.LocalProtocolError:
            self.transport.abort()
            return
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(_LINGER_SECONDS, self.transport.close)
