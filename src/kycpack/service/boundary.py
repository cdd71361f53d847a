"""The outermost layer of the application: what every answer carries, and what becomes of a failure nobody foresaw."""

from __future__ import annotations

import logging
import re
import traceback

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kycpack.models.json import dump_json
from kycpack.service.clock import Clock, http_date

_log = logging.getLogger(__name__)
_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,80}")
_FAILED = dump_json({"error": "internal_error", "message": "The service failed; nothing was changed"})


class BoundaryMiddleware:
    """Dates answers by the service's clock, repeats the request id, keeps them out of caches, and answers 500 where nothing else answered.

    Args:
        app: What answers.
        clock: The service's clock.
    """

    def __init__(self, app: ASGIApp, clock: Clock) -> None:
        self._app = app
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add to the head of its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False
        asked_as = Headers(scope=scope).get("x-request-id", "")

        async def send_dated(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers["Date"] = http_date(self._clock.now())
                if _REQUEST_ID.fullmatch(asked_as):
                    headers["X-Request-Id"] = asked_as
                headers.setdefault("Cache-Control", "no-store")
                headers.setdefault("X-Content-Type-Options", "nosniff")
            await send(message)

        try:
            await self._app(scope, receive, send_dated)
        except Exception as error:
            if started:
                raise
            _report(error)
            await send_dated({"type": "http.response.start", "status": 500, "headers": _headers(_FAILED)})
            await send_dated({"type": "http.response.body", "body": _FAILED})


def _report(error: Exception) -> None:
    """Log where a failure happened. Its text is left out: a driver's may quote what it was given."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    places = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames))
    _log.error("a request failed: %s at %s", type(error).__name__, places)


def _headers(body: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
