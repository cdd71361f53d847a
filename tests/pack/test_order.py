"""An order is a small file that says exactly what a pack is made with."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from kycpack.errors import InputError
from kycpack.pack import Order, read_order


def test_an_order_reads_back_as_it_was_written(tmp_path: Path) -> None:
    order = Order("2026-06-30T12:00:00Z", "case-1", "A. Analyst", "", "GB")
    path = tmp_path / "order.json"
    path.write_bytes(order.dump())
    assert read_order(path) == order


def test_an_instant_is_kept_in_utc() -> None:
    assert Order("2026-06-30T14:00:00+02:00", "c").instant == datetime(2026, 6, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "content",
    [
        b"[]",
        b"{}",
        b"not json",
        b'{"as_of":"2026-06-30T12:00:00Z"}',
        b'{"as_of":1,"case_id":"c"}',
        b'{"as_of":"2026-06-30T12:00:00Z","case_id":"c","decision":"approve"}',
    ],
)
def test_what_is_no_order_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "order.json"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_order(path)


NEWER = {
    "schema": "kycpack-newer-pack-1",
    "root": "0" * 64,
    "customer_id": "C-1",
    "evidence_root": "1" * 64,
    "sentences": {"The names do not match (E-01)": "The names do not match: “A”; “B” (E-01)"},
}


def test_what_is_kept_of_a_newer_pack_reads_back_as_it_was_written(tmp_path: Path) -> None:
    order = Order("2026-06-30T12:00:00Z", "case-1", newer=NEWER)
    for name, content in order.files().items():
        (tmp_path / name).write_bytes(content)
    assert read_order(tmp_path / "order.json") == order


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "another"},
        {"root": 5},
        {"customer_id": None},
        {"sentences": []},
        {"sentences": {"The names do not match (E-01)": 5}},
        {"sentences": {"The names do not match (E-01)": "All names agree (E-01)"}},
        {"sentences": {"The names do not match (E-01)": "The names do not match: “A” (E-02)"}},
        {"more": ""},
    ],
)
def test_other_words_in_place_of_a_finding_of_the_ledger_are_no_newer_pack(
    tmp_path: Path, change: dict
) -> None:
    order = Order("2026-06-30T12:00:00Z", "case-1", newer=NEWER | change)
    for name, content in order.files().items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=r"newer-pack\.json"):
        read_order(tmp_path / "order.json")
