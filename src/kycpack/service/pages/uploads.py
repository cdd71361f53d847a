"""Uploaded files: their type is determined by their first bytes, never by what the browser says, and we choose their names."""

from __future__ import annotations

from dataclasses import dataclass

from kycpack.service.pages.forms import LARGEST_FILE

JPEG, PNG, PDF = "image/jpeg", "image/png", "application/pdf"
MP4, QUICKTIME, WEBM = "video/mp4", "video/quicktime", "video/webm"

PHOTO = (JPEG, PNG)
PAPER = (JPEG, PNG, PDF)
VIDEO = (MP4, QUICKTIME, WEBM)

_ENDINGS = {JPEG: "jpg", PNG: "png", PDF: "pdf", MP4: "mp4", QUICKTIME: "mov", WEBM: "webm"}
_NAMES = {JPEG: "JPEG", PNG: "PNG", PDF: "PDF", MP4: "MP4", QUICKTIME: "MOV", WEBM: "WebM"}
_MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Upload:
    """An accepted file.

    Attributes:
        content: Its bytes.
        content_type: Media type, according to its first bytes.
    """

    content: bytes
    content_type: str

    def file_name(self, stem: str) -> str:
        """Return a name of our own for the file; the original name may be personal and is not kept."""
        return f"{stem}.{_ENDINGS[self.content_type]}"


def accept_upload(content: bytes, allowed: tuple[str, ...]) -> Upload | str:
    """Return the file, or a sentence for the person on why it is not accepted."""
    if len(content) > LARGEST_FILE:
        return f"The file is larger than {LARGEST_FILE // _MEGABYTE} MB. Choose a smaller one."
    found = sniff(content)
    if found not in allowed:
        *others, last = (_NAMES[kind] for kind in allowed)
        return f"The file must be {', '.join(others)} or {last}. Choose another one."
    return Upload(content, found)


def sniff(content: bytes) -> str:
    """Return the content type of a file by its first bytes; empty if it is not an accepted type."""
    starts = {b"\xff\xd8\xff": JPEG, b"\x89PNG\r\n\x1a\n": PNG, b"%PDF-": PDF, b"\x1a\x45\xdf\xa3": WEBM}
    for magic, kind in starts.items():
        if content.startswith(magic):
            return kind
    if content[4:8] == b"ftyp":
        return QUICKTIME if content[8:12] == b"qt  " else MP4
    return ""
