"""The table itself: complete, and about nothing that is not there."""

from __future__ import annotations

from pathlib import Path

from tests.conformance.rows import listed_rows, rows_of


def test_every_row_of_the_interface_has_a_test(covered_rows: dict[str, list[str]]) -> None:
    assert [row for row in listed_rows() if row not in covered_rows] == []


def test_no_test_is_about_a_row_that_is_not_there(covered_rows: dict[str, list[str]]) -> None:
    assert [row for row in covered_rows if row not in listed_rows()] == []


def test_the_list_is_the_interfaces_own(checkout: Path) -> None:
    assert rows_of((checkout / "docs" / "interface.md").read_text(encoding="utf-8")) == listed_rows()
