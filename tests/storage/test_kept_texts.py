"""Texts that are kept in a temporary file."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from kycpack.storage.kept_texts import KeptTexts

_TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=3))


@given(_TEXTS, _TEXTS)
def test_each_is_there_once_in_the_order_in_which_it_came(first: list[str], later: list[str]) -> None:
    kept = KeptTexts(first)
    kept.add(later)
    expected = list(dict.fromkeys(first + later))
    assert [*kept] == kept[:] == expected
    assert len(kept) == len(expected)
    assert list(kept.sorted()) == sorted(expected)


def test_many_texts_are_not_in_memory() -> None:
    tracemalloc.start()
    try:
        kept = KeptTexts(f"c-{number:034}" for number in range(30_000))
        assert sum(map(len, kept)) == sum(map(len, kept.sorted())) == 36 * len(kept)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000
