"""Names in short forms and closed by a legal form, numbered pay, accounts called after what comes in, and words that their payer contradicts."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from tests.wealth.test_families_of_words import nature_of, paid

from kycpack.assets import asset_yaml
from kycpack.wealth import derive
from kycpack.wealth.prepare.entities import load_entities
from kycpack.wealth.prepare.listed_entities import ENTITY_WORDS

Ledger = Callable[..., pd.DataFrame]


def uneven(ledger: Ledger, text: str, payer: str = "", days: int = 28, amount: int = 173_352) -> pd.DataFrame:
    """Make ten payments of one text that differ by some pence, equally far apart."""
    extra = {"counterparty_name": payer} if payer else {}
    last = pd.Timestamp("2025-06-27")
    return ledger(
        *[
            (str((last - pd.Timedelta(days=days * number)).date()), amount + 137 * (number % 4), text, extra)
            for number in range(10)
        ]
    )


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("COMPUTERSHARE INV SVCS", "registrar.computershare"),
        ("LINK MKT SVCS DIV", "registrar.link-market-services"),
        ("HAYS SPEC RECRUITMT", "staffing.hays"),
        ("YORKSHIRE BLDG SOC", "bank.yorkshire-building-society"),
    ],
)
def test_words_of_a_firms_name_are_known_in_their_short_forms(text: str, entity: str) -> None:
    found = load_entities().find(text, is_name=False)
    assert found is not None
    assert found.id == entity


@pytest.mark.parametrize(
    "text",
    [
        "COMPUTERSHARE INS SVCS",
        "LINK MASSAGE SVCS",
        "LINK MARKETING SERVICES",
        "HAYS SPORT RECRUITMENT",
        "YORKSHIRE BUILDING SUPPLIES",
        "YORKSHIRE BLDG SUPPLIES",
    ],
)
def test_another_word_with_the_same_letter_makes_it_another_firm(text: str) -> None:
    assert load_entities().find(text, is_name=False) is None


def test_a_short_form_begins_as_the_words_that_it_stands_for() -> None:
    short = asset_yaml(ENTITY_WORDS)["short_words"]
    assert [(one, whole) for one, wholes in short.items() for whole in wholes if one[0] != whole[0]] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("EUI LTD ELEPHANT BREAKDOWN CLM 7", "settlement"),
        ("ALCS LTD MEMBER JUNE 88", "self_employment"),
        ("GAIN CREDIT DRAFTY 7718", "loan"),
        ("ROOFOODS DELIVEROO 88", "self_employment"),
    ],
)
def test_a_legal_form_or_another_of_its_names_closes_a_payers_name(
    ledger: Ledger, text: str, said: str
) -> None:
    assert (
        nature_of(paid(ledger, text, amount=31_800)) == said
    )  # what a lender pays in an odd sum need not be a loan


@pytest.mark.parametrize(
    "text",
    [
        "ALCS LTD AND SONS ROOFING",
        "GAIN CREDIT UNION MOTORS",
        "EUI LTD TOWER CLEANING LTD",
        "DELIVEROO GARAGE DOORS",
        "LENDINGSTREAM KITCHENS",
    ],
)
def test_another_firm_after_the_name_is_not_the_payer(text: str) -> None:
    assert load_entities().find(text, is_name=False) is None


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("PLUMSTEAD COSMETICS LTD MTH 04", "", "employment"),
        ("ORCHARD BAY CAFES PERIOD 7", "ORCHARD BAY CAFES LTD", "employment"),
        ("THORNFIELD SVCS PRD 3", "THORNFIELD LTD", "employment"),
        ("PLUMSTEAD COSMETICS LTD ORDER MTH 04", "", "other"),
        ("K HARLOW MTH 04", "", "person_transfer"),
    ],
)
def test_uneven_pay_of_a_firm_may_be_numbered_by_the_month(
    ledger: Ledger, text: str, payer: str, said: str
) -> None:
    assert nature_of(derive(uneven(ledger, text, payer), as_of="2025-12-31")) == said


def test_even_sums_that_are_numbered_by_the_month_are_not_pay(ledger: Ledger) -> None:
    assert nature_of(paid(ledger, "PLUMSTEAD COSMETICS LTD MTH 04", amount=150_000, count=9)) == "other"


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("WAGES A/C 40-11-22 MOBILE", "", "other"),
        ("FROM PENSION ACCOUNT 7718", "", "other"),
        ("TIDEWELL PLASTICS LTD WAGES A/C 7718", "", "employment"),
        ("SALARY 7718 ACCT", "TIDEWELL PLASTICS LTD", "employment"),
    ],
)
def test_an_account_may_be_called_after_what_comes_in(
    ledger: Ledger, text: str, payer: str, said: str
) -> None:
    assert nature_of(derive(uneven(ledger, text, payer, days=30), as_of="2025-12-31")) == said


@pytest.mark.parametrize(
    ("payer", "amount", "count", "said"),
    [
        ("TIKKIE 88 ABN", 8_800, 1, "person_transfer"),
        ("BIZUM", 8_800, 1, "person_transfer"),
        ("TIKKIE 88 ABN", 71_000, 8, "rental_income"),
        ("VAN DER MEER VASTGOED BV", 8_800, 1, "rental_income"),
    ],
)
def test_who_pays_through_a_service_between_people_is_a_person(
    ledger: Ledger, payer: str, amount: int, count: int, said: str
) -> None:
    assert nature_of(paid(ledger, "HUUR BOOT", payer, amount=amount, count=count)) == said


def test_pay_of_an_exchange_or_a_bookmaker_comes_by_a_calendar(ledger: Ledger) -> None:
    days = ["2025-01-09", "2025-01-30", "2025-03-28", "2025-04-02", "2025-06-19"]
    now_and_then = ledger(*[(day, 420_000, "BITSTAMP LTD SALARY PAYMENT", {}) for day in days])
    assert nature_of(derive(now_and_then, as_of="2025-12-31")) == "other"
    assert nature_of(derive(uneven(ledger, "BITSTAMP LTD SALARY"), as_of="2025-12-31")) == "employment"


def test_an_office_that_pays_each_month_and_says_nothing_pays_no_tax_back(ledger: Ledger) -> None:
    assert nature_of(paid(ledger, "DRFIP OCCITANIE 0077", count=9, amount=187_112)) == "other"
    assert nature_of(paid(ledger, "DRFIP OCCITANIE TRAIT 0077", count=9, amount=187_112)) == "employment"
    assert nature_of(paid(ledger, "DRFIP OCCITANIE REMB IMPOT", count=9)) == "tax_refund"
    assert nature_of(paid(ledger, "DRFIP OCCITANIE 0077")) == "tax_refund"


@pytest.mark.parametrize(
    ("text", "said"), [("GESCHENK ELTERN", "gift"), ("ELTERNGE 771", "state_benefit"), ("ELTERN", "other")]
)
def test_the_first_part_of_a_german_compound_is_a_word_and_nothing_cut_off(
    ledger: Ledger, text: str, said: str
) -> None:
    assert nature_of(paid(ledger, text, count=6)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("PENSIONBEE LTD PAYROLL 06", "other"),
        ("RAILPEN PAYROLL 06", "pension"),
        ("XPS ADMIN LTD PENSION PAYROLL", "pension"),
    ],
)
def test_payroll_of_a_pension_firm_is_for_its_staff_or_its_pensioners(
    ledger: Ledger, text: str, said: str
) -> None:
    assert nature_of(paid(ledger, text, count=9)) == said


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("DETERMINATION DR 88", "RESIDENTIAL TENANCIES BOARD", "other"),
        ("HOLLOW OAK TRUST DISTRIBUTION Q3", "", "other"),
        ("HARROW WORKFORCE COMM", "", "other"),
        ("DRAWINGS JUNE TIDEWELL PLASTICS LTD", "", "business_income"),
        ("VERS CONTANTE SPORTELLO 4", "", "cash_deposit"),
        ("LATE M TREGENZA 88", "HOSKIN LEE SOLICITORS", "inheritance"),
        ("LATE FEE 88", "TIDEWELL PLASTICS LTD", "other"),
        ("UNIVERSAL CREDIT UNION SHARE", "", "other"),
        ("VIR TICKETS RESTAURANT", "", "other"),
    ],
)
def test_bodies_and_words_that_are_not_what_they_look_like(
    ledger: Ledger, text: str, payer: str, said: str
) -> None:
    assert nature_of(paid(ledger, text, payer, amount=118_031)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("STRIPE PAYMENTS EUROPE ATELIER TILLEUL", "business_income"),
        ("SUMUP PAYMENTS HAIR BY ROWENA", "business_income"),
        ("STRIPE PAYMENTS TOWER ROOFING LTD", "other"),
        ("GLOBAL PAYMENTS PORTEFEUILLE CHLOE", "other"),
        ("SQUARE MEALS CATERING", "other"),
    ],
)
def test_a_processor_of_cards_pays_under_the_name_of_the_trader(ledger: Ledger, text: str, said: str) -> None:
    assert nature_of(paid(ledger, text, count=5, amount=31_840)) == said


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("LYFT INC DRIVER 88 KX", "LYFT INC", "self_employment"),
        ("DELIVEROO RIDER 88", "", "self_employment"),
        ("OAKHAM COACHES LTD DRIVER 88", "", "employment"),
        ("PENSION FUND AUDITORS INC PAYROLL PPD", "PENSION FUND AUDITORS INC", "employment"),
        ("MARTIN CO LETTINGS L/LORD 88", "", "rental_income"),
    ],
)
def test_who_works_for_a_platform_is_not_of_its_staff(
    ledger: Ledger, text: str, payer: str, said: str
) -> None:
    assert nature_of(derive(uneven(ledger, text, payer, days=14), as_of="2025-12-31")) == said


@pytest.mark.parametrize(
    ("text", "payer", "amount", "said"),
    [
        ("LODGEMENT 77 PENSION ATHY", "", 41_000, "other"),
        ("MOBILE CHECK DEPOSIT LEGACY", "", 3_100_000, "other"),
        ("CASHIERS CHECK POKER PRIZE", "", 2_950_000, "other"),
        ("CHQ LODGED HOSKIN LEE SOLICITORS ESTATE OF R VANE", "", 1_812_077, "inheritance"),
        ("LODGEMENT CASH 77", "", 41_000, "cash_deposit"),
        ("WAGES JULY CHEERS", "MERIDIAN HARLEQUIN TRADING LTD", 945_000, "other"),
        ("WAGES JULY", "MERIDIAN HARLEQUIN TRADING LTD", 181_244, "employment"),
        ("PROV CREDIT DISPUTED TXN 77", "", 12_999, "refund"),
        ("TEMPORARY CR CARD DISPUTE", "", 12_999, "refund"),
        ("DISPUTE RESOLUTION SERVICES LTD WAGES", "", 181_244, "employment"),
        ("RE 2031-114 MALERARBEITEN", "Gasthof Lindenhof KG", 119_022, "self_employment"),
        ("RE 12/04 DINNER", "A CRANE", 2_200, "person_transfer"),
        ("M OKAFOR-WEST HAPPY 40TH XX", "", 5_000, "gift"),
        ("STATE SAVINGS PRIZE BONDS", "", 7_500, "investment_income"),
        ("BUNDESANL 1,70 32 ZINSTERMIN", "", 8_500, "investment_income"),
    ],
)
def test_what_a_slip_a_bill_or_a_dispute_says(
    ledger: Ledger, text: str, payer: str, amount: int, said: str
) -> None:
    assert nature_of(paid(ledger, text, payer, amount=amount)) == said


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("ZELLE FROM TIDEWELL PLASTICS LLC PAYROLL", "TIDEWELL PLASTICS LLC"),
        ("Autoverkauf Teil 3", "Autohaus Meridian e.K."),
    ],
)
def test_a_firms_odd_payments_are_not_believed_for_a_word(ledger: Ledger, text: str, payer: str) -> None:
    days = ["2025-01-09", "2025-01-30", "2025-03-28", "2025-04-02", "2025-06-19"]
    rows = ledger(*[(day, 912_300, text, {"counterparty_name": payer}) for day in days])
    assert nature_of(derive(rows, as_of="2025-12-31")) == "other"


@pytest.mark.parametrize("payer", ["LADBROKES CORAL GROUP", "MECCA BINGO LTD", "GROSVENOR CASINOS LTD"])
@pytest.mark.parametrize("days", [7, 28])
def test_similar_uneven_sums_of_a_bookmaker_on_a_calendar_are_not_winnings(
    ledger: Ledger, payer: str, days: int
) -> None:
    amount = 41_752 if days == 7 else 161_752
    by_the_week = uneven(ledger, f"{payer} 0041882", payer, days=days, amount=amount)
    assert nature_of(derive(by_the_week, as_of="2025-12-31")) == "other"
    withdrawn = uneven(ledger, f"{payer} WINNINGS", payer, days=days, amount=amount)
    assert nature_of(derive(withdrawn, as_of="2025-12-31")) == "gambling"


def test_a_prize_paid_by_the_month_is_round(ledger: Ledger) -> None:
    assert nature_of(paid(ledger, "ALLWYN SET FOR LIFE", "ALLWYN", count=9, amount=1_000_000)) == "gambling"
