"""What stands around a payer's name: its address, its town, the purpose before it, what it names after it."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive
from kycpack.wealth.prepare.entities import load_entities

Ledger = Callable[..., pd.DataFrame]


def of(
    ledger: Ledger, text: str, payer: str | None = None, amount: int = 41_266, count: int = 1, days: int = 7
) -> Wealth:
    """Derive equal payments of one text, some days apart."""
    extra = {"counterparty_name": payer} if payer else {}
    dates = pd.date_range(end="2025-06-27", periods=count, freq=f"{days}D")
    rows = [(str(day.date()), amount, text, extra) for day in dates]
    return derive(ledger(*rows), as_of="2025-12-31")


def type_of(wealth: Wealth) -> str:
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("JUST EAT.CO.UK REST ID 77120", "marketplace"),
        ("CARVANA LLC VEHICLE PURCHASE", "car_buyer"),
        ("TESCO STORES LIMIT 30293847TESCO", "retailer"),
        ("VIR C.P.A.M. TOULOUSE IJ 2403", "state_benefits"),
        ("COMPUTERSHARE DIV VERIZON COMM 0801", "registrar"),
        ("PETPLAN CLAIM VET FEES BISCUIT", "insurer"),
        ("PPI REDRESS LLOYDS BANK 8810", "bank"),
        ("MATURITY 1YR FIXED ATOM BANK", "bank"),
        ("BOYLESPORTS WDL", "gambling"),
        ("COINHOUSE VENTE ACTIFS NUM", "crypto"),
        ("PPI REDRESS LLOYDS BANK CLAIMS ADVICE LTD", None),
        ("RAILPEN PENSION ROVERS", None),
        ("REDRESS OF LLOYDS BANK CLIENTS", None),
    ],
)
def test_a_known_payer_is_known_by_what_stands_around_its_name(text: str, kind: str | None) -> None:
    found = load_entities().find(text, is_name=False)
    assert (found and found.kind) == kind


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("DEFRA RPA BPS DELINKED PAYMENT FARM 10882", "business_income"),
        ("AMAZON.C6KX0ZQ DES:MARKETPLAC ID:12 INDN:J DOE CCD", "business_income"),
        ("TURNER BROS HAULAGE INV 10442 REMITTANCE", "business_income"),
        ("LV= LIFE CRITICAL ILLNESS BENEFIT 338120", "settlement"),
        ("NS&I REPAYMENT INCOME BONDS 8820", "savings"),
        ("L&G RETIREMENT PENSION PYMT 22190", "pension"),
        ("DEPT EDUC PENSIONS RETIRED TEACHER", "pension"),
        ("PENSION SERVICE DWP", "state_benefit"),
        ("PENSION SERVICE 88120", "state_benefit"),
        ("HARTON COLLIERY PENSION SERVICE", "pension"),
        ("HSC PENSION SERVICE", "pension"),
        ("FROM DAD FOR CAR TAX", "person_transfer"),
    ],
)
def test_what_was_taken_for_something_else_is_read(ledger: Ledger, text: str, type_: str) -> None:
    assert type_of(of(ledger, text, count=4, days=28)) == type_


@pytest.mark.parametrize(
    ("text", "payer", "amount", "count", "said"),
    [
        ("PARETO FM LTD WK 31", "PARETO FM LTD", 41_266, 14, ["employment", "pattern", "low"]),
        ("WK24 TURLOUGH PRESERVES LTD", "TURLOUGH PRESERVES", 56_130, 8, ["employment", "pattern", "low"]),
        ("PARETO FM LTD LIAM WK 31", "PARETO FM LTD", 41_266, 14, ["employment", "pattern", "low"]),
        ("PARETO FM LTD CONTAINER WK 31", "PARETO FM LTD", 41_266, 14, ["other", "none", "low"]),
        ("PARETO FM LTD LIAM WK 31", "PARETO FM LTD", 45_000, 14, ["other", "none", "low"]),
        ("PARETO FM LTD WK 31", "PARETO FM LTD", 45_000, 14, ["other", "none", "low"]),
        ("PARETO FM LTD WK 31", "PARETO FM LTD", 341_266, 14, ["other", "none", "low"]),
        ("EGGS WK 8 TAMAR FARM SHOP", "TAMAR FARM SHOP", 10_812, 8, ["other", "none", "low"]),
        ("PARETO FM LTD 31", "PARETO FM LTD", 41_266, 14, ["other", "none", "low"]),
    ],
)
def test_uneven_amounts_that_a_firm_numbers_by_the_week_are_pay_by_their_pattern(
    ledger: Ledger, text: str, payer: str, amount: int, count: int, said: list[str]
) -> None:
    streams = of(ledger, text, payer, amount, count).streams
    assert streams[["type", "evidence_level", "type_confidence"]].to_numpy().tolist() == [said]


@pytest.mark.parametrize(
    ("text", "payer"),
    [("VIR M LOYER JEAN-MARC", "M LOYER JEAN-MARC"), ("M. LOYER JEAN-BAPTISTE", "LOYER JEAN-BAPTISTE")],
)
def test_a_surname_that_is_a_word_for_rent_is_a_surname(ledger: Ledger, text: str, payer: str) -> None:
    assert type_of(of(ledger, text, payer, 18_000)) == "person_transfer"


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("CIGNA CLAIM DIRECT DEPOSIT", "settlement"),
        ("INWARD REMITTANCE 4410", "other"),
        ("LLOYDS BANK PPI REPAYMENT", "settlement"),
        ("NS&I INCOME BONDS", "investment_income"),
        ("J&M SMITH", "person_transfer"),
    ],
)
def test_words_for_how_money_travels_say_nothing_beside_others(ledger: Ledger, text: str, type_: str) -> None:
    assert type_of(of(ledger, text, amount=11_226)) == type_


@pytest.mark.parametrize(("amount", "type_"), [(150_000, "person_transfer"), (151_347, "employment")])
def test_round_pay_from_a_person_by_a_service_between_persons_is_money_between_them(
    ledger: Ledger, amount: int, type_: str
) -> None:
    assert type_of(of(ledger, "ZELLE FROM CRYSTAL FOX SALARY", "CRYSTAL FOX", amount, 6)) == type_


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("DOORDASH, INC. J DOE ST-K4X8P2", "STRIPE", "self_employment"),
        ("DELIVEROO PAYOUT", "ADYEN N.V.", "self_employment"),
        ("AIRBNB PAYOUT", "STRIPE", "rental_income"),
        ("INVOICE 22", "STRIPE", "business_income"),
        ("UBER EATS HEBDO 23", None, "self_employment"),
        ("CPAM 93 IJ MALADIE 240711", "C.P.A.M. SEINE ST DENIS", "state_benefit"),
    ],
)
def test_who_pays_is_known_although_a_service_carries_the_money_or_the_name_is_in_letters(
    ledger: Ledger, text: str, payer: str | None, type_: str
) -> None:
    found = of(ledger, text, payer, count=12)
    assert type_of(found) == type_
    # What stands in a text beside the name of a payment service is the words of whoever uses it.
    if payer in ("STRIPE", "ADYEN N.V.") and text != "INVOICE 22":
        assert set(found.credits["evidence_level"].astype(str)) == {"keyword"}


def test_money_between_friends_by_an_app_is_no_income_of_a_business(ledger: Ledger) -> None:
    assert type_of(of(ledger, "VIR INST LYDIA SOLUTIONS THEO RESTO", amount=2_700)) != "business_income"


@pytest.mark.parametrize(
    ("text", "country", "said"),
    [
        ("HMRC PENSION", "GB", "other"),
        ("REVENUE COMMISSIONERS PENSION", "IE", "other"),
        ("IRS TREAS 310 PENSION", "US", "other"),
        ("FINANZAMT PENSION", "DE", "other"),
        ("HAUPTZOLLAMT PENSION", "DE", "other"),
        ("SIP PARIS PENSION", "FR", "other"),
        ("AGENZIA DELLE ENTRATE PENSION", "FR", "other"),
        ("DRFIP PENSION", "FR", "pension"),  # the treasury pays the pensions of French public servants
        ("GENERALZOLLDIREKTION PENSION", "DE", "pension"),  # and so do these offices in Germany
        ("LANDESAMT FUER FINANZEN VERSORGUNGSBEZUEGE", "DE", "pension"),
        ("LANDESAMT FUER FINANZEN BEZUEGE", "DE", "employment"),
        ("DGFIP REMB IMPOT", "FR", "tax_refund"),
        # Pay or a pension: the name alone shows neither, and certainly no tax refund.
        ("LANDESAMT FUER FINANZEN", "DE", "other"),
        ("BUNDESKASSE TRIER", "DE", "other"),
        ("DRFIP", "FR", "other"),
    ],
)
def test_a_tax_office_pays_pensions_only_where_it_is_the_treasury(
    ledger: Ledger, text: str, country: str, said: str
) -> None:
    rows = ledger(*((f"2025-{month:02d}-28", 90_000, text) for month in range(1, 13)))
    credits_ = derive(rows, country=country, as_of="2025-12-31").credits
    assert set(credits_["type"].fillna("other")) == {said}


@pytest.mark.parametrize(
    ("text", "payer", "said", "level"),
    [
        ("EQUINITI DIVIDEND SHELL PLC", None, "investment_income", "entity"),
        ("COMPUTERSHARE DIVIDEND BP PLC", None, "investment_income", "entity"),
        ("LINK ASSET SERVICES DIVIDEND TESCO PLC", None, "investment_income", "entity"),
        ("DIVIDEND SHELL PLC", "EQUINITI", "investment_income", "entity"),
        ("SHELL PLC 2ND INT", None, "investment_income", "keyword"),
        ("EQUINITI SHELL PLC 3RD INT", None, "investment_income", "keyword"),
        # Another firm with such a name, and a registrar's own staff.
        ("EQUINITI DIVIDEND CONSULTANTS PLC", None, "other", "none"),
        ("EQUINITI LTD SALARY", None, "employment", "entity"),
        ("TOPCASHBACK LTD SALARY", None, "employment", "keyword"),  # who pays cashback also employs people
    ],
)
def test_the_company_whose_shares_they_are_follows_the_word_for_the_dividend(
    ledger: Ledger, text: str, payer: str | None, said: str, level: str
) -> None:
    found = of(ledger, text, payer, count=4, days=91)
    assert type_of(found) == said
    assert set(found.credits["evidence_level"].astype(str)) == {level}
    for reason in found.credits["reason"]:
        assert not ("investment income: the words" in reason and "not counted: the words DIVIDEND" in reason)


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("NS&I INCOME BONDS INT 8830172", "NS&I", "interest"),
        ("HAP PAYMENT LL 20931 LIMERICK CC", "LIMERICK CITY & CO", "rental_income"),
        ("PRIZE BOND CO WINNER 5512209", "THE PRIZE BOND CO", "investment_income"),
        ("VINTED 48812093", "VINTED", "asset_sale"),
        ("MANGOPAY VINTED 48812093", None, "asset_sale"),
        ("MANGOPAY SA 881", None, "other"),
        ("MONZO POT HOLIDAY", "MONZO POT", "savings"),
        ("TFR FROM 31 DAY NOTICE SAVINGS", None, "savings"),
        ("NACHLASS ERNA STUEBING ERBTEIL 1/3", "RAin Bettina Loosen Fremdgeld", "inheritance"),
        ("VIR DGFIP REMB IMPOT REVENUS 2024 7735100", "D.R.F.I.P. REMB EXCD IMPOTS", "tax_refund"),
        ("RENTE 65 120358 M 014 RENTENVERS. MON 06.25", "Renten Service Deutsche Post AG", "state_benefit"),
        ("PFLEGEGELD PG3 V.NR QX118 JUNI", "AOK PLUS PFLEGEKASSE", "state_benefit"),
        ("FROM CHASE SAVER 88121 HOUSE POT", None, "savings"),
        ("PADDYPOWER W/D 20934411", "PPB COUNTERPARTY", "gambling"),
        ("DEBLOCAGE PRET CETELEM 4411 9920", "BNP PARIBAS PERSONAL FINANCE", "loan"),
        ("KAUFPREIS GES.ANTEIL UR-NR 881/25", "Notar Dr. Eilhard Pösch Anderkonto", "business_sale"),
        ("LEISTUNGSABRECHNUNG 4471 RECHNUNG VOM 03.04.", "Debeka Krankenversicherungsverein", "settlement"),
    ],
)
def test_a_payers_own_word_says_what_it_pays(ledger: Ledger, text: str, payer: str | None, said: str) -> None:
    assert type_of(of(ledger, text, payer)) == said


@pytest.mark.parametrize("service", ["VENMO ", "CASH APP*", "ZELLE FROM "])
def test_a_person_who_pays_through_a_service_between_people_is_no_employer(
    ledger: Ledger, service: str
) -> None:
    text = f"{service}DEVONTE SKARBEK PAYROLL"
    assert type_of(of(ledger, text, "DEVONTE SKARBEK", count=5)) == "person_transfer"
    assert (
        type_of(of(ledger, f"{service}ACME BAKERY LLC PAYROLL", "ACME BAKERY LLC", count=5)) == "employment"
    )
