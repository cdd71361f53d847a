"""Reads the bytes of a statement file within a size limit, and decodes them."""

from __future__ import annotations

import os
from pathlib import Path

from kycpack.errors import StatementFileError

MOST_BYTES = 256 * 2**20
"""The default limit in bytes; a statement of a million lines has about 100 MiB."""

MOST_XML_BYTES = 64 * 2**20
"""The limit for a document in bytes; in memory it is a tree of many times that size."""


def read_bytes(source: str | Path | bytes, *, most: int = MOST_BYTES) -> tuple[str, bytes]:
    """Return a file's name and bytes.

    Args:
        source: Path of the file, or its bytes.
        most: The largest size that is read, in bytes.

    Raises:
        StatementFileError: The file cannot be read, or is larger.
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
    """Return the text of a file in UTF-8 (with or without a byte order mark) or Windows-1252.

    Raises:
        StatementFileError: The file is in neither, or contains a NUL character.
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
        raise StatementFileError("contains a NUL character, which no statement has", place=f"{name}:{line}")
    return text
