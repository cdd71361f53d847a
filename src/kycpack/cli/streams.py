"""The standard streams of a process that nobody may be watching.

A run matters more than what it prints. A stream that is closed is replaced by the null device, because the next file to be
opened, such as a database, would otherwise get its number and whatever is written to it. Where the reader of a pipe has
ended, or standard error cannot be written to, the text is lost and the work goes on. Standard output that cannot be written
to for another reason is an error, since a half-written result must not look like a whole one.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Any, TextIO

_OUTPUT, _ERROR = 1, 2
_NAMES = {_OUTPUT: "standard output", _ERROR: "standard error"}


class _Stream(io.FileIO):
    """Standard output or standard error."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._place = _NAMES[descriptor]
        self._may_be_lost = descriptor == _ERROR

    def write(self, data: Any) -> int:
        """Write bytes, or lose them; see the module."""
        try:
            return super().write(data)
        except OSError as error:
            if not (self._may_be_lost or isinstance(error, BrokenPipeError)):
                self._may_be_lost = True  # what is still in the buffer is written again at the end
                raise OSError(error.errno, error.strerror, self._place) from None
            return memoryview(data).nbytes


def prepare_streams() -> None:
    """Make the standard streams of this process usable, whatever it was started with."""
    if sys.stdin is None:  # in this order, since a file that is opened gets the lowest number that is free
        sys.stdin = open(os.devnull)  # noqa: SIM115, PTH123 - it stays open as long as the process
    sys.stdout = _prepared(sys.stdout, _OUTPUT)
    sys.stderr = _prepared(sys.stderr, _ERROR)


def _prepared(stream: TextIO | None, descriptor: int) -> TextIO:
    if stream is None:
        return open(os.devnull, "w")  # noqa: PTH123 - it stays open as long as the process
    if sys.platform == "win32":
        return stream  # its console is not written to as a file
    return io.TextIOWrapper(
        io.BufferedWriter(_Stream(descriptor)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.isatty() or descriptor == _ERROR,
    )
