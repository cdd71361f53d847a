"""A sender's word is believed as far as the sum of a year and the rhythm of the payments fit it, however often it is repeated."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]


def of(ledger: Ledger, text: str, amount: int, weeks: int, payer: str | None = None) -> Wealth:
    """Derive twelve equal payments some weeks apart; four weeks stand for a month, always the same day of it."""
    end = pd.Timestamp("2025-06-27")
    days = [
        end - (pd.DateOffset(months=number) if weeks == 4 else pd.Timedelta(weeks=weeks * number))
        for number in range(12)
    ]
    extra = {"counterparty_name": payer} if payer else {}
    return derive(ledger(*[(str(day.date()), amount, text, extra) for day in days]), as_of="2025-06-30")


def type_of(wealth: Wealth) -> str:
    """Return the type of all credits."""
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "payer", "usual", "weeks", "too_much", "too_often", "type_"),
    [
        ("WAGES", "TARN JOINERY LTD", 214_417, 4, 317_950, 1, "employment"),
        ("PENSION PAYT", "OAKMERE PRINT LTD", 41_233, 4, 141_233, 1, "pension"),
        ("LODGER RENT", "MISS P HARTREE", 61_000, 4, 161_000, 1, "rental_income"),
        ("DIVIDEND Q", "TARN JOINERY LTD", 141_233, 4, 141_233, 1, "investment_income"),
        ("CAR SALE INSTALMENT", "MR P HARTREE", 41_000, 4, 341_000, 4, "asset_sale"),
        ("LOAN ADVANCE", "HARTREE LENDING LTD", 41_000, 4, 341_000, 2, "loan"),
        ("BINGO WINNINGS", None, 2_500, 4, 150_000, 2, "gambling"),
        ("CARERS ALLOWANCE", None, 32_000, 4, 392_000, 1, "state_benefit"),
    ],
)
def test_a_word_supports_what_is_usually_paid_in_a_year(
    ledger: Ledger,
    text: str,
    payer: str | None,
    usual: int,
    weeks: int,
    too_much: int,
    too_often: int,
    type_: str,
) -> None:
    assert type_of(of(ledger, text, usual, weeks, payer)) == type_
    assert type_of(of(ledger, text, too_much, too_often, payer)) == "other"


def test_what_is_not_established_stands_in_the_evidence_as_what_it_reads_like(ledger: Ledger) -> None:
    wealth = of(ledger, "PENSION PAYT", 141_233, 1, "OAKMERE PRINT LTD")
    assert wealth.credits["reason"].str.contains("reads like pension, not established").all()


def test_a_known_payer_may_pay_more_than_a_word_supports(ledger: Ledger) -> None:
    assert type_of(of(ledger, "KPMG LLP SALARY", 1_841_233, 4)) == "employment"


@pytest.mark.parametrize(("amount", "type_"), [(85_000, "person_transfer"), (84_736, "employment")])
def test_a_person_who_pays_wages_pays_for_hours_worked_and_no_round_sums(
    ledger: Ledger, amount: int, type_: str
) -> None:
    assert type_of(of(ledger, "WAGES NANNY", amount, 4, "MRS E TANSLEY")) == type_
