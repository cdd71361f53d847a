"""Extracts enough text from a PDF from outside to check which customer it is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

from kycpack.errors import InputError

_MOST_BYTES = 8 * 1024 * 1024
_MOST_PAGES = 5
_MOST_CHARACTERS = 100_000


def first_pages(content: bytes) -> Iterator[str]:
    """Yield the text of each of the first pages of a PDF; nothing if it is too large or not a PDF.

    Args:
        content: The file.

    Raises:
        InputError: The PDF or one of these pages cannot be read.
    """
    if not content.startswith(b"%PDF-") or len(content) > _MOST_BYTES:
        return
    import pypdfium2  # noqa: PLC0415 - a tenth of a second, and few customers have a statement as PDF

    left = _MOST_CHARACTERS
    try:
        with closing(pypdfium2.PdfDocument(content)) as document:
            for number in range(min(len(document), _MOST_PAGES)):
                written = _page_text(document[number])[:left]
                left -= len(written)
                yield written
    except pypdfium2.PdfiumError:
        raise InputError("not a readable PDF") from None


def _page_text(page: Any) -> str:
    with closing(page), closing(page.get_textpage()) as text:
        return str(text.get_text_bounded())
