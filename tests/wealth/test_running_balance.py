from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kycpack.errors import FrameError
from kycpack.wealth import derive

AS_OF = "2026-06-30"
Ledger = Callable[..., pd.DataFrame]


def chained(ledger: Ledger, amounts: list[int], opening: int = 10_000) -> pd.DataFrame:
    rows, balance = [], opening
    for number, amount in enumerate(amounts):
        balance += amount
        rows.append((f"2026-01-{1 + number // 3:02d}", amount, "X", {"balance_after_minor": balance}))
    return ledger(*rows)


@given(
    amounts=st.lists(st.integers(-500, 500).filter(bool), min_size=1, max_size=60), seed=st.integers(0, 99)
)
def test_a_complete_history_has_no_break_in_whatever_order_and_however_often(
    ledger: Ledger, amounts: list[int], seed: int
) -> None:
    frame = chained(ledger, amounts)
    twice = pd.concat([frame, frame]).sample(frac=1, random_state=seed)
    for given_rows in (frame, frame.sample(frac=1, random_state=seed), twice):
        assert derive(given_rows, as_of=AS_OF).balance_breaks.empty


def test_the_row_after_a_missing_one_is_named(ledger: Ledger) -> None:
    frame = chained(ledger, [100, 250, -70, 33, 41])
    found = derive(frame.drop(index=2), as_of=AS_OF).balance_breaks
    assert found[["account_id", "txn_id", "opens_minor"]].to_numpy().tolist() == [["A1", "T0003", 10_280]]


def test_where_several_rows_of_a_day_are_loose_the_break_does_not_depend_on_their_order(
    ledger: Ledger,
) -> None:
    frame = chained(ledger, [100, 250, -70, 33, 41, 62]).assign(booked_on="2026-01-01").drop(index=[0, 2, 4])
    found = [derive(rows, as_of=AS_OF).balance_breaks for rows in (frame, frame.iloc[::-1])]
    assert found[0]["txn_id"].tolist() == found[1]["txn_id"].tolist() == ["T0005", "T0001"]


def test_a_balance_that_contradicts_its_amount_is_named(ledger: Ledger) -> None:
    frame = chained(ledger, [100, 250, -70, 33, 41])
    frame.loc[1, "amount_minor"] = 260
    assert derive(frame, as_of=AS_OF).balance_breaks["txn_id"].tolist() == ["T0001"]


def test_without_balances_there_is_nothing_to_compare(ledger: Ledger) -> None:
    frame = chained(ledger, [100, 250])
    assert derive(frame.drop(columns="balance_after_minor"), as_of=AS_OF).balance_breaks.empty
    assert derive(frame.assign(balance_after_minor=pd.NA), as_of=AS_OF).balance_breaks.empty


@pytest.mark.parametrize("balance", ["12.5", "much", 0.5])
def test_a_balance_that_cannot_be_read_is_named(ledger: Ledger, balance: Any) -> None:
    frame = chained(ledger, [100, 250]).astype({"balance_after_minor": object})
    frame.loc[1, "balance_after_minor"] = balance
    with pytest.raises(FrameError, match=r"balance_after_minor, row 1"):
        derive(frame, as_of=AS_OF)


def test_the_balance_of_a_row_that_does_not_count_is_checked_too(ledger: Ledger) -> None:
    frame = chained(ledger, [100, 250]).astype({"balance_after_minor": object})
    frame.loc[1, "balance_after_minor"] = 350.5
    with pytest.raises(FrameError, match=r"balance_after_minor, row 1"):
        derive(frame.assign(status=["booked", "pending"]), as_of=AS_OF)
