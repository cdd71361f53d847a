"""A sheet of a workbook that is filled by columns.

xlsxwriter keeps each cell as an object of its own and asks it several times what it is, which takes most of the time of a
workbook. Here a sheet is one head with texts, numbers and truth values below it, so its rows are made in one pass. They are
the bytes that xlsxwriter writes for the same cells; a test compares them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

CellValue = str | float | bool | None
"""A text, a finite number, a truth value, or nothing."""

_SPANNED = 16  # rows that xlsxwriter gives a common span


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column of a sheet.

    Attributes:
        title: Its head.
        cells: What stands below it.
        formats: The number format of each cell, or of all; None for none.
    """

    title: str
    cells: Sequence[CellValue]
    formats: Sequence[str | None] | str | None = None

    def format_of(self, row: int) -> str | None:
        """Return the number format of a cell by its place."""
        return self.formats if self.formats is None or isinstance(self.formats, str) else self.formats[row]


class FrameSheet(Worksheet):  # type: ignore[misc]  # xlsxwriter ships no types
    """A sheet of columns of one length."""

    def fill(self, columns: Sequence[SheetColumn], styles: Any) -> None:
        """Give the sheet its cells, once.

        Args:
            columns: The columns, each with at least one cell that is not empty.
            styles: Has the format of heads as `head`, and gives that of a number by its pattern as `number`.
        """
        self._columns = columns
        self._styles = styles
        self._made = [[self._cell(column.title), *map(self._cell, column.cells)] for column in columns]
        if columns:
            rows = zip(*self._made, strict=True)
            last = max(row for row, cells in enumerate(rows) if any(cells))
            self._check_dimensions(0, 0)
            self._check_dimensions(last, len(columns) - 1)

    def _cell(self, value: CellValue) -> str:
        """Return what stands in a cell's element behind its place and style; nothing for no cell."""
        if value is None:
            return ""
        if isinstance(value, str):
            return f' t="s"><v>{self.str_table._get_shared_string_index(value)}</v></c>'  # noqa: SLF001 - the workbook's own
        return f' t="b"><v>{value:d}</v></c>' if isinstance(value, bool) else f"><v>{value:.16G}</v></c>"

    def _write_rows(self) -> None:
        names = [xl_col_to_name(place) for place in range(len(self._columns))]
        for first in range(0, self.dim_rowmax + 1, _SPANNED):
            rows = list(zip(*(made[first : first + _SPANNED] for made in self._made), strict=True))
            used = [place for place, cells in enumerate(zip(*rows, strict=True)) if any(cells)]
            for row, cells in enumerate(rows, first):
                written = [
                    f'<c r="{name}{row + 1}"{self._style(row, column, cell)}{cell}'
                    for name, column, cell in zip(names, self._columns, cells, strict=True)
                    if cell
                ]
                if written:
                    spans = f"{used[0] + 1}:{used[-1] + 1}"
                    self.fh.write(f'<row r="{row + 1}" spans="{spans}">{"".join(written)}</row>')

    def _style(self, row: int, column: SheetColumn, cell: str) -> str:
        if row and cell[0] != ">":
            return ""
        chosen = self._styles.number(column.format_of(row - 1)) if row else self._styles.head
        return "" if chosen is None else f' s="{chosen._get_xf_index()}"'  # noqa: SLF001 - the workbook's own
