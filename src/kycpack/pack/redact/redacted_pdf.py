"""The readable form of a redacted copy: a new document made from the fields that the copy shows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from kycpack.models.dates import instant_words
from kycpack.models.money import format_minor, known_currency
from kycpack.pack.redact.disclosure import DisclosedFrame
from kycpack.render.document_parts import Block, Cell, Paragraph, Section, TableColumn, facts, table
from kycpack.render.palette import NAVY, Tone
from kycpack.render.pdf_pages import MARGIN, TEXT_WIDTH, Sheet, Stamp
from kycpack.render.pdf_sections import set_block, set_section
from kycpack.render.typefaces import Face

_CLASSIFICATION = "Personal and confidential"
_ACROSS = 7
_TITLES = {
    "own_sources": "Sources of income",
    "transactions": "Bank transactions",
    "customers": "Personal details",
}


def render_copy_pdf(title: str, customer_id: str, as_of: datetime, frames: Sequence[DisclosedFrame]) -> bytes:
    """Render a redacted copy.

    Args:
        title: Title of the copy.
        customer_id: Customer id.
        as_of: The pack's as-of instant.
        frames: The frames that the copy shows.

    Returns:
        A PDF/A-3u document.
    """
    stamp = Stamp(title, _CLASSIFICATION, (f"As of {instant_words(as_of)}", f"Customer {customer_id}"), as_of)
    sheet = Sheet(stamp)
    sheet.put(MARGIN, sheet.y + 9.0, title, face=Face.SERIF, size=22.0, colour=NAVY, room=TEXT_WIDTH)
    sheet.y += 18.0
    set_block(sheet, facts(("Customer", customer_id), ("As of", instant_words(as_of))))
    for frame in frames:
        set_section(sheet, _section(frame))
    return sheet.finish()


def _section(frame: DisclosedFrame) -> Section:
    title = _TITLES.get(frame.name, _words(frame.name))
    columns = frame.columns[:_ACROSS]
    blocks: list[Block] = []
    if len(frame.columns) > len(columns):
        others = ", ".join(map(_words, frame.columns[_ACROSS:]))
        blocks.append(Paragraph(f"Also in data/redacted.json: {others}.", Tone.QUIET))
    rows = [
        tuple(_cell(column, row.cells[place], frame, row.cells) for place, column in enumerate(columns))
        for row in frame.rows
    ]
    heads = [TableColumn(_words(column), right=column.endswith("_minor")) for column in columns]
    return Section(frame.name, title, (*blocks, table(heads, rows, "Nothing is shown.")))


def _cell(column: str, value: Any, frame: DisclosedFrame, cells: Sequence[Any]) -> Cell:
    if value is None:
        return Cell("")
    if column.endswith("_minor") and "currency" in frame.columns:
        currency = str(cells[frame.columns.index("currency")])
        if known_currency(currency):
            return Cell(format_minor(int(value), currency))
    if isinstance(value, list):
        return Cell(", ".join(map(str, value)))
    return Cell(str(value)[:10] if column.endswith("_on") else str(value))


def _words(name: str) -> str:
    for ending in ("_minor", "_on", "_raw"):
        name = name.removesuffix(ending)
    return name.replace("_", " ").capitalize()
