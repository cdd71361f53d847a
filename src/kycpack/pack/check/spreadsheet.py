"""Comparing the workbook of a pack with the frames it was written from.

Only a workbook of the form that kycpack writes is read, so that no cell is hidden or shown with other text.
"""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from io import BytesIO
from typing import Any

import pandas as pd
import python_calamine

from kycpack.errors import PackError
from kycpack.models.money import exponent, known_currency
from kycpack.pack.limits import check_zip
from kycpack.render.text_runs import visible
from kycpack.render.workbook import GIVEN_AMOUNTS, LEFT_OUT

_MINOR, _ON = "_minor", "_on"
_OWNER = "customer_id"
_COVER = "Cover"
_CUT = " (cut here: a cell holds no more)"
_SECOND = 1.0
_PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/(app|core)\.xml|xl/(workbook|sharedStrings|styles)\.xml"
    r"|xl/_rels/workbook\.xml\.rels|xl/theme/theme1\.xml|xl/worksheets/sheet\d+\.xml"
)
_SHEET = "xl/worksheets/"
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[\w:.-]+)(?P<rest>[^<>]*)>")
_ATTRIBUTE = re.compile(r'([\w:]+)="([^"]*)"')
_ALLOWED: dict[str, frozenset[str]] = {
    name: frozenset(attributes.split())
    for name, attributes in {
        "worksheet": "xmlns xmlns:r", "sheetPr": "", "pageSetUpPr": "fitToPage", "dimension": "ref", "sheetViews": "",
        "sheetView": "showGridLines tabSelected workbookViewId", "sheetFormatPr": "defaultRowHeight", "cols": "",
        "pane": "activePane state topLeftCell xSplit ySplit", "selection": "activeCell pane sqref", "sheetData": "",
        "col": "customWidth max min width", "row": "customHeight ht r spans", "c": "r s t", "v": "", "is": "", "t": "xml:space",
        "mergeCells": "count", "mergeCell": "ref", "autoFilter": "ref", "pageMargins": "bottom footer header left right top",
        "pageSetup": "fitToHeight orientation paperSize", "headerFooter": "", "oddFooter": "",
    }.items()
}  # fmt: skip
_SIZES = frozenset({"width", "ht", "defaultRowHeight"})
_SMALLEST = 2.0
# A merged row of the cover shows the text of its first cell; its other cells are empty.
_MERGED = re.compile(r"A(\d+):C(\d+)")
_FORMATS = re.compile(r"d mmm yyyy(?: hh:mm)?|0\.0%|#,##0(?:\.0+)?")
_COLOURS = frozenset({"FF13294B", "FF606A78", "FFF4F6F9"})


def read_workbook(content: bytes, name: str) -> dict[str, list[list[Any]]]:
    """Return the cells of every sheet, row by row.

    Args:
        content: The workbook.
        name: What errors call it.

    Raises:
        PackError: It cannot be read, or expands to more than is allowed.
    """
    check_zip(content, name)
    _check_form(content, name)
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(BytesIO(content))
        hidden = [
            one.name
            for one in book.sheets_metadata
            if one.visible != python_calamine.SheetVisibleEnum.Visible
        ]
        if hidden:
            raise PackError(f"{name} has hidden sheets, which kycpack does not write: {len(hidden)}")
        return {sheet: book.get_sheet_by_name(sheet).to_python() for sheet in book.sheet_names}
    except (python_calamine.CalamineError, ValueError, OSError) as error:
        raise PackError(f"{name} is not a readable workbook") from error


def _check_form(content: bytes, name: str) -> None:
    """Refuse a workbook with anything that kycpack does not write: formulas, hidden rows, other formats, conditions, drawings.

    Args:
        content: The workbook, already checked to be a zip file within the size limits.
        name: What errors call it.

    Raises:
        PackError: It has such content; the message says what.
    """
    with zipfile.ZipFile(BytesIO(content)) as book:
        for part in book.namelist():
            if not _PARTS.fullmatch(part):
                raise PackError(f"{name} has a part that kycpack does not write")
        for part in book.namelist():
            text = book.read(part).decode("utf-8", errors="replace")
            if "<!" in text:
                raise PackError(f"{name} has a comment or a declaration, which kycpack does not write")
            problems = _sheet_problems(text) if part.startswith(_SHEET) else _style_problems(part, text)
            if (problem := next(problems, "")) != "":
                raise PackError(f"{name} has {problem}, which kycpack does not write")


def _sheet_problems(text: str) -> Iterator[str]:
    for tag in _TAG.finditer(text):
        element = tag["name"]
        if element not in _ALLOWED:
            yield "a formula" if element == "f" else f"an element {element[:40]!r} in a sheet"
            continue
        for attribute, value in _ATTRIBUTE.findall(tag["rest"]):
            if attribute not in _ALLOWED[element]:
                yield f"{attribute[:40]!r} at a {element} of a sheet"
            elif attribute in _SIZES and not _is_visible(value):
                yield f"a {element} that is too small to be seen"
            elif element == "mergeCell" and not _is_one_row(value):
                yield "merged cells"


def _style_problems(part: str, text: str) -> Iterator[str]:
    for pattern, is_ours, what in _STYLES if part == "xl/styles.xml" else _STYLES[:1]:
        yield from (what for value in re.findall(pattern, text) if not is_ours(value))


def _is_visible(size: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", size) is not None and float(size) >= _SMALLEST


_STYLES: tuple[tuple[str, Callable[[str], object], str], ...] = (
    (r'<definedName name="([^"]*)"', lambda name: name.startswith("_xlnm."), "a name for cells"),
    (r'formatCode="([^"]*)"', _FORMATS.fullmatch, "a number format"),
    (r'rgb="([^"]*)"', _COLOURS.__contains__, "a colour"),
    (r'<sz val="([^"]*)"', _is_visible, "letters that are too small to be seen"),
)
"""What kycpack writes in its own way: a pattern, what it writes there, and what anything else is; the first in every part, the others in the styles."""


def _is_one_row(ref: str) -> bool:
    found = _MERGED.fullmatch(ref)
    return found is not None and found[1] == found[2]


def cover_facts(sheets: Mapping[str, list[list[Any]]]) -> dict[str, str]:
    """Return the facts on the cover of a workbook, by label."""
    return {str(row[0]): str(row[1]) for row in sheets.get(_COVER, []) if len(row) > 1 and row[0]}


def frames_not_shown(
    sheets: Mapping[str, list[list[Any]]], frames: Mapping[str, pd.DataFrame]
) -> Iterator[str]:
    """Yield the names of frames whose sheet differs, and of sheets that do not belong to a frame.

    Args:
        sheets: The cells of every sheet.
        frames: The frames of the pack, as read from Parquet.
    """
    filled = {name: frame for name, frame in frames.items() if len(frame)}
    yield from sorted((sheets.keys() - {_COVER}) ^ filled.keys())
    for name in sorted(sheets.keys() & filled.keys()):
        if not _shows(sheets[name], filled[name], name):
            yield name


def _shows(rows: list[list[Any]], frame: pd.DataFrame, sheet: str) -> bool:
    """Return whether a sheet shows a frame: the same rows, and the same columns except those that are empty throughout."""
    if len(rows) != len(frame) + 1:
        return False
    place = 0
    for title, column in frame.items():
        name = str(title)
        if name == _OWNER and len(frame.columns) > 1:
            continue
        if name == LEFT_OUT and name not in rows[0]:  # workbooks of earlier versions have it
            continue
        values = [_plain(value) for value in column.tolist()]
        if all(value is None for value in values):
            continue
        if set(values) <= {None, ""} and name not in rows[0]:  # workbooks of earlier versions have it
            continue
        amount = _is_amount(column, name)
        if place >= len(rows[0]) or rows[0][place] != (name.removesuffix(_MINOR) if amount else name):
            return False
        cells = [row[place] for row in rows[1:]]
        if (sheet, name) in GIVEN_AMOUNTS or name.endswith(_ON):
            cells = list(map(_as_given, cells, values))
        if not (_same_amounts(cells, values, frame) if amount else all(map(_same, cells, values))):
            return False
        place += 1
    return place == len(rows[0])


def _as_given(cell: Any, value: Any) -> Any:
    """Return the text of the frame for a cell that is a number of the same amount, or the same date."""
    if not isinstance(value, str):
        return cell
    try:
        is_amount = isinstance(cell, float) and Decimal(repr(cell)) == Decimal(value)
    except InvalidOperation:
        is_amount = False
    is_day = isinstance(cell, date) and cell.isoformat().removesuffix("T00:00:00") == value
    return value if is_amount or is_day else cell


def _is_amount(column: pd.Series[Any], title: str) -> bool:
    # A column with missing values comes back from Parquet as floats.
    return title.endswith(_MINOR) and pd.api.types.is_numeric_dtype(column.dtype)


def _same_amounts(cells: list[Any], values: list[Any], frame: pd.DataFrame) -> bool:
    currencies = frame["currency"].tolist() if "currency" in frame.columns else [None] * len(values)
    return all(map(_same_amount, cells, values, currencies))


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist") and not isinstance(value, pd.Timestamp):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return None if value is None or value is pd.NaT or value is pd.NA or value != value else value  # noqa: PLR0124 - NaN


def _same_amount(cell: Any, minor: Any, currency: Any) -> bool:
    if minor is None:
        return bool(cell == "")
    if isinstance(cell, str) or not isinstance(currency, str) or not known_currency(currency):
        return bool(cell == f"{int(minor)} minor units")
    return bool(round(Decimal(repr(cell)) * 10 ** exponent(currency)) == int(minor))


def _same(cell: Any, value: Any) -> bool:
    if value is None:
        return bool(cell == "")
    if isinstance(value, str):
        text = visible(value)
        return bool(cell == text) or (
            isinstance(cell, str) and cell.endswith(_CUT) and text.startswith(cell.removesuffix(_CUT))
        )
    if isinstance(value, bool):
        return bool(cell is value)
    if isinstance(value, datetime | date):
        return isinstance(cell, datetime | date) and abs(_seconds(cell) - _seconds(value)) <= _SECOND
    if isinstance(cell, str):  # a number with more digits than a spreadsheet keeps
        return bool(cell == str(value))
    return isinstance(cell, (int, float)) and math.isclose(float(cell), float(value), rel_tol=1e-12)


def _seconds(moment: date) -> float:
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
