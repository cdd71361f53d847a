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
