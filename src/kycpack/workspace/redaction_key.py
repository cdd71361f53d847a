"""The key that salts the commitments in packs; it stays with the workspace and is never in a pack or an export."""

from __future__ import annotations

import os
from pathlib import Path

from kycpack.errors import WorkspaceError
from kycpack.settings import Settings

KEY_FILE = "redaction.key"
_BYTES = 32


def folder_of(chosen: Settings) -> Path:
    """Return the folder of the workspace in the settings; the working directory if the database is not a file."""
    return Path() if "://" in chosen.workspace else Path(chosen.workspace).parent


def redaction_key(folder: Path) -> bytes:
    """Return the redaction key of a workspace; it is created on first use.

    Args:
        folder: The folder of the workspace.

    Raises:
        WorkspaceError: The file does not contain such a key.
    """
    path = folder / KEY_FILE
    folder.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(os.urandom(_BYTES).hex() + "\n")
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except ValueError:
        key = b""
    if len(key) != _BYTES:
        raise WorkspaceError(
            f"{path} is not a redaction key; restore it from a copy, or proofs of earlier packs are lost"
        )
    return key
