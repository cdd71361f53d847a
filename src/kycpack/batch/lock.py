"""One run on one output folder: the second is refused."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kycpack.errors import BatchError, OutputLockedError

FOLDER = ".kycpack"


@contextmanager
def locked_output(out: Path) -> Iterator[Path]:
    """Hold an output folder for one run; the system lets go of it when the process ends, however it ends.

    Args:
        out: The output folder; made where there is none.

    Yields:
        The folder of the batch's own files inside it.

    Raises:
        OutputLockedError: Another run holds it.
        BatchError: The folder cannot be made.
    """
    folder = out / FOLDER
    try:
        out.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(folder / "lock", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise BatchError(f"{out}: cannot be written to ({error.strerror})") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise OutputLockedError(
                f"{out}: another run writes to this folder; wait for it, or give another --out"
            ) from error
        yield folder
    finally:
        os.close(descriptor)
