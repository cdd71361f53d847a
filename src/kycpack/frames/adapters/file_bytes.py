"""The bytes of a statement file: read within a limit, decoded, and what to call them in errors."""

from __future__ import annotations

import os
from pathlib import Path

from kycpack.errors import StatementFileError

MOST_BYTES = 256 * 2**20
"""A statement of a million lines has about 100 MiB."""

MOST_XML_BYTES = 64 * 2**20
"""A document is held as a tree of many times its size."""


def read_bytes(source: str | Path | bytes, *, most: int = MOST_BYTES) -> tuple[str, bytes]:
    """Return a file's name and bytes.

    Args:
        source: Path of the file, or its bytes.
        most: The size at which it is refused, unread.

    Raises:
        StatementFileError: It cannot be read, or is larger.
    """
    if isinstance(source, bytes):
        name, data = "statement", source
        size = len(data)
    else:
        path = Path(source)
        name = path.name
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                data = file.read(most + 1) if size <= most else b""
        except OSError as error:
            raise StatementFileError(f"cannot be read: {error.strerror}", place=name) from error
        size = max(size, len(data))
    if size > most:
        raise StatementFileError(f"is larger than {most // 2**20} MiB", place=name)
    return name, data


def decode(data: bytes, name: str) -> str:
    """Return the text of a file in UTF-8, with or without a byte order mark, or Windows-1252.

    Raises:
        StatementFileError: It is in neither, or holds a NUL, which no statement has.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Banks write UTF-8 or Windows-1252; no text with a pound sign is valid in both.
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise StatementFileError("is neither UTF-8 nor Windows-1252", place=f"{name}:{line}") from error
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        raise StatementFileError("holds a NUL, which no statement has", place=f"{name}:{line}")
    return text
