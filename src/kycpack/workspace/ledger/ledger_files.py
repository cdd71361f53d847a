"""Files that leave the workspace: exports with their verifier, and the file of anchors, which is stored elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kycpack.errors import InputError, WorkspaceError
from kycpack.folders import new_folder, write_file
from kycpack.locks import lock_file
from kycpack.workspace.entries import verify_ledger
from kycpack.workspace.ledger.ledger import Head, Ledger, head_of

LEDGER_FILE = "ledger.jsonl"
HEAD_FILE = "head.json"
EXCERPT_FILE = "ledger-excerpt.json"
_README_OF_CASE = """This folder holds the entries of one case of a ledger of decisions, and those about keys and roles.

ledger-excerpt.json  each entry with its signature, its payload unless that was erased, and its proof that it is in the ledger
verify_ledger.py     checks them with Python 3.11 or later and nothing else:

    python verify_ledger.py --excerpt ledger-excerpt.json --anchor ledger-anchor.jsonl --trust FINGERPRINT

ledger-anchor.jsonl is kept elsewhere; it has the head of every export and every run. FINGERPRINT is that of the key the
ledger was founded with, as the firm has it on file. Without either, only inconsistent edits are found. Only the whole ledger
shows whether the case has later entries.
"""
_README = """This folder holds a ledger of decisions as it was when it was exported.

ledger.jsonl       one entry per line: its number, the hash of the entry before it, the digest of its payload, its own hash,
                   its signature, and its payload unless that was erased
head.json          the number of entries, the hash of the last one, and the root of the Merkle tree over all of them
verify_ledger.py   checks them with Python 3.11 or later and nothing else:

    python verify_ledger.py ledger.jsonl --anchor ledger-anchor.jsonl --trust FINGERPRINT

ledger-anchor.jsonl is kept elsewhere; it has the head of every export and every run. FINGERPRINT is that of the key the
ledger was founded with, as the firm has it on file. Without either, only inconsistent edits are found.
"""


def write_export(ledger: Ledger, folder: Path) -> Head:
    """Write a ledger to a new folder, with its verifier.

    Args:
        ledger: The ledger.
        folder: A folder that does not exist yet.

    Returns:
        The head of what was written.

    Raises:
        InputError: The folder exists already, or cannot be written.
        WorkspaceError: The ledger has no entries.
    """
    _check_new(folder)
    listed = list(ledger.entries())
    head = head_of([entry["hash"] for entry in listed])
    if head is None:
        raise WorkspaceError("the ledger has no entries yet")
    with _export(folder, _README) as scratch:
        write_entries(scratch, listed, head)
    return head


def write_case_export(ledger: Ledger, case_id: str, folder: Path) -> Head:
    """Write the excerpt of a case to a new folder, with its verifier.

    Args:
        ledger: The ledger.
        case_id: The case.
        folder: A folder that does not exist yet.

    Returns:
        The head of the ledger that the excerpt comes from.

    Raises:
        InputError: The folder exists already, or cannot be written.
        WorkspaceError: The ledger has no entry of the case.
    """
    _check_new(folder)
    excerpt = ledger.excerpt(case_id)
    with _export(folder, _README_OF_CASE) as scratch:
        write_file(scratch / EXCERPT_FILE, excerpt_bytes(excerpt))
    return Head(**excerpt["head"])


def _check_new(folder: Path) -> None:
    if folder.exists():
        raise InputError("already exists; an export is never replaced", place=str(folder))


@contextmanager
def _export(folder: Path, readme: str) -> Iterator[Path]:
    """Yield a folder that becomes the export when the block ends; the verifier and a README are added to it."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with new_folder(folder) as scratch:
            yield scratch
            write_file(scratch / "verify_ledger.py", Path(verify_ledger.__file__).read_bytes())
            write_file(scratch / "README.txt", readme.encode())
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", place=str(folder)) from None


def write_entries(folder: Path, entries: Iterable[Mapping[str, Any]], head: Head) -> None:
    """Write the entries of a ledger, one line each, and its head.

    Args:
        folder: The folder; files with the same names are replaced.
        entries: All entries, in order.
        head: The head after the last of them.
    """
    lines = b"".join(verify_ledger.canonical(entry) + b"\n" for entry in entries)
    write_file(folder / LEDGER_FILE, lines)
    write_file(folder / HEAD_FILE, verify_ledger.canonical(asdict(head)) + b"\n")


def add_anchor(path: Path, head: Head, at: str, reason: str) -> None:
    """Append a head to the file of anchors; it is on the disk when this returns.

    Args:
        path: The file; if it does not exist, it is created, readable only by its owner.
        head: The head.
        at: When.
        reason: The occasion: an export or a run.

    Raises:
        WorkspaceError: The file cannot be written.
    """
    line = verify_ledger.canonical({**asdict(head), "at": at, "reason": reason}) + b"\n"
    with _anchor_file(path) as descriptor:
        os.write(descriptor, line)
        os.fsync(descriptor)


def check_anchor_file(path: Path) -> None:
    """Raise an error if the file of anchors cannot be written, before writing anything that it has to record.

    Raises:
        WorkspaceError: The file cannot be written.
    """
    with _anchor_file(path):
        pass


@contextmanager
def _anchor_file(path: Path) -> Iterator[int]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600)
        try:
            lock_file(descriptor)
            yield descriptor
        finally:
            os.close(descriptor)
    except OSError as error:
        raise WorkspaceError(
            f"{path}: the anchor could not be written ({error.strerror}); name another file with KYCPACK_LEDGER_ANCHOR"
        ) from None


def read_anchors(path: Path) -> list[Mapping[str, Any]]:
    """Return the anchors of a file, in order; empty if there is no file.

    Raises:
        InputError: A line is not an anchor.
    """
    try:
        anchors = verify_ledger.read_lines(path)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", place=str(path)) from None
    except (ValueError, RecursionError):
        raise InputError("has a line that is not JSON", place=str(path)) from None
    if not all(isinstance(anchor, dict) for anchor in anchors):
        raise InputError("has a line that is not an anchor", place=str(path))
    return anchors


def read_named_anchors(path: Path) -> list[Mapping[str, Any]]:
    """Return the anchors of a file that somebody named, who would not notice that it protects nothing.

    Raises:
        InputError: There is no file, it has no anchor, or a line is not one.
    """
    anchors = read_anchors(path)
    if not anchors:
        raise InputError("has no anchor, or is not there", place=str(path))
    return anchors


def excerpt_bytes(excerpt: Mapping[str, Any]) -> bytes:
    """Return the content of an excerpt's file."""
    return verify_ledger.canonical(excerpt) + b"\n"
