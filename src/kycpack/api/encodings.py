"""Decodes the content encodings of answers within a limit: a small body may unpack to any size.

Source: RFC 9110, "Content Codings".
"""

from __future__ import annotations

import zlib

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
