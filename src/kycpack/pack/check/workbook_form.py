"""The form of a workbook: only what kycpack writes, so that no cell is hidden or shown with other text."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from io import BytesIO

from kycpack.errors import PackError

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


def check_workbook_form(content: bytes, name: str) -> None:
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
    for value in re.findall(r'<definedName name="([^"]*)"', text):
        if not value.startswith("_xlnm."):
            yield "a name for cells"
    if part != "xl/styles.xml":
        return
    for value in re.findall(r'formatCode="([^"]*)"', text):
        if not _FORMATS.fullmatch(value):
            yield "a number format"
    for value in re.findall(r'rgb="([^"]*)"', text):
        if value not in _COLOURS:
            yield "a colour"
    for size in re.findall(r'<sz val="([^"]*)"', text):
        if not _is_visible(size):
            yield "letters that are too small to be seen"


def _is_visible(size: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", size) is not None and float(size) >= _SMALLEST


def _is_one_row(ref: str) -> bool:
    found = _MERGED.fullmatch(ref)
    return found is not None and found[1] == found[2]
