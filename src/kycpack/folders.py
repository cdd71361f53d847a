"""Files and folders that are written completely or not at all, and the rule for naming a folder after an id.

While it is being written, a file or folder is beside its target as `.<name>.<process>.<random>.partial`. A folder that is
being replaced is briefly renamed to `.<name>.<process>.<random>.retired`. `clear_leftovers` finds both after a kill.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from kycpack.locks import locked_folder

_IS_WINDOWS = os.name == "nt"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_SYNCS_AT_ONCE = 8
_TAKEN = frozenset({"frames", "index"})
"""Names in the output folder of a run that are not customers' folders."""
_LEFTOVER = re.compile(r"\.(?P<name>.+)\.(?P<process>[0-9]{1,10})\.[a-z0-9_]{8}\.(?P<kind>partial|retired)")


def folder_name(customer_id: str) -> str:
    """Return the name of a customer's folder: the id itself if it is plain, otherwise a name made from its hash.

    An id comes from outside and might be a path. Two ids that differ only in case share a folder on a file system that
    ignores case; code that replaces a folder checks which customer it belongs to.

    Args:
        customer_id: The customer's id.
    """
    is_plain = _PLAIN.fullmatch(customer_id) and customer_id.casefold() not in _TAKEN
    if is_plain and not customer_id.startswith("id-"):
        return customer_id
    return f"id-{hashlib.sha256(customer_id.encode()).hexdigest()[:32]}"


def is_pack_of(pack: str, folder: str) -> bool:
    """Return whether a pack's folder is a customer's, or that of a later pack beside it, as in `c-1+2`.

    Args:
        pack: The name of the pack's folder.
        folder: The name of the customer's folder, as returned by `folder_name`.
    """
    base, plus, number = pack.partition("+")
    return base == folder and (not plus or number.isdecimal())


def write_file(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a file that only its owner can read; it is complete on disk when this returns.

    Args:
        path: The file; an existing one is replaced.
        content: The whole content, at once or in pieces.

    Raises:
        OSError: The file cannot be written; an existing file is unchanged.
    """
    descriptor, name = tempfile.mkstemp(
        prefix=f".{path.name}.{os.getpid()}.", suffix=".partial", dir=path.parent
    )
    partial = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines((content,) if isinstance(content, bytes) else content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    _sync(path.parent)


def write_new(path: Path, content: bytes = b"") -> None:
    """Write a file that only its owner can read; it is complete on disk when this returns. An existing file is never replaced.

    Args:
        path: The file.
        content: The whole content.

    Raises:
        FileExistsError: There is a file already.
        OSError: The file cannot be written.
    """
    _create(path, content, is_flushed=True)
    _sync(path.parent)


def add_file(path: Path, content: bytes) -> None:
    """Write a file like `write_new` into a folder that is flushed to disk as a whole later, as `new_folder` does.

    Args:
        path: The file.
        content: The whole content.

    Raises:
        FileExistsError: There is a file already.
        OSError: The file cannot be written.
    """
    _create(path, content, is_flushed=False)


def _create(path: Path, content: bytes, *, is_flushed: bool) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            if is_flushed:
                file.flush()
                os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)  # half a file would be in the way of the next attempt
        raise


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Fill a folder that only its owner can read, and move it to its target when it is complete.

    Args:
        target: Where it goes; its parent exists. An existing folder is replaced at the end, and is kept if something
            fails.

    Yields:
        The folder to fill, beside the target under another name.
    """
    with partial_folder(target) as partial:
        yield partial
        _sync_files(partial)
        with held(target.parent):
            if target.exists():
                retired = partial.with_suffix(".retired")
                target.rename(retired)
                try:
                    partial.rename(target)
                except OSError:
                    retired.rename(target)
                    raise
                shutil.rmtree(retired)
            else:
                partial.rename(target)
            _sync(target.parent)


@contextmanager
def partial_folder(target: Path) -> Iterator[Path]:
    """Make a folder that only its owner can read, beside its target, and remove what is left of it at the end.

    Args:
        target: Where it will go; its parent exists.

    Yields:
        The empty folder.
    """
    partial = Path(
        tempfile.mkdtemp(prefix=f".{target.name}.{os.getpid()}.", suffix=".partial", dir=target.parent)
    )
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def add_folder(partial: Path, place: Callable[[], Path]) -> Path:
    """Move a complete folder to a new place; nothing is replaced.

    Args:
        partial: From `partial_folder`.
        place: Returns a free place; it is called while no other process can put anything there.

    Returns:
        The place.
    """
    _sync_files(partial)
    with held(partial.parent):
        target = place()
        partial.rename(target)
        _sync(target.parent)
    return target


def is_leftover(path: Path) -> bool:
    """Return whether a file or folder has the name of one that is being written or replaced, or that a killed process left."""
    return _LEFTOVER.fullmatch(path.name) is not None


def named_in(folder: Path, names: re.Pattern[str]) -> list[Path]:
    """Return what a folder has with some names, sorted; the other names, which may be very many, are not kept in memory.

    Args:
        folder: The folder; its subfolders are not searched.
        names: Matches each name as a whole.
    """
    with os.scandir(folder) as inside:
        return sorted(folder / one.name for one in inside if names.fullmatch(one.name))


def clear_leftovers(folder: Path, name: str | None = None) -> None:
    """Remove what killed processes left half written, and restore the folders that they had renamed.

    Args:
        folder: The folder to search; its subfolders are not searched.
        name: Only the leftovers of this name; None for all.
    """
    for path in named_in(folder, _LEFTOVER):
        left = _LEFTOVER.fullmatch(path.name)
        if left is None or path.is_symlink() or _is_running(int(left["process"])):
            continue
        if name is not None and left["name"] != name:
            continue
        if left["kind"] == "retired" and not (folder / left["name"]).exists():
            path.rename(folder / left["name"])
        elif path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Allow only one process or thread at a time to move things into a folder; no limit if the disk has no locks.

    Args:
        folder: The folder; not reentrant.
    """
    with ExitStack() as held:
        with suppress(OSError):
            held.enter_context(locked_folder(folder))
        yield


def _sync_files(folder: Path) -> None:
    """Flush all files to disk, in parallel: the disk combines syncs that wait together (ten times faster)."""
    paths = list(_paths_in(folder))
    with ThreadPoolExecutor(max_workers=_SYNCS_AT_ONCE) as pool:
        list(pool.map(_sync_each, (paths[first::_SYNCS_AT_ONCE] for first in range(_SYNCS_AT_ONCE))))


def _sync_each(paths: Iterable[str]) -> None:
    for path in paths:
        _sync(path)


def _paths_in(folder: Path) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        yield from (os.path.join(place, name) for name in (*folders, *files))  # noqa: PTH118 - as quick as the walk


def _sync(path: str | Path) -> None:
    if _IS_WINDOWS and Path(path).is_dir():  # Windows flushes folders by itself, and cannot open one
        return
    descriptor = os.open(path, os.O_RDWR if _IS_WINDOWS else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _is_running(process: int) -> bool:
    if _IS_WINDOWS:  # where signal 0 is Ctrl-C
        import psutil  # noqa: PLC0415 - nobody else needs it

        return bool(psutil.pid_exists(process))
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
