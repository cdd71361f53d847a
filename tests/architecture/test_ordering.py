from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from kycpack.ordering import in_order
from kycpack.storage.paged import Paged


@given(st.lists(st.tuples(st.integers(0, 3), st.text(max_size=2))))
def test_items_are_in_the_order_of_sorted(items: list[tuple[int, str]]) -> None:
    def key(item: tuple[int, str]) -> int:
        return item[0]

    assert list(in_order(items, key)) == sorted(items, key=key)


def test_more_items_than_fit_into_memory_are_in_order_and_take_a_few_bytes_each() -> None:
    def read(first: int, end: int) -> list[str]:
        return [f"{7919 * place % 60_000:0100}" for place in range(first, end)]

    items = Paged(60_000, read)
    tracemalloc.start()
    try:
        for place, item in enumerate(in_order(items, str)):
            assert int(item) == place
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40 * len(items)  # the keys alone are 150 bytes each
