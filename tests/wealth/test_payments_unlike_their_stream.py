"""Single payments that are unlike their stream stand in its sentence, with their amounts and days: a regular series must not hide them."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.models.money import format_minor
from kycpack.wealth import derive
from kycpack.wealth.judge.changes import FAR
from kycpack.wealth.judge.wording import with_odd_words

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
FRIDAYS = [str(day.date()) for day in pd.date_range("2024-01-05", "2025-12-26", freq="7D")]
BELOW_A_LIMIT = [
    ("2025-08-30", 950_000),
    ("2025-09-01", 961_500),
    ("2025-09-04", 970_000),
    ("2025-09-08", 945_500),
    ("2025-09-11", 988_500),
]


def cash(amounts: list[tuple[str, int]]) -> list[tuple[str, int, str]]:
    return [(day, amount, "CASH DEPOSIT") for day, amount in amounts]


def only_stream(ledger: Ledger, *rows: tuple[str, int, str]) -> pd.Series:
    wealth = derive(ledger(("2024-01-02", -1_000, "CORNER BAKERY"), *rows), as_of=AS_OF)
    (stream,) = (row for _, row in wealth.streams.iterrows())
    return stream


def test_large_deposits_within_a_weekly_series_stand_apart_in_its_sentence(ledger: Ledger) -> None:
    usual = [(day, 60_000 + 1_000 * (place % 3)) for place, day in enumerate(FRIDAYS)]
    stream = only_stream(ledger, *cash([*usual, *BELOW_A_LIMIT]))
    assert stream["cadence"] == "weekly"
    assert stream["odd_count"] == 5
    assert (
        "far from the median: 5 payments of 9,455.00 GBP to 9,885.00 GBP, 48,155.00 GBP in all, from 30 Aug 2025 to 11 Sep 2025"
        in stream["odd_words"]
    )
    more = stream["count"] - stream["filled_count"]
    assert more > 0
    assert f"{more} further payments came that were not expected" in stream["description"]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_few_payments_are_named_each_with_its_day(ledger: Ledger, number: int) -> None:
    months = [(f"2025-{month:02d}-25", 200_000, "ACME LTD SALARY") for month in range(1, 13)]
    odd = [("2025-03-12", 4_000_000), ("2025-06-11", 1_000), ("2025-09-10", 900_000)][:number]
    stream = only_stream(ledger, *months, *((day, amount, "ACME LTD SALARY") for day, amount in odd))
    assert stream["odd_count"] == number
    for day, amount in odd:
        said = f"{format_minor(amount, 'GBP')} on {pd.Timestamp(day).day} {pd.Timestamp(day):%b %Y}"
        assert said in stream["odd_words"].partition("far from the median: ")[2]


def test_payments_of_no_usual_size_are_said_to_have_none(ledger: Ledger) -> None:
    amounts = [
        1_000,
        90_000,
        4_000,
        100_000,
        2_000,
        800_000,
        110_000,
        95_000,
        3_000,
        700_000,
        105_000,
        98_000,
    ]
    rows = [
        (f"2025-{month:02d}-25", amount, "BOOKIE HOLDINGS LTD") for month, amount in enumerate(amounts, 1)
    ]
    stream = only_stream(ledger, *rows)
    assert "the amounts have no usual size" in stream["odd_words"]
    assert "far from the median:" not in stream["odd_words"]


def test_a_series_of_like_payments_says_nothing_of_others(ledger: Ledger) -> None:
    stream = only_stream(ledger, *cash([(day, 60_000) for day in FRIDAYS]))
    assert stream["odd_count"] == 0
    assert pd.isna(stream["odd_words"])
    assert "not expected" not in stream["description"]


@pytest.mark.parametrize("factor", [FAR - 1, FAR + 1])
def test_a_single_large_payment_of_an_irregular_series_is_named(ledger: Ledger, factor: int) -> None:
    days = ["2025-01-03", "2025-01-21", "2025-03-02", "2025-03-30", "2025-06-17", "2025-08-01", "2025-11-20"]
    rows = [(day, 50_000, "COPPER HERON CASINO") for day in days]
    rows[4] = (days[4], factor * 50_000, "COPPER HERON CASINO")
    stream = only_stream(ledger, *rows)
    assert (f"{format_minor(factor * 50_000, 'GBP')} on 17 Jun 2025" in with_odd_words(stream)) == (
        factor > FAR
    )


def test_a_statement_for_the_customer_picks_none_of_them_out(ledger: Ledger) -> None:
    """Deposits just below a limit are flagged; a statement that names them apart tells the customer so."""
    usual = [(day, 60_000 + 1_000 * (place % 3)) for place, day in enumerate(FRIDAYS)]
    pay = [(f"2025-{month:02d}-25", 200_000, "ACME LTD SALARY") for month in range(1, 13)]
    wealth = derive(ledger(*pay, *cash([*usual, *BELOW_A_LIMIT])), as_of=AS_OF)
    assert "near_threshold" in set(wealth.flags["code"])
    said = wealth.statement("C1").model_dump_json()
    assert "cash credits" in said
    for day, amount in BELOW_A_LIMIT:
        assert format_minor(amount, "GBP") not in said
        assert f"{pd.Timestamp(day).day} {pd.Timestamp(day):%b %Y}" not in said
    assert "unlike" not in said
