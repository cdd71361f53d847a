"""Sections and blocks as HTML that carries no script, no link and no style of its own.

Classes are styled by the template of the executed notebook; inside JupyterLab the same tables are plain but readable.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape

from kycpack.render.blocks import Block, Cell, Facts, Figure, Paragraph, Section, Subheading, Table
from kycpack.render.drawing import render_svg
from kycpack.render.lettering import visible
from kycpack.render.palette import Tone


def section_markup(section: Section) -> str:
    """Return the blocks of a section as HTML, without its heading."""
    return "".join(block_markup(block) for block in section.blocks)


def block_markup(block: Block) -> str:
    """Return a block as HTML; everything in it is escaped."""
    match block:
        case Paragraph():
            return f'<p class="{_class("kp-text", block.tone)}">{_text(block.text)}</p>'
        case Subheading():
            return f'<h4 class="kp-sub">{_text(block.text)}</h4>'
        case Facts():
            pairs = "".join(
                f"<div><dt>{_text(label)}</dt><dd>{_cell(cell)}</dd></div>" for label, cell in block.pairs
            )
            return f'<dl class="kp-facts">{pairs}</dl>'
        case Table():
            return _table(block)
        case Figure():
            return figure_markup(block)


def figure_markup(figure: Figure) -> str:
    """Return a drawing as an image inside the page, which no script can reach."""
    source = b64encode(render_svg(figure.drawing).encode()).decode("ascii")
    caption = f'<p class="kp-text kp-quiet">{_text(figure.caption)}</p>' if figure.caption else ""
    told = _text(figure.drawing.told)
    return f'<img class="kp-figure" alt="{told}" src="data:image/svg+xml;base64,{source}">{caption}'


def _table(table: Table) -> str:
    if not table.rows:
        return f'<p class="kp-text kp-quiet">{_text(table.empty)}</p>'
    sides = ["kp-right" if column.right else "kp-left" for column in table.columns]
    head = "".join(
        f'<th class="{side}">{_text(column.title)}</th>'
        for side, column in zip(sides, table.columns, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f'<td class="{side}">{_cell(cell)}</td>' for side, cell in zip(sides, row, strict=True))
        + "</tr>"
        for row in table.rows
    )
    return f'<table class="kp-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cell(cell: Cell) -> str:
    text = _text(cell.text)
    if cell.tone is Tone.PLAIN:
        return f"<strong>{text}</strong>" if cell.strong else text
    return f'<span class="{_class("kp-word", cell.tone)}">{text}</span>'


def _class(name: str, tone: Tone) -> str:
    return name if tone is Tone.PLAIN else f"{name} kp-{tone}"


def _text(text: str) -> str:
    return escape(visible(text))
