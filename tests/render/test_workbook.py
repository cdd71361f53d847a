"""The workbook keeps what frames hold, and obeys nothing."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO

import pandas as pd

from kycpack.render import render_workbook

AS_OF = datetime(2026, 6, 30, 12, tzinfo=UTC)
HOSTILE = ["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "http://example.test/", "-2+3", "\u202egnp", "\x00"]


def parts(book: bytes) -> dict[str, str]:
    with zipfile.ZipFile(BytesIO(book)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_texts_are_never_formulas_or_links() -> None:
    found = parts(render_workbook([("t", pd.DataFrame({"name": HOSTILE}))], as_of=AS_OF))
    assert "<f>" not in found["xl/worksheets/sheet1.xml"]
    assert "hyperlink" not in "".join(found.values())
    assert "=1+1" in found["xl/sharedStrings.xml"]
    assert "&lt;U+202E&gt;gnp" in found["xl/sharedStrings.xml"]


def test_the_same_frames_give_the_same_bytes() -> None:
    frame = pd.DataFrame({"a": [1, 2], "at": [pd.Timestamp("2026-01-01", tz="UTC"), pd.NaT]})
    assert render_workbook([("t", frame)], as_of=AS_OF) == render_workbook([("t", frame)], as_of=AS_OF)


def test_a_whole_number_beyond_what_a_cell_keeps_exactly_stays_exact_as_text() -> None:
    frame = pd.DataFrame({"minor": [9_007_199_254_740_993, 12]})
    found = parts(render_workbook([("t", frame)], as_of=AS_OF))
    assert "9007199254740993" in found["xl/sharedStrings.xml"]
    assert "<v>12</v>" in found["xl/worksheets/sheet1.xml"]


def test_nothing_is_an_empty_cell_and_lists_and_decimals_are_texts() -> None:
    frame = pd.DataFrame({"l": [["E-01", "E-02"], []], "d": [Decimal("1.10"), None]}, dtype=object)
    found = parts(render_workbook([("t", frame)], as_of=AS_OF))
    assert "E-01, E-02" in found["xl/sharedStrings.xml"]
    assert "1.10" in found["xl/sharedStrings.xml"]


def test_a_text_longer_than_a_cell_says_that_it_was_cut() -> None:
    found = parts(render_workbook([("t", pd.DataFrame({"x": ["a" * 40_000]}))], as_of=AS_OF))
    assert "cut here" in found["xl/sharedStrings.xml"]
