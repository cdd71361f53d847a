"""Files with a person's private key: PEM (PKCS 8), readable only by the owner, and never replaced."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from kycpack.errors import ConfigurationError, InputError


def write_private_key(private: Any, path: Path, passphrase: str) -> None:
    """Write a private key to a file that only its owner can read.

    Args:
        private: A private key of the library `cryptography`.
        path: A file that does not exist yet.
        passphrase: The passphrase to encrypt the file with; empty for no encryption.

    Raises:
        InputError: The file exists already, or cannot be written.
    """
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - an extra

    secret = passphrase.encode()
    kept = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(secret) if secret else serialization.NoEncryption(),
    )
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(kept)
    except FileExistsError:
        raise InputError("a file already exists there; a key is never replaced", place=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", place=str(path)) from None


def read_private_key(path: Path, passphrase: str) -> Any:
    """Read a private key of any kind from its file.

    Raises:
        ConfigurationError: Others can read the file.
        InputError: It cannot be read or is not a key, or the passphrase is wrong.
    """
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - an extra

    try:
        if path.stat().st_mode & 0o077:
            raise ConfigurationError(f"{path}: others can read this key; make it your own with chmod 600")
        return serialization.load_pem_private_key(path.read_bytes(), passphrase.encode() or None)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", place=str(path)) from None
    except (ValueError, TypeError):
        raise InputError("is not a key, or the passphrase is wrong", place=str(path)) from None
