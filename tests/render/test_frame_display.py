from __future__ import annotations

import re

import pandas as pd
import pytest

import kycpack as kp
from kycpack.errors import InputError

FRAME = pd.DataFrame(
    {
        "customer_id": ["c-1", "c-2", "c-3"],
        "total_minor": pd.array([123450, -7, None], dtype="Int64"),
        "currency": ["GBP", "JPY", "GBP"],
        "explained_share": [0.5, None, 1.0],
        "booked_on": pd.to_datetime(["2026-01-31", None, "2026-02-01"]),
        "rules": [["PEP-1", "SAN-1"], [], None],
        "text": ["<script>alert(1)</script>", "", "b"],
    }
)


def test_amounts_are_in_major_units_and_what_is_not_known_is_a_dash() -> None:
    shown = kp.show(FRAME)
    assert shown.columns == ("customer_id", "total", "currency", "explained", "booked_on", "rules", "text")
    assert shown.rows[0][:6] == ("c-1", "1,234.50 GBP", "GBP", "50.0%", "2026-01-31", "PEP-1, SAN-1")
    assert shown.rows[1][1:5] == ("-7 JPY", "JPY", "-", "-")
    assert shown.rows[2][1] == "-"


def test_no_two_columns_have_one_heading() -> None:
    rows = pd.DataFrame({"missed": [1], "missed_share": [0.5], "low_share": [0.1]})
    assert kp.show(rows).columns == ("missed", "missed_share", "low")


def test_an_id_is_whole_and_a_sentence_has_room() -> None:
    rows = pd.DataFrame({"id": ["9d901a23-76ed-4746-9dbe-f469b4bf75dd"], "why": ["a sentence " * 5]})
    whole, sentence = re.findall(r'<td style="([^"]*)"', kp.show(rows)._repr_html_())
    assert "white-space:nowrap" in whole
    assert "white-space:normal" in sentence
    assert "min-width:16em" in sentence


def test_the_frame_itself_stays_in_minor_units() -> None:
    before = FRAME.copy(deep=True)
    kp.show(FRAME)
    pd.testing.assert_frame_equal(FRAME, before)


def test_without_a_currency_minor_units_keep_their_name() -> None:
    shown = kp.show(FRAME.drop(columns="currency"), ["total_minor"])
    assert (shown.columns, shown.rows[0]) == (("total_minor",), ("123,450",))


def test_an_amount_in_a_currency_that_is_not_known_says_that_it_is_in_minor_units() -> None:
    odd = pd.DataFrame({"total_minor": [100, 100, 100], "currency": ["XYZ", "GBP", None]})
    assert [row[0] for row in kp.show(odd).rows] == [
        "100 minor units of XYZ",
        "1.00 GBP",
        "100 minor units of an unknown currency",
    ]


def test_text_from_outside_is_shown_and_not_obeyed() -> None:
    page = kp.show(FRAME)._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_rows_that_are_not_shown_are_counted() -> None:
    shown = kp.show(FRAME, rows=1)
    assert len(shown.rows) == 1
    assert "2 more rows are not shown." in shown._repr_html_()
    assert "2 more rows are not shown." in repr(shown)


def test_an_empty_frame_says_so() -> None:
    assert kp.show(FRAME.head(0))._repr_html_() == "<p>No rows.</p>"
    assert repr(kp.show(FRAME.head(0))) == "No rows."


def test_a_column_that_there_is_not_is_named_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match=r"'amount'.*total_minor"):
        kp.show(FRAME, ["amount"])
