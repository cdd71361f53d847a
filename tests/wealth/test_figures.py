from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.errors import InputError
from kycpack.wealth import derive
from kycpack.wealth.judge.figures import (
    OUTSIDE,
    balance_by_day,
    credits_by_month,
    ledger_steps,
    stream_calendar,
)

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
PAY = [
    (f"2025-{day}", 200_000, "ACME LTD SALARY")
    for day in ("01-31", "02-28", "04-30", "05-30", "06-30", "07-31")
]


def test_months_stack_to_all_credits_and_a_month_without_any_is_there(ledger: Ledger) -> None:
    wealth = derive(
        ledger(*PAY, ("2025-05-05", 4_000, "X"), ("2025-06-06", 9_000, "SHOP REFUND")), as_of=AS_OF
    )
    table = credits_by_month(wealth, "C1", "GBP")
    assert [str(month) for month in table.index] == [f"2025-0{month}" for month in range(1, 8)]
    assert table.columns.tolist() == [wealth.streams["stream_id"].iloc[0], OUTSIDE]
    assert table.loc["2025-03"].sum() == 0
    assert table.to_numpy().sum() == 1_204_000
    assert credits_by_month(wealth, "C1", "EUR").empty


def test_a_calendar_shows_what_was_paid_and_what_is_missing(ledger: Ledger) -> None:
    wealth = derive(ledger(*PAY), as_of=AS_OF)
    days = stream_calendar(wealth, wealth.streams["stream_id"].iloc[0])
    assert days["kind"].tolist() == ["paid", "paid", "missing", "paid", "paid", "paid", "paid"]
    assert str(days["expected_on"].iloc[2].date()) == "2025-03-31"
    with pytest.raises(InputError, match="stream"):
        stream_calendar(wealth, "S-none")


def test_balances_are_the_banks_own_and_carried_forward(ledger: Ledger) -> None:
    frame = ledger(
        ("2025-01-01", 5, "A", {"balance_after_minor": 105}),
        ("2025-01-02", 5, "A", {"account_id": "A2", "balance_after_minor": 50}),
        ("2025-01-03", 5, "A", {"balance_after_minor": 110}),
    )
    table = balance_by_day(frame, "C1", "GBP")
    assert table["A1"].tolist() == [105, 105, 110]
    assert table["A2"].isna().tolist() == [True, False, False]
    assert balance_by_day(frame.drop(columns="balance_after_minor"), "C1", "GBP").empty


def test_steps_of_the_ledger_end_at_all_credits(ledger: Ledger) -> None:
    wealth = derive(ledger(*PAY, ("2025-05-05", 40_000, "X")), as_of=AS_OF)
    steps = ledger_steps(wealth, "C1", "GBP")
    assert steps["to_minor"].iloc[-1] == steps["to_minor"].iloc[-2] == 1_240_000
    assert (steps["from_minor"].iloc[1:-1].to_numpy() == steps["to_minor"].iloc[:-2].to_numpy()).all()
