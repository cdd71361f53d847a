"""Network streams in which every read and write keeps the deadline of its call.

However slowly the peer sends its bytes, a call ends in time. Bytes that arrive before a request are detected.
"""

from __future__ import annotations

# ruff: noqa: ASYNC109 - httpcore's streams take their timeouts as arguments
import select
import ssl
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar

import httpcore

T = TypeVar("T")

_CUT_SHORT = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError, TimeoutError)


@dataclass(slots=True)
class Watch:
    """What is observed about one request while it is being sent and answered.

    Attributes:
        until: When the request must end, by the monotonic clock.
        reads: Number of reads since the last write began; None before the first write.
        tls: Why the TLS handshake failed; empty if it did not.
    """

    until: float
    reads: int | None = None
    tls: str = ""

    def clamp(self, timeout: float | None) -> float:
        """Return the seconds that one read or write may take.

        Raises:
            httpcore.ReadTimeout: The deadline has passed.
        """
        left = self.until - monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("deadline")
        return left if timeout is None else min(timeout, left)


_watch: ContextVar[Watch | None] = ContextVar("kycpack_watch", default=None)


@contextmanager
def set_for(variable: ContextVar[Any], value: T) -> Iterator[T]:
    """Set a context variable for the block."""
    token = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(token)


def watched(seconds: float) -> AbstractContextManager[Watch]:
    """Watch the request of the block, which has to end within some seconds."""
    return set_for(_watch, Watch(monotonic() + seconds))


def _time_to(timeout: float | None, *, write: bool) -> float | None:
    """Note that a request is being written or, once one was, an answer is being read; return how long that may take."""
    watch = _watch.get()
    if watch is None:
        return timeout
    if write:
        watch.reads = 0
    elif watch.reads is not None:
        watch.reads += 1
    return watch.clamp(timeout)


@contextmanager
def _tls_noted() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        watch = _watch.get()
        seen: BaseException | None = error
        while seen is not None and watch is not None:
            if isinstance(seen, ssl.SSLError) and not isinstance(seen, _CUT_SHORT):
                reason = (seen.reason or "").replace("_", " ").lower()
                watch.tls = getattr(seen, "verify_message", "") or reason or "the handshake failed"
                break
            seen = seen.__cause__ or seen.__context__
        raise


class _Guarded:
    """What both kinds of streams have in common."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._closed = False
        self._socket = inner.get_extra_info("socket")  # looked up once, because that is slow
        self._tls = inner.get_extra_info("ssl_object")

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # httpcore checks this before it uses a connection again
            return self._closed or _has_queued(self._inner) or self._has_bytes()
        return self._inner.get_extra_info(info)

    def _has_bytes(self) -> bool:
        if self._tls is not None and self._tls.pending() > 0:
            return True
        number = -1 if self._socket is None else self._socket.fileno()
        if number < 0:
            return True
        if not hasattr(select, "poll"):  # Windows
            return bool(select.select([number], [], [], 0)[0])
        poll = select.poll()
        poll.register(number, select.POLLIN)
        return bool(poll.poll(0))


class _Stream(_Guarded, httpcore.NetworkStream):
    _inner: httpcore.NetworkStream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _time_to(timeout, write=False))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _time_to(timeout, write=True))

    def close(self) -> None:
        self._closed = True
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        with _tls_noted():
            return _Stream(self._inner.start_tls(ssl_context, server_hostname, timeout))


class GuardedBackend(httpcore.NetworkBackend):
    """Opens connections that keep the deadline of the call."""

    _inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Open a connection; arguments as for `httpcore.NetworkBackend`."""
        return _Stream(self._inner.connect_tcp(host, port, timeout, local_address, socket_options))


class _AsyncStream(_Guarded, httpcore.AsyncNetworkStream):
    _inner: httpcore.AsyncNetworkStream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._inner.read(max_bytes, _time_to(timeout, write=False))

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, _time_to(timeout, write=True))

    async def aclose(self) -> None:
        self._closed = True
        await self._inner.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        with _tls_noted():
            return _AsyncStream(await self._inner.start_tls(ssl_context, server_hostname, timeout))


class AsyncGuardedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections that keep the deadline of the call, in the event loop."""

    _inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Open a connection; arguments as for `httpcore.AsyncNetworkBackend`."""
        return _AsyncStream(await self._inner.connect_tcp(host, port, timeout, local_address, socket_options))


def _has_queued(stream: Any) -> bool:
    # anyio reads bytes from the socket in advance; behind TLS they are in the stream below.
    inner = getattr(stream, "_stream", None)
    below = getattr(inner, "transport_stream", inner)
    return bool(getattr(getattr(below, "_protocol", None), "read_queue", ()))
