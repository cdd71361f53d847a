"""Locking an output folder for one run: a second run is refused, but coordinators of one run may share the folder."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kycpack.errors import ConfigurationError, OutputLockedError
from kycpack.folders import write_file
from kycpack.locks import lock_file, locked_folder

FOLDER = ".kycpack"
EVIDENCE = f"{FOLDER}/evidence"


@contextmanager
def locked_output(out: Path, *, share: bool = False) -> Iterator[Path]:
    """Hold an output folder for one run; the system releases it when the process ends, however it ends.

    Args:
        out: The output folder; it is made if it does not exist.
        share: Whether other coordinators may share the folder to work on the same run.

    Yields:
        The folder of the batch's own files inside it.

    Raises:
        OutputLockedError: Another run holds the folder.
        ConfigurationError: The folder cannot be made or written to, its path is not UTF-8, or it is new and in the output of another run.
    """
    folder = out / FOLDER
    try:
        str(out.resolve()).encode()
    except UnicodeEncodeError:
        raise ConfigurationError(f"{out}: the path is not UTF-8; give another --out") from None
    try:
        refuse_inside_another(out)
        out.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(folder / "lock", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise ConfigurationError(f"{out}: cannot be written to ({error.strerror})") from error
    try:
        try:
            lock_file(descriptor, share=share, wait=False)
        except BlockingIOError as error:
            raise OutputLockedError(
                f"{out}: another run is writing to this folder; wait for it, or give another --out"
            ) from error
        yield folder
    finally:
        os.close(descriptor)


def refuse_inside_another(out: Path) -> None:
    """Refuse a new output among the packs of another run, whose check would report it as the pack of a stranger ever after.

    Args:
        out: The output folder.

    Raises:
        ConfigurationError: The folder is new and in the output of another run.
    """
    if (out / FOLDER).exists():
        return
    place = out.resolve()
    for parent in place.parents:
        own = place.relative_to(parent).parts[0] == FOLDER  # no check looks for packs there
        if not own and (parent / FOLDER / "lock").is_file():
            raise ConfigurationError(
                f"{out}: it is in {parent}, the output of another run, which `kycpack verify` would then find damaged; "
                f"give an --out beside it, such as {parent.parent / place.name}, or for an object store another KYCPACK_REPORTS"
            )


def is_written_to(out: Path) -> bool:
    """Return whether a run holds an output folder now; false where its file system has no locks or the lock cannot be read.

    Args:
        out: The output folder.
    """
    try:
        descriptor = os.open(out / FOLDER / "lock", os.O_RDONLY)
    except OSError:
        return False
    try:
        lock_file(descriptor, wait=False)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def output_id(folder: Path) -> str:
    """Return the id of an output folder, which it keeps from its first run on, wherever it is moved.

    Args:
        folder: The folder of the batch's own files.
    """
    marker = folder / "output-id"
    # Coordinators may start at the same time: only one sets the id, and none reads half an id.
    with locked_folder(folder):
        if not marker.exists():
            write_file(marker, uuid.uuid4().hex.encode())
    return marker.read_text()
