"""One pace for many clients: how many requests at once, and how many a second, over all processes of a machine.

The processes share a folder. A request holds one of its files locked while it is on its way, so a process that is killed gives
its turn back. When the service says that it is too much, all of them wait, and go on more slowly for a while.
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
"""Between two requests after the service said that it is too much, where no rate was given; it doubles with each time."""
_SLOWEST = 64.0
_CALM_SECONDS = 30.0
"""After so long without a complaint the pace is twice as fast again."""


class Pace(Protocol):
    """When a request may be sent."""

    def enter(self, seconds: float) -> int | None:
        """Wait for a turn; return what `leave` needs, None where there was none within so many seconds."""

    def leave(self, turn: int) -> None:
        """Give a turn back."""

    def heard(self, came: Received | Lost) -> None:
        """Hear what came of a request."""


@dataclass(frozen=True, slots=True)
class SharedPace:
    """The pace of all processes that use one folder; it can be sent to other processes.

    Args:
        folder: The folder; it is made when it is first needed.
        at_once: Most requests on their way at once.
        per_second: Most requests a second; None for as many as come.

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
        """Let everybody wait, and go on more slowly, when the service says that it is too much."""
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
            ):  # requests that were on their way together complain once
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
        """Return when the next request may be sent, by the monotonic clock, and let the one after it wait."""
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
    """What the processes share: times by the monotonic clock, which all processes of a machine have in common."""

    next_at: float = 0.0
    factor: float = 1.0
    slowed_at: float = 0.0

    @classmethod
    def read(cls, content: bytes, now: float) -> _State:
        if len(content) != _STATE.size:
            return cls()
        next_at, factor, slowed_at, written_at = _STATE.unpack(content)
        if not 0 <= written_at <= now:  # the machine was started anew, and its clock with it
            return cls()
        return cls(next_at, factor, slowed_at)

    def factor_at(self, now: float) -> float:
        """Return by how much requests are further apart now."""
        halvings = int(max(0.0, now - self.slowed_at) / _CALM_SECONDS)
        return float(max(1.0, self.factor / 2.0 ** min(halvings, 64)))

    def to_bytes(self) -> bytes:
        return _STATE.pack(self.next_at, self.factor, self.slowed_at, time.monotonic())
