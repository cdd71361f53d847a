"""Receives the body of an answer into memory or into a file, decodes it within a limit, and checks that a media file is what it says.

Source: RFC 9110, "Content Codings".
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
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


_MOST_LAYERS = 2
_MOST_MEMBERS = 64
_WINDOWS = {"gzip": (zlib.MAX_WBITS | 16,), "x-gzip": (zlib.MAX_WBITS | 16,), "deflate": (zlib.MAX_WBITS, -zlib.MAX_WBITS)}  # fmt: skip


class TooLargeError(Exception):
    """The content is larger than the limit."""


class EncodingError(Exception):
    """The content is not in the encoding that its header names."""


def decode(content: bytes, header: str, limit: int) -> bytes:
    """Return the decoded content of an answer.

    Args:
        content: The body as it was received.
        header: The `Content-Encoding` header; may be empty.
        limit: Largest content in bytes, for every layer.

    Raises:
        TooLargeError: The content is larger than the limit.
        EncodingError: An encoding is unknown, does not fit the content, or there are more than two.
    """
    names = [name.strip().lower() for name in header.split(",")]
    layers = [name for name in names if name not in {"", "identity"}]
    if len(layers) > _MOST_LAYERS or not set(layers) <= set(_WINDOWS):
        raise EncodingError("the content encoding is not supported")
    for name in reversed(layers):
        content = _decode(content, _WINDOWS[name], limit)
    return content


def _decode(content: bytes, windows: tuple[int, ...], limit: int) -> bytes:
    for window in windows:
        try:
            return _inflate(content, window, limit)
        except zlib.error:
            continue
    raise EncodingError("the content cannot be decoded")


def _inflate(content: bytes, window: int, limit: int) -> bytes:
    parts: list[bytes] = []
    room = limit
    while content:
        if len(parts) == _MOST_MEMBERS:
            raise EncodingError("the content has too many members")
        engine = zlib.decompressobj(window)
        parts.append(engine.decompress(content, room + 1))
        room -= len(parts[-1])
        if room < 0:
            raise TooLargeError
        if not engine.eof:
            raise EncodingError("the content ends too early")
        content = engine.unused_data
    return b"".join(parts)


MAX_MEDIA_BYTES = 64 * 1024 * 1024
"""Largest media file that is fetched, in bytes; the interface states no limit."""

_EXTENSIONS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/tiff": "tiff",
    "image/heic": "heic",
    "application/pdf": "pdf",
    "video/mp4": "mp4",
    "video/webm": "webm",
    "video/quicktime": "mov",
}
_ISO_MEDIA = frozenset({"image/heic", "video/mp4", "video/quicktime"})
_BEGINNINGS = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/tiff": (b"II*\x00", b"MM\x00*"),
    "application/pdf": (b"%PDF-",),
    "video/webm": (b"\x1a\x45\xdf\xa3",),
}


def media_extension(content_type: str) -> str | None:
    """Return the file extension of a media type, None if files of this type are not accepted."""
    return _EXTENSIONS.get(content_type)


def check_media(content: bytes, content_type: str) -> str | None:
    """Return what is wrong with a media file, None if nothing is.

    Args:
        content: The file.
        content_type: Its media type, without parameters, in lower case.
    """
    if not content:
        return "the file is empty"
    if content_type not in _EXTENSIONS:
        return f"files of the type {content_type or '(none)'} are not accepted"
    if not _looks_like(content, content_type):
        return f"the content is not {content_type}"
    return None


def _looks_like(content: bytes, content_type: str) -> bool:
    if content_type == "image/webp":
        return content[:4] == b"RIFF" and content[8:12] == b"WEBP"
    if content_type in _ISO_MEDIA:
        return content[4:8] in {b"ftyp", b"moov", b"wide", b"mdat"}
    return content.startswith(_BEGINNINGS[content_type])
