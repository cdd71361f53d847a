"""The types of the protocol: calls, the steps for a driver, and their results."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from pathlib import Path
from typing import Any, Generic, NoReturn, Self, TypeVar

from kycpack.api.bodies import FileBody
from kycpack.api.failures import Lost
from kycpack.api.operations import Operation
from kycpack.errors import ConfigurationError


class Sealed:
    """The body of a request; only `reveal` returns it.

    It is not a subclass of `bytes`: programs that print tracebacks would slice it and show the slice.

    Args:
        content: The bytes.
    """

    __slots__ = ("_reveal",)

    def __init__(self, content: bytes = b"") -> None:
        # A closure, because such programs look into slots and attributes, but not into functions.
        self._reveal: Callable[[], bytes] = lambda: content

    def reveal(self) -> bytes:
        """Return the bytes."""
        return self._reveal()

    def __bool__(self) -> bool:
        return bool(self._reveal())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and other._reveal() == self._reveal()

    def __hash__(self) -> int:
        return hash(self._reveal())

    def __repr__(self) -> str:
        return f"Sealed({len(self._reveal())} bytes)"

    def __getstate__(self) -> NoReturn:
        raise TypeError("the body of a request cannot be pickled")


T = TypeVar("T")

_THINGS = {
    "customer_id": "customer",
    "session_id": "session",
    "payment_id": "payment",
    "attempt_id": "attempt",
    "account_id": "account",
    "media_id": "media item",
    "webhook_id": "webhook",
}


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One operation with its arguments.

    Attributes:
        operation: The operation.
        path: Path below the base URL, with its ids.
        query: Raw query; may be empty.
        body: The bytes to send.
        ids: The ids of the call, by argument.
        about: What a register may store about the request, for creates.
        key: The idempotency key of an attempt.
        folder: Folder for the body of a successful answer as a file; None for memory.
    """

    operation: Operation[T]
    path: str
    query: str = ""
    body: Sealed = field(default_factory=Sealed)
    ids: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""
    folder: Path | None = None

    @property
    def subject(self) -> str:
        """What it is about, in words, as in `account a-1 of customer c-1`; empty if it has no ids."""
        names = [part[1:-1] for part in self.operation.path.split("/") if part.startswith("{")]
        words = [f"{_THINGS[name]} {self.ids[name]}" for name in reversed(names) if name in self.ids]
        if not words and self.about.get("customerId"):
            words = [f"customer {self.about['customerId']}"]
        return " of ".join(words)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a client waits and how many times it tries again.

    Attributes:
        timeout: Seconds without any data from the service before a request counts as lost.
        max_retries: How many times a request is sent again.
        deadline: Seconds for a call as a whole, including waits.
    """

    timeout: float = 30.0
    max_retries: int = 3
    deadline: float = 120.0

    def checked(self) -> Self:
        """Return the object itself if its values are valid.

        Raises:
            ConfigurationError: A value is not valid.
        """
        for name in ("timeout", "deadline"):
            seconds: Any = getattr(self, name)
            if type(seconds) not in {int, float} or not 0 < seconds < inf:
                raise ConfigurationError(f"{name}: expected a number of seconds above 0")
        retries: Any = self.max_retries
        if type(retries) is not int or not retries >= 0:
            raise ConfigurationError("max_retries: expected a whole number, 0 or more")
        return self


@dataclass(frozen=True, slots=True)
class Ambient:
    """What a call needs from its environment.

    Attributes:
        now: The time, UTC.
        monotonic: Seconds of a clock that never goes back.
        jitter: Returns a random number of seconds between zero and the given one.
        new_id: Returns a new UUID.
        family: The first eight characters of every request id of this client, which identify its own ids; may be empty.
    """

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    jitter: Callable[[float], float]
    new_id: Callable[[], str]
    family: str = ""

    def new_request_id(self) -> str:
        """Return a new request id."""
        return self.family + self.new_id()[len(self.family) :]

    def is_own(self, request_id: str) -> bool:
        """Whether a request id is one that this client made."""
        return bool(self.family) and request_id.startswith(f"{self.family}-")


@dataclass(frozen=True, slots=True)
class Send:
    """A request for the driver to send; the driver returns `Received` or `Lost`.

    Attributes:
        method: HTTP method.
        url: Absolute URL; it may be signed, so it is not shown.
        headers: All headers.
        body: The bytes to send.
        timeout: Seconds without any data from the service.
        deadline: Seconds for this request as a whole.
        limit: Largest answer in bytes.
        confidential: Whether URLs of this exchange must be kept out of logs.
        single: Whether it needs a connection of its own.
        folder: Folder for the body of a successful answer as a file; None for memory.
        check: Returns why an answer is not the answer to this request; empty if it is.
    """

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: Sealed
    timeout: float
    deadline: float
    limit: int
    confidential: bool
    single: bool
    folder: Path | None
    check: Callable[[Received], str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pause:
    """Seconds for the driver to wait; the driver returns None."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Received:
    """An answer of any status; names of headers are in lower case, and a body in a file is not in `content`."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)
    file: FileBody | None = None


Steps = Generator[Send | Pause, Received | Lost | None, T]
