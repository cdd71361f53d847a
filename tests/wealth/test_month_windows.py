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


def level_stream(ledger: Ledger, step: pd.DateOffset, data_ends: str) -> pd.Series:
    """Level payments since 2023, beside daily shopping, in data that ends on a given day."""
    days = [
        one
        for one in (pd.Timestamp("2023-01-06") + number * step for number in range(200))
        if str(one.date()) <= data_ends
    ]
    paid = [(str(day.date()), 140_000, "HARTMOOR DESIGN LTD SALARY") for day in days]
    shop = [
        (str(day.date()), -1_500, "CORNER BAKERY")
        for day in pd.date_range("2023-01-02", data_ends, freq="2D")
    ]
    return derive(
        ledger(*paid, *shop, (data_ends, -1_500, "CORNER BAKERY")), as_of="2026-01-05"
    ).streams.iloc[0]


ENDS = ["2025-10-31", "2025-11-05", "2025-11-13", "2025-11-19", "2025-11-27", "2025-12-04", "2025-12-31"]


@pytest.mark.parametrize("data_ends", ENDS)
@pytest.mark.parametrize(("weeks", "a_year"), [(1, 52), (2, 26), (4, 13)])
def test_level_pay_by_the_week_is_level_wherever_the_data_ends(
    ledger: Ledger, weeks: int, a_year: int, data_ends: str
) -> None:
    stream = level_stream(ledger, pd.DateOffset(weeks=weeks), data_ends)
    a_month = round(140_000 * a_year / 12)
    assert (stream["monthly_3_minor"], stream["monthly_12_minor"], stream["trend"]) == (
        a_month,
        a_month,
        "level",
    )


@pytest.mark.parametrize("data_ends", ENDS)
@pytest.mark.parametrize("months", [1, 2, 3, 5, 6, 12])
def test_level_payments_are_never_rising_or_falling(ledger: Ledger, months: int, data_ends: str) -> None:
    stream = level_stream(ledger, pd.DateOffset(months=months), data_ends)
    assert pd.isna(stream["trend"]) or stream["trend"] == "level"
    assert (
        pd.isna(stream["monthly_3_minor"])
        or stream["monthly_3_minor"] > 0
        or stream["cadence"] == "irregular"
    )


@pytest.mark.parametrize(("weeks", "periods"), [(1, 13), (4, 3)])
def test_a_raise_by_the_week_is_rising_and_its_basis_is_said(
    ledger: Ledger, weeks: int, periods: int
) -> None:
    days = pd.date_range("2024-01-05", "2025-12-26", freq=f"{7 * weeks}D")
    pay = [
        (str(day.date()), 60_000 if str(day) > "2025-09-01" else 50_000, "HARTMOOR DESIGN LTD SALARY")
        for day in days
    ]
    wealth = derive(ledger(("2024-01-02", -1_000, "CORNER BAKERY"), *pay), as_of="2026-01-05")
    stream = wealth.streams.iloc[0]
    assert stream["trend"] == "rising"
    for length in (3, 12):
        first = stream[f"monthly_{length}_from_on"]
        within = wealth.credits[wealth.credits["booked_on"] >= first]["amount_minor"].sum()
        assert stream[f"monthly_{length}_sum_minor"] == within
        weeks_seen = weeks * len(wealth.credits[wealth.credits["booked_on"] >= first])
        assert stream[f"monthly_{length}_minor"] == round(within * 52 / (12 * weeks_seen))
    words = "weekly" if weeks == 1 else "four-weekly"
    assert f"Over the last {periods} {words} periods, " in wealth.explain(stream["stream_id"])
    assert f"in {periods} payments; {52 // weeks} such periods count as 12 months)." in wealth.explain(
        stream["stream_id"]
    )


def test_weekly_pay_that_has_ended_comes_to_nothing(ledger: Ledger) -> None:
    days = pd.date_range("2024-07-05", "2025-02-28", freq="7D")
    pay = [(str(day.date()), 50_000, "HARTMOOR DESIGN LTD SALARY") for day in days]
    shop = [
        (str(day.date()), -1_500, "CORNER BAKERY")
        for day in pd.date_range("2024-05-10", "2025-06-30", freq="D")
    ]
    stream = derive(ledger(*pay, *shop), as_of="2025-07-05").streams.iloc[0]
    assert (stream["monthly_3_minor"], stream["trend"]) == (0, "falling")


def test_invoices_without_a_calendar_that_clearly_grow_are_rising(ledger: Ledger) -> None:
    days = ["2025-01-09", "2025-02-25", "2025-03-03", "2025-05-20", "2025-06-02", "2025-08-21", "2025-09-04"]
    late = ["2025-10-06", "2025-10-17", "2025-11-03", "2025-11-24", "2025-12-01", "2025-12-19"]
    rows = [(day, 90_000 + 37 * place, "BIRCHALL STUDIO INVOICE") for place, day in enumerate([*days, *late])]
    wealth = derive(
        ledger(("2024-12-20", -1_000, "CORNER BAKERY"), *rows, ("2025-12-31", -1_000, "CORNER BAKERY")),
        as_of="2026-01-05",
    )
    assert wealth.streams[["cadence", "trend"]].to_numpy().tolist() == [["irregular", "rising"]]
