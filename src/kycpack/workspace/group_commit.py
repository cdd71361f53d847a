"""Stores many deliveries in one durable transaction: syncing the disk is the slow part, so they share it."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Literal

from kycpack.errors import WorkspaceError
from kycpack.workspace.inbox import Delivery, Inbox

Verdict = Literal["kept", "sender is over its share", "inbox is full"]

_GROUP = 500
_COUNTED_EVERY_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the inbox, beyond which deliveries are refused.

    Attributes:
        waiting: Number of waiting deliveries from all senders.
        waiting_bytes: Size of their bodies, in bytes.
        sender_waiting: Number of waiting deliveries from one address.
        sender_bytes: Size of their bodies, in bytes.
        free_bytes: Disk space to leave free, in bytes; only for SQLite.
    """

    waiting: int = 1_000_000
    waiting_bytes: int = 4 * 2**30
    sender_waiting: int = 500_000
    sender_bytes: int = 2 * 2**30
    free_bytes: int = 256 * 2**20


@dataclass(slots=True)
class _Waiting:
    deliveries: Counter[str] = field(default_factory=Counter)
    bytes: Counter[str] = field(default_factory=Counter)
    room: int | None = None
    counted_at: float = float("-inf")


class GroupCommit:
    """Stores deliveries for many threads, each group in one transaction.

    Args:
        inbox: The inbox.
        limits: Limits of the inbox.
    """

    def __init__(self, inbox: Inbox, limits: Limits) -> None:
        self._inbox = inbox
        self._limits = limits
        self._queue: SimpleQueue[tuple[Delivery, Future[Verdict]] | None] = SimpleQueue()
        self._waiting = _Waiting()
        self._thread = Thread(target=self._work, name="inbox", daemon=True)
        self._thread.start()

    def keep(self, delivery: Delivery) -> Future[Verdict]:
        """Store a delivery; the call returns when it is on the disk, or raises `WorkspaceError`."""
        answer: Future[Verdict] = Future()
        self._queue.put((delivery, answer))
        return answer

    def close(self) -> None:
        """Store all deliveries received so far, then stop."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (first := self._queue.get()) is not None:
            group = [first]
            with suppress(Empty):
                while len(group) < _GROUP:
                    if (following := self._queue.get_nowait()) is None:
                        self._queue.put(None)  # the end, after this group
                        break
                    group.append(following)
            self._keep(group)

    def _keep(self, group: list[tuple[Delivery, Future[Verdict]]]) -> None:
        try:
            self._count()
            judged = [(delivery, answer, self._verdict(delivery)) for delivery, answer in group]
            self._inbox.keep_all([delivery for delivery, _, verdict in judged if verdict == "kept"])
        except (WorkspaceError, OSError) as error:
            self._waiting.counted_at = float("-inf")
            for _, answer in group:
                answer.set_exception(WorkspaceError(f"nothing was saved ({type(error).__name__})"))
            return
        for _, answer, verdict in judged:
            answer.set_result(verdict)

    def _count(self) -> None:
        """Count the waiting deliveries from time to time; in between, new ones are added."""
        if time.monotonic() - self._waiting.counted_at < _COUNTED_EVERY_SECONDS:
            return
        waiting = _Waiting(room=self._inbox.free_bytes(), counted_at=time.monotonic())
        for sender, count, size in self._inbox.waiting():
            waiting.deliveries[sender] += count
            waiting.bytes[sender] += size
        self._waiting = waiting

    def _verdict(self, delivery: Delivery) -> Verdict:
        waiting, limits, size = self._waiting, self._limits, len(delivery.body)
        if (
            waiting.deliveries.total() >= limits.waiting
            or waiting.bytes.total() + size > limits.waiting_bytes
        ):
            return "inbox is full"
        if waiting.room is not None and waiting.room - size < limits.free_bytes:
            return "inbox is full"
        if (
            waiting.deliveries[delivery.sender] >= limits.sender_waiting
            or waiting.bytes[delivery.sender] + size > limits.sender_bytes
        ):
            return "sender is over its share"
        waiting.deliveries[delivery.sender] += 1
        waiting.bytes[delivery.sender] += size
        if waiting.room is not None:
            waiting.room -= size
        return "kept"
