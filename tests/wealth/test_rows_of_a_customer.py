"""The rows of one customer among many are the same however many there are and however they lie."""

from __future__ import annotations

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

_ROWS = 3_000


@pytest.fixture(scope="module")
def found() -> Wealth:
    frame = pd.DataFrame({"customer_id": ["A"] * 4, "account_id": "a", "txn_id": list("1234"), "booked_on": "2025-01-01", "amount_minor": 5, "currency": "GBP", "description_raw": "X"})  # fmt: skip
    return derive(frame, as_of="2025-12-31")


@pytest.mark.parametrize("rows", [30, _ROWS])
@pytest.mark.parametrize("mixed", [True, False])
def test_the_rows_of_a_customer_are_found_in_their_order(found: Wealth, rows: int, *, mixed: bool) -> None:
    names = [f"C{number % 3}" for number in range(rows)]
    frame = pd.DataFrame({"customer_id": pd.array(names if mixed else sorted(names), dtype="string"), "place": range(rows)})  # fmt: skip
    for name in ("C0", "C1", "C2", "C9"):
        expected = frame[(frame["customer_id"] == name).to_numpy()]
        pd.testing.assert_frame_equal(found.of(frame, name), expected)
    alone = frame.assign(customer_id="C0")
    pd.testing.assert_frame_equal(found.of(alone, "C0"), alone)


def test_what_was_found_of_one_frame_is_not_taken_for_another(found: Wealth) -> None:
    for shift in range(5):
        frame = pd.DataFrame({"customer_id": [f"C{(number + shift) % 3}" for number in range(_ROWS)]})
        assert found.of(frame, "C0").index[0] == (-shift) % 3


def test_rows_that_were_handed_out_may_be_changed(found: Wealth) -> None:
    frame = pd.DataFrame({"customer_id": sorted(["C0", "C1"] * _ROWS), "place": 1})
    mine = found.of(frame, "C1")
    mine["place"] = 2
    assert set(frame["place"]) == {1}
