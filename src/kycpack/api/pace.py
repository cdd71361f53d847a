"""A shared rate limit: how many requests at once, and how many per second, over all processes of a machine.

The processes share a folder. A request keeps one of its files locked until it is answered, so a killed process releases its
turn. When the service answers that there are too many requests, all of them wait, and continue more slowly for a while.
"""

from __future__ import annotations

import os
import random
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Protocol

from kycpack.api.failures import Lost, retry_after
from kycpack.api.protocol import Received
from kycpack.errors import ConfigurationError
from kycpack.locks import lock_file

_STATE = struct.Struct("<4d")
_POLL_SECONDS = 0.01
_TOO_MUCH = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_DEFAULT_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 60.0
_SLOW_SECONDS = 0.05
"""Seconds between requests after the service refused one as too many, if no rate was given; doubled each time."""
_SLOWEST = 64.0
_CALM_SECONDS = 30.0
"""Seconds without a refusal after which the rate is doubled again."""


class Pace(Protocol):
    """When a request may be sent."""

    def enter(self, seconds: float) -> int | None:
        """Wait for a turn for at most so many seconds; return it for `leave`, or None if there was none in time."""

    def leave(self, turn: int) -> None:
        """Give a turn back."""

    def heard(self, came: Received | Lost) -> None:
        """Take note of the outcome of a request."""


@dataclass(frozen=True, slots=True)
class SharedPace:
    """The rate limit of all processes that use the same folder; it can be sent to other processes.

    Args:
        folder: The folder; it is made when it is first needed.
        at_once: Maximum number of requests at once.
        per_second: Maximum number of requests per second; None for no limit.

    Raises:
        ConfigurationError: `at_once` is below one, or `per_second` is not above zero.
    """

    folder: Path
    at_once: int = 16
    per_second: float | None = None

    def __post_init__(self) -> None:
        if self.at_once < 1:
            raise ConfigurationError("at_once: expected a whole number, 1 or more")
        if self.per_second is not None and not self.per_second > 0:
            raise ConfigurationError("per_second: expected a number above 0")

    def enter(self, seconds: float) -> int | None:
        """Wait for a turn; see `Pace`."""
        until = time.monotonic() + seconds
        turn = self._hold(until)
        if turn is None:
            return None
        try:
            at = self._book()
            if at > until:
                os.close(turn)
                return None
            time.sleep(max(0.0, at - time.monotonic()))
        except BaseException:
            os.close(turn)
            raise
        return turn

    def leave(self, turn: int) -> None:
        """Give a turn back."""
        os.close(turn)

    def heard(self, came: Received | Lost) -> None:
        """Make all processes wait and continue more slowly when the service refuses a request as too many."""
        if isinstance(came, Lost) or came.status not in _TOO_MUCH:
            return
        asked = retry_after(came.headers)
        if asked is None and came.status != HTTPStatus.TOO_MANY_REQUESTS:
            return
        pause = min(_DEFAULT_PAUSE_SECONDS if asked is None else asked, _LONGEST_PAUSE_SECONDS)
        now = time.monotonic()
        with self._state() as state:
            factor = state.factor_at(now)
            state.next_at = max(state.next_at, now + pause)
            if now - state.slowed_at > max(
                pause, _DEFAULT_PAUSE_SECONDS
            ):  # requests that were sent together are counted as one refusal
                state.factor = min(factor * 2, _SLOWEST)
                state.slowed_at = now

    def _hold(self, until: float) -> int | None:
        numbers = list(range(self.at_once))
        while True:
            random.shuffle(numbers)
            for number in numbers:
                descriptor = self._open(f"turn-{number:03d}")
                try:
                    lock_file(descriptor, wait=False)
                except BlockingIOError:
                    os.close(descriptor)
                else:
                    return descriptor
            if time.monotonic() >= until:
                return None
            time.sleep(_POLL_SECONDS)

    def _book(self) -> float:
        """Return when the next request may be sent, by the monotonic clock, and delay the one after it."""
        now = time.monotonic()
        with self._state() as state:
            at = max(now, state.next_at)
            state.next_at = at + self._interval(state.factor_at(now))
        return at

    def _interval(self, factor: float) -> float:
        if factor <= 1:
            return 0.0 if self.per_second is None else 1 / self.per_second
        return factor * (_SLOW_SECONDS if self.per_second is None else 1 / self.per_second)

    @contextmanager
    def _state(self) -> Iterator[_State]:
        descriptor = self._open("state")
        try:
            lock_file(descriptor)
            state = _State.read(os.read(descriptor, _STATE.size), time.monotonic())
            yield state
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, state.to_bytes())
        finally:
            os.close(descriptor)

    def _open(self, name: str) -> int:
        path = self.folder / name
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


@dataclass(slots=True)
class _State:
    """What the processes share: times of the monotonic clock, which is the same for all processes of a machine."""

    next_at: float = 0.0
    factor: float = 1.0
    slowed_at: float = 0.0

    @classmethod
    def read(cls, content: bytes, now: float) -> _State:
        if len(content) != _STATE.size:
            return cls()
        next_at, factor, slowed_at, written_at = _STATE.unpack(content)
        if not 0 <= written_at <= now:  # the machine was restarted, and its clock with it
            return cls()
        return cls(next_at, factor, slowed_at)

    def factor_at(self, now: float) -> float:
        """Return the current factor by which requests are slowed down."""
        halvings = int(max(0.0, now - self.slowed_at) / _CALM_SECONDS)
        return float(max(1.0, self.factor / 2.0 ** min(halvings, 64)))

    def to_bytes(self) -> bytes:
        return _STATE.pack(self.next_at, self.factor, self.slowed_at, time.monotonic())
