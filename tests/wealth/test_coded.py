"""Whole numbers in columns: the distinct ones, those among others, and the text of each code."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kycpack.wealth.prepare.coded import (
    distinct_of,
    first_of_each,
    is_in,
    joint_code,
    pick,
    sorted_by,
    text_column,
)

_WIDE = st.integers(-3, 3) | st.integers(-(2**63), 2**63 - 1)
_NUMBERS = st.lists(_WIDE, max_size=12).map(lambda made: np.array(made, dtype=np.int64))


@given(_NUMBERS, _NUMBERS)
def test_numbers_are_distinct_and_among_others_as_in_sets(values: np.ndarray, some: np.ndarray) -> None:
    assert distinct_of(values).tolist() == sorted(set(values.tolist()))
    assert is_in(values, some).tolist() == [one in set(some.tolist()) for one in values.tolist()]


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(0, 3)), max_size=12))
def test_the_first_of_each_group_has_its_least_key(made: list[tuple[int, int]]) -> None:
    group, key = (np.array([one[place] for one in made], dtype=np.int64) for place in (0, 1))
    first = first_of_each(group, key)
    assert group[first].tolist() == sorted(set(group.tolist()))
    assert key[first].tolist() == [key[group == one].min() for one in group[first]]


@given(st.lists(st.integers(-1, 2), max_size=12))
def test_a_column_has_the_texts_that_are_picked(made: list[int]) -> None:
    texts, codes = np.array(["rent", "", "pay"], dtype=object), np.array(made, dtype=np.int64)
    column = text_column(texts, codes)
    assert [None if is_missing else text for text, is_missing in zip(column, column.isna(), strict=True)] == (
        pick(texts, codes, None).tolist()
    )


@given(st.lists(st.tuples(_WIDE, _WIDE, st.booleans()), max_size=12), st.sampled_from([1, 5_000]))
def test_rows_are_sorted_by_one_column_after_another(made: list[tuple[int, int, bool]], times: int) -> None:
    rows = made * times if len(made) > 2 else made
    columns = [
        np.array([one[place] for one in rows], dtype=dtype)
        for place, dtype in enumerate((np.int64, np.int64, np.bool_))
    ]
    assert sorted_by(*columns).tolist() == sorted(range(len(rows)), key=lambda at: rows[at])
    places = {value: place for place, value in enumerate(sorted(set(rows)))}
    assert joint_code(*columns).tolist() == [places[row] for row in rows]
