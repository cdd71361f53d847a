"""One run on one output folder: a second one is refused, and coordinators of one run may share it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kycpack.errors import BatchError, OutputLockedError
from kycpack.folders import write_file
from kycpack.locks import lock_file, locked_folder

FOLDER = ".kycpack"


@contextmanager
def locked_output(out: Path, *, share: bool = False) -> Iterator[Path]:
    """Hold an output folder for one run; the system lets go of it when the process ends, however it ends.

    Args:
        out: The output folder; made where there is none.
        share: Whether other coordinators that share it may work on the same run.

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
            lock_file(descriptor, share=share, wait=False)
        except BlockingIOError as error:
            raise OutputLockedError(
                f"{out}: another run writes to this folder; wait for it, or give another --out"
            ) from error
        yield folder
    finally:
        os.close(descriptor)


def output_id(folder: Path) -> str:
    """Return the id that an output folder carries from its first run on, wherever it is moved.

    Args:
        folder: The folder of the batch's own files.
    """
    marker = folder / "output-id"
    # Coordinators may begin at once: one alone names the folder, and nobody reads half an id.
    with locked_folder(folder):
        if not marker.exists():
            write_file(marker, uuid.uuid4().hex.encode())
    return marker.read_text()
