"""Frames as a spreadsheet that obeys nothing written in its cells."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pandas as pd
import xlsxwriter

from kycpack.render.lettering import visible
from kycpack.render.wording import is_absent

_LONGEST = 32_000
_WIDEST = 60


def render_workbook(frames: Iterable[tuple[str, pd.DataFrame]], *, as_of: datetime) -> bytes:
    """Render frames as an XLSX workbook, one sheet a frame.

    Args:
        frames: Names (at most 31 characters) with frames; numbers of minor units stay whole numbers.
        as_of: The instant the file is dated with.

    Returns:
        The workbook; texts are texts even when they look like formulas or links.
    """
    buffer = BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "nan_inf_to_errors": True,
    }
    with xlsxwriter.Workbook(buffer, options) as book:
        moment = as_of.astimezone(UTC).replace(tzinfo=None, microsecond=0)
        book.set_properties({"title": "Customer review", "author": "kycpack", "created": moment})
        head = book.add_format({"bold": True, "font_color": "#13294b", "bottom": 1, "bg_color": "#f4f6f9"})
        for name, frame in frames:
            sheet = book.add_worksheet(name)
            sheet.freeze_panes(1, 0)
            for position, column in enumerate(frame.columns):
                texts = _plain_column(frame[column])
                sheet.write_string(0, position, str(column), head)
                sheet.set_column(position, position, _width(str(column), texts))
                for row, value in enumerate(texts, start=1):
                    _write(sheet, row, position, value)
    return buffer.getvalue()


def _write(sheet: Any, row: int, position: int, value: Any) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, position, value)
    elif isinstance(value, int | float):
        sheet.write_number(row, position, value)
    else:
        sheet.write_string(row, position, value)


def _plain_column(column: pd.Series[Any]) -> list[Any]:
    """Return cells as a spreadsheet keeps them exactly, None for nothing."""
    lists = column.dtype == object
    holes = [is_absent(value) for value in column] if lists else column.isna().tolist()
    return [None if hole else _plain(value) for value, hole in zip(column.tolist(), holes, strict=True)]


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        # A spreadsheet keeps 15 digits.
        return value if abs(value) < 10**15 else str(value)
    if isinstance(value, datetime):
        return value.isoformat() if value.tzinfo is not None else value.date().isoformat()
    return _text(", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))


def _text(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]} (cut here: a cell holds no more)"


def _width(title: str, texts: list[Any]) -> int:
    return min(_WIDEST, max([len(title), *(len(str(text)) for text in texts[:200] if text is not None)]) + 2)
