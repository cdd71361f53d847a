"""Receives the body of an answer into memory, or into a file that is hashed as it grows."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import uuid4

from kycpack.errors import EvidenceError

_LARGE = 1024 * 1024
_LENGTH = re.compile(r"[0-9]{1,12}")
_BEGINNING = 64


@dataclass(frozen=True, slots=True)
class FileBody:
    """The body of an answer as a file.

    Attributes:
        path: The file; only its owner can read it.
        size: Size in bytes.
        sha256: Its SHA-256, hexadecimal.
        beginning: Its first bytes, enough to recognise the kind of file.
    """

    path: Path
    size: int
    sha256: str
    beginning: bytes


class Body:
    """A body that is being received into memory.

    Space for a large one is reserved at once, because growing fragments memory.

    Args:
        content_length: The answer's Content-Length; may be empty.
        limit: Largest answer in bytes.
    """

    def __init__(self, content_length: str, limit: int) -> None:
        self._buffer = BytesIO()
        if _LENGTH.fullmatch(content_length) and _LARGE < int(content_length) <= limit:
            self._buffer.seek(int(content_length) - 1)
            self._buffer.write(b"\0")
            self._buffer.seek(0)

    @property
    def size(self) -> int:
        """Number of bytes so far."""
        return self._buffer.tell()

    def write(self, chunk: bytes) -> None:
        """Append bytes."""
        self._buffer.write(chunk)

    def content(self) -> bytes:
        """Return the bytes of a body in memory; empty for a body in a file."""
        self._buffer.truncate()
        return self._buffer.getvalue()  # without making a copy

    def file(self) -> FileBody | None:
        """Return the file, None for a body in memory."""
        return None

    def keep(self) -> None:
        """Keep the body after the end of the block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the body; one in a file is deleted unless it was kept."""


class BodyInFile(Body):
    """A body that is being received into a new file.

    Args:
        folder: Folder of the file; it exists.

    Raises:
        EvidenceError: The disk cannot be written. Later writes may raise it as well.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{uuid4().hex}.body"
        self._hash = hashlib.sha256()
        self._size = 0
        self._beginning = b""
        self._kept = False
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise self._refused(error) from None
        self._file = os.fdopen(descriptor, "wb", buffering=_LARGE)

    @property
    def size(self) -> int:
        """Number of bytes so far."""
        return self._size

    def write(self, chunk: bytes) -> None:
        """Append bytes.

        Raises:
            EvidenceError: The disk cannot be written.
        """
        if self._size < _BEGINNING:
            self._beginning = (self._beginning + chunk)[:_BEGINNING]
        self._size += len(chunk)
        self._hash.update(chunk)
        try:
            self._file.write(chunk)
        except OSError as error:
            raise self._refused(error) from None

    def content(self) -> bytes:
        """Return nothing: the bytes are in the file."""
        return b""

    def file(self) -> FileBody:
        """Return the file.

        Raises:
            EvidenceError: The disk cannot be written.
        """
        try:
            self._file.flush()
        except OSError as error:
            raise self._refused(error) from None
        return FileBody(self._path, self._size, self._hash.hexdigest(), self._beginning)

    def keep(self) -> None:
        """Keep the file after the end of the block."""
        self._kept = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._file.close()
        except OSError as refusal:
            if self._kept:
                raise self._refused(refusal) from None
        finally:
            if not self._kept:
                self._path.unlink(missing_ok=True)

    def _refused(self, error: OSError) -> EvidenceError:
        return EvidenceError(f"{self._path.parent} cannot be written: {error.strerror}")
