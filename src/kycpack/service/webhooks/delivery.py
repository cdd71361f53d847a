"""One POST to a receiver, with one deadline for name resolution, connection, handshake, request and answer."""

from __future__ import annotations

import socket
import ssl
import time
from dataclasses import dataclass
from urllib.parse import quote

import h11

from kycpack.service.webhooks.targets import Target, TargetError, resolve_target

DEADLINE_SECONDS = 15.0
"""Seconds that one delivery may take in total."""

_AS_GIVEN = "%/?&=:@!$'()*+,;-._~[]"
_CHUNK = 16_384


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """The outcome of a delivery: the status if there was one, and why it failed if it did."""

    status: int | None
    reason: str


def deliver(
    url: str, payload: bytes, *, loopback: bool, deadline: float = DEADLINE_SECONDS
) -> DeliveryOutcome:
    """Resolve a URL, check its address, and POST a payload there once.

    Args:
        url: The endpoint.
        payload: JSON bytes.
        loopback: Whether plain loopback addresses are allowed.
        deadline: Seconds in total.
    """
    limit = time.monotonic() + deadline
    try:
        target = resolve_target(url, loopback=loopback, seconds=deadline)
    except TargetError as error:
        return DeliveryOutcome(None, str(error))
    return post_once(target, payload, max(0.0, limit - time.monotonic()))


def post_once(target: Target, payload: bytes, deadline: float = DEADLINE_SECONDS) -> DeliveryOutcome:
    """POST a payload once; redirects are not followed, and only the head of the answer is read.

    Args:
        target: The target, with its checked address.
        payload: JSON bytes.
        deadline: Seconds in total; a slow receiver is cut off, and its partial answer is ignored.
    """
    limit = time.monotonic() + deadline
    try:
        plain = socket.create_connection((target.address, target.port), timeout=_left(limit))
        with plain, _secured(plain, target, limit) as connection:
            status = _exchange(connection, target, payload, limit)
    except TimeoutError:
        return DeliveryOutcome(None, "no answer in time")
    except (OSError, h11.ProtocolError) as error:
        return DeliveryOutcome(None, f"not delivered: {type(error).__name__}")
    if 200 <= status < 300:
        return DeliveryOutcome(status, "")
    return DeliveryOutcome(
        status, "a redirect is not followed" if 300 <= status < 400 else "not a 2xx answer"
    )


def _secured(plain: socket.socket, target: Target, limit: float) -> socket.socket:
    """Return the connection to use; for https, the certificate is checked against the URL's host."""
    if target.scheme == "http":
        return plain
    # The handshake is one call, so the socket's timeout limits it as a whole.
    plain.settimeout(_left(limit))
    return ssl.create_default_context().wrap_socket(plain, server_hostname=target.host)


def _exchange(connection: socket.socket, target: Target, payload: bytes, limit: float) -> int:
    http = h11.Connection(h11.CLIENT)
    head = h11.Request(
        method="POST",
        target=quote(target.path, safe=_AS_GIVEN),
        headers=[
            ("Host", _host_header(target)),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(payload))),
            ("User-Agent", "kycpack-service"),
            ("Connection", "close"),
        ],
    )
    sent = (http.send(event) for event in (head, h11.Data(data=payload), h11.EndOfMessage()))
    connection.settimeout(_left(limit))
    connection.sendall(b"".join(part for part in sent if part))
    while True:
        event = http.next_event()
        if isinstance(event, h11.Response):
            return event.status_code
        if event is h11.NEED_DATA:
            connection.settimeout(_left(limit))
            http.receive_data(connection.recv(_CHUNK))
        elif isinstance(event, h11.ConnectionClosed):
            raise ConnectionResetError("the receiver closed the connection without an answer")


def _left(limit: float) -> float:
    """Return the remaining seconds.

    Raises:
        TimeoutError: No time is left.
    """
    left = limit - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _host_header(target: Target) -> str:
    host = f"[{target.host}]" if ":" in target.host else target.host
    return host if target.port == {"http": 80, "https": 443}[target.scheme] else f"{host}:{target.port}"
