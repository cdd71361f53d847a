"""Checks media files: size, type, and whether the content matches the type."""

from __future__ import annotations

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
