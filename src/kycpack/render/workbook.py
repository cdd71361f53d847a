"""Frames as a spreadsheet for people: a cover, amounts in major units, real dates and filters; cells are never formulas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO
from math import isfinite
from typing import Any

import numpy as np
import pyarrow as pa

from kycpack.frames.catalogue import SCHEMAS
from kycpack.frames.plain_table import PlainTable
from kycpack.models.money import exponent, known_currency
from kycpack.render.frame_sheet import FrameBook, FrameSheet, SheetColumn
from kycpack.render.text_runs import visible
from kycpack.wealth.dictionary import FURTHER

_LONGEST = 32_000
_WIDEST = 48
_DIGITS = 15  # that a spreadsheet keeps
_EXACT = 10**_DIGITS
_MINOR, _ON = "_minor", "_on"
GIVEN_AMOUNTS = {
    (name, column.name)
    for name, schema in (SCHEMAS | FURTHER).items()
    for column in schema.columns
    if column.dtype == "decimal"
}
"""Frames with their columns of amounts in major units, which the frames hold as text."""
_OWNER = "customer_id"
LEFT_OUT = "facts"
"""The column that only the Parquet file has: numbers for programs, in minor units and days, which the message gives in words."""

_DATE, _INSTANT = "d mmm yyyy", "d mmm yyyy hh:mm"
_EPOCH, _DAY = np.datetime64("1899-12-30", "us"), np.timedelta64(1, "D")  # day zero of a spreadsheet
_NOTES = (
    "Amounts are in major units of the currency beside them; the exact minor units are in the Parquet files of the pack.",
    "A share in a sheet is rounded on its own. In the review and the charts, shares are rounded so that they add up to the whole.",
    "The sheets sources and reconciliation have no currency beside the amounts, because the service's statement gives none.",
    "The numbers in the message of a red flag, by name, are only in the Parquet files.",
    "Times are in UTC. A column that is empty in every row is left out, and so is the customer id if there is only one customer.",
    "There are no formulas or links: every text is plain text. Evidence ids refer to the evidence index of review.pdf.",
)
_SHEETS = {
    "overview": "Outcome of every customer in scope",
    "customers": "The customer record",
    "sessions": "Onboarding sessions and the checks ordered in them",
    "results": "Verification results, one row per session",
    "checks": "Every value of the results, one row per value",
    "screening": "Screening categories",
    "documents": "Identity documents and proofs of address",
    "media": "Images and videos of the sessions",
    "accounts": "Linked bank accounts",
    "balances": "Balances as the service gave them",
    "transactions": "Bank transactions as given, of every status, and only booked ones count; positive amounts are credits",
    "payments": "Payments",
    "attempts": "Payment attempts",
    "statements": "The service's source of wealth statements",
    "sources": "Sources in these statements",
    "gaps": "Data that was not requested, not answered or not understood",
    "limits": "Limits of the bank data",
    "credits": "Every booked credit and how it was counted",
    "streams": "Streams of credits of one payer",
    "coverage": "How the credits were counted",
    "flags": "Red flags with their transactions",
    "sufficiency": "Payments, and whether what was observed supports them",
    "reconciliation": "Our sources beside those of the service's statement",
    "own_sources": "Sources of our own statement",
    "recommendations": "The policy's recommendation",
    "findings": "Every rule with its outcome",
    "consistency": "Names, dates of birth and addresses compared",
}


def render_workbook(
    tables: Iterable[tuple[str, PlainTable]],
    *,
    as_of: datetime,
    about: Sequence[tuple[str, str]] = (),
    title: str = "Customer review",
) -> bytes:
    """Render frames as an XLSX workbook: a cover with a legend, then one sheet for each frame that has rows.

    Args:
        tables: Frames with plain values, by name (at most 31 characters); amounts in minor units become major units.
        as_of: The instant to which the dates of the file are set.
        about: Labels with values for the cover, such as case and policy.
        title: Heading of the cover. If a frame has only one customer, the column with the customer id is left out.

    Returns:
        The workbook; texts stay texts even if they look like formulas or links.
    """
    buffer = BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with FrameBook(buffer, options) as book:
        moment = as_of.astimezone(UTC).replace(tzinfo=None, microsecond=0)
        book.set_properties({"title": title, "author": "kycpack", "created": moment})
        styles = _Styles(book)
        named = list(tables)
        _write_cover(book, styles, named, about, title)
        for name, table in named:
            if table.arrow.num_rows:
                _write_frame(book, styles, name, table)
    return buffer.getvalue()


class _Styles:
    """The formats of one workbook, each made once."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._numbers: dict[str, Any] = {}
        self.head = book.add_format(
            {
                "bold": True,
                "font_color": "#13294b",
                "bottom": 1,
                "bg_color": "#f4f6f9",
                "text_wrap": True,
                "valign": "top",
            }
        )
        self.title = book.add_format({"bold": True, "font_size": 18, "font_color": "#13294b"})
        self.label = book.add_format({"font_color": "#606a78"})
        self.wrapped = book.add_format({"text_wrap": True, "valign": "top"})

    def number(self, pattern: str | None) -> Any:
        if pattern is None:
            return None
        if pattern not in self._numbers:
            self._numbers[pattern] = self._book.add_format({"num_format": pattern})
        return self._numbers[pattern]


def _write_cover(
    book: Any,
    styles: _Styles,
    tables: Sequence[tuple[str, PlainTable]],
    about: Sequence[tuple[str, str]],
    heading: str,
) -> None:
    sheet = book.add_worksheet("Cover")
    sheet.hide_gridlines(2)
    for place, width in enumerate((22, 10, 70)):
        sheet.set_column(place, place, width)
    sheet.write_string(0, 0, heading, styles.title)
    for row, (label, value) in enumerate(about, 2):
        sheet.write_string(row, 0, label, styles.label)
        sheet.write_string(row, 1, _text(value))
    head = len(about) + 3
    for place, title in enumerate(("Sheet", "Rows", "Content")):
        sheet.write_string(head, place, title, styles.head)
    for row, (name, table) in enumerate(tables, head + 1):
        count = table.arrow.num_rows
        sheet.write_string(row, 0, name)
        sheet.write_number(row, 1, count)
        sheet.write_string(row, 2, _SHEETS.get(name, "") + ("" if count else " (no rows, no sheet)"))
    for row, note in enumerate(_NOTES, head + len(tables) + 2):
        sheet.merge_range(row, 0, row, 2, note, styles.wrapped)
        sheet.set_row(row, 30)
    _print(sheet)


def _write_frame(book: Any, styles: _Styles, name: str, table: PlainTable) -> None:
    sheet = book.add_worksheet(name, FrameSheet)
    columns = [
        column
        for title in table
        if title != LEFT_OUT and (title != _OWNER or len(table) == 1 or len(set(table[title])) > 1)
        for column in _columns(name, table, title)
    ]
    sheet.freeze_panes(1, 0)
    sheet.repeat_rows(0)
    sheet.autofilter(0, 0, table.arrow.num_rows, max(len(columns) - 1, 0))
    _print(sheet)
    sheet.fill(columns, styles)
    for position, column in enumerate(columns):
        sheet.set_column(position, position, _width(column))


def _columns(name: str, table: PlainTable, title: str) -> list[SheetColumn]:
    """Return the columns of a table as they are written; columns that are empty throughout are left out."""
    column = table.arrow.column(title)
    is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    if title.endswith(_MINOR) and pa.types.is_integer(column.type):
        made = _amounts(title.removesuffix(_MINOR), table[title], table.get("currency"))
    elif pa.types.is_timestamp(column.type):
        made = SheetColumn(title, _days(column), _DATE if column.type.tz is None else _INSTANT)
    elif is_text and (name, title) in GIVEN_AMOUNTS:
        made = _given_amounts(title, table[title])
    elif is_text and title.endswith(_ON):
        made = SheetColumn(title, list(map(_given_day, table[title])), _DATE)
    else:
        cells = _texts(table[title]) if is_text else list(map(_plain, table[title]))
        made = SheetColumn(title, cells, "0.0%" if title.endswith("share") else None)
    return [] if all(cell is None for cell in made.cells) else [made]


def _amounts(title: str, minors: Sequence[int | None], currencies: Sequence[Any] | None) -> SheetColumn:
    """Return amounts in major units with the decimals of their currency; for an unknown currency, minor units as text."""
    cells: list[Any] = []
    formats: list[str | None] = []
    for minor, currency in zip(minors, currencies or [None] * len(minors), strict=True):
        known = currency is not None and known_currency(str(currency))
        decimals = exponent(str(currency)) if known else 0
        if minor is None:
            cells.append(None)
        elif not known or abs(minor) >= _EXACT:
            cells.append(f"{minor} minor units")
        else:
            cells.append(minor / 10**decimals)
        formats.append(_pattern(decimals))
    return SheetColumn(title, cells, formats)


def _given_amounts(title: str, texts: Sequence[str | None]) -> SheetColumn:
    """Return amounts that were given in major units, with the decimals that they were given with; as text what a spreadsheet does not keep."""
    cells: list[Any] = []
    formats: list[str | None] = []
    for text in texts:
        _, digits, power = Decimal(text or 0).as_tuple()
        is_kept = isinstance(power, int) and max(len(digits), len(digits) + power, -power) <= _DIGITS
        cells.append(float(text) if text and is_kept else text)
        formats.append(_pattern(max(-power, 0)) if isinstance(power, int) and is_kept else None)
    return SheetColumn(title, cells, formats)


def _pattern(decimals: int) -> str:
    return "#,##0" + ("." + "0" * decimals if decimals else "")


def _given_day(text: str | None) -> float | str | None:
    """Return a date that was given as text as the day number of a spreadsheet; any other text as it is."""
    try:
        return None if not text else float((np.datetime64(date.fromisoformat(text)) - _EPOCH) / _DAY)
    except ValueError:
        return _text(str(text))


def _days(column: pa.ChunkedArray) -> list[float | None]:
    """Return dates, or instants in UTC, as the day numbers of a spreadsheet."""
    moments = column.to_numpy().astype("datetime64[us]")
    days = (moments - _EPOCH) / _DAY
    return [
        None if hole else day for hole, day in zip(np.isnat(moments).tolist(), days.tolist(), strict=True)
    ]


def _texts(values: Sequence[str | None]) -> list[str | None]:
    """Return texts as they are shown, None for empty ones; a repeated text is made only once."""
    shown = {value: _text(value) if value else None for value in set(values)}
    return [shown[value] for value in values]


def _plain(value: Any) -> Any:
    """Return a value in a form that a spreadsheet keeps exactly, None for an empty one."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, int):
        return value if abs(value) < _EXACT else str(value)
    return _text(", ".join(value) if isinstance(value, list) else str(value))


def _text(text: str) -> str:
    shown = visible(text)
    if len(shown) <= _LONGEST // 2:
        return shown
    # A spreadsheet counts UTF-16 units, of which rare characters take two.
    units = shown.encode("utf-16-le")
    if len(units) <= 2 * _LONGEST:
        return shown
    return f"{units[: 2 * _LONGEST].decode('utf-16-le', 'ignore')} (cut here: a cell holds no more)"


def _width(column: SheetColumn) -> int:
    if isinstance(column.formats, str) and column.formats in {_DATE, _INSTANT}:
        return len(column.formats) + 2
    longest = max((len(str(cell)) for cell in column.cells[:200] if cell is not None), default=0)
    return min(_WIDEST, max(longest, min(len(column.title), 14)) + 2)


def _print(sheet: Any) -> None:
    sheet.set_landscape()
    sheet.set_paper(9)
    sheet.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.6)
    sheet.fit_to_pages(1, 0)
    sheet.set_footer("&L&8&A&R&8Page &P of &N")
