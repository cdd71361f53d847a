"""The connections of a client.

They belong to the process that opened them: a child made by `fork` would share them with its parent, and each would read
the other's answers. Every read and write keeps to the deadline of its call, however the peer spreads its bytes, and a
connection that holds bytes nobody asked for is closed before it can answer the next call with them.
"""

from __future__ import annotations

# ruff: noqa: ASYNC109 - httpcore's streams take their timeouts as arguments
import asyncio
import os
import ssl
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Generic, TypeVar

import httpcore
import httpx

from kycpack.errors import ConfigurationError

H = TypeVar("H", httpx.Client, httpx.AsyncClient)
G = TypeVar("G", threading.BoundedSemaphore, asyncio.Semaphore)

LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=50, keepalive_expiry=3.0)
"""Idle connections are dropped before common servers drop them (5 s): a call must not meet a closing one."""

_ONE_CALL = httpx.Limits(max_connections=LIMITS.max_connections, max_keepalive_connections=0)
_CUT_SHORT = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError, TimeoutError)
# Where httpx keeps the parser of a connection: its buffer is the only place that shows bytes after the end of an answer.
_PARSER = ("_stream", "_httpcore_stream", "_stream", "_connection", "_h11_state")


@dataclass(slots=True)
class Watch:
    """What is seen of one request while it is on the wire.

    Attributes:
        until: When it must be over, by the monotonic clock.
        reads: Reads since the last write began; None before the first write.
        tls: Why the TLS handshake failed, empty where it did not.
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
def watched(seconds: float) -> Iterator[Watch]:
    """Within this block every read and write ends after so many seconds.

    Args:
        seconds: Seconds from now for the request as a whole.
    """
    watch = Watch(monotonic() + seconds)
    token = _watch.set(watch)
    try:
        yield watch
    finally:
        _watch.reset(token)


@dataclass(slots=True)
class _Held(Generic[H, G]):
    kept: H
    single: H
    gate: G


@dataclass(slots=True)
class Connections(ABC, Generic[H, G]):
    """The connections of one client, opened when they are first needed, once in each process.

    Args:
        given: An HTTP client that the caller brought; it stays the caller's to close.
        trust_env: Whether proxies and certificates are taken from the environment.
    """

    given: H | None
    trust_env: bool
    closed: bool = False
    _process: int = field(default_factory=os.getpid)
    _by_process: dict[int, _Held[H, G]] = field(default_factory=dict)

    def http(self, *, single: bool) -> tuple[H, G]:
        """Return the HTTP client of this process, and the gate that bounds how many requests are on their way.

        Args:
            single: Whether the request needs a connection that nothing was asked on before, and nothing will be after.

        Raises:
            ConfigurationError: A proxy or a certificate file of the environment cannot be used, or the caller's own
                HTTP client was made in another process.
        """
        process = os.getpid()
        held = self._by_process.get(process)
        if held is None:
            held = self._by_process.setdefault(process, self._hold(process))
        return (held.single if single else held.kept), held.gate

    def _hold(self, process: int) -> _Held[H, G]:
        if self.given is not None:
            if process != self._process:
                raise ConfigurationError(
                    "the http_client belongs to the process that made this client; make both anew after a fork"
                )
            return _Held(self.given, self.given, self._gate())
        try:
            # Reading the certificates is slow, so both share what was read.
            context = httpx.create_ssl_context(trust_env=self.trust_env)
            return _Held(
                _guarded(self._open(context, LIMITS), self._backend()),
                _guarded(self._open(context, _ONE_CALL), self._backend()),
                self._gate(),
            )
        except ImportError:
            raise ConfigurationError(
                "a SOCKS proxy is set in the environment, and the package socksio is not installed: "
                "install httpx[socks], or take the proxy out of ALL_PROXY, HTTP_PROXY and HTTPS_PROXY"
            ) from None
        except (httpx.InvalidURL, ValueError) as error:
            if isinstance(error, ssl.SSLError):
                raise _bad_certificates() from None
            raise ConfigurationError(
                "a proxy of the environment cannot be used: see HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY"
            ) from None
        except OSError:
            raise _bad_certificates() from None

    def own(self) -> tuple[H, ...]:
        """Mark these connections as closed, and return what this process has to close."""
        self.closed = True
        held = self._by_process.get(os.getpid())
        return () if held is None or self.given is not None else (held.kept, held.single)

    @property
    def is_closed(self) -> bool:
        """Whether nothing can be sent any more."""
        return self.closed or (self.given is not None and self.given.is_closed)

    @abstractmethod
    def _open(self, context: ssl.SSLContext, limits: httpx.Limits) -> H: ...

    @abstractmethod
    def _backend(self) -> Any: ...

    @abstractmethod
    def _gate(self) -> G: ...


class SyncConnections(Connections[httpx.Client, threading.BoundedSemaphore]):
    """Connections that wait in their thread."""

    def _open(self, context: ssl.SSLContext, limits: httpx.Limits) -> httpx.Client:
        return httpx.Client(limits=limits, verify=context, trust_env=self.trust_env)

    def _backend(self) -> httpcore.NetworkBackend:
        return _Backend()

    def _gate(self) -> threading.BoundedSemaphore:
        return threading.BoundedSemaphore(LIMITS.max_connections or 1)


class AsyncConnections(Connections[httpx.AsyncClient, asyncio.Semaphore]):
    """Connections that wait in the event loop."""

    def _open(self, context: ssl.SSLContext, limits: httpx.Limits) -> httpx.AsyncClient:
        return httpx.AsyncClient(limits=limits, verify=context, trust_env=self.trust_env)

    def _backend(self) -> httpcore.AsyncNetworkBackend:
        return _AsyncBackend()

    def _gate(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(LIMITS.max_connections or 1)


def holds_surplus(response: httpx.Response) -> bool:
    """Tell whether bytes came after the end of an answer; asked when it was read and before it is closed.

    Where that cannot be seen the answer is yes, so that the connection ends.
    """
    network = response.extensions.get("network_stream")
    if network is None:  # no connection of its own, as in a test
        return False
    parser: Any = response.stream
    for name in _PARSER:
        parser = getattr(parser, name, None)
    if parser is None:
        return True
    trailing, _ = parser.trailing_data
    return bool(trailing) or bool(network.get_extra_info("is_readable"))


def _bad_certificates() -> ConfigurationError:
    return ConfigurationError(
        "the certificates that the environment names cannot be read: see SSL_CERT_FILE and SSL_CERT_DIR"
    )


def _guarded(http: H, backend: Any) -> H:
    # httpx has no public way to bring a network backend, and its own transport knows proxies.
    for transport in (http._transport, *http._mounts.values()):  # noqa: SLF001
        pool = getattr(transport, "_pool", None)
        if pool is not None:
            pool._network_backend = backend  # noqa: SLF001
    return http


def _note_write() -> Watch | None:
    watch = _watch.get()
    if watch is not None:
        watch.reads = 0
    return watch


def _note_read() -> Watch | None:
    watch = _watch.get()
    if watch is not None and watch.reads is not None:
        watch.reads += 1
    return watch


def _note_tls(error: BaseException) -> None:
    watch = _watch.get()
    seen: BaseException | None = error
    while seen is not None and watch is not None:
        if isinstance(seen, ssl.SSLError) and not isinstance(seen, _CUT_SHORT):
            watch.tls = getattr(seen, "verify_message", "") or (seen.reason or "").replace("_", " ").lower()
            watch.tls = watch.tls or "the handshake failed"
            return
        seen = seen.__cause__ or seen.__context__


def _has_pending(stream: Any) -> bool:
    tls = stream.get_extra_info("ssl_object")
    return bool(stream.get_extra_info("is_readable")) or (tls is not None and tls.pending() > 0)


class _Stream(httpcore.NetworkStream):
    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner
        self._closed = False

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        watch = _note_read()
        return self._inner.read(max_bytes, watch.clamp(timeout) if watch else timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        watch = _note_write()
        self._inner.write(buffer, watch.clamp(timeout) if watch else timeout)

    def close(self) -> None:
        self._closed = True
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        try:
            return _Stream(self._inner.start_tls(ssl_context, server_hostname, timeout))
        except Exception as error:
            _note_tls(error)
            raise

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # what the pool asks before it uses a connection again
            return self._closed or _has_pending(self._inner)
        return self._inner.get_extra_info(info)


class _Backend(httpcore.NetworkBackend):
    def __init__(self) -> None:
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        return _Stream(self._inner.connect_tcp(host, port, timeout, local_address, socket_options))


class _AsyncStream(httpcore.AsyncNetworkStream):
    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner
        self._closed = False

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        watch = _note_read()
        return await self._inner.read(max_bytes, watch.clamp(timeout) if watch else timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        watch = _note_write()
        await self._inner.write(buffer, watch.clamp(timeout) if watch else timeout)

    async def aclose(self) -> None:
        self._closed = True
        await self._inner.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.AsyncNetworkStream:
        try:
            return _AsyncStream(await self._inner.start_tls(ssl_context, server_hostname, timeout))
        except Exception as error:
            _note_tls(error)
            raise

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":
            return self._closed or _has_pending(self._inner) or _has_queued(self._inner)
        return self._inner.get_extra_info(info)


class _AsyncBackend(httpcore.AsyncNetworkBackend):
    def __init__(self) -> None:
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        return _AsyncStream(await self._inner.connect_tcp(host, port, timeout, local_address, socket_options))


def _has_queued(stream: Any) -> bool:
    # anyio takes bytes off the socket before they are asked for; behind TLS they are in the stream below.
    inner = getattr(stream, "_stream", None)
    below = getattr(inner, "transport_stream", inner)
    return bool(getattr(getattr(below, "_protocol", None), "read_queue", ()))
