"""People's keys: creating them, reading them, and signing with them (Ed25519, RFC 8032).

A private key is in a file of its own: PEM (PKCS 8), readable only by the owner, and never replaced.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from kycpack.errors import ConfigurationError, InputError
from kycpack.folders import write_new
from kycpack.workspace.entries.verify_ledger import fingerprint, signed_bytes, verify_ed25519

_EXTRA = "keys need the extra `signing`: pip install 'kycpack[signing]'"


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key; it never appears in its own repr.

    Attributes:
        public_key: The public key, hex.
    """

    public_key: str
    _private: Any = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the public key."""
        return fingerprint(self.public_key)

    def sign(self, entry_hash: str) -> str:
        """Return the signature of an entry's hash, hex."""
        return str(self._private.sign(signed_bytes(entry_hash)).hex())


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts.

    Attributes:
        name: The person's name in decisions and packs.
        key: The person's key; None if people have no keys.
    """

    name: str
    key: SigningKey | None = None


def make_key(path: Path, passphrase: str = "") -> SigningKey:
    """Create a key and write it to a file that only its owner can read.

    Args:
        path: A file that does not exist yet; PEM (PKCS 8).
        passphrase: The passphrase to encrypt the file with; empty for no encryption.

    Raises:
        ConfigurationError: The extra `signing` is not installed.
        InputError: The file exists already, or cannot be written.
    """
    private = key_library("ed25519", _EXTRA).Ed25519PrivateKey.generate()
    write_private_key(private, path, passphrase)
    return _signing_key(private)


def read_key(path: Path, passphrase: str = "") -> SigningKey:
    """Read a key from its file.

    Args:
        path: A file from `make_key`.
        passphrase: Its passphrase.

    Raises:
        ConfigurationError: The extra `signing` is not installed, or others can read the file.
        InputError: It cannot be read, is another kind of key, or the passphrase is wrong.
    """
    ed25519 = key_library("ed25519", _EXTRA)
    private = read_private_key(path, passphrase)
    if not isinstance(private, ed25519.Ed25519PrivateKey):
        raise InputError("is not an Ed25519 key", place=str(path))
    return _signing_key(private)


def verify_fast(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether a signature is valid, using the library if it is installed, otherwise the stand-alone verifier."""
    try:
        ed25519 = key_library("ed25519", _EXTRA)
    except ConfigurationError:
        return verify_ed25519(public_key, message, signature)
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - an extra

    try:
        ed25519.Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


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
        write_new(path, kept)
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


def _signing_key(private: Any) -> SigningKey:
    return SigningKey(private.public_key().public_bytes_raw().hex(), private)


def key_library(name: str, extra: str) -> Any:
    """Return the module of the library `cryptography` for a kind of keys.

    Args:
        name: The module, as in `ed25519`.
        extra: What to install if it is missing, for the error.

    Raises:
        ConfigurationError: It is not installed.
    """
    try:
        return import_module(f"cryptography.hazmat.primitives.asymmetric.{name}")
    except ImportError as error:
        raise ConfigurationError(extra) from error
