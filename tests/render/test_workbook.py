"""The workbook keeps what frames hold, and obeys nothing."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO
from pathlib import Path

import pandas as pd

from kycpack.frames.plain_table import plain_table
from kycpack.render.workbook import _SHEETS as SHEETS
from kycpack.render.workbook import render_workbook

ROOT = Path(__file__).parents[2]
AS_OF = datetime(2026, 6, 30, 12, tzinfo=UTC)
HOSTILE = ["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "http://example.test/", "-2+3", "\u202egnp", "\x00"]


def workbook(*frames: tuple[str, pd.DataFrame], about: Sequence[tuple[str, str]] = ()) -> bytes:
    return render_workbook(((name, plain_table(frame)) for name, frame in frames), as_of=AS_OF, about=about)


def parts(book: bytes) -> dict[str, str]:
    with zipfile.ZipFile(BytesIO(book)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_texts_are_never_formulas_or_links() -> None:
    found = parts(workbook(("t", pd.DataFrame({"name": HOSTILE}))))
    assert "<f>" not in found["xl/worksheets/sheet2.xml"]
    assert "hyperlink" not in "".join(found.values())
    assert "=1+1" in found["xl/sharedStrings.xml"]
    assert "&lt;U+202E&gt;gnp" in found["xl/sharedStrings.xml"]


def test_the_same_frames_give_the_same_bytes() -> None:
    frame = pd.DataFrame({"a": [1, 2], "at": [pd.Timestamp("2026-01-01", tz="UTC"), pd.NaT]})
    assert workbook(("t", frame)) == workbook(("t", frame))


def test_a_whole_number_beyond_what_a_cell_keeps_exactly_stays_exact_as_text() -> None:
    frame = pd.DataFrame({"minor": [9_007_199_254_740_993, 12]})
    found = parts(workbook(("t", frame)))
    assert "9007199254740993" in found["xl/sharedStrings.xml"]
    assert "<v>12</v>" in found["xl/worksheets/sheet2.xml"]


def test_nothing_is_an_empty_cell_and_lists_and_decimals_are_texts() -> None:
    frame = pd.DataFrame({"l": [["E-01", "E-02"], []], "d": [Decimal("1.10"), None]}, dtype=object)
    found = parts(workbook(("t", frame)))
    assert "E-01, E-02" in found["xl/sharedStrings.xml"]
    assert "1.10" in found["xl/sharedStrings.xml"]


def test_the_numbers_of_a_red_flag_by_name_are_left_to_the_parquet_file() -> None:
    """They are in minor units and days since 1970, while the cover promises major units and dates; the message says them in words."""
    frame = pd.DataFrame({"message": ["Cash: 500.00 GBP"], "facts": [{"credits_minor": 50_000}]})
    found = "".join(parts(workbook(("flags", frame))).values())
    assert "Cash: 500.00 GBP" in found
    assert "credits_minor" not in found
    assert "facts" not in parts(workbook(("flags", frame)))["xl/worksheets/sheet2.xml"]
    assert "The numbers in the message of a red flag, by name, are only in the Parquet files." in found


def test_a_text_longer_than_a_cell_says_that_it_was_cut() -> None:
    found = parts(workbook(("t", pd.DataFrame({"x": ["a" * 40_000]}))))
    assert "cut here" in found["xl/sharedStrings.xml"]


def test_a_text_of_rare_characters_that_take_two_places_says_that_it_was_cut() -> None:
    found = parts(workbook(("t", pd.DataFrame({"x": ["\U0001f600" * 20_000]}))))
    assert "\U0001f600 (cut here: a cell holds no more)" in found["xl/sharedStrings.xml"]


def test_a_number_without_an_end_is_a_text_and_no_formula() -> None:
    found = parts(workbook(("t", pd.DataFrame({"x": [float("inf"), 1.0]}))))
    assert "<f>" not in found["xl/worksheets/sheet2.xml"]
    assert "<t>inf</t>" in found["xl/sharedStrings.xml"]


def test_amounts_are_major_units_with_the_decimals_of_their_currency() -> None:
    frame = pd.DataFrame({"amount_minor": [123456, 500, 7, 8], "currency": ["GBP", "JPY", "KWD", "???"]})
    found = parts(workbook(("credits", frame)))
    sheet = found["xl/worksheets/sheet2.xml"]
    for value in ("<v>1234.56</v>", "<v>500</v>", "<v>0.007</v>"):
        assert value in sheet
    assert "8 minor units" in found["xl/sharedStrings.xml"]
    assert "amount_minor" not in found["xl/sharedStrings.xml"]
    for pattern in ('formatCode="#,##0.000"', 'formatCode="#,##0.00"', 'formatCode="#,##0"'):
        assert pattern in found["xl/styles.xml"]


def test_dates_are_real_dates_and_instants_are_utc() -> None:
    frame = pd.DataFrame(
        {
            "booked_on": pd.to_datetime(["2026-01-31"]).astype("datetime64[s]"),
            "created_at": pd.to_datetime(["2026-01-31T22:00:00-02:00"]).tz_convert("Europe/London"),
        }
    )
    found = parts(workbook(("t", frame)))
    assert "<v>46053</v>" in found["xl/worksheets/sheet2.xml"]
    assert "<v>46054</v>" in found["xl/worksheets/sheet2.xml"]
    assert 'formatCode="d mmm yyyy hh:mm"' in found["xl/styles.xml"]


def test_amounts_that_the_service_gave_in_major_units_are_numbers_with_their_decimals() -> None:
    amounts = {
        "amount": [Decimal("1914.50"), Decimal(500), None],
        "total_value": [Decimal("12345678901234.50"), Decimal("1E-90"), Decimal("1E+30")],
    }
    found = parts(workbook(("sources", pd.DataFrame(amounts, dtype=object))))
    sheet = found["xl/worksheets/sheet2.xml"]
    assert "<v>1914.5</v>" in sheet
    assert "<v>500</v>" in sheet
    assert "1914.50" not in found["xl/sharedStrings.xml"]
    for not_kept in ("12345678901234.50", "1E-90", "1E+30"):  # more digits than a spreadsheet keeps
        assert not_kept in found["xl/sharedStrings.xml"]
    for pattern in ('formatCode="#,##0.00"', 'formatCode="#,##0"'):
        assert pattern in found["xl/styles.xml"]
    ours = {"our_amount": ["1.005"], "their_total": ["-2.10"], "difference": ["0.00"]}
    found = parts(workbook(("reconciliation", pd.DataFrame(ours))))
    for value in ("<v>1.005</v>", "<v>-2.1</v>", "<v>0</v>"):
        assert value in found["xl/worksheets/sheet2.xml"]
    assert "have no currency beside the amounts" in found["xl/sharedStrings.xml"]


def test_a_date_that_a_frame_holds_as_text_is_a_real_date() -> None:
    found = parts(
        workbook(("recommendations", pd.DataFrame({"next_review_on": ["2026-01-31", "not set", "", None]})))
    )
    assert "<v>46053</v>" in found["xl/worksheets/sheet2.xml"]
    assert "2026-01-31" not in found["xl/sharedStrings.xml"]
    assert "not set" in found["xl/sharedStrings.xml"]


def test_each_sheet_has_a_filter_a_frozen_head_and_fits_the_width_of_a_page() -> None:
    found = parts(workbook(("t", pd.DataFrame({"a": ["x"], "b": ["y"]}))))
    sheet = found["xl/worksheets/sheet2.xml"]
    assert '<autoFilter ref="A1:B2"/>' in sheet
    assert 'ySplit="1"' in sheet
    assert 'state="frozen"' in sheet
    assert 'fitToHeight="0"' in sheet
    assert 'orientation="landscape"' in sheet
    assert "_xlnm.Print_Titles" in found["xl/workbook.xml"]


def test_the_cover_says_whose_workbook_it_is_and_what_each_sheet_holds() -> None:
    frames = [
        ("accounts", pd.DataFrame({"bank_name": ["B"]})),
        ("payments", pd.DataFrame({"payment_id": []})),
    ]
    found = parts(workbook(*frames, about=[("Case", "=case-1")]))
    for said in ("Case", "=case-1", "Linked bank accounts", "Payments (no rows, no sheet)", "major units"):
        assert said in found["xl/sharedStrings.xml"]
    assert found["xl/workbook.xml"].count("<sheet ") == 2


def test_empty_columns_and_the_id_on_the_cover_are_left_out() -> None:
    frame = pd.DataFrame({"customer_id": ["C"], "a": ["x"], "b": pd.array([None], dtype="string"), "c": [""]})
    sheet = parts(workbook(("t", frame)))["xl/worksheets/sheet2.xml"]
    assert 'r="A2"' in sheet
    assert 'r="B1"' not in sheet
    assert 'r="C1"' not in sheet


def test_the_cover_says_of_every_frame_of_a_pack_what_it_holds() -> None:
    names = [path.stem for path in (ROOT / "reports/sample/pack/data/frames").glob("*.parquet")]
    assert len(names) > 20
    assert [name for name in names if not SHEETS.get(name)] == []
