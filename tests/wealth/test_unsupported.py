"""What a sender writes is believed as far as the payer is one who pays such things."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from kycpack.wealth import derive

YEAR = [f"2025-{month:02d}-14" for month in range(1, 13)]
ODD = ["2025-02-03", "2025-03-21", "2025-06-30", "2025-08-11", "2025-12-02"]
ONCE = ["2025-07-03"]


def said(days: list[str], amount: int, text: str, payer: str | None, code: str | None = None) -> str:
    """Type, or disposition where it is a refund, of most of some equal credits."""
    rows: list[dict[str, Any]] = [
        {
            "customer_id": "C1", "account_id": "A1", "txn_id": f"T{number}", "booked_on": day, "amount_minor": amount * 100,
            "currency": "GBP", "description_raw": text, "counterparty_name": payer, "bank_code": code,
        }
        for number, day in enumerate(days)
    ]  # fmt: skip
    credits_ = derive(pd.DataFrame(rows), as_of="2025-12-31").credits
    kind = credits_["type"].where(credits_["disposition"] != "refund", "refund")
    return str(kind.mode().iloc[0])


@pytest.mark.parametrize(
    ("days", "amount", "text", "payer", "code", "expected"),
    [
        (ODD, 1_450, "SALARY", "MARCO BELLINI", None, "person_transfer"),
        (YEAR, 3_000, "LEGACY PAYMENT INHERITANCE", "SILVER LAKE OFFICE", None, "other"),
        (ODD, 6_300, "PENSION PAYOUT", "NORTHERN TYRE CENTRE", None, "other"),
        (ODD, 900, "INTEREST ON DEPOSIT", "BLUE HARBOUR MEDIA LTD", None, "other"),
        (ONCE, 2_750, "CHILD BENEFIT ARREARS", "QUICK CLAIM SUPPORT LTD", "CCD", "other"),
        (ONCE, 640, "TAX REBATE 24/25", "FASTBACKTAX", None, "other"),
        (ONCE, 810, "DWP PIP REFUND", "HELPING HANDS DESK", None, "other"),
        (ONCE, 950, "WAGES EVENING SHIFT", None, "FPI", "other"),
        (ONCE, 1_500, "CREDIT UNION LOAN", "P GALLAGHER", None, "person_transfer"),
        (ODD, 12_300, "MONTHLY RENT 12 FLATS", "PEARL NAIL BAR LTD", None, "other"),
        (ONCE, 85_000, "K POPOV INHERITANCE", None, None, "other"),
        (ONCE, 41_200, "HERENCIA J GARCIA", None, None, "other"),
        (ONCE, 26_500, "M HOLM LEGACY", None, None, "other"),
        (YEAR, 1_830, "RODZINA NOWAK", None, None, "other"),
    ],
)
def test_words_that_do_not_fit_who_pays_are_not_believed(
    days: list[str], amount: int, text: str, payer: str | None, code: str | None, expected: str
) -> None:
    assert said(days, amount, text, payer, code) == expected


@pytest.mark.parametrize(
    ("days", "amount", "text", "payer", "code", "expected"),
    [
        (YEAR, 2_114, "SALARY", "MARCO BELLINI CATERING LTD", None, "employment"),
        (ONCE, 43_118, "ESTATE OF R NOYCE FINAL DIST", "HOLBECK SOLICITORS", None, "inheritance"),
        (ONCE, 43_118, "EXECUTORS OF R NOYCE INHERITANCE", None, None, "inheritance"),
        (YEAR, 611, "PENSION", "KELHAM BREWERY PENSION FUND", None, "pension"),
        (ODD, 41, "EQUINITI AVIVA PLC DVD 7719", "EQUINITI LTD", "BGC", "investment_income"),
        (ODD, 33, "TESCO PLC INTERIM DIV", "TESCO PLC", "BACS", "investment_income"),
        (ONCE, 91_204, "SHOOSMITHS NET PROCEEDS 9 HIGH ST", None, "CHAPS", "property_sale"),
        (ONCE, 3_317, "KPMG LLP BONUS FY25", None, "BGC", "employment"),
        (YEAR, 1_190, "HMRC CHILD BENEFIT", None, "BGC", "state_benefit"),
        (ODD, 118, "STRIPE DES:TRANSFER ID:ST-9Q2 INDN:A SHOP CO ID:44", None, None, "business_income"),
        (ODD, 58, "GEMA AUSSCHUETTUNG", "GEMA", None, "self_employment"),
    ],
)
def test_words_that_fit_who_pays_are_believed(
    days: list[str], amount: int, text: str, payer: str | None, code: str | None, expected: str
) -> None:
    assert said(days, amount, text, payer, code) == expected
