"""The outermost layer of the application: headers of every answer, and the answer to unexpected failures."""

from __future__ import annotations

import traceback

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kycpack.service.clock import Clock, http_date
from kycpack.service.request_log import send_problem, trace_of

_ANY_HOST = {"/healthz", "/readyz"}  # called by address, by monitoring
_CODE, _MESSAGE = "internal_error", "The service failed; nothing was changed"


class BoundaryMiddleware:
    """Dates answers by the service's clock, keeps them out of caches, and answers 500 if nothing else did.

    Args:
        app: The wrapped application.
        clock: The service's clock.
        host_name: The only `Host` that is accepted; empty for any. Health checks accept any.
    """

    def __init__(self, app: ASGIApp, clock: Clock, host_name: str = "") -> None:
        self._app = app
        self._clock = clock
        self._host_name = host_name.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add headers to its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False
        if self._is_misdirected(scope):
            await self._refuse_host(scope, send)
            return

        async def send_dated(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers["Date"] = http_date(self._clock.now(trace_of(scope).tenant_id))
                headers.setdefault("Cache-Control", "no-store")
                headers.setdefault("X-Content-Type-Options", "nosniff")
            await send(message)

        try:
            await self._app(scope, receive, send_dated)
        except Exception as error:
            trace_of(scope).failure = _place(error)
            if started:
                raise
            await send_problem(trace_of(scope), send_dated, 500, _CODE, _MESSAGE)

    def _is_misdirected(self, scope: Scope) -> bool:
        if not self._host_name or scope["path"] in _ANY_HOST:
            return False
        return Headers(scope=scope).get("host", "").lower() != self._host_name

    async def _refuse_host(self, scope: Scope, send: Send) -> None:
        message = f"The service answers only as {self._host_name}"
        await send_problem(trace_of(scope), send, 421, "misdirected_request", message)


def _place(error: Exception) -> str:
    """Return where a failure happened, without its text, because a driver's text may quote values."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    places = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {places}"
