"""The key that salts the commitments in packs; it stays with the workspace and is never in a pack or an export."""

from __future__ import annotations

import os
from pathlib import Path

from kycpack.errors import WorkspaceError
from kycpack.folders import held, write_file
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
        WorkspaceError: The file does not contain such a key, or cannot be made or read.
    """
    path = folder / KEY_FILE
    try:
        if not os.path.lexists(path):  # a link whose target is missing is not replaced by another key
            folder.mkdir(parents=True, exist_ok=True)
            with held(folder):  # of two processes that begin together, one makes the key
                if not os.path.lexists(path):
                    write_file(path, f"{os.urandom(_BYTES).hex()}\n".encode())
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except OSError as error:
        raise WorkspaceError(
            f"{path}: the redaction key of the workspace cannot be made or read ({error.strerror}); give its account the "
            "permission, or copy the key there"
        ) from error
    except ValueError:
        key = b""
    if len(key) != _BYTES:
        raise WorkspaceError(
            f"{path} is not a redaction key; restore it from a copy, or proofs of earlier packs are lost"
        )
    return key
