"""What some payers never pay, whatever the sender's words say, and names beside which an office's name is no office."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]


def paid(ledger: Ledger, text: str, payer: str, amounts: list[int], days: int = 7) -> Wealth:
    """Derive payments of one text, so many days apart."""
    first = pd.Timestamp("2025-06-27")
    rows = [
        (str((first - pd.Timedelta(days=days * number)).date()), amount, text)
        for number, amount in enumerate(amounts)
    ]
    extra = {"counterparty_name": payer} if payer else {}
    return derive(ledger(*[(*row, extra) for row in rows]), as_of="2025-12-31")


def types_of(wealth: Wealth) -> set[str]:
    """Return the types of all credits."""
    return set(wealth.credits["type"].astype("string").fillna("other"))


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("SALARY", "MONEYGRAM INTL"),
        ("SALARY + PENSION + BONUS", "REMITLY UK LTD"),
        ("STAFF WAGES", "TRANSFERGO LTD"),
        ("UNIVERSAL CREDIT", "PAYSEND PLC"),
        ("STATE PENSION", "WISE PAYMENTS LTD"),
    ],
)
def test_who_carries_the_money_of_others_pays_no_wages_and_no_benefits(
    ledger: Ledger, text: str, payer: str
) -> None:
    found = types_of(paid(ledger, text, payer, [260_000] * 6))
    assert found <= {"other", "person_transfer"}


def test_pay_through_a_service_for_payments_is_pay_by_its_calendar_alone(ledger: Ledger) -> None:
    amounts = [190_000, 240_000, 210_000, 190_000, 240_000, 210_000]
    assert types_of(paid(ledger, "PAYROLL DIRECT DEPOSIT", "CASH APP*BIGNAME88", amounts, days=3)) == {
        "other"
    }
    assert types_of(paid(ledger, "PAYROLL", "WISE PAYMENTS LTD", [214_410] * 6, days=28)) == {"employment"}


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("PENSION LUMP SUM", "HILLTOP VAPES LTD"),
        ("INSURANCE CLAIM SETTLED", "BLUE LION FRIED CHICKEN"),
        ("ANNUITY", "MARDIN KEBAB HOUSE LTD"),
    ],
)
def test_a_trade_with_a_till_pays_no_pensions_and_no_claims(ledger: Ledger, text: str, payer: str) -> None:
    wealth = paid(ledger, text, payer, [190_000, 220_000, 205_000, 190_000, 220_000, 205_000])
    assert types_of(wealth) == {"other"}
    assert wealth.credits["reason"].str.contains("a shop or a restaurant pays it").all()


def test_a_trade_with_a_till_pays_its_staff(ledger: Ledger) -> None:
    assert types_of(paid(ledger, "WAGES", "MARDIN KEBAB HOUSE LTD", [41_213] * 8)) == {"employment"}


@pytest.mark.parametrize("payer", ["", "HMRC RUGBY CLUB"])
def test_a_club_that_bears_an_offices_name_is_no_office(ledger: Ledger, payer: str) -> None:
    assert types_of(paid(ledger, "HMRC RUGBY CLUB", payer, [20_000])) == {"other"}


def test_the_sale_of_a_business_names_who_pays_for_it(ledger: Ledger) -> None:
    assert types_of(paid(ledger, "ESCROW ASSET PURCHASE", "", [4_200_055])) == {"other"}


def test_what_an_office_for_benefits_calls_a_pension_is_a_benefit(ledger: Ledger) -> None:
    assert types_of(paid(ledger, "DWP PENSION", "", [88_120] * 6, days=28)) == {"state_benefit"}


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("PAYPOINT LOAD 118824", "PAYPOINT", "cash_deposit"),
        ("JPA MOD AFPAY 30119482", "MOD JPA", "employment"),
        ("BARTS HEALTH NHST 2210884 BGC", "", "employment"),
        ("NHSBSA LSF TRNG GR", "NHS LEARNING SUPPORT FUND", "state_benefit"),
        ("DPD GROUP UK ODF 33910", "", "self_employment"),
    ],
)
def test_kinds_of_payers_are_known_by_their_own_words(
    ledger: Ledger, text: str, payer: str, type_: str
) -> None:
    assert types_of(paid(ledger, text, payer, [198_760] * 6, days=28)) == {type_}


def test_a_card_credit_of_a_shop_is_a_refund(ledger: Ledger) -> None:
    wealth = paid(ledger, "TESCO STORES 3312 VISA CREDIT", "TESCO STORES", [1_750])
    assert set(wealth.credits["disposition"]) == {"refund"}


def test_a_friend_lends_until_payday(ledger: Ledger) -> None:
    assert types_of(paid(ledger, "LEND TIL PAYDAY TY", "B ACHTERHOF", [6_000])) == {"loan"}
