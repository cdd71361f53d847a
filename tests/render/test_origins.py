"""Origins of printed numbers read the same each time they are written."""

from __future__ import annotations

from kycpack.render.origin import count_of


def test_values_without_an_order_are_written_in_one() -> None:
    codes = {f"code-{number:02}" for number in range(20)}
    assert count_of("gaps", code=codes).rows["code"] == tuple(sorted(codes))
    assert count_of("gaps", code=["b", "a"]).rows["code"] == ("b", "a")
