"""Sections and blocks as HTML without scripts, outside links or styles of their own.

The template of the executed notebook styles the classes; inside JupyterLab the same tables are plain but readable.
"""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape

from kycpack.render.document_parts import (
    REFERENCE,
    Block,
    Cell,
    Facts,
    Figure,
    Paragraph,
    Section,
    Subheading,
    Table,
    TableColumn,
)
from kycpack.render.drawing import render_svg
from kycpack.render.palette import Tone
from kycpack.render.style import width_class
from kycpack.render.text_runs import visible

# Ids of findings and of rules, but no part of a longer id, and the numbers of accounts.
_UNBROKEN = re.compile(
    r"(?<![\w-])(?:F-[0-9]+|[A-Z]{3}-(?:[0-9]+|[a-z]+))(?![\w-])|(?<![\w*-])[0-9*]{2}(?:-[0-9*]{2}){2} [0-9*]{4,}(?![\w*-])"
)

# Long ids and hashes, which a browser may break at their separators, or between groups of eight digits.
_LONG = re.compile(
    r"(?<![\w-])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-[0-9a-f]+)?|(?:[0-9a-f]{8}){4,})(?![\w-])"
)
_GROUPS = re.compile(r"(?<=-)|(?<=[0-9a-f]{8})(?=(?:[0-9a-f]{8})+$)")


def section_markup(section: Section) -> str:
    """Return the blocks of a section as HTML, without its heading."""
    return "".join(block_markup(block) for block in section.blocks)


def block_markup(block: Block) -> str:
    """Return a block as HTML; everything in it is escaped."""
    match block:
        case Paragraph():
            return f'<p class="{_class("kp-text", block.tone)}">{linked(block.text)}</p>'
        case Subheading():
            return f'<h3 class="kp-sub">{linked(block.text)}</h3>'
        case Facts():
            pairs = "".join(
                f"<div><dt>{linked(label)}</dt><dd>{_cell(cell)}</dd></div>" for label, cell in block.pairs
            )
            return f'<dl class="kp-facts">{pairs}</dl>'
        case Table():
            return _table(block)
        case Figure():
            return figure_markup(block)


def figure_markup(figure: Figure) -> str:
    """Return a drawing as an image inside the page, out of reach of scripts."""
    source = b64encode(render_svg(figure.drawing).encode()).decode("ascii")
    caption = f'<p class="kp-text kp-quiet">{linked(figure.caption)}</p>' if figure.caption else ""
    alt = escape(visible(figure.drawing.words))
    # Shrunk to the screen of a phone its words would be too small to read, so it scrolls there like a table.
    image = f'<img class="kp-figure" alt="{alt}" src="data:image/svg+xml;base64,{source}">'
    return f'<div class="kp-scroll kp-chart" tabindex="0" role="region" aria-label="Chart">{image}</div>{caption}'


def _table(table: Table) -> str:
    if not table.rows:
        return f'<p class="kp-text kp-quiet">{linked(table.empty)}</p>'
    sides = [_column_class(column) for column in table.columns]
    titles = [escape(visible(column.title)) for column in table.columns]
    head = "".join(
        f'<th class="{side}" scope="col">{title}</th>' for side, title in zip(sides, titles, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td class="{side}"{_anchor(cell)} data-label="{title}">{_cell(cell)}</td>'
            for side, title, cell in zip(sides, titles, row, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    whole = sum(column.share for column in table.columns)
    widths = "".join(f'<col class="{width_class(column.share / whole)}">' for column in table.columns)
    # A table wider than the screen of a phone scrolls on its own, also with the keyboard.
    return (
        '<div class="kp-scroll" tabindex="0" role="region" aria-label="Table">'
        f'<table class="kp-table"><colgroup>{widths}</colgroup><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _column_class(column: TableColumn) -> str:
    side = "kp-right" if column.right else "kp-left"
    return f"{side} kp-instant" if column.instant else side


def _anchor(cell: Cell) -> str:
    return f' id="{escape(cell.anchor)}"' if cell.anchor else ""


def _cell(cell: Cell) -> str:
    text = escape(visible(cell.text)) if cell.anchor else linked(cell.text)
    if cell.tone is Tone.PLAIN:
        return f"<strong>{text}</strong>" if cell.strong else text
    return f'<span class="{_class("kp-word", cell.tone)}">{text}</span>'


def _class(name: str, tone: Tone) -> str:
    return name if tone is Tone.PLAIN else f"{name} kp-{tone}"


def linked(text: str) -> str:
    """Return a text as HTML in which each id of an entry of the evidence links to the index, and no id is broken within a word."""
    broken = _LONG.sub(lambda long: "<wbr>".join(_GROUPS.split(long[0])), escape(visible(text)))
    if "-" not in broken:
        return broken
    marked = REFERENCE.sub(r'<a href="#\g<0>">\g<0></a>', broken)
    return _UNBROKEN.sub(r'<span class="kp-id">\g<0></span>', marked)
