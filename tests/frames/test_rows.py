"""The columns of frames as plain lists, and frames of plain lists."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from kycpack.frames.rows import frame_of, plain_rows, records, values_of, with_dtypes

_WORDS = st.lists(st.one_of(st.none(), st.sampled_from(["", "booked", "pending", "É", "None", "<NA>"])))


@given(_WORDS, st.sampled_from(["category", "string[pyarrow]", "string[python]", "object"]))
def test_the_values_of_a_column_are_those_that_pandas_gives(words: list[str | None], dtype: str) -> None:
    column = pd.Series(words, dtype="string[pyarrow]").astype(dtype)
    assert [repr(value) for value in values_of(column.array)] == [repr(value) for value in column.tolist()]


def test_a_column_with_many_more_categories_than_rows_is_read_the_same() -> None:
    column = pd.Series([f"word {number}" for number in range(500)], dtype="category").iloc[[7, 3, 7]]
    assert values_of(column.array) == ["word 7", "word 3", "word 7"]


@given(_WORDS, st.sampled_from(["category", "string[pyarrow]", "object"]))
def test_rows_as_dictionaries_hold_what_pandas_gives(words: list[str | None], dtype: str) -> None:
    frame = pd.DataFrame(
        {
            "word": pd.Series(words, dtype="string[pyarrow]").astype(dtype),
            "count": pd.Series([None if word is None else len(word) for word in words], dtype="Int64"),
            "booked_on": pd.Series(
                [None if word is None else pd.Timestamp("2026-05-25") for word in words],
                dtype="datetime64[s]",
            ),
            "ids": pd.Series([["E-1"]] * len(words), dtype=object),
            "place": np.arange(len(words)),
            "flag": np.arange(len(words)) > 1,
            "share": np.arange(len(words)) / 2,
        }
    )
    assert [list(map(repr, row.items())) for row in records(frame)] == [
        list(map(repr, row.items())) for row in frame.to_dict("records")
    ]
    assert [list(row) for row in records(frame, "count")] == [["count"]] * len(words)


def test_plain_rows_have_none_for_what_is_missing_and_nat_for_a_moment() -> None:
    frame = pd.DataFrame(
        {
            "word": pd.Series(["a", None], dtype="string[pyarrow]"),
            "kind": pd.Series([None, "b"], dtype="category"),
            "count": pd.Series([None, 2], dtype="Int64"),
            "flag": pd.Series([True, None], dtype="boolean"),
            "booked_on": pd.Series([None, pd.Timestamp("2026-05-25")], dtype="datetime64[s]"),
        }
    )
    (first, second), order = plain_rows(frame), ("booked_on", "flag", "word")
    assert list(first) == ["a", None, None, True, pd.NaT]
    assert list(second) == [None, "b", 2, None, pd.Timestamp("2026-05-25")]
    assert [type(value) for value in (first.flag, second.count)] == [bool, int]
    assert [list(row) for row in plain_rows(frame.iloc[1:], *order)] == [[second.booked_on, None, None]]
    assert plain_rows(frame.iloc[:0]) == []


@given(st.lists(st.tuples(st.one_of(st.none(), st.text()), st.lists(st.text(), min_size=2, max_size=2))))
def test_a_frame_of_columns_is_the_one_that_pandas_makes_of_series(
    made: list[tuple[str | None, list[str]]],
) -> None:
    words, lists = [word for word, _ in made], [members for _, members in made]
    frame = frame_of({"word": words, "ids": lists}, {"ids": "object"})
    wanted = pd.DataFrame(
        {"word": pd.Series(words, dtype="string[pyarrow]"), "ids": pd.Series(lists, dtype="object")}
    )
    pd.testing.assert_frame_equal(frame, wanted)


@given(st.lists(st.tuples(st.one_of(st.none(), st.text(), st.just(pd.NA)), st.integers(0, 9))))
def test_other_dtypes_are_given_as_pandas_gives_them(made: list[tuple[object, int]]) -> None:
    frame = pd.DataFrame(
        {
            "word": np.array([word for word, _ in made], dtype=object),
            "number": np.array([number for _, number in made], dtype=object),
            "kept": [number for _, number in made],
        },
        index=[number + 10 for number in range(len(made))],
    )
    dtypes = {"word": "string", "number": "Int64"}
    pd.testing.assert_frame_equal(with_dtypes(frame, dtypes), frame.astype(dtypes))
    numbers = {"number": "string", "kept": "string"}
    pd.testing.assert_frame_equal(with_dtypes(frame, numbers), frame.astype(numbers))
