"""Sends one request and returns the answer or the failure; only this module handles the exceptions and the logs of the HTTP library.

httpx writes full URLs at INFO, and httpcore writes response headers, `Location` too, at DEBUG.
"""

from __future__ import annotations

import logging
from contextvars import ContextVar
from time import monotonic
from typing import Any

import httpcore
import httpx

from kycpack.api.addresses import ConnectionTarget, split_address
from kycpack.api.bodies import Body, BodyInFile, EncodingError, TooLargeError, decode
from kycpack.api.connections import Connections
from kycpack.api.failures import Lost
from kycpack.api.network import Watch, set_for, watched
from kycpack.api.protocol import Received, Send

_confidential: ContextVar[bool] = ContextVar("kycpack_confidential", default=False)
_LOGGERS = (
    "httpx",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.http2",
    "httpcore.proxy",
    "httpcore.socks",
)


class _ConfidentialFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002 - whatever it says, it may hold a link
        return not _confidential.get()


_FILTER = _ConfidentialFilter()


def install() -> None:
    """Add the filter to the HTTP library's loggers; calling it again has no effect."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_FILTER)


_NEVER_OPENED = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpcore.ConnectError,
    httpcore.ConnectTimeout,
    httpcore.ConnectionNotAvailable,
)
_UNSENDABLE = (
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
    httpcore.UnsupportedProtocol,
    httpcore.LocalProtocolError,
)
_LATE = (httpx.TimeoutException, httpcore.TimeoutException, TimeoutError)
# A connection whose event loop has ended raises RuntimeError.
_FOREIGN = (
    httpx.HTTPError,
    httpx.InvalidURL,
    httpx.StreamError,
    httpx.CookieConflict,
    httpcore.ConnectionNotAvailable,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.TimeoutException,
    httpcore.UnsupportedProtocol,
    OSError,
    ValueError,
    RuntimeError,
)
# Path to a connection's parser; only its buffer shows bytes after the end of an answer.
_TO_PARSER = ("_stream", "_httpcore_stream")
_MOST_LAYERS = 5
_WITH_LENGTH = frozenset({"POST", "PUT", "PATCH"})

_CLOSED = Lost("closed", sent=False, reason="the client is closed")
NO_TURN = Lost("timeout", sent=False, reason="too many calls are in flight")
"""The result of a request that got no turn until its deadline."""


async def send(connections: Connections[Any, Any, Any], step: Send) -> Received | Lost:
    """Send a request and read its answer, up to its limit and its deadline.

    Raises:
        ConfigurationError: A proxy or a certificate file of the environment cannot be used.
    """
    if connections.is_closed:
        return _CLOSED
    gate = connections.gate
    until = monotonic() + step.deadline
    if not await connections.enter(step.deadline):
        return NO_TURN
    try:
        with set_for(_confidential, step.confidential), watched(until - monotonic()) as watch:
            try:
                return await _ask(connections, step, watch, until)
            except _FOREIGN as error:
                return _lost(error, watch)
    except BaseException as error:  # noqa: BLE001 - raised again
        # The traceback of an interrupt would show the library's local variables, including the request's body.
        raise error.with_traceback(None) from None
    finally:
        gate.release()


async def _ask(
    connections: Connections[Any, Any, Any], step: Send, watch: Watch, until: float
) -> Received | Lost:
    outgoing = _outgoing(step, until - monotonic())
    if isinstance(outgoing, Lost):
        return outgoing
    origin, request = outgoing
    connection = await connections.take(origin, single=step.single)
    keep = False
    try:
        response = await connections.ask(connection, request)
        try:
            headers = _headers_of(response)
            came: Received | Lost | None = None
            with _body_of(response.status, headers, step) as body:

                def take(chunk: bytes) -> bool:
                    nonlocal came
                    body.write(chunk)
                    came = _overrun(step, body.size, until)
                    return came is None

                await connections.receive(response, take)
                came = came or _received(step, watch, response.status, headers, body)
            whole = isinstance(came, Received) and not _holds_surplus(response)
            keep = whole and not step.single
            network = response.extensions.get("network_stream")
            if not whole and network is not None:
                await connections.shut(network)
            return came
        finally:
            await connections.shut(response)
    finally:
        await connections.give_back(origin, connection, keep=keep)


def _outgoing(step: Send, left: float) -> tuple[ConnectionTarget, httpcore.Request] | Lost:
    timeout = min(step.timeout, max(left, 0.001))
    body = step.body.reveal()
    try:
        origin, target = split_address(step.url)
        headers = [(_raw(name), _raw(value)) for name, value in step.headers.items()]
        named = {name.lower() for name, _ in headers}
        if b"host" not in named:
            headers.insert(0, (b"Host", origin.netloc))
        if (body or step.method in _WITH_LENGTH) and b"content-length" not in named:
            headers.append((b"Content-Length", str(len(body)).encode()))
        url = httpcore.URL(scheme=origin.scheme, host=origin.host, port=origin.unusual_port, target=target)
        times = {"connect": timeout, "read": timeout, "write": timeout, "pool": max(left, 0.001)}
        return origin, httpcore.Request(
            step.method, url, headers=headers, content=body, extensions={"timeout": times}
        )
    except (httpx.InvalidURL, ValueError, TypeError) as error:
        return Lost("unsendable", sent=False, reason=type(error).__name__)


def _raw(text: Any) -> bytes:
    if not isinstance(text, str | bytes):
        raise TypeError("a header must be text")
    return text.encode("ascii") if isinstance(text, str) else text


def _headers_of(response: httpcore.Response) -> dict[str, str]:
    headers: dict[str, str] = {}
    for raw_name, raw_value in response.headers:
        name, value = raw_name.decode("latin-1").lower(), _text(raw_value)
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _holds_surplus(response: httpcore.Response) -> bool:
    # Called after an answer was read and before it is closed. True if it cannot be determined.
    network = response.extensions.get("network_stream")
    if network is None:  # no connection of its own, as in a test
        return False
    layer: Any = response.stream
    for _ in range(_MOST_LAYERS):
        connection = getattr(layer, "_connection", None)
        if connection is not None:
            parser = getattr(connection, "_h11_state", None)
            return (
                parser is None or bool(parser.trailing_data[0]) or bool(network.get_extra_info("is_readable"))
            )
        layer = next(
            (found for name in _TO_PARSER if (found := getattr(layer, name, None)) is not None), None
        )
    return True


def _body_of(status: int, headers: dict[str, str], step: Send) -> Body:
    packed = headers.get("content-encoding", "").strip().lower() not in {"", "identity"}
    if step.folder is None or packed or not 200 <= status < 300:
        return Body(headers.get("content-length", ""), step.limit)
    return BodyInFile(step.folder)


def _received(step: Send, watch: Watch, status: int, headers: dict[str, str], body: Body) -> Received | Lost:
    if watch.reads == 0:
        return Lost("foreign", sent=True, reason="an answer arrived before the request")
    try:
        content = decode(body.content(), headers.get("content-encoding", ""), step.limit)
    except TooLargeError:
        return _too_large(step)
    except EncodingError as error:
        return Lost("connection", sent=True, reason=str(error))
    received = Received(status, headers, content, body.file())
    if problem := step.check(received):
        return Lost("foreign", sent=True, reason=problem)
    body.keep()
    return received


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
        return Lost("unreadable", sent=True, reason="a redirect to an invalid link")
    sent = not isinstance(error, _NEVER_OPENED)
    if isinstance(error, _LATE):
        late = monotonic() >= watch.until
        return Lost("timeout", sent=sent, reason="deadline" if late else reason)
    return Lost("connection", sent=sent, reason=reason)
