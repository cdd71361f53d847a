"""Sums, days and numbers that meet a limit exactly, and those that just miss it: on which side each of them falls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.judge.changes import odd_payments, odd_words
from kycpack.wealth.judge.open_questions import pay_beside_benefit

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
BY_BANK = {"bank_code": "PMNT-RCDT-SALA"}
SALARY = [(f"2025-{month:02d}-28", 200_000, "ACME LTD", BY_BANK) for month in range(1, 13)]
RENT = [(f"2025-{month:02d}-01", 95_000, "P HALLIDAY RENT") for month in range(1, 13)]
SAVED = ("2025-12-30", -500_000, "NS&I PREMIUM BONDS")


def asked(frame: pd.DataFrame, amount: str) -> Any:
    return derive(frame, as_of=AS_OF).sufficiency("C1", "P1", amount, "GBP")


@pytest.mark.parametrize(
    ("last", "answer"), [("2025-01-27", "cannot tell"), ("2025-01-28", "partly supported")]
)
def test_four_weeks_of_data_are_enough_to_say_that_a_payment_is_not_supported(
    ledger: Ledger, last: str, answer: str
) -> None:
    rows = [("2025-01-01", 200_000, "ACME LTD", BY_BANK), (last, -100, "SHOP")]
    found = asked(ledger(*rows), "9000.00")
    assert (found.answer, found.supported_minor) == (answer, 199_900)
    assert ("Fewer than 28 days were seen." in found.basis) == (answer == "cannot tell")


@pytest.mark.parametrize(
    ("rows", "amount", "answer"),
    [
        (SALARY, "24000.00", "supported"),
        (SALARY, "24000.01", "partly supported"),
        ([*SALARY, *RENT], "35400.00", "cannot tell"),  # all of the rent is needed
        ([*SALARY, *RENT], "35400.01", "partly supported"),
        ([*SALARY, SAVED], "24000.00", "cannot tell"),  # all of the savings are needed
        ([*SALARY, SAVED], "24000.01", "partly supported"),
        ([("2025-01-10", *SAVED[1:]), *SALARY], "29000.00", "partly supported"),  # saved before any pay came
    ],
)
def test_a_payment_of_just_what_was_seen_is_judged_otherwise_than_one_of_a_penny_more(
    ledger: Ledger, rows: list[tuple[object, ...]], amount: str, answer: str
) -> None:
    assert asked(ledger(*rows), amount).answer == answer


def status(ledger: Ledger, *rows: tuple[object, ...]) -> str:
    (found,) = derive(ledger(*rows), as_of=AS_OF).streams["status"]
    return str(found)


@pytest.mark.parametrize(("last", "expected"), [("2025-07-02", "active"), ("2025-07-03", "late")])
def test_a_payment_is_late_from_the_sixth_day_after_it_was_expected(
    ledger: Ledger, last: str, expected: str
) -> None:
    paid = [(f"2025-{month:02d}-28", 200_000, "ACME LTD SALARY") for month in range(1, 6)]
    days = derive(ledger(*paid), as_of=AS_OF).streams
    assert days["cadence"].tolist() == ["monthly"]
    assert status(ledger, *paid, (last, -100, "SHOP")) == expected


@pytest.mark.parametrize(("count", "expected"), [(3, "early"), (4, "active")])
def test_a_stream_is_no_longer_early_with_its_fourth_payment(
    ledger: Ledger, count: int, expected: str
) -> None:
    assert status(ledger, *SALARY[:count]) == expected


@pytest.mark.parametrize(("last", "expected"), [("2025-07-05", "active"), ("2025-07-06", "unknown")])
def test_it_is_not_known_after_95_days_whether_an_irregular_stream_goes_on(
    ledger: Ledger, last: str, expected: str
) -> None:
    days = ["2025-01-02", "2025-01-19", "2025-02-24", "2025-03-03", "2025-04-01"]
    paid = [(day, 150_000 + 7_919 * n, "ACME LTD", BY_BANK) for n, day in enumerate(days)]
    assert derive(ledger(*paid), as_of=AS_OF).streams["cadence"].tolist() == ["irregular"]
    assert status(ledger, *paid, (last, -100, "SHOP")) == expected


def beside(
    ledger: Ledger, benefit: list[str], pay: list[str], minor: int, text: str, payer: str
) -> list[str]:
    rows = [*((day, 40_000, payer) for day in benefit), *((day, minor, text) for day in pay)]
    return [one.message for one in pay_beside_benefit(derive(ledger(*rows), as_of=AS_OF).credits)]


@pytest.mark.parametrize(("second", "is_asked"), [("2025-04-22", True), ("2025-04-23", False)])
def test_a_benefit_goes_on_for_45_days_between_two_payments(
    ledger: Ledger, second: str, *, is_asked: bool
) -> None:
    wages = ["2025-03-20", "2025-04-03"]
    said = beside(ledger, ["2025-03-08", second], wages, 61_000, "TESCO STORES SALARY", "DWP JSA")
    assert bool(said) == is_asked


@pytest.mark.parametrize(
    ("days", "is_asked"), [(["2025-03-20"], False), (["2025-03-20", "2025-03-27"], True)]
)
def test_two_payments_of_wages_beside_a_benefit_are_asked_about(
    ledger: Ledger, days: list[str], *, is_asked: bool
) -> None:
    fortnights = [str(day.date()) for day in pd.date_range("2025-01-07", "2025-06-24", freq="14D")]
    said = beside(ledger, fortnights, days, 61_000, "TESCO STORES SALARY", "DWP JSA")
    assert bool(said) == is_asked


@pytest.mark.parametrize(("minor", "is_asked"), [(19_600, False), (19_601, True)])
@pytest.mark.parametrize("count", [2, 6])
def test_earnings_of_just_the_weekly_limit_are_allowed(
    ledger: Ledger, minor: int, count: int, *, is_asked: bool
) -> None:
    weeks = [str(day.date()) for day in pd.date_range("2025-05-02", periods=count, freq="7D")]
    benefit = [str(day.date()) for day in pd.date_range("2025-04-14", "2025-06-23", freq="7D")]
    said = beside(ledger, benefit, weeks, minor, "TESCO STORES SALARY", "DWP CARERS ALLOWANCE")
    assert bool(said) == is_asked


@pytest.mark.parametrize(("second", "is_asked"), [("2025-06-16", True), ("2025-06-17", False)])
def test_pay_of_45_days_counts_for_the_average_of_a_week(
    ledger: Ledger, second: str, *, is_asked: bool
) -> None:
    benefit = [str(day.date()) for day in pd.date_range("2025-04-14", "2025-06-23", freq="7D")]
    said = beside(
        ledger, benefit, ["2025-05-02", second], 183_000, "TESCO STORES SALARY", "DWP CARERS ALLOWANCE"
    )
    assert bool(said) == is_asked


@pytest.mark.parametrize(("minor", "is_asked"), [(1_999, False), (2_000, True)])
def test_credits_of_20_pounds_each_may_be_pay(ledger: Ledger, minor: int, *, is_asked: bool) -> None:
    weeks = [str(day.date()) for day in pd.date_range("2025-01-08", "2025-06-18", freq="7D")]
    fortnights = [str(day.date()) for day in pd.date_range("2025-01-07", "2025-06-24", freq="14D")]
    assert bool(beside(ledger, fortnights, weeks, minor, "WINSTER LOGISTICS 4711", "DWP JSA")) == is_asked


@pytest.mark.parametrize(("amount", "is_odd"), [(3_000, False), (3_001, True), (333, True), (334, False)])
def test_an_amount_is_unlike_the_others_from_more_than_three_times_the_median(
    amount: int, *, is_odd: bool
) -> None:
    amounts = np.array([1_000, 1_000, 1_000, amount])
    found = odd_payments(np.zeros(4, dtype=np.int64), np.arange(4), amounts, np.array([1_000]))
    assert bool(found) == is_odd


@pytest.mark.parametrize(
    ("count", "said"), [(16, "far from the median: 4 payments"), (15, "the amounts have no usual size")]
)
def test_amounts_have_no_usual_size_if_more_than_one_in_four_is_far_from_the_median(
    count: int, said: str
) -> None:
    assert str(odd_words([(20_000 + day, 9_000) for day in range(4)], count, "GBP")).startswith(said)
