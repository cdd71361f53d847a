"""Where the protocol meets httpx: one request out, one answer or loss back. The only place that knows its exceptions."""

from __future__ import annotations

from time import monotonic

import httpx

from kycpack.api.discretion import discretion
from kycpack.api.failures import Lost
from kycpack.api.steps import Received, Send

_NEVER_OPENED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_UNSENDABLE = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)
# RuntimeError is what a pool says whose event loop is gone.
_FOREIGN = (
    httpx.HTTPError,
    httpx.InvalidURL,
    httpx.StreamError,
    httpx.CookieConflict,
    OSError,
    ValueError,
    RuntimeError,
)

LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=50, keepalive_expiry=3.0)
"""Idle connections are dropped before common servers drop them (5 s): a create must not meet a closing one."""

_CLOSED = Lost("closed", sent=False, reason="the client is closed")


def send(http: httpx.Client, step: Send) -> Received | Lost:
    """Send a request and read its answer, up to its limit and its deadline."""
    request = _request(step)
    if isinstance(request, Lost) or http.is_closed:
        return request if isinstance(request, Lost) else _CLOSED
    try:
        with discretion(wanted=step.confidential):
            until = monotonic() + step.deadline
            response = http.send(request, stream=True, auth=None, follow_redirects=False)
            try:
                content = bytearray()
                for chunk in response.iter_bytes():
                    content += chunk
                    if (loss := _overrun(step, len(content), until)) is not None:
                        return loss
                return Received(response.status_code, dict(response.headers.items()), bytes(content))
            finally:
                response.close()
    except _FOREIGN as error:
        return _lost(error)


async def send_async(http: httpx.AsyncClient, step: Send) -> Received | Lost:
    """Send a request and read its answer, up to its limit and its deadline."""
    request = _request(step)
    if isinstance(request, Lost) or http.is_closed:
        return request if isinstance(request, Lost) else _CLOSED
    try:
        with discretion(wanted=step.confidential):
            until = monotonic() + step.deadline
            response = await http.send(request, stream=True, auth=None, follow_redirects=False)
            try:
                content = bytearray()
                async for chunk in response.aiter_bytes():
                    content += chunk
                    if (loss := _overrun(step, len(content), until)) is not None:
                        return loss
                return Received(response.status_code, dict(response.headers.items()), bytes(content))
            finally:
                await response.aclose()
    except _FOREIGN as error:
        return _lost(error)


def _request(step: Send) -> httpx.Request | Lost:
    try:
        return httpx.Request(
            step.method,
            step.url,
            headers=dict(step.headers),
            content=step.body or None,
            extensions={"timeout": httpx.Timeout(step.timeout).as_dict()},
        )
    except (httpx.InvalidURL, ValueError, TypeError) as error:
        return Lost("unsendable", sent=False, reason=type(error).__name__)


def _overrun(step: Send, size: int, until: float) -> Lost | None:
    if size > step.limit:
        return Lost("unreadable", sent=True, reason=f"the answer has more than {step.limit} bytes")
    if monotonic() > until:
        return Lost("timeout", sent=True, reason="deadline")
    return None


def _lost(error: Exception) -> Lost:
    reason = type(error).__name__
    if isinstance(error, _UNSENDABLE):
        return Lost("unsendable", sent=False, reason=reason)
    if isinstance(error, httpx.InvalidURL):  # httpx looks at Location, followed or not
        return Lost("unreadable", sent=True, reason="a redirect that leads nowhere")
    sent = not isinstance(error, _NEVER_OPENED)
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        return Lost("timeout", sent=sent, reason=reason)
    return Lost("connection", sent=sent, reason=reason)
