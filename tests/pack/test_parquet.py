"""Parquet files hold what the frame holds, and nothing of the machine that wrote them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO

import pandas as pd
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from kycpack.frames.plain_table import plain_table
from kycpack.pack.check.spreadsheet import frames_not_shown, read_workbook
from kycpack.pack.compute.parquet import table_bytes
from kycpack.render.workbook import render_workbook


def read(content: bytes) -> pd.DataFrame:
    return pd.read_parquet(BytesIO(content))


@given(st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.text(max_size=8)), max_size=20))
def test_amounts_and_texts_come_back_exactly(rows: list[tuple[int, str]]) -> None:
    rows = [(minor, text) for minor, text in rows if not any("\ud800" <= c <= "\udfff" for c in text)]
    frame = pd.DataFrame(
        {
            "amount_minor": pd.array([r[0] for r in rows], dtype="int64"),
            "text": pd.array([r[1] for r in rows], dtype="string"),
        }
    )
    stored = read(table_bytes(plain_table(frame).arrow))
    assert stored["amount_minor"].tolist() == [row[0] for row in rows]
    assert stored["text"].tolist() == [row[1] for row in rows]


def test_categories_lists_decimals_and_nothing_have_a_plain_form() -> None:
    frame = pd.DataFrame(
        {
            "kind": pd.Categorical(["a", None]),
            "ids": [["E-01", "E-02"], []],
            "amount": pd.Series([Decimal("1.10"), None], dtype=object),
            "on": pd.to_datetime(["2026-01-31", None]).astype("datetime64[s]"),
            "n": pd.array([1, None], dtype="Int64"),
        }
    )
    stored = read(table_bytes(plain_table(frame).arrow))
    assert stored["kind"][0] == "a"
    assert pd.isna(stored["kind"][1])
    assert list(stored["ids"][0]) == ["E-01", "E-02"]
    assert stored["amount"][0] == "1.10"
    assert stored["on"][0] == pd.Timestamp("2026-01-31")
    assert pd.isna(stored["n"][1])


def test_the_file_says_nothing_of_pandas() -> None:
    content = table_bytes(plain_table(pd.DataFrame({"a": [1]})).arrow)
    assert pq.read_schema(BytesIO(content)).metadata is None
    assert b"pandas" not in content


def test_an_empty_frame_keeps_its_columns() -> None:
    frame = pd.DataFrame({"a": pd.array([], dtype="Int64"), "b": pd.Series([], dtype=object)})
    assert list(read(table_bytes(plain_table(frame).arrow)).columns) == ["a", "b"]


def test_objects_of_different_members_keep_their_own_and_whole_numbers() -> None:
    facts = [{"credits": 2, "income_minor": 4_082_684}, {"credits": 1}]
    frame = pd.DataFrame({"shown": facts})
    stored = read(table_bytes(plain_table(frame).arrow))
    assert [json.loads(text) for text in stored["shown"]] == facts
    book = render_workbook([("flags", plain_table(frame))], as_of=datetime(2026, 6, 30, tzinfo=UTC))
    assert list(frames_not_shown(read_workbook(book, "workbook.xlsx"), {"flags": stored})) == []


def test_a_workbook_shows_amounts_and_dates_that_a_frame_holds_as_text() -> None:
    frames = {
        "sources": pd.DataFrame(
            {"amount": ["1914.50", None], "description": ["Pay", "Rent"], "context": ["", ""]}
        ),
        "recommendations": pd.DataFrame({"next_review_on": ["2027-11-29", "not set"]}),
    }
    tables = [(name, plain_table(frame)) for name, frame in frames.items()]
    book = render_workbook(tables, as_of=datetime(2026, 6, 30, tzinfo=UTC))
    sheets = read_workbook(book, "workbook.xlsx")
    assert list(frames_not_shown(sheets, frames)) == []
    assert sheets["sources"][1][0] == 1914.5
    other = {
        "sources": frames["sources"].assign(amount=["1914.51", None]),
        "recommendations": frames["recommendations"].assign(next_review_on=["2027-11-28", "not set"]),
    }
    assert list(frames_not_shown(sheets, other)) == ["recommendations", "sources"]
    assert list(
        frames_not_shown(sheets, frames | {"sources": frames["sources"].assign(amount=["none", None])})
    ) == ["sources"]
