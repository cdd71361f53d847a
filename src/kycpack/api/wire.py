"""Where the protocol meets httpx: one request out, one answer or loss back. The only place that knows its exceptions."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import monotonic

import httpx

from kycpack.api.bodies import Body, body_in_folder, body_in_memory
from kycpack.api.connections import AsyncConnections, SyncConnections, Watch, holds_surplus, watched
from kycpack.api.encodings import EncodingError, TooLargeError, decode
from kycpack.api.failures import Lost
from kycpack.api.log_filter import confidential
from kycpack.api.protocol import Received, Send

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

_CLOSED = Lost("closed", sent=False, reason="the client is closed")
NO_TURN = Lost("timeout", sent=False, reason="too many calls are in flight")
"""What came of a request for which there was no room until its deadline."""


def send(connections: SyncConnections, step: Send) -> Received | Lost:
    """Send a request and read its answer, up to its limit and its deadline.

    Raises:
        ConfigurationError: A proxy or a certificate file of the environment cannot be used.
    """
    if connections.is_closed:
        return _CLOSED
    http, gate = connections.http(single=step.single)
    until = monotonic() + step.deadline
    if not gate.acquire(timeout=step.deadline):
        return NO_TURN
    try:
        request = _request(step, until - monotonic())
        if isinstance(request, Lost):
            return request
        with confidential(wanted=step.confidential), watched(until - monotonic()) as watch:
            try:
                return _ask(http, request, step, watch, until)
            except _FOREIGN as error:
                return _lost(error, watch)
    except BaseException as error:  # noqa: BLE001 - raised again
        # What breaks in from outside would show the library's local variables, the request's body among them.
        raise error.with_traceback(None) from None
    finally:
        gate.release()


async def send_async(connections: AsyncConnections, step: Send) -> Received | Lost:
    """Send a request and read its answer, up to its limit and its deadline; errors as for `send`.

    Raises:
        ApiError: No answer came, or none that can be read; the connection is closed.
    """
    if connections.is_closed:
        return _CLOSED
    http, gate = connections.http(single=step.single)
    until = monotonic() + step.deadline
    try:
        async with asyncio.timeout(step.deadline):
            await gate.acquire()
    except TimeoutError:
        return NO_TURN
    try:
        request = _request(step, until - monotonic())
        if isinstance(request, Lost):
            return request
        with confidential(wanted=step.confidential), watched(until - monotonic()) as watch:
            try:
                return await _ask_async(http, request, step, watch, until)
            except _FOREIGN as error:
                return _lost(error, watch)
    except BaseException as error:  # noqa: BLE001 - raised again
        raise error.with_traceback(None) from None
    finally:
        gate.release()


def _ask(
    http: httpx.Client, request: httpx.Request, step: Send, watch: Watch, until: float
) -> Received | Lost:
    response = http.send(request, stream=True, auth=None, follow_redirects=False)
    network = response.extensions.get("network_stream")
    try:
        with _body_of(response, step) as body:
            for chunk in response.stream:  # type: ignore[union-attr]
                body.write(chunk)
                if (loss := _overrun(step, body.size, until)) is not None:
                    return loss
            came = _received(step, watch, response, body)
        if network is not None and (isinstance(came, Lost) or holds_surplus(response)):
            network.close()
        return came
    finally:
        response.close()


async def _ask_async(
    http: httpx.AsyncClient, request: httpx.Request, step: Send, watch: Watch, until: float
) -> Received | Lost:
    response = await http.send(request, stream=True, auth=None, follow_redirects=False)
    network = response.extensions.get("network_stream")
    try:
        with _body_of(response, step) as body:
            async for chunk in response.stream:  # type: ignore[union-attr]
                body.write(chunk)
                if (loss := _overrun(step, body.size, until)) is not None:
                    return loss
            came = _received(step, watch, response, body)
        if network is not None and (isinstance(came, Lost) or holds_surplus(response)):
            await network.aclose()
        return came
    finally:
        await response.aclose()


def _body_of(response: httpx.Response, step: Send) -> Body:
    packed = response.headers.get("content-encoding", "").strip().lower() not in {"", "identity"}
    if step.folder is None or packed or not 200 <= response.status_code < 300:
        return body_in_memory(response.headers.get("content-length", ""), step.limit)
    return body_in_folder(step.folder)


def _received(step: Send, watch: Watch, response: httpx.Response, body: Body) -> Received | Lost:
    if watch.reads == 0:
        return Lost("foreign", sent=True, reason="an answer was there before the question")
    headers: Mapping[str, str] = dict(response.headers.items())
    try:
        content = decode(body.content(), headers.get("content-encoding", ""), step.limit)
    except TooLargeError:
        return _too_large(step)
    except EncodingError as error:
        return Lost("connection", sent=True, reason=str(error))
    received = Received(response.status_code, headers, content, body.file())
    if problem := step.check(received):
        return Lost("foreign", sent=True, reason=problem)
    body.keep()
    return received


def _request(step: Send, left: float) -> httpx.Request | Lost:
    timeout = min(step.timeout, max(left, 0.001))
    try:
        return httpx.Request(
            step.method,
            step.url,
            headers=dict(step.headers),
            content=step.body.reveal() or None,
            extensions={"timeout": httpx.Timeout(timeout, pool=max(left, 0.001)).as_dict()},
        )
    except (httpx.InvalidURL, ValueError, TypeError) as error:
        return Lost("unsendable", sent=False, reason=type(error).__name__)


def _overrun(step: Send, size: int, until: float) -> Lost | None:
    if size > step.limit:
        return _too_large(step)
    if monotonic() > until:
        return Lost("timeout", sent=True, reason="deadline")
    return None


def _too_large(step: Send) -> Lost:
    return Lost("unreadable", sent=True, reason=f"the answer has more than {step.limit} bytes")


def _lost(error: Exception, watch: Watch) -> Lost:
    reason = type(error).__name__
    if watch.tls:
        return Lost("tls", sent=False, reason=watch.tls)
    if isinstance(error, _UNSENDABLE):
        return Lost("unsendable", sent=False, reason=reason)
    if isinstance(error, httpx.InvalidURL):  # httpx looks at Location, followed or not
        return Lost("unreadable", sent=True, reason="a redirect that leads nowhere")
    sent = not isinstance(error, _NEVER_OPENED)
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        late = monotonic() >= watch.until
        return Lost("timeout", sent=sent, reason="deadline" if late else reason)
    return Lost("connection", sent=sent, reason=reason)
