"""Several series of one payer are told apart, and one series stays one."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
Row = tuple[object, ...]


def monthly(day: int, amount: int, text: str, months: range = range(1, 13), step: int = 0) -> list[Row]:
    return [(f"2025-{month:02d}-{day:02d}", amount + step * month, text) for month in months]


def every(days: int, count: int, amount: int, text: str, start: str = "2025-01-03") -> list[Row]:
    dates = pd.date_range(start, periods=count, freq=f"{days}D")
    return [(str(day.date()), amount, text) for day in dates]


def series(frame: pd.DataFrame) -> list[tuple[str, int, int]]:
    streams = derive(frame, as_of=AS_OF).streams
    return sorted(
        (str(row["cadence"]), int(row["count"]), int(row["total_minor"])) for _, row in streams.iterrows()
    )


@pytest.mark.parametrize("text", ["ACME LTD", "ACME LTD SALARY"])
def test_a_salary_and_expenses_of_one_payer_are_two_streams(ledger: Ledger, text: str) -> None:
    frame = ledger(*monthly(28, 250_000, text), *monthly(10, 20_000, text, step=500))
    assert series(frame) == [("monthly", 12, 240_000 + 500 * 78), ("monthly", 12, 3_000_000)]


def test_pay_twice_a_month_stays_one_stream(ledger: Ledger) -> None:
    frame = ledger(*monthly(15, 125_000, "ACME LTD"), *monthly(28, 126_000, "ACME LTD"))
    assert series(frame) == [("semi_monthly", 24, 12 * 251_000)]


def test_weekly_pay_and_a_monthly_commission_are_two_streams(ledger: Ledger) -> None:
    frame = ledger(*every(7, 52, 40_000, "ACME LTD"), *monthly(20, 150_000, "ACME LTD", step=100))
    assert [name for name, _, _ in series(frame)] == ["monthly", "weekly"]


@pytest.mark.parametrize("day", [28, 5])
def test_pay_and_a_pension_from_one_firm_are_two_streams(ledger: Ledger, day: int) -> None:
    pay = monthly(28, 200_000, "NORTHWIND HAULAGE LTD SALARY")
    pension = monthly(day, 60_000, "NORTHWIND HAULAGE PENSION FUND")
    streams = derive(ledger(*pay, *pension), as_of=AS_OF).streams.set_index("total_minor")
    assert sorted(streams.index) == [720_000, 2_400_000]
    assert streams.loc[720_000, "type"] == "pension"
    assert streams.loc[2_400_000, "type"] == "employment"


def test_one_benefit_after_another_is_two_streams(ledger: Ledger) -> None:
    first = every(28, 6, 34_000, "DWP ESA")
    second = every(28, 6, 36_000, "DWP PIP", start="2025-06-20")
    assert series(ledger(*first, *second)) == [("four_weekly", 6, 204_000), ("four_weekly", 6, 216_000)]


@pytest.mark.parametrize(
    ("before", "after"), [("HMRC CHILD BENEFIT", "CHILD BENEFIT"), ("DWP PIP", "PIP DWP PAYMENT LONDON")]
)
def test_a_benefit_that_goes_on_under_a_text_with_more_or_fewer_words_stays_one(
    ledger: Ledger, before: str, after: str
) -> None:
    first = every(28, 6, 10_240, before)
    assert series(ledger(*first, *every(28, 6, 10_240, after, start="2025-06-20"))) == [
        ("four_weekly", 12, 122_880)
    ]
    # Twice as much is another benefit, and so is one on another calendar.
    for rows in (
        every(28, 6, 20_480, after, start="2025-06-20"),
        every(7, 6, 10_240, after, start="2025-06-20"),
    ):
        assert len(series(ledger(*first, *rows))) == 2


@pytest.mark.parametrize("day", [28, 14])
def test_two_firms_of_like_names_that_pay_at_one_time_are_two(ledger: Ledger, day: int) -> None:
    first, second = monthly(28, 200_000, "HARLOWE LOGISTICS"), monthly(day, 90_000, "HARLOW LOGISTICS")
    assert series(ledger(*first, *second)) == [("monthly", 12, 1_080_000), ("monthly", 12, 2_400_000)]


def test_one_firm_spelled_two_ways_stays_one(ledger: Ledger) -> None:
    texts = ["HARLOWE LOGISTICS", "HARLOW LOGISTICS"]
    rows = [(f"2025-{month:02d}-28", 200_000, texts[month * month % 3 % 2]) for month in range(1, 13)]
    assert series(ledger(*rows)) == [("monthly", 12, 2_400_000)]


@pytest.mark.parametrize(("step", "cadence"), [(7, "weekly"), (14, "fortnightly")])
@pytest.mark.parametrize("moved", [(0, 1, -1), (1, -1, 1), (-1, 1, 0), (0, -1, 1)])
def test_three_equal_payments_a_day_beside_their_slots_show_the_habit(
    ledger: Ledger, step: int, cadence: str, moved: tuple[int, ...]
) -> None:
    days = [
        pd.Timestamp(2025, 2, 4) + pd.Timedelta(days=step * number + by) for number, by in enumerate(moved)
    ]
    equal = derive(
        ledger(*((str(day.date()), 41_250, "TARNWAY CLEANING LTD") for day in days)), as_of="2025-12-31"
    )
    assert equal.streams["cadence"].tolist() == [cadence]
    odd = [
        (str(day.date()), 41_250 + 7_777 * number, "TARNWAY CLEANING LTD") for number, day in enumerate(days)
    ]
    assert cadence not in derive(ledger(*odd), as_of="2025-12-31").streams["cadence"].tolist()
