"""The monthly equivalent of a stream counts each month's payment once, however a weekend moves it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]


def last_working_days(count: int) -> list[dt.date]:
    return [one.date() for one in pd.bdate_range("2024-06-28", periods=count, freq="BME")]


@pytest.mark.parametrize("data_ends", ["2025-06-30", "2025-06-27", "2025-06-29", "2025-06-15", "2025-07-02"])
@pytest.mark.parametrize("months", [3, 12])
def test_steady_monthly_pay_is_worth_a_months_pay_a_month(
    ledger: Ledger, data_ends: str, months: int
) -> None:
    pay = [
        (str(day), 210_000, "HARTMOOR DESIGN LTD SALARY")
        for day in last_working_days(13)
        if str(day) <= data_ends
    ]
    shop = [
        (str(day.date()), -1_500, "CORNER BAKERY") for day in pd.date_range("2024-06-10", data_ends, freq="D")
    ]
    wealth = derive(ledger(*pay, *shop), as_of="2025-07-05")
    stream = wealth.streams.iloc[0]
    assert stream[f"monthly_{months}_minor"] == 210_000
    assert f"in {months} payments, divided by {months}" in wealth.explain(stream["stream_id"])


def test_pay_that_has_ended_is_counted_in_the_months_it_came(ledger: Ledger) -> None:
    pay = [(str(day), 210_000, "HARTMOOR DESIGN LTD SALARY") for day in last_working_days(8)]
    shop = [
        (str(day.date()), -1_500, "CORNER BAKERY")
        for day in pd.date_range("2024-06-10", "2025-06-30", freq="D")
    ]
    stream = derive(ledger(*pay, *shop), as_of="2025-07-05").streams.iloc[0]
    assert stream["monthly_3_minor"] == 0


def test_weekly_pay_keeps_its_thirteen_weeks(ledger: Ledger) -> None:
    days = pd.date_range("2024-07-05", "2025-06-27", freq="7D")
    pay = [(str(day.date()), 50_000, "HARTMOOR DESIGN LTD SALARY") for day in days]
    stream = derive(ledger(("2024-06-20", -1_000, "CORNER BAKERY"), *pay), as_of="2025-07-05").streams.iloc[0]
    inside = sum(day > pd.Timestamp("2025-03-27") for day in days)
    assert stream["monthly_3_minor"] == round(inside * 50_000 / 3)
