"""Setting sections and their blocks on a sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from kycpack.render.document_parts import (
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
from kycpack.render.palette import BRASS, HAIRLINE, INK, MUTED, NAVY, PANEL, TEXT, Tone
from kycpack.render.pdf_pages import MARGIN, POINT, TEXT_WIDTH, Sheet
from kycpack.render.text_runs import Run, lines, runs, width_of
from kycpack.render.typefaces import Face

_BODY = 8.6
_SMALL = 7.6
_SMALL_HEAD = 9.0  # height of a small heading, in millimetres
_LEADING = 1.38
_PAD_X = 1.4
_PAD_Y = 1.1
_HEAD = 6.9
_WORD = re.compile(
    r"[0-9]{1,2} [A-Z][a-z]{2} [0-9]{4}|[0-9*]{2}(?:-[0-9*]{2}){2} [0-9*]+|\S+"
)  # a date and the number of an account are not broken
_SHORT = 38.0  # the rows of a table up to this height, in millimetres, are not split
_KEPT_WHOLE = 60.0  # rows that would leave a single one alone are kept together up to this height
_KEPT_ROWS = 3  # at the end of a table: a single row on a page looks like a mistake
_MOST_LINES, _MOST_OF_ROW = 12, 30  # of a note and of a row; only a taller one is split
_MOST_OF_TEXT = 6  # lines of a text that is not split
_KEPT_PARAGRAPH = 22.0
_HEAVY = frozenset({Tone.GOOD, Tone.WATCH, Tone.ALARM, Tone.UNKNOWN})
_LONG_WORD = 18  # longer words are ids, paths and hashes, which may be broken
_MEASURED, _SCANNED = 200, 160  # rows and characters in which long words are searched for


def set_section(sheet: Sheet, section: Section) -> None:
    """Set a section: its heading, kept together with the content after it, and its blocks."""
    sheet.need(16.0 + _least_height(sheet, section.blocks))
    if not sheet.at_top:
        sheet.y += 5.0
    sheet.outline(section.title)
    sheet.put(MARGIN, sheet.y + 5.4, section.title, face=Face.SERIF, size=14.0, colour=NAVY, room=TEXT_WIDTH)
    sheet.y += 7.6
    sheet.rule(MARGIN, sheet.y, MARGIN + 14.0, sheet.y, BRASS, 0.6)
    sheet.rule(MARGIN + 14.0, sheet.y, MARGIN + TEXT_WIDTH, sheet.y, HAIRLINE, 0.2)
    sheet.y += 3.2
    under = ""
    for place, block in enumerate(section.blocks):
        if isinstance(block, Subheading):
            sheet.need(_least_height(sheet, section.blocks[place:]))
            sheet.anchor(under := block.text)
        set_block(sheet, block)
        sheet.reach(under)


def set_block(sheet: Sheet, block: Block) -> None:
    """Set one block at the cursor and leave a small gap below it."""
    match block:
        case Paragraph():
            set_paragraph(sheet, block)
        case Subheading():
            _set_subheading(sheet, block)
        case Facts():
            _set_facts(sheet, block)
        case Table():
            set_table(sheet, block)
        case Figure():
            _set_figure(sheet, block)


def set_paragraph(sheet: Sheet, paragraph: Paragraph, *, size: float = _BODY) -> None:
    """Set a paragraph; a note gets a bar at its side and a tinted background, and is only split if it is long."""
    note = _is_note(paragraph)
    inset, pad = (3.2, 1.4) if note else (0.0, 0.0)
    leading = size * POINT * _LEADING
    broken = lines(paragraph.text, Face.SANS, size, (TEXT_WIDTH - 2 * inset) / POINT)
    colour = MUTED if paragraph.tone is Tone.QUIET else INK
    if note or len(broken) <= _MOST_OF_TEXT:
        sheet.need(2 * pad + min(len(broken), _MOST_LINES) * leading)
    while broken:
        sheet.need(2 * pad + leading)
        fitting = max(1, min(len(broken), int((sheet.left - 2 * pad) / leading)))
        height = fitting * leading + 2 * pad
        if note:
            sheet.tint(TEXT_WIDTH, height, paragraph.tone, 0.9)
        sheet.put_lines(MARGIN + inset, sheet.y + pad, broken[:fitting], leading, size=size, colour=colour)
        sheet.y += height
        broken = broken[fitting:]
    sheet.y += 2.4


def set_small_print(sheet: Sheet, title: str, paragraph: Paragraph) -> None:
    """Set a paragraph in small type under a small heading, both on one page."""
    broken = lines(paragraph.text, Face.SANS, _SMALL, TEXT_WIDTH / POINT)
    sheet.need(_SMALL_HEAD + len(broken) * _SMALL * POINT * _LEADING)
    sheet.outline(title)
    _set_subheading(sheet, Subheading(title))
    set_paragraph(sheet, paragraph, size=_SMALL)


def set_table(sheet: Sheet, shown: Table) -> None:
    """Set a table: a short table, and the beginning and end of a long one, are not split, the head is repeated, and only very tall rows are split."""
    if not shown.rows:
        set_paragraph(sheet, Paragraph(shown.empty, Tone.QUIET))
        return
    widths = _widths_on(sheet, shown)
    leading = _SMALL * POINT * _LEADING
    rows = [_broken(row, widths) for row in shown.rows]
    heights = [max(len(cell) for cell in broken) for broken in rows]
    tall = [height * leading + 2 * _PAD_Y for height in heights]
    sheet.need(6.0 + _height_of_first(tall))
    _set_head(sheet, shown.columns, widths)
    end = sum(tall[-_KEPT_ROWS:])
    for place, (row, broken, height) in enumerate(zip(shown.rows, rows, heights, strict=True)):
        done = 0
        while done < height:
            wanted = min(height - done, _MOST_OF_ROW) * leading + 2 * _PAD_Y
            if place == len(rows) - _KEPT_ROWS and end <= _KEPT_WHOLE:
                wanted = end
            if sheet.need(wanted):
                _set_head(sheet, shown.columns, widths)
            if row[0].anchor:
                sheet.anchor(row[0].anchor)
            fitting = max(1, min(height - done, int((sheet.left - 2 * _PAD_Y) / leading)))
            piece = [cell[done : done + fitting] for cell in broken]
            _set_row(sheet, row, piece, shown.columns, widths, fitting * leading)
            done += fitting
        sheet.rule(MARGIN, sheet.y, MARGIN + TEXT_WIDTH, sheet.y, HAIRLINE, 0.15)
    sheet.y += 3.6


def _broken(row: tuple[Cell, ...], widths: list[float]) -> list[tuple[tuple[Run, ...], ...]]:
    return [
        lines(cell.text, _face(cell), _SMALL, (width - 2 * _PAD_X) / POINT)
        for cell, width in zip(row, widths, strict=True)
    ]


def _set_row(
    sheet: Sheet,
    row: tuple[Cell, ...],
    pieces: list[tuple[tuple[Run, ...], ...]],
    columns: tuple[TableColumn, ...],
    widths: list[float],
    height: float,
) -> None:
    x = MARGIN
    leading = _SMALL * POINT * _LEADING
    for cell, piece, column, width in zip(row, pieces, columns, widths, strict=True):
        _put_in_column(
            sheet, column, x, width, sheet.y + _PAD_Y, piece, leading, size=_SMALL, colour=TEXT[cell.tone]
        )
        x += width
    sheet.y += height + 2 * _PAD_Y


def _put_in_column(
    sheet: Sheet, column: TableColumn, x: float, width: float, *place: Any, **how: Any
) -> None:
    edge, align = (x + width - _PAD_X, "right") if column.right else (x + _PAD_X, "left")
    sheet.put_lines(edge, *place, align=align, **how)


def _set_head(sheet: Sheet, columns: tuple[TableColumn, ...], widths: list[float]) -> None:
    leading = _HEAD * POINT * 1.25
    broken = [
        lines(column.title, Face.STRONG, _HEAD, (width - 2 * _PAD_X) / POINT)
        for column, width in zip(columns, widths, strict=True)
    ]
    height = max(len(title) for title in broken) * leading + 2.4
    sheet.box(MARGIN, sheet.y, TEXT_WIDTH, height, PANEL)
    x = MARGIN
    for column, width, title in zip(columns, widths, broken, strict=True):
        _put_in_column(sheet, column, x, width, sheet.y + 1.2, title, leading, 0.78, size=_HEAD, colour=NAVY)
        x += width
    sheet.y += height
    sheet.rule(MARGIN, sheet.y, MARGIN + TEXT_WIDTH, sheet.y, NAVY, 0.3)


def _set_facts(sheet: Sheet, block: Facts) -> None:
    width = TEXT_WIDTH / block.across
    leading = _BODY * POINT * _LEADING
    for group, broken, height in _fact_rows(block):
        sheet.need(height)
        for index, ((label, cell), value) in enumerate(zip(group, broken, strict=True)):
            x = MARGIN + index * width
            sheet.put(x, sheet.y + 2.4, label, size=6.8, colour=MUTED, room=width - 3.0)
            sheet.put_lines(x, sheet.y + 3.4, value, leading, size=_BODY, colour=TEXT[cell.tone])
        sheet.y += height
    sheet.y += 1.4


_FactRow = tuple[Sequence[tuple[str, Cell]], list[tuple[tuple[Run, ...], ...]], float]


def _fact_rows(block: Facts) -> Iterator[_FactRow]:
    """Yield the pairs that stand side by side, with the lines of each value and the height of all of them."""
    room = (TEXT_WIDTH / block.across - 3.0) / POINT
    for start in range(0, len(block.pairs), block.across):
        group = block.pairs[start : start + block.across]
        broken = [lines(cell.text, _face(cell), _BODY, room) for _, cell in group]
        yield group, broken, max(len(value) for value in broken) * _BODY * POINT * _LEADING + 4.6


def _facts_height(block: Facts) -> float:
    return 1.4 + sum(height for _, _, height in _fact_rows(block))


def _least_height(sheet: Sheet, blocks: Sequence[Block]) -> float:
    """Return the height that must stay together with a heading before these blocks, in millimetres."""
    match blocks:
        case [Subheading(), *rest]:
            return _SMALL_HEAD + _least_height(sheet, rest)
        case [Paragraph() as paragraph, *rest]:
            height = _paragraph_height(paragraph)
            introduces = height < _KEPT_PARAGRAPH or (rest and isinstance(rest[0], Table))
            return height + (_least_after(sheet, rest) if introduces else 0.0)
        case [Facts() as facts, *rest]:
            height = _facts_height(facts)
            more = rest[0] if rest else None
            if isinstance(more, Facts):  # then the heading does not stand alone
                height += _facts_height(more)
            elif height < _KEPT_PARAGRAPH:
                height += _least_after(sheet, rest)
            return height
        case [Figure() as figure, *_]:
            return figure.drawing.height + 10.0
        case [Table() as shown, *_] if shown.rows:
            return _least_of_table(sheet, shown)
        case _:
            return 14.0


def _least_after(sheet: Sheet, blocks: Sequence[Block]) -> float:
    """Return the height that must stay together with a text before these blocks: a table or figure is introduced by it, with its heading or without, and by one more short text; further texts are not."""
    match blocks:
        case [Paragraph() as text, (Table() | Figure() | Facts()) as shown, *_] if (
            _paragraph_height(text) < _KEPT_PARAGRAPH
        ):
            return _paragraph_height(text) + _least_height(sheet, [shown])
        case [Table() | Figure() | Facts(), *_] | [Subheading(), Table() | Figure() | Facts(), *_]:
            return _least_height(sheet, blocks)
        case _:
            return 0.0


def _is_note(paragraph: Paragraph) -> bool:
    return paragraph.tone not in {Tone.PLAIN, Tone.QUIET}


def _paragraph_height(paragraph: Paragraph) -> float:
    broken = lines(paragraph.text, Face.SANS, _BODY, (TEXT_WIDTH - 6.4) / POINT)
    together = _MOST_LINES if _is_note(paragraph) else _MOST_OF_TEXT
    return min(len(broken), together) * _BODY * POINT * _LEADING + 5.2


def _least_of_table(sheet: Sheet, shown: Table) -> float:
    """Return the height of a table that is not split, or of the head and first rows of one that may be."""
    widths, leading = _widths_on(sheet, shown), _SMALL * POINT * _LEADING
    some = shown.rows[
        : int(_KEPT_WHOLE / (leading + 2 * _PAD_Y)) + 1
    ]  # more rows are higher than a table that is kept whole
    tall = [max(len(cell) for cell in _broken(row, widths)) * leading + 2 * _PAD_Y for row in some]
    return 10.0 + _height_of_first(tall)


def _height_of_first(tall: Sequence[float]) -> float:
    """Return the height of the rows that stand on the page where a table begins: all of a short one, otherwise the first two.

    Args:
        tall: The height of each row; of a table that is higher than `_KEPT_WHOLE` those that make it so are enough.
    """
    whole = sum(tall)
    if whole <= _SHORT or (len(tall) <= _KEPT_ROWS + 1 and whole <= _KEPT_WHOLE):
        return whole
    most = _MOST_OF_ROW * _SMALL * POINT * _LEADING + 2 * _PAD_Y
    first, second = (min(one, most) for one in (*tall, 0.0)[:2])
    return first + second if first + second <= _SHORT else first


def _set_subheading(sheet: Sheet, block: Subheading) -> None:
    sheet.y += 1.2
    sheet.put(MARGIN, sheet.y + 3.4, block.text, face=Face.STRONG, size=9.6, colour=NAVY, room=TEXT_WIDTH)
    sheet.y += 5.4


def _set_figure(sheet: Sheet, block: Figure) -> None:
    sheet.need(block.drawing.height + 10.0)
    sheet.draw(block.drawing, MARGIN, sheet.y)
    sheet.y += block.drawing.height + 1.0
    if block.caption:
        set_paragraph(sheet, Paragraph(block.caption, Tone.QUIET), size=_SMALL)


def _widths_on(sheet: Sheet, shown: Table) -> list[float]:
    """Return the widths of columns, measured once: a table that must fit under its heading is measured before it is set."""
    if sheet.measured[0] is not shown:
        sheet.measured = (shown, _widths(shown))
    return sheet.measured[1]


def _widths(shown: Table) -> list[float]:
    """Return the widths of columns: their shares, but no column keeps room that it does not need while another has to break its lines."""
    wanted = _shared_widths(shown)
    whole = [_whole_width(shown, place) for place in range(len(shown.columns))]
    short = [place for place, width in enumerate(wanted) if whole[place] > width]
    need = sum(whole[place] - wanted[place] for place in short)
    spare = sum(max(width - full, 0.0) for full, width in zip(whole, wanted, strict=True))
    if not short or not spare:
        return wanted
    given = min(1.0, need / spare)
    found = [width - max(width - full, 0.0) * given for full, width in zip(whole, wanted, strict=True)]
    room = sum(wanted[place] for place in short) + min(spare, need)
    for place, width in zip(short, _levelled([(wanted[p], whole[p]) for p in short], room), strict=True):
        found[place] = width
    return found


def _levelled(columns: list[tuple[float, float]], room: float) -> list[float]:
    """Return widths that add up to `room`, each between the two of its column, so that the longest texts break into equally many lines."""
    low, high = 1.0, max(whole / wanted for wanted, whole in columns)
    for _ in range(40):
        breaks = (low + high) / 2
        taken = sum(max(wanted, whole / breaks) for wanted, whole in columns)
        low, high = (breaks, high) if taken > room else (low, breaks)
    return [max(wanted, whole / high) for wanted, whole in columns]


def _whole_width(shown: Table, place: int) -> float:
    """Return the width in which no text of a column is broken; of long texts only the beginning is measured."""
    texts = ((row[place].text[:_SCANNED], _face(row[place])) for row in shown.rows[:_MEASURED])
    widest = max((width_of(runs(text, face), _SMALL) for text, face in set(texts)), default=0.0)
    title = width_of(runs(shown.columns[place].title, Face.STRONG), _HEAD)
    return max(widest, title) * POINT + 2 * _PAD_X + 0.3


def _shared_widths(shown: Table) -> list[float]:
    """Return the widths of columns by their shares, but none narrower than its longest word of ordinary length."""
    total = sum(column.share for column in shown.columns)
    wanted = [TEXT_WIDTH * column.share / total for column in shown.columns]
    least = [_least_width(shown, place) for place in range(len(shown.columns))]
    short = sum(max(need - width, 0.0) for need, width in zip(least, wanted, strict=True))
    spare = sum(max(width - need, 0.0) for need, width in zip(least, wanted, strict=True))
    if not short or not spare:
        return wanted
    part = min(1.0, short / spare)
    grown = min(1.0, spare / short)
    return [
        width + (need - width) * (grown if need > width else part)
        for need, width in zip(least, wanted, strict=True)
    ]


def _least_width(shown: Table, place: int) -> float:
    words = {word for row in shown.rows[:_MEASURED] for word in _words(row[place].text[:_SCANNED])}
    longest = sorted(sorted(words), key=len, reverse=True)[:3]
    widest = max((width_of(runs(word, Face.STRONG), _SMALL) for word in longest), default=0.0)
    title = max(
        width_of(runs(word, Face.STRONG), _HEAD) for word in shown.columns[place].title.split() or [""]
    )
    return max(widest, title) * POINT + 2 * _PAD_X + 0.2


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in _WORD.findall(text) if len(word) <= _LONG_WORD)


def _face(cell: Cell) -> Face:
    # A word with a meaning is set heavier, so that it stands out even without its colour.
    return Face.STRONG if cell.strong or cell.tone in _HEAVY else Face.SANS
