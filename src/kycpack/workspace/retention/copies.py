"""A list of the redacted copies of packs, stored beside the workspace, so that an erasure can say which copies it did not reach."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path

from kycpack.errors import WorkspaceError
from kycpack.folders import write_file
from kycpack.locks import lock_file

COPIES_FILE = "copies.jsonl"


@dataclass(frozen=True, slots=True)
class MadeCopy:
    """A redacted copy.

    Attributes:
        customer_id: The customer.
        profile: The recipient: auditor or customer.
        root: SHA-256 of its tag manifest.
        made_at: When, ISO 8601 UTC.
    """

    customer_id: str
    profile: str
    root: str
    made_at: str


def note_copy(folder: Path, copy: MadeCopy) -> None:
    """Add a copy to the list.

    Args:
        folder: The folder of the workspace.
        copy: The copy.

    Raises:
        WorkspaceError: The list cannot be written.
    """
    line = json.dumps(asdict(copy), sort_keys=True).encode() + b"\n"
    try:
        descriptor = os.open(folder / COPIES_FILE, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        try:
            lock_file(descriptor)
            os.write(descriptor, line)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise WorkspaceError(f"{folder / COPIES_FILE} cannot be written ({error.strerror})") from None


def list_copies(folder: Path, customer_ids: Collection[str]) -> tuple[MadeCopy, ...]:
    """Return the copies of some customers, in the order in which they were made.

    Args:
        folder: The folder of the workspace.
        customer_ids: The customers.

    Raises:
        WorkspaceError: A line was not written by kycpack.
    """
    return tuple(one for one in _read(folder) if one.customer_id in customer_ids)


def forget_copies(folder: Path, customer_ids: Collection[str]) -> None:
    """Remove the copies of some customers from the list.

    Args:
        folder: The folder of the workspace.
        customer_ids: The customers.
    """
    listed = _read(folder)
    kept = [one for one in listed if one.customer_id not in customer_ids]
    if len(kept) < len(listed):
        lines = b"".join(json.dumps(asdict(one), sort_keys=True).encode() + b"\n" for one in kept)
        write_file(folder / COPIES_FILE, lines)


def _read(folder: Path) -> tuple[MadeCopy, ...]:
    path = folder / COPIES_FILE
    if not path.is_file():
        return ()
    try:
        return tuple(MadeCopy(**json.loads(line)) for line in path.read_text("utf-8").splitlines())
    except (ValueError, TypeError):
        raise WorkspaceError(f"{path} has a line that kycpack did not write") from None
