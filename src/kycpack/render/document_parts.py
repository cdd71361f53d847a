"""The parts of documents, before they become PDF or HTML: tables, facts, paragraphs, figures, sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kycpack.evidence.citations import ENTRY_ID
from kycpack.render.drawing import Drawing
from kycpack.render.origin import Given, Origin, Origins
from kycpack.render.palette import Tone

REFERENCE = re.compile(rf"(?<![\w-]){ENTRY_ID}(?![\w-])")
"""Matches the id of an entry of the evidence in a text; each of these ids becomes a link to the index of evidence.

An id that begins with that of another run, as in `f6f52cb7-E-06`, is one of another pack and does not match.
"""


@dataclass(frozen=True, slots=True)
class Cell:
    """A text with its meaning.

    Attributes:
        text: The text, unchanged; it is made safe when it is set.
        tone: Its meaning for the reader.
        strong: Whether it is set in the heavier face.
        anchor: Id of an entry of the evidence, if links to that entry lead to this cell; empty otherwise.
        origins: Where the numbers in it come from.
    """

    text: str
    tone: Tone = Tone.PLAIN
    strong: bool = False
    anchor: str = ""
    origins: Origins = ()


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table.

    Attributes:
        title: Heading of the column.
        share: Its share of the width, relative to the other columns.
        right: Whether its text is right-aligned.
        instant: Whether it holds dates with a time of day, which need more room on a screen.
    """

    title: str
    share: float = 1.0
    right: bool = False
    instant: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns.

    Attributes:
        columns: The columns.
        rows: For each row, a sequence of cells as long as `columns`.
        empty: Text shown instead of a table without rows.
    """

    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    empty: str = "Nothing to show."


@dataclass(frozen=True, slots=True)
class Facts:
    """Labels with values, set side by side."""

    pairs: tuple[tuple[str, Cell], ...]
    across: int = 3


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; with a tone other than plain it is set as a note with a bar at its side."""

    text: str
    tone: Tone = Tone.PLAIN
    origins: Origins = ()


@dataclass(frozen=True, slots=True)
class Subheading:
    """A heading inside a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with the sentence under it."""

    drawing: Drawing
    caption: str = ""
    origins: Origins = ()


Block = Table | Facts | Paragraph | Subheading | Figure


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document.

    Attributes:
        key: Short name, such as `findings`, by which a notebook requests the section.
        title: Heading.
        blocks: The content.
        given: What its numbers are if they do not come from a frame; empty if they do.
    """

    key: str
    title: str
    blocks: tuple[Block, ...]
    given: str = ""


def table(
    columns: Sequence[TableColumn], rows: Sequence[Sequence[Cell | str]], empty: str = "Nothing to show."
) -> Table:
    """Return a table; plain texts become plain cells."""
    return Table(
        tuple(columns),
        tuple(tuple(c if isinstance(c, Cell) else Cell(c) for c in row) for row in rows),
        empty,
    )


def resting_on(row: Sequence[Cell | str], *origins: Origin | Given) -> tuple[Cell, ...]:
    """Return the cells of a row, with these origins for each cell that does not name its own."""
    return tuple(
        Cell(one, origins=origins)
        if isinstance(one, str)
        else one
        if one.origins
        else Cell(one.text, one.tone, one.strong, one.anchor, origins)
        for one in row
    )


def facts(*pairs: tuple[str, Cell | str], across: int = 3) -> Facts:
    """Return facts; plain texts become plain cells."""
    return Facts(tuple((label, v if isinstance(v, Cell) else Cell(v)) for label, v in pairs), across)
