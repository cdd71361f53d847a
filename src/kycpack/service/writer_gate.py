"""Admits any number of shared writers or one exclusive writer; a lock in the process is enough, as one service runs per database."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import TimeoutError as DatabaseTimeoutError


class WriterGate:
    """The gate before every writing transaction.

    Args:
        seconds: How many seconds a writer waits.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._changed = threading.Condition()
        self._inside = 0
        self._is_shut = False

    @contextmanager
    def entered(self, *, alone: bool) -> Iterator[None]:
        """Enter with other writers or alone. An exclusive writer keeps others out while it waits for those inside.

        Raises:
            TimeoutError: The database library's timeout error; other writers took too long.
        """
        with self._changed:
            limit = time.monotonic() + self._seconds
            self._wait(lambda: not self._is_shut, limit)
            if alone:
                self._is_shut = True
                try:
                    self._wait(lambda: self._inside == 0, limit)
                except BaseException:
                    self._open()
                    raise
            else:
                self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                if alone:
                    self._open()
                else:
                    self._inside -= 1
                    self._changed.notify_all()

    def _open(self) -> None:
        self._is_shut = False
        self._changed.notify_all()

    def _wait(self, holds: Callable[[], bool], limit: float) -> None:
        if not self._changed.wait_for(holds, max(limit - time.monotonic(), 0)):
            raise DatabaseTimeoutError("other writers took too long")
