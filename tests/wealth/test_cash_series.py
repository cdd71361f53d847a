"""Regular cash, which names no payer, among other cash."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.streams.streams import nameless_series

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
MONTHS = range(1, 13)
STRANGERS = ((2, 9, 71_000), (3, 27, 18_500), (5, 2, 140_000), (8, 11, 52_300), (10, 30, 99_900))


def cash(
    ledger: Ledger, bonus: dict[int, int], others: tuple[tuple[int, int, int], ...] = STRANGERS
) -> pd.DataFrame:
    """A year of cash of 640.00 on the 14th, other amounts in some months, beside what strangers pay in."""
    own = [
        (f"2025-{month:02d}-14", bonus.get(month, 64_000), "CASH DEPOSIT", {"txn_id": f"own{month:02d}"})
        for month in MONTHS
    ]
    other = [
        (f"2025-{month:02d}-{day:02d}", amount, "CASH DEPOSIT", {"txn_id": f"other{number}"})
        for number, (month, day, amount) in enumerate(others)
    ]
    return ledger(*own, *other)


@pytest.mark.parametrize(
    "bonus",
    [
        {},
        {6: 83_000},
        {7: 150_000, 12: 175_000},
        {11: 90_000, 12: 98_000},
        {1: 81_000, 2: 120_000},
        {4: 41_000},
    ],
)
def test_months_with_a_bonus_belong_to_the_series_and_strangers_deposits_do_not(
    ledger: Ledger, bonus: dict[int, int]
) -> None:
    wealth = derive(cash(ledger, bonus), as_of=AS_OF)
    assert wealth.streams["cadence"].tolist() == ["monthly"]
    inside = wealth.credits.dropna(subset=["stream_id"])["txn_id"]
    assert set(inside) == {f"own{month:02d}" for month in MONTHS}
    assert wealth.streams["total_minor"].tolist() == [sum(bonus.get(month, 64_000) for month in MONTHS)]


def test_a_strangers_deposit_of_the_same_amount_is_left_out(ledger: Ledger) -> None:
    wealth = derive(cash(ledger, {}, ((5, 23, 64_000),)), as_of=AS_OF)
    assert set(wealth.credits.dropna(subset=["stream_id"])["txn_id"]) == {
        f"own{month:02d}" for month in MONTHS
    }


def test_of_two_deposits_on_the_day_of_a_bonus_the_larger_is_it(ledger: Ledger) -> None:
    wealth = derive(cash(ledger, {9: 85_000}, ((9, 14, 52_000),)), as_of=AS_OF)
    assert set(wealth.credits.dropna(subset=["stream_id"])["txn_id"]) == {
        f"own{month:02d}" for month in MONTHS
    }


def test_cash_at_random_is_no_stream(ledger: Ledger) -> None:
    rng = np.random.default_rng(5)
    rows = [
        (
            str(date(2024, 1, 1) + timedelta(days=int(rng.integers(0, 725)))),
            int(rng.choice([5_000, 10_000, 20_000, 50_000])),
            "CASH DEPOSIT",
            {"customer_id": f"C{customer}", "txn_id": f"T{customer}-{number}"},
        )
        for customer in range(150)
        for number in range(int(rng.integers(4, 24)))
    ]
    streams = derive(ledger(*rows), as_of=AS_OF).streams
    assert len(set(streams["customer_id"])) <= 1


def in_series(*extra: tuple[str, int], usual: int = 64_000, first: int = 1, country: str = "GB") -> set[str]:
    """Return which of some deposits belong to the series of one amount on the 14th of each month from `first` on."""
    deposits = [(f"2025-{month:02d}-14", usual) for month in range(first, 13)] + list(extra)
    days = np.array([np.datetime64(day, "D").astype(np.int64) for day, _ in deposits])
    amounts = np.array([amount for _, amount in deposits])
    series, _ = nameless_series(np.zeros(len(days), dtype=np.int64), days, amounts, country)
    return {f"{day} {amount}" for (day, amount), number in zip(deposits, series, strict=True) if number}


@pytest.mark.parametrize(
    ("amount", "belongs"), [(25_600, True), (25_599, False), (192_000, True), (192_001, False)]
)
def test_on_an_open_slot_an_amount_of_the_same_order_belongs_to_the_series(
    amount: int,
    belongs: bool,  # noqa: FBT001
) -> None:
    """From two fifths of the usual amount to three times as much."""
    assert (f"2025-03-14 {amount}" in in_series(("2025-03-14", amount), first=4)) is belongs


def test_a_series_begins_at_most_two_months_before_its_usual_amount() -> None:
    before = [("2025-01-14", 80_000), ("2025-02-14", 90_000), ("2025-03-14", 70_000)]
    found = in_series(*before, first=4)
    assert {"2025-02-14 90000", "2025-03-14 70000"} < found
    assert "2025-01-14 80000" not in found


def test_three_equal_deposits_are_a_series_and_two_are_not() -> None:
    assert len(in_series(first=10)) == 3
    assert in_series(first=11) == set()


def test_a_larger_deposit_on_an_open_slot_comes_before_a_smaller_one_that_is_nearer() -> None:
    found = in_series(("2025-03-14", 60_000), ("2025-03-14", 90_000), first=4)
    assert "2025-03-14 90000" in found
    assert "2025-03-14 60000" not in found


def test_cash_of_another_customer_does_not_decide_between_two_series() -> None:
    mine = [(month, {5: 11_000}.get(month, 10_000 if month < 5 else 12_000)) for month in range(1, 10)]
    days = np.array(
        [np.datetime64(f"2025-{month:02d}-14").astype("datetime64[D]").astype(np.int64) for month, _ in mine]
    )
    amounts = np.array([amount for _, amount in mine], dtype=np.int64)
    alone, _ = nameless_series(np.zeros(len(days), dtype=np.int64), days, amounts, "GB")
    groups = np.repeat(np.array([0, 1], dtype=np.int64), len(days))
    both, _ = nameless_series(groups, np.tile(days, 2), np.concatenate([amounts[::-1], amounts]), "GB")
    assert alone[4] == alone[0]
    assert both[len(days) :].tolist() == alone.tolist()
