"""The connections of a client.

They belong to the process that opened them: a child made by `fork` would share them with its parent, and each would read the
other's answers. A connection with unexpected bytes is closed, so that they are not taken for the answer to the next call.

httpx handles proxies and certificates and opens the connections. Which idle one is used next is decided here, in constant
time (the pool of httpcore checks all of them for each request).
"""

from __future__ import annotations

import asyncio
import errno
import os
import ssl
import threading
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cache
from time import monotonic
from typing import Any, ClassVar, Generic, TypeVar

import anyio
import httpcore
import httpx

from kycpack.api.addresses import ConnectionTarget
from kycpack.api.network import AsyncGuardedBackend, GuardedBackend
from kycpack.errors import ConfigurationError

H = TypeVar("H", httpx.Client, httpx.AsyncClient)
L = TypeVar("L", httpcore.ConnectionInterface, httpcore.AsyncConnectionInterface)
G = TypeVar("G", threading.BoundedSemaphore, asyncio.Semaphore)

KEPT_IDLE_SECONDS = 3.0
"""Idle connections are closed before common servers close them (5 s), so that a call does not meet a closing one."""

_MOST_AT_ONCE = 100
LIMITS = httpx.Limits(
    max_connections=_MOST_AT_ONCE, max_keepalive_connections=50, keepalive_expiry=KEPT_IDLE_SECONDS
)

# Out of memory, or too many open files: the certificates may be fine.
_OF_THE_MACHINE = frozenset({errno.ENOMEM, errno.EMFILE, errno.ENFILE})


class _Idle(Generic[L]):
    """The idle connections of one origin; the last used one is used next, so that the others can expire."""

    def __init__(self) -> None:
        self._kept: deque[tuple[float, L]] = deque()

    def __len__(self) -> int:
        return len(self._kept)

    def newest(self) -> Iterator[L]:
        """Remove and yield them, the last used one first."""
        while self._kept:
            try:
                yield self._kept.pop()[1]
            except IndexError:  # another thread took it
                return

    def keep(self, connection: L) -> None:
        """Add a connection that is idle from now on."""
        self._kept.append((monotonic() + KEPT_IDLE_SECONDS, connection))

    def expired(self) -> Iterator[L]:
        """Remove and yield those that have been idle for too long."""
        now = monotonic()
        while self._kept and self._kept[0][0] < now:
            try:
                until, connection = self._kept.popleft()
            except IndexError:
                return
            if until >= now:
                self._kept.appendleft((until, connection))
                return
            yield connection


@dataclass(slots=True)
class _Own(Generic[H, L, G]):
    """The state of one process: httpx, which opens connections, the idle connections, and the gate."""

    http: H | None
    gate: G
    idle: dict[str, _Idle[L]] = field(default_factory=dict)
    pools: dict[str, Any] = field(default_factory=dict)

    def open(self, origin: ConnectionTarget) -> Any:
        """Return a connection to an origin; it connects when it is first used."""
        pool = self.pools.get(origin.text)
        if pool is None:
            # httpx has no public way to get a connection, and only httpx can choose the proxy of an address.
            transport: Any = self.http._transport_for_url(httpx.URL(origin.text))  # type: ignore[union-attr]  # noqa: SLF001
            pool = self.pools[origin.text] = transport._pool  # noqa: SLF001
        return pool.create_connection(httpcore.Origin(origin.scheme, origin.host, origin.port))

    def idle_at(self, origin: ConnectionTarget) -> _Idle[L]:
        """Return the idle connections of an origin."""
        idle = self.idle.get(origin.text)
        return self.idle.setdefault(origin.text, _Idle()) if idle is None else idle

    def has_room(self) -> bool:
        """Return whether another idle connection may be kept."""
        return sum(map(len, self.idle.values())) < (LIMITS.max_keepalive_connections or 0)


# The answer as it comes: its body is read in parts, and nothing is signed or followed by the library.
_UNCHANGED: Mapping[str, Any] = {"stream": True, "auth": None, "follow_redirects": False}


def _for_httpx(request: httpcore.Request, origin: ConnectionTarget) -> httpx.Request:
    content: Any = request.stream
    return httpx.Request(
        request.method.decode(),
        f"{origin.text}{request.url.target.decode()}",
        headers=request.headers,
        content=b"".join(content) or None,
        extensions=request.extensions,
    )


def _from_httpx(response: httpx.Response) -> httpcore.Response:
    content: Any = response.stream
    return httpcore.Response(
        response.status_code, headers=response.headers.raw, content=content, extensions=response.extensions
    )


@dataclass(slots=True)
class Connections(Generic[H, L, G]):
    """The connections of one client, opened when first needed, separately in each process.

    Args:
        given: The caller's own HTTP client, which the caller has to close.
        trust_env: Whether proxies and certificates are taken from the environment.
    """

    _client: ClassVar[type[Any]]
    _backend: ClassVar[type[Any]]
    _gate: ClassVar[type[Any]]

    given: H | None
    trust_env: bool
    closed: bool = False
    _process: int = field(default_factory=os.getpid)
    _by_process: dict[int, _Own[H, L, G]] = field(default_factory=dict)

    @property
    def gate(self) -> G:
        """The semaphore that limits the number of simultaneous requests of this process.

        Raises:
            ConfigurationError: A proxy or a certificate file of the environment cannot be used, or the caller's own
                HTTP client was made in another process.
        """
        return self._own().gate

    def _own(self) -> _Own[H, L, G]:
        process = os.getpid()
        own = self._by_process.get(process)
        return self._by_process.setdefault(process, self._hold(process)) if own is None else own

    def _hold(self, process: int) -> _Own[H, L, G]:
        if self.given is not None:
            if process != self._process:
                raise ConfigurationError(
                    "the http_client belongs to the process that made this client; make both anew after a fork"
                )
            return _Own(None, self._gate(_MOST_AT_ONCE))
        try:
            certificates = _certificates(trust_env=self.trust_env)
            http = self._client(limits=LIMITS, verify=certificates, trust_env=self.trust_env)
        except ImportError:
            raise ConfigurationError(
                "a SOCKS proxy is set in the environment, and the package socksio is not installed: "
                "install httpx[socks], or remove the proxy from ALL_PROXY, HTTP_PROXY and HTTPS_PROXY"
            ) from None
        except (httpx.InvalidURL, ValueError) as error:
            if isinstance(error, ssl.SSLError):
                raise _bad_certificates() from None
            raise ConfigurationError(
                "a proxy of the environment cannot be used: see HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY"
            ) from None
        except OSError as error:
            if error.errno in _OF_THE_MACHINE or (
                isinstance(error, ssl.SSLError) and "malloc failure" in str(error)
            ):
                raise
            raise _bad_certificates() from None
        return _Own(_guarded(http, self._backend()), self._gate(_MOST_AT_ONCE))

    async def take(self, origin: ConnectionTarget, *, single: bool) -> Any:
        """Return a connection for one request; of the caller's own HTTP client, it is only its target.

        Args:
            origin: The target of the connection.
            single: Whether the request needs a connection that has not been used before.
        """
        if self.given is not None:
            return origin
        own = self._own()
        for idle in () if single else own.idle_at(origin).newest():
            if idle.is_available() and not idle.has_expired():
                return idle
            await self._end(idle)
        return own.open(origin)

    async def give_back(self, origin: ConnectionTarget, connection: Any, *, keep: bool) -> None:
        """Take a connection back after its request.

        Args:
            origin: The target of the connection.
            connection: What `take` returned.
            keep: Whether another request may use it.
        """
        if self.given is not None:
            return
        own = self._own()
        idle = own.idle_at(origin)
        ending = list(idle.expired())
        if keep and not self.closed and connection.is_available() and own.has_room():
            idle.keep(connection)
        elif not connection.is_closed():
            ending.append(connection)
        if ending:
            with self._undisturbed():
                for each in ending:
                    await self._end(each)

    async def aclose(self) -> None:
        """Close the connections, unless they are of a client that was given; those in use are closed after their call."""
        self.closed = True
        own = self._by_process.get(os.getpid())
        for idle in () if own is None else tuple(own.idle.values()):  # a call may add an origin meanwhile
            for kept in idle.newest():
                await self._end(kept)

    async def _end(self, connection: L) -> None:
        # An error on closing must not replace an answer that was received. A connection whose event loop has ended
        # raises RuntimeError; it ended with its loop.
        with suppress(OSError, RuntimeError, httpcore.NetworkError):
            await self.shut(connection)

    @abstractmethod
    async def enter(self, seconds: float) -> bool:
        """Wait for a turn, and return whether there was one in time."""

    @abstractmethod
    async def ask(self, connection: Any, request: httpcore.Request) -> httpcore.Response:
        """Send a request, and return the answer when its head has come."""

    @abstractmethod
    async def receive(self, response: httpcore.Response, take: Callable[[bytes], bool]) -> None:
        """Read the body of an answer, part by part, as long as `take` returns True."""

    @abstractmethod
    async def shut(self, stream: Any) -> None:
        """Close an answer, a connection or what is below it."""

    @abstractmethod
    def _undisturbed(self) -> AbstractContextManager[Any]:
        """A block that is not left half-way when the call is cancelled."""

    @property
    def is_closed(self) -> bool:
        """Whether the connections are closed."""
        return self.closed or (self.given is not None and self.given.is_closed)


class SyncConnections(Connections[httpx.Client, httpcore.ConnectionInterface, threading.BoundedSemaphore]):
    """Connections that block their thread: their coroutines never wait for an event loop."""

    _client, _backend, _gate = httpx.Client, GuardedBackend, threading.BoundedSemaphore
    _undisturbed = nullcontext

    async def enter(self, seconds: float) -> bool:
        """As `Connections.enter`."""
        return self.gate.acquire(timeout=seconds)

    async def ask(self, connection: Any, request: httpcore.Request) -> httpcore.Response:
        """As `Connections.ask`."""
        if self.given is not None:
            return _from_httpx(self.given.send(_for_httpx(request, connection), **_UNCHANGED))
        response: httpcore.Response = connection.handle_request(request)
        return response

    async def receive(self, response: httpcore.Response, take: Callable[[bytes], bool]) -> None:
        """As `Connections.receive`."""
        for chunk in response.stream:  # type: ignore[union-attr]
            if not take(chunk):
                return

    async def shut(self, stream: Any) -> None:
        """As `Connections.shut`."""
        stream.close()


class AsyncConnections(Connections[httpx.AsyncClient, httpcore.AsyncConnectionInterface, asyncio.Semaphore]):
    """Connections that wait in the event loop."""

    _client, _backend, _gate = httpx.AsyncClient, AsyncGuardedBackend, asyncio.Semaphore

    def _undisturbed(self) -> AbstractContextManager[Any]:
        """As `Connections._undisturbed`."""
        return anyio.CancelScope(shield=True)  # a cancelled call must not leave a connection open

    async def enter(self, seconds: float) -> bool:
        """As `Connections.enter`."""
        gate = self.gate
        if not gate.locked():
            return await gate.acquire()
        try:
            async with asyncio.timeout(seconds):
                return await gate.acquire()
        except TimeoutError:
            return False

    async def ask(self, connection: Any, request: httpcore.Request) -> httpcore.Response:
        """As `Connections.ask`."""
        if self.given is not None:
            return _from_httpx(await self.given.send(_for_httpx(request, connection), **_UNCHANGED))
        response: httpcore.Response = await connection.handle_async_request(request)
        return response

    async def receive(self, response: httpcore.Response, take: Callable[[bytes], bool]) -> None:
        """As `Connections.receive`."""
        async for chunk in response.stream:  # type: ignore[union-attr]
            if not take(chunk):
                return

    async def shut(self, stream: Any) -> None:
        """As `Connections.shut`."""
        await stream.aclose()


def _certificates(*, trust_env: bool) -> ssl.SSLContext:
    named = trust_env and (os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR"))
    return httpx.create_ssl_context() if named else usual_certificates()


@cache
def usual_certificates() -> ssl.SSLContext:
    """Return the TLS context with the certificates that come with httpx: read once, which takes 30 ms."""
    return httpx.create_ssl_context(trust_env=False)


def _bad_certificates() -> ConfigurationError:
    return ConfigurationError(
        "the certificates that the environment names cannot be read: see SSL_CERT_FILE and SSL_CERT_DIR"
    )


def _guarded(http: H, backend: Any) -> H:
    # httpx has no public way to set a network backend, and its own transport handles proxies.
    for transport in (http._transport, *http._mounts.values()):  # noqa: SLF001
        pool = getattr(transport, "_pool", None)
        if pool is not None:
            pool._network_backend = backend  # noqa: SLF001
    return http
