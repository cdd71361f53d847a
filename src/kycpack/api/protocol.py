"""The words of the protocol: what is asked, what a driver is told to do, and what it brings back."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from kycpack.api.bodies import FileBody
from kycpack.api.failures import Lost
from kycpack.api.operations import Operation
from kycpack.api.sealed import Sealed
from kycpack.errors import ConfigurationError

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
        operation: What is asked.
        path: Path below the base URL, ids filled in.
        query: Raw query, empty without one.
        body: The bytes to send.
        ids: The ids that it is about, by argument.
        about: What a register may keep of the request, for creates.
        key: The idempotency key of an attempt.
        folder: Where the body of a success goes as a file; to memory when None.
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
        """What it is about, in words, as in `account a-1 of customer c-1`; empty where it names nothing."""
        names = [part[1:-1] for part in self.operation.path.split("/") if part.startswith("{")]
        words = [f"{_THINGS[name]} {self.ids[name]}" for name in reversed(names) if name in self.ids]
        if not words and self.about.get("customerId"):
            words = [f"customer {self.about['customerId']}"]
        return " of ".join(words)


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

    def checked(self) -> Self:
        """Return itself when its values make sense.

        Raises:
            ConfigurationError: One does not.
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
    """What a call takes from the world around it.

    Attributes:
        now: The time, UTC.
        monotonic: Seconds of a clock that never goes back.
        jitter: From a number of seconds to a random one between zero and it.
        new_id: Makes a fresh UUID.
        family: The first eight characters of every request id of this client, by which it knows its own; empty for none.
    """

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    jitter: Callable[[float], float]
    new_id: Callable[[], str]
    family: str = ""

    def new_request_id(self) -> str:
        """Return a fresh id for a request."""
        return self.family + self.new_id()[len(self.family) :]

    def is_own(self, request_id: str) -> bool:
        """Whether a request id is one that this client made."""
        return bool(self.family) and request_id.startswith(f"{self.family}-")


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
        single: Whether it needs a connection of its own.
        folder: Where the body of a success goes as a file; to memory when None.
        check: From an answer to why it is not the answer to this, empty where it is.
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
    """Wait so many seconds, and send back None."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Received:
    """An answer of any status; names of headers are in lower case, and a body in a file is not in `content`."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)
    file: FileBody | None = None


Steps = Generator[Send | Pause, Received | Lost | None, T]
