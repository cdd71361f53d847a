"""SIGTERM: the system asks a long command to end, at a shutdown or when a time limit is over."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kycpack.cli.exit_codes import TERMINATED


class StopError(BaseException):
    """The system asked this process to end; a base exception, so that nothing treats it as an error of its own work.

    Args:
        exit_code: The exit code of the command if nothing handles it.
    """

    def __init__(self, exit_code: int) -> None:
        super().__init__()
        self.exit_code = exit_code


@dataclass
class Stop:
    """SIGTERM, which ends the work as Ctrl-C does: processes are ended, and nothing is left half done.

    Python drops an error that a signal raises inside a finalizer, so the work also asks between its steps: this is a listener of
    a batch.
    """

    exit_code: int = TERMINATED
    asked: bool = False

    @contextmanager
    def on_sigterm(self) -> Iterator[None]:
        """Raise an error in the work inside the block when the signal arrives."""

        def stop(*_: object) -> None:
            self.asked = True
            raise StopError(self.exit_code)

        before = signal.signal(signal.SIGTERM, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGTERM, before)

    def check(self) -> None:
        """Raise the error if the signal has arrived."""
        if self.asked:
            raise StopError(self.exit_code)

    def started(self, *_: object, **__: object) -> None:
        """Check when a batch begins."""
        self.check()

    def customer(self, *_: object, **__: object) -> None:
        """Check after each customer of a batch."""
        self.check()

    def ended(self, *_: object, **__: object) -> None:
        """Leave a batch that has ended as it is."""
