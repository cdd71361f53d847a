"""A memo of sections, as a PDF and as a page that loads no outside content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from kycpack.models.dates import instant_words
from kycpack.render.document_parts import Block, Section
from kycpack.render.html_pages import render_page
from kycpack.render.html_sections import block_markup, section_markup
from kycpack.render.pdf_pages import Sheet, Stamp
from kycpack.render.pdf_sections import set_block, set_section
from kycpack.render.style import NOTEBOOK_STYLE

_CLASSIFICATION = "Confidential: inside the firm"


@dataclass(frozen=True, slots=True)
class Memo:
    """A memo.

    Attributes:
        title: Title, without personal data.
        as_of: The as-of instant; all dates of the PDF are set to it.
        footer: Facts at the bottom of each page.
        opening: Content before the first section.
        sections: The sections.
    """

    title: str
    as_of: datetime
    footer: tuple[str, ...]
    opening: tuple[Block, ...]
    sections: Sequence[Section]

    def _repr_html_(self) -> str:
        parts = [block_markup(block) for block in self.opening]
        parts += [f"<h2>{escape(each.title)}</h2>{section_markup(each)}" for each in self.sections]
        return f'<style>{NOTEBOOK_STYLE}</style><div class="kp">{"".join(parts)}</div>'


def render_memo_pdf(memo: Memo) -> bytes:
    """Render a memo as a PDF/A-3u document; the same memo gives the same bytes."""
    footer = (f"As of {instant_words(memo.as_of)}", *memo.footer)
    sheet = Sheet(Stamp(memo.title, _CLASSIFICATION, footer, memo.as_of))
    sheet.put_title(memo.title)
    for block in memo.opening:
        set_block(sheet, block)
    for section in memo.sections:
        set_section(sheet, section)
    return sheet.finish()


def render_memo_html(memo: Memo) -> str:
    """Render a memo as a page; everything in it is escaped."""
    parts = [{"title": section.title, "html": section_markup(section)} for section in memo.sections]
    footer = (f"As of {instant_words(memo.as_of)}", *memo.footer)
    return render_page(
        "memo.html.j2",
        title=memo.title,
        classification=_CLASSIFICATION,
        opening="".join(map(block_markup, memo.opening)),
        parts=parts,
        footer=footer,
    )
