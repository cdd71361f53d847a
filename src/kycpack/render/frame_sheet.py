"""A sheet of a workbook that is filled column by column.

xlsxwriter keeps each cell as an object and checks its type several times, which takes most of the time for a workbook. Here
a sheet has one head row with texts, numbers and truth values below it, so its rows are made in one pass. The bytes are the
same as xlsxwriter writes for the same cells; a test compares them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.packager import Packager
from xlsxwriter.sharedstrings import SharedStrings
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

CellValue = str | float | bool | None
"""A text, a finite number, a truth value, or nothing."""

_PLAIN = re.compile(r'(?!\s)(?:[^\x00-\x1f"&<>_\ufffe\uffff]|_(?!x))*(?<!\s)')  # needs no marks of its own
_SPANNED = 16  # number of rows for which xlsxwriter writes a common span


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column of a sheet.

    Attributes:
        title: Head of the column.
        cells: The cells below the head.
        formats: The number format of each cell, or one for all cells; None for no format.
    """

    title: str
    cells: Sequence[CellValue]
    formats: Sequence[str | None] | str | None = None

    def each_format(self) -> Iterator[str | None]:
        """Yield the number format of each cell, starting with the head, which does not need one."""
        if self.formats is None or isinstance(self.formats, str):
            return repeat(self.formats)
        return chain((None,), self.formats)


class FrameBook(Workbook):  # type: ignore[misc]  # xlsxwriter ships no types
    """A workbook of many texts: xlsxwriter would look into each of them six times."""

    def _get_packager(self) -> _Packager:
        return _Packager()


class _Packager(Packager):  # type: ignore[misc]  # as above
    def _write_shared_strings_file(self) -> None:
        texts = _Texts()
        texts.string_table = self.workbook.str_table
        if not texts.string_table.count:
            return
        texts._set_xml_writer(self._filename("xl/sharedStrings.xml"))  # noqa: SLF001 - as xlsxwriter does
        texts._assemble_xml_file()  # noqa: SLF001 - as above


class _Texts(SharedStrings):  # type: ignore[misc]  # as above
    def _write_si(self, string: str) -> None:
        if _PLAIN.fullmatch(string):
            self.fh.write(f"<si><t>{string}</t></si>")
        else:
            super()._write_si(string)


class FrameSheet(Worksheet):  # type: ignore[misc]  # xlsxwriter ships no types
    """A sheet whose columns have the same length."""

    def fill(self, columns: Sequence[SheetColumn], styles: Any) -> None:
        """Set the cells of the sheet; may be called once.

        Args:
            columns: The columns, each with at least one cell that is not empty.
            styles: Has the format of heads as `head`, and a method `number` that returns the format for a number pattern.
        """
        self._columns = columns
        self._styles = styles
        self._made = [self._cells(column) for column in columns]
        if columns:
            rows = zip(*self._made, strict=True)
            last = max(row for row, cells in enumerate(rows) if any(cells))
            self._check_dimensions(0, 0)
            self._check_dimensions(last, len(columns) - 1)

    def _cells(self, column: SheetColumn) -> list[str]:
        """Return the rest of each cell's element after its position and style, head first; empty for an empty cell."""
        values = (column.title, *column.cells)
        place_of = self.str_table._get_shared_string_index  # noqa: SLF001 - the workbook's own
        # A text is mostly in many cells of its column, and its place is the same in all.
        texts = [value for value in values if isinstance(value, str)]
        shared = {text: f' t="s"><v>{place_of(text)}</v></c>' for text in dict.fromkeys(texts)}
        self.str_table.count += len(texts) - len(shared)
        return [
            ""
            if value is None
            else shared[value]
            if isinstance(value, str)
            else f' t="b"><v>{value:d}</v></c>'
            if isinstance(value, bool)
            else f"><v>{value:.16G}</v></c>"
            for value in values
        ]

    def _write_rows(self) -> None:
        names = [xl_col_to_name(place) for place in range(len(self._columns))]
        head = _style(self._styles.head)
        styles = _StyleMarks(self._styles)
        formats = [column.each_format() for column in self._columns]
        for first in range(0, self.dim_rowmax + 1, _SPANNED):
            rows = list(zip(*(made[first : first + _SPANNED] for made in self._made), strict=True))
            used = [place for place, cells in enumerate(zip(*rows, strict=True)) if any(cells)]
            spans = f"{used[0] + 1}:{used[-1] + 1}" if used else ""
            for row, cells in enumerate(rows, first + 1):
                written = [
                    f'<c r="{name}{row}"{head if row == 1 else styles[form] if cell[0] == ">" else ""}{cell}'
                    for name, form, cell in zip(names, map(next, formats), cells, strict=True)
                    if cell
                ]
                if written:
                    self.fh.write(f'<row r="{row}" spans="{spans}">{"".join(written)}</row>')


class _StyleMarks(dict[str | None, str]):
    """The style attribute of each number format; it is made when a cell first has the format.

    Args:
        styles: As for `FrameSheet.fill`.
    """

    def __init__(self, styles: Any) -> None:
        super().__init__({None: ""})
        self._styles = styles

    def __missing__(self, pattern: str) -> str:
        self[pattern] = _style(self._styles.number(pattern))
        return self[pattern]


def _style(chosen: Any) -> str:
    return f' s="{chosen._get_xf_index()}"'  # noqa: SLF001 - the workbook's own
