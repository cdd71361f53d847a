"""Locks that the system releases when a process ends, on every system that kycpack runs on.

POSIX systems lock a descriptor with `flock`. Windows locks the first byte of a file with `msvcrt`, has no shared locks, and
cannot open a folder. There, a file in the temporary folder, named after the locked folder, is locked instead, so that nothing
is added to a sealed folder. That lock works between the processes of one user on one machine.
"""

from __future__ import annotations

import errno
import hashlib
import importlib
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_POLL_SECONDS = 0.05


def lock_file(descriptor: int, *, share: bool = False, wait: bool = True) -> None:
    """Lock an open file until it is closed.

    Args:
        descriptor: The file, open for reading and writing.
        share: Whether others may hold a shared lock at the same time; on Windows the lock is always exclusive.
        wait: Whether to wait until the lock is free.

    Raises:
        BlockingIOError: The lock is taken, and `wait` is false.
        OSError: The file system, or the system, has no locks.
    """
    posix = _module("fcntl")
    if posix is not None:
        posix.flock(descriptor, (posix.LOCK_SH if share else posix.LOCK_EX) | (0 if wait else posix.LOCK_NB))
        return
    windows = _module("msvcrt")
    if windows is None:
        raise OSError(errno.ENOLCK, "this system has no file locks")
    while True:
        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            windows.locking(descriptor, windows.LK_NBLCK, 1)
        except OSError as error:
            if not wait:
                raise BlockingIOError(errno.EAGAIN, "held by another process") from error
            time.sleep(_POLL_SECONDS)
        else:
            return


@contextmanager
def locked_folder(folder: Path, *, wait: bool = True) -> Iterator[int]:
    """Lock an existing folder.

    Args:
        folder: The folder.
        wait: Whether to wait until the lock is free.

    Yields:
        The locked descriptor: that of the folder itself if the system can open one.

    Raises:
        BlockingIOError: The lock is taken, and `wait` is false.
        OSError: The folder cannot be opened, or the system has no locks.
    """
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    else:
        place = hashlib.sha256(os.path.normcase(folder.resolve()).encode()).hexdigest()[:32]
        stand_in = Path(tempfile.gettempdir()) / f"kycpack-{place}.lock"
        descriptor = os.open(stand_in, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        lock_file(descriptor, wait=wait)
        yield descriptor
    finally:
        os.close(descriptor)


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None
