"""A table of values by key in a temporary file."""

from __future__ import annotations

import sqlite3
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.storage.disk_table import DiskTable

ROWS = st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), st.integers(0, 99)))


@given(ROWS)
def test_values_come_in_the_order_of_python_and_equal_keys_in_the_order_given(
    rows: list[tuple[str, int]],
) -> None:
    table = DiskTable(rows)
    assert list(table.values_by_key()) == [value for _, value in sorted(rows, key=lambda row: row[0])]
    assert list(table.rows()) == rows
    assert table.count_keys() == len(dict(rows))
    assert {key: table.get(key) for key, _ in rows} == dict(rows)


def test_a_key_that_was_removed_is_gone_and_the_others_stay() -> None:
    table = DiskTable([("a", 1), ("b", 2), ("a", 3)])
    table.remove("a")
    assert table.get("a") is None
    assert list(table.rows()) == [("b", 2)]


def test_a_temporary_file_that_cannot_be_used_is_an_error_of_the_disk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = DiskTable([("a", 1)])
    monkeypatch.setattr(table, "_connection", sqlite3.connect("file:nowhere?mode=memory", uri=True))
    with pytest.raises(OSError, match="a temporary file cannot be used"):
        table.get("a")


def test_its_rows_are_not_in_memory() -> None:
    tracemalloc.start()
    try:
        table = DiskTable((f"customer-{number}", number) for number in range(20_000))
        assert sum(1 for _ in table.values_by_key()) == 20_000
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_another_thread_may_read_it_and_let_it_go() -> None:
    held = [DiskTable([("b", 2), ("a", 1)])]
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: [*held[0].values_by_key()]).result() == [1, 2]
        pool.submit(held.clear).result()
