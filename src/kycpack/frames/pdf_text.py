"""Extracts enough text from a PDF from outside to check which customer it is about."""

from __future__ import annotations

from contextlib import closing
from typing import Any

_MOST_BYTES = 8 * 1024 * 1024
_MOST_PAGES = 5
_MOST_CHARACTERS = 100_000


def first_pages(content: bytes) -> str:
    """Return the text of the first pages of a PDF; empty if the PDF is too large or has no readable text.

    Args:
        content: The file.
    """
    if not content.startswith(b"%PDF-") or len(content) > _MOST_BYTES:
        return ""
    import pypdfium2  # noqa: PLC0415 - a tenth of a second, and few customers have a statement as PDF

    try:
        with closing(pypdfium2.PdfDocument(content)) as document:
            pages = (_page_text(document[number]) for number in range(min(len(document), _MOST_PAGES)))
            return "\n".join(pages)[:_MOST_CHARACTERS]
    except pypdfium2.PdfiumError:
        return ""


def _page_text(page: Any) -> str:
    with closing(page), closing(page.get_textpage()) as text:
        return str(text.get_text_bounded())
