"""A sheet filled by columns is the sheet that xlsxwriter makes of the same cells."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from io import BytesIO
from itertools import islice
from typing import Any

import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from kycpack.render.frame_sheet import FrameBook, FrameSheet, SheetColumn

PATTERNS = (None, "0.0%", "#,##0.00", "d mmm yyyy")
TEXTS = st.sampled_from(
    ["", "a", " b", "c\u2003", '<c>&"', "=1+1", "a_x", "_x0041_", "<r>d</r>", "\uffff", "\U0001f600"]
) | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
VALUES = (
    st.none()
    | TEXTS
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
)


class Styles:
    def __init__(self, book: Any) -> None:
        self._book = book
        self._numbers: dict[str, Any] = {}
        self.head = book.add_format({"bold": True})

    def number(self, pattern: str | None) -> Any:
        if pattern is None:
            return None
        return self._numbers.setdefault(pattern, self._book.add_format({"num_format": pattern}))


@st.composite
def columns(draw: st.DrawFn) -> list[SheetColumn]:
    count = draw(st.integers(1, 40))
    cells = st.lists(VALUES, min_size=count, max_size=count).filter(
        lambda one: any(v is not None for v in one)
    )
    formats = st.sampled_from(PATTERNS) | st.lists(st.sampled_from(PATTERNS), min_size=count, max_size=count)
    return draw(st.lists(st.builds(SheetColumn, TEXTS, cells, formats), max_size=30))


def book_of(fill: Callable[[Any], None], kind: type[xlsxwriter.Workbook]) -> bytes:
    buffer = BytesIO()
    with kind(buffer, {"in_memory": True, "strings_to_formulas": False}) as book:
        book.set_properties({"created": datetime(2026, 6, 30)})  # noqa: DTZ001 - as xlsxwriter takes it
        fill(book)
    return buffer.getvalue()


def by_columns(book: Any, made: list[SheetColumn]) -> None:
    book.add_worksheet("t", FrameSheet).fill(made, Styles(book))


def by_cells(book: Any, made: list[SheetColumn]) -> None:
    sheet, styles = book.add_worksheet("t"), Styles(book)
    for place, column in enumerate(made):
        sheet.write_string(0, place, column.title, styles.head)
        forms = islice(column.each_format(), 1, None)
        for row, (value, form) in enumerate(zip(column.cells, forms, strict=False), start=1):
            if isinstance(value, str):
                sheet.write_string(row, place, value)
            elif isinstance(value, bool):
                sheet.write_boolean(row, place, value)
            elif value is not None:
                sheet.write_number(row, place, value, styles.number(form))


@given(columns())
def test_the_bytes_are_those_of_xlsxwriter(made: list[SheetColumn]) -> None:
    ours = book_of(lambda book: by_columns(book, made), FrameBook)
    assert ours == book_of(lambda book: by_cells(book, made), xlsxwriter.Workbook)
