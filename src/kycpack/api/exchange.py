"""The protocol of a request, written once and without I/O.

`exchange` is a generator: it yields what is to be sent or waited for, is sent what came back, and returns the answer. The
sync and the async client are thin drivers of it, and a test drives it with neither.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

from kycpack.api.answers import Answer
from kycpack.api.failures import Lost, lost_error, retry_after
from kycpack.api.operations import Operation, Repeat
from kycpack.api.places import BaseUrl, resolve_redirect
from kycpack.api.signers import Signer, UnsignedRequest
from kycpack.errors import ContractError
from kycpack.models.instants import format_instant

T = TypeVar("T")

FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
LONGEST_RETRY_AFTER = 60.0
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_HOPS = 3
_EXPIRED = frozenset({401, 403, 404, 410})
_KEPT_OUT = frozenset({"location", "set-cookie", "authorization"})


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One operation with its arguments.

    Attributes:
        operation: What is asked.
        path: Path below the base URL, ids filled in.
        query: Raw query, empty without one.
        body: The bytes to send.
        about: What a register may keep of the request, for creates.
        key: The idempotency key of an attempt.
    """

    operation: Operation[T]
    path: str
    query: str = ""
    body: bytes = field(default=b"", repr=False)
    about: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a client waits and how often it asks again.

    Attributes:
        timeout: Seconds without a sign of life before a request counts as lost.
        max_retries: How often a request is sent again.
        deadline: Seconds for a call as a whole, waits included.
    """

    timeout: float = 30.0
    max_retries: int = 3
    deadline: float = 120.0


@dataclass(frozen=True, slots=True)
class Ambient:
    """What a call takes from the world around it.

    Attributes:
        now: The time, UTC.
        monotonic: Seconds of a clock that never goes back.
        jitter: From a number of seconds to a random one between zero and it.
        new_id: Makes a fresh UUID.
    """

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    jitter: Callable[[float], float]
    new_id: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Send:
    """Send this, and send back `Received` or `Lost`.

    Attributes:
        method: HTTP method.
        url: Absolute URL; it may be signed, so it is not shown.
        headers: Every header.
        body: The bytes to send.
        timeout: Seconds without a sign of life.
        deadline: Seconds for this request as a whole.
        limit: Largest answer in bytes.
        confidential: Whether URLs of this exchange must not get into logs.
    """

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    timeout: float
    deadline: float
    limit: int
    confidential: bool


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait so many seconds, and send back None."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Received:
    """An answer of any status; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)


Steps = Generator[Send | Pause, Received | Lost | None, T]


def exchange(
    call: Call[T], place: BaseUrl, signer: Signer, patience: Patience, ambient: Ambient
) -> Steps[Answer[T]]:
    """Run a call to its answer.

    Args:
        call: What to ask.
        place: Where.
        signer: Signs every attempt anew.
        patience: Timeouts and retries.
        ambient: Clock, chance and ids.

    Returns:
        The last answer, whatever its status.

    Raises:
        TransportError: No answer came, or not in time (`RequestTimeoutError`).
        OutcomeUnknownError: The answer to something that must not be repeated was lost.
        ContractError: The answer is too large, or redirects where it must not.
        ConfigurationError: The address, the key or the secret cannot be used.
    """
    course = _Course(call, place, signer, patience, ambient, ambient.new_id(), ambient.monotonic())
    answer = yield from course.ask()
    if call.operation.follow and answer.status in _REDIRECTS:
        return (yield from course.follow(answer))
    return course.conclude(answer)


@dataclass(slots=True)
class _Course(Generic[T]):
    call: Call[T]
    place: BaseUrl
    signer: Signer
    patience: Patience
    ambient: Ambient
    request_id: str
    started: float
    requested_at: str = ""
    attempts: int = 0

    def ask(self) -> Steps[Received]:
        """Send the call, signed, as often as its class allows."""
        return (yield from self._persist(self._signed, self.call.operation.repeat))

    def follow(self, redirect: Received) -> Steps[Answer[T]]:
        """Fetch what a redirect leads to; a link that has expired is asked for once more."""
        fetched = yield from self._fetch(redirect)
        if fetched.status in _EXPIRED:
            redirect = yield from self.ask()
            if redirect.status not in _REDIRECTS:
                return self.conclude(redirect)
            fetched = yield from self._fetch(redirect)
        return self.conclude(fetched)

    def conclude(self, received: Received) -> Answer[T]:
        """Return the answer as the caller gets it."""
        headers = {name: value for name, value in received.headers.items() if name not in _KEPT_OUT}
        return Answer(
            operation=self.call.operation,
            path=self.call.path,
            query=self.call.query,
            status=received.status,
            headers=headers,
            content=received.content,
            request_id=self.request_id,
            requested_at=self.requested_at,
            attempts=self.attempts,
        )

    def _fetch(self, redirect: Received) -> Steps[Received]:
        origin = self.place.join(self.call.path, self.call.query).url
        for _ in range(_MAX_HOPS):
            origin = resolve_redirect(origin, redirect.headers.get("location", ""), self.call.operation.name)
            redirect = yield from self._persist(_unsigned(origin, self._headers), Repeat.SAFE)
            if redirect.status not in _REDIRECTS:
                return redirect
        raise ContractError(
            f"{self._target}: more than {_MAX_HOPS} redirects",
            expected="a file",
            operation=self.call.operation.name,
            request_id=self.request_id,
        )

    def _persist(self, prepare: Callable[[], _Prepared], repeat: Repeat) -> Steps[Received]:
        tries = 0
        while True:
            left = self.patience.deadline - (self.ambient.monotonic() - self.started)
            tries += 1
            self.attempts += 1
            came = yield self._send(prepare(), max(left, 0.001))
            if came is None:
                raise TypeError("a driver answers Send with Received or Lost")
            wait = self._wait_before_retry(came, repeat, tries)
            if wait is None:
                break
            yield Pause(wait)
        if isinstance(came, Lost):
            raise lost_error(
                came,
                operation=self.call.operation.name,
                target=self._target,
                request_id=self.request_id,
                once=repeat is Repeat.ONCE,
            )
        return came

    def _wait_before_retry(self, came: Received | Lost, repeat: Repeat, tries: int) -> float | None:
        if tries > self.patience.max_retries or not _may_repeat(came, repeat):
            return None
        wait = self.ambient.jitter(min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (tries - 1)))
        asked = retry_after(came.headers) if isinstance(came, Received) else None
        if asked is not None:
            if asked > LONGEST_RETRY_AFTER:
                return None
            wait = asked
        spent = self.ambient.monotonic() - self.started
        return wait if spent + wait < self.patience.deadline else None

    def _send(self, prepared: _Prepared, left: float) -> Send:
        return Send(
            method=prepared.method,
            url=prepared.url,
            headers=prepared.headers,
            body=prepared.body,
            timeout=min(self.patience.timeout, left),
            deadline=left,
            limit=self.call.operation.limit,
            confidential=self.call.operation.follow,
        )

    def _signed(self) -> _Prepared:
        location = self.place.join(self.call.path, self.call.query)
        now = self.ambient.now()
        self.requested_at = format_instant(now)
        headers = {"Host": location.host, **self._headers}
        if self.call.body:
            headers["Content-Type"] = "application/json"
        unsigned = UnsignedRequest(
            method=self.call.operation.method,
            url=location.url,
            target=location.target,
            host=location.host,
            headers=headers,
            body=self.call.body,
            now=now,
            nonce=self.ambient.new_id(),
        )
        signed = {**headers, **self.signer(unsigned)}
        return _Prepared(unsigned.method, location.url, signed, self.call.body)

    @property
    def _headers(self) -> dict[str, str]:
        return {
            "Accept": self.call.operation.accept,
            "User-Agent": "kycpack",
            "X-Request-Id": self.request_id,
        }

    @property
    def _target(self) -> str:
        return f"{self.call.operation.method} {self.call.path}"


@dataclass(frozen=True, slots=True)
class _Prepared:
    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


def _unsigned(url: str, headers: Mapping[str, str]) -> Callable[[], _Prepared]:
    # A storage host has no business with our request id, and a signed link needs no other authorization.
    kept = {name: value for name, value in headers.items() if name in {"Accept", "User-Agent"}}
    return lambda: _Prepared("GET", url, kept, b"")


def _may_repeat(came: Received | Lost, repeat: Repeat) -> bool:
    if isinstance(came, Lost):
        return came.may_pass and (not came.sent or repeat is not Repeat.ONCE)
    if came.status == 429:
        return True
    return repeat is not Repeat.ONCE and (came.status == 408 or came.status >= 500)
