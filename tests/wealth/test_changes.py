"""A payer that changes the pay day or the cadence stays one stream, and its next date follows the new calendar."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.judge.stream_calendar import stream_calendar
from kycpack.wealth.streams.cadence import IRREGULAR, classify_cadences
from kycpack.wealth.streams.changes import find_changes

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def days(start: str, step: int, count: int) -> list[date]:
    return [day.date() for day in pd.date_range(start, periods=count, freq=f"{step}D")]


def months(day: int, first: int, last: int) -> list[date]:
    return [date(2025, month, day) for month in range(first, last + 1)]


FRIDAYS_THEN_MONDAYS = [*days("2025-01-03", 7, 13), *days("2025-04-07", 7, 13)]
FORTNIGHTS_THEN_FOUR_WEEKS = [*days("2025-01-03", 14, 9), *days("2025-05-23", 28, 5)]
EARLIER_IN_THE_MONTH = [*months(28, 1, 6), *months(15, 7, 12)]
# Pay comes before Christmas and before Good Friday.
THURSDAYS_THEN_FRIDAYS = [
    *days("2024-09-05", 7, 16),
    date(2024, 12, 24),
    *days("2025-01-02", 7, 4),
    *days("2025-01-31", 7, 11),
    date(2025, 4, 17),
    *days("2025-04-25", 7, 6),
]
LAST_ON_MONDAYS = [*days("2024-01-05", 7, 100), *days("2025-12-01", 7, 3)]
LAST_EARLIER_IN_THE_MONTH = [
    *(
        day.replace(year=year)
        for year in (2023, 2024, 2025)
        for day in months(28, 1, 9 if year == 2025 else 12)
    ),
    *months(15, 10, 12),
]
A_WEEK_SLIPPED = [*days("2025-01-03", 14, 8), *days("2025-05-02", 14, 8)]


@pytest.mark.parametrize(
    ("dates", "cadence", "earlier", "changed"),
    [
        (FRIDAYS_THEN_MONDAYS, "weekly", "weekly", "2025-04-07"),
        (FORTNIGHTS_THEN_FOUR_WEEKS, "four_weekly", "fortnightly", "2025-05-23"),
        (EARLIER_IN_THE_MONTH, "monthly", "monthly", "2025-07-15"),
        (THURSDAYS_THEN_FRIDAYS, "weekly", "weekly", "2025-01-31"),
        (A_WEEK_SLIPPED, "fortnightly", "fortnightly", "2025-05-02"),
        (LAST_ON_MONDAYS, "weekly", "weekly", "2025-12-01"),
        (LAST_EARLIER_IN_THE_MONTH, "monthly", "monthly", "2025-10-15"),
    ],
)
def test_the_calendar_that_holds_now_is_the_streams(
    ledger: Ledger, dates: list[date], cadence: str, earlier: str, changed: str
) -> None:
    frame = ledger(*[(str(day), 100_000, "ACME LTD SALARY") for day in dates])
    streams = derive(frame, as_of=dates[-1]).streams
    assert streams["count"].tolist() == [len(dates)]
    stream = streams.iloc[0]
    assert (stream["cadence"], stream["earlier_cadence"]) == (cadence, earlier)
    assert stream["next_on"] > stream["last_on"]
    assert abs((stream["calendar_changed_on"] - pd.Timestamp(changed)).days) <= 28
    assert "since" in stream["description"]
    assert stream["filled_count"] == len(dates)


@pytest.mark.parametrize("later", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(
    ("start", "step", "count", "first_after"),
    [
        ("2025-01-03", 7, 12, 10),
        ("2025-01-03", 7, 47, 3),
        ("2025-01-03", 14, 20, 21),
        ("2025-01-06", 28, 13, 40),
    ],
)
def test_the_next_date_is_after_the_last_payment_and_a_payer_that_stopped_has_ceased(
    start: str, step: int, count: int, first_after: int, later: int, ledger: Ledger
) -> None:
    """Also where the last payments are off the calendar, and too few to show another one."""
    dates = days(start, step, count)
    dates += days(str(dates[-1] + timedelta(days=first_after)), step, later)
    pay = [(str(day), 80_119, "ACME LTD SALARY") for day in dates]
    stream = derive(ledger(*pay), as_of=dates[-1]).streams.iloc[0]
    assert stream["next_on"] > stream["last_on"] == pd.Timestamp(dates[-1])
    spent = [(str(day), -1_000, "SHOP") for day in days(str(dates[-1]), 7, 30)]
    assert derive(ledger(*pay, *spent), as_of="2027-12-31").streams["status"].tolist() == ["ceased"]


def test_a_month_without_pay_is_no_change_of_calendar(ledger: Ledger) -> None:
    dates = [day for day in months(25, 1, 12) if day.month not in (4, 9)]
    stream = derive(
        ledger(*[(str(day), 100_000, "ACME LTD SALARY") for day in dates]), as_of="2025-12-31"
    ).streams.iloc[0]
    assert pd.isna(stream["calendar_changed_on"])
    assert (stream["filled_count"], stream["expected_count"]) == (10, 12)


def test_random_dates_seldom_look_like_two_calendars() -> None:
    random = np.random.default_rng(8)
    lists = [
        np.unique(19_000 + random.choice(365, count, replace=False))
        for count in (6, 8, 12)
        for _ in range(400)
    ]
    groups = np.repeat(np.arange(len(lists)), [len(one) for one in lists])
    values = np.concatenate(lists)
    found, _ = find_changes(classify_cadences(groups, values, len(lists)), groups, values, "GB")
    assert (found.code != IRREGULAR).mean() <= 0.015


def test_money_every_two_months_is_irregular_and_said_to_come_every_two_months(ledger: Ledger) -> None:
    frame = ledger(
        *[(f"2025-{month:02d}-14", 30_000 + month, "NORTH PRESS ROYALTIES") for month in range(1, 13, 2)]
    )
    wealth = derive(frame, as_of=AS_OF)
    stream = wealth.streams.iloc[0]
    assert stream["cadence"] == "irregular"
    assert "It comes about every two months" in wealth.explain(stream["stream_id"])


def test_a_dip_is_said_with_its_dates_and_amounts(ledger: Ledger) -> None:
    frame = ledger(
        *[
            (f"2025-{month:02d}-28", 125_000 if month in (5, 6) else 250_000, "ACME SALARY")
            for month in range(1, 13)
        ]
    )
    wealth = derive(frame, as_of=AS_OF)
    said = wealth.explain(wealth.streams["stream_id"].iloc[0])
    assert (
        "A dip: 2 payments from 28 May 2025 to 28 Jun 2025, the lowest 1,250.00 GBP, are below three quarters of the median; "
        "the median of the others is 2,500.00 GBP."
    ) in said


@pytest.mark.parametrize(("amount", "alike"), [(252_000, True), (410_000, False)])
def test_an_employer_under_a_new_name_is_linked_and_said(ledger: Ledger, amount: int, *, alike: bool) -> None:
    frame = ledger(
        *[(f"2025-{month:02d}-28", 250_000, "ACME LTD SALARY") for month in range(1, 7)],
        *[(f"2025-{month:02d}-28", amount, "BOREAL GROUP PLC SALARY") for month in range(7, 13)],
    )
    wealth = derive(frame, as_of=AS_OF)
    after = wealth.streams[wealth.streams["follows_stream_id"].notna()].iloc[0]
    said = wealth.explain(after["stream_id"])
    assert ("perhaps the same employer under a new name" in said) == alike
    assert ("perhaps a change of employer" in said) != alike


def test_the_calendar_of_a_stream_that_changed_shows_the_days_expected_before(ledger: Ledger) -> None:
    fridays, mondays = (
        pd.date_range("2025-01-03", periods=16, freq="7D"),
        pd.date_range("2025-04-28", periods=16, freq="7D"),
    )
    frame = ledger(*[(str(day.date()), 60_000, "ACME WAGES") for day in [*fridays, *mondays]])
    wealth = derive(frame, as_of=AS_OF)
    assert wealth.streams["calendar_changed_on"].notna().all()
    shown = stream_calendar(wealth, wealth.streams["stream_id"].iloc[0])
    assert shown["kind"].eq("paid").sum() == 32
    early = shown[shown["expected_on"] < "2025-04-20"]
    assert set(early["expected_on"].dt.day_name()) == {"Friday"}
