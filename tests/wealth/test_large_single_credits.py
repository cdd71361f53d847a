"""Single large credits: what a payer of the right trade and a word that agrees show together, and what neither shows alone."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive
from kycpack.wealth.prepare.entities import load_entities

Ledger = Callable[..., pd.DataFrame]


def paid(
    ledger: Ledger, text: str, payer: str = "", amount: int = 4_800_000, count: int = 1, country: str = "GB"
) -> Wealth:
    """Derive monthly payments of one text and one amount, in minor units."""
    days = pd.date_range("2025-01-28", periods=count, freq="MS") + pd.Timedelta(days=27)
    extra = {"counterparty_name": payer} if payer else {}
    rows = [(str(day.date()), amount, text, extra) for day in days]
    return derive(ledger(*rows), as_of="2025-12-31", country=country)


def said(wealth: Wealth) -> str:
    """Return the type of all credits, which is one."""
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "payer", "country", "type_"),
    [
        ("VIR CARPA NICE CESSION FONDS COMMERCE LE BOSQUET", "CARPA NICE", "FR", "business_sale"),
        ("VIR DOMMAGES ET INTERETS", "CARPA", "FR", "settlement"),
        ("ESTATE OF P HOLT", "Wray & Dunn PLLC", "US", "inheritance"),
        ("SETTLEMENT PROCEEDS PI CASE", "Hale Injury Attorneys", "US", "settlement"),
        ("SALE PROCEEDS 12 ELM ST", "Morrow Attorneys at Law", "US", "property_sale"),
        ("SPA INITIAL CONSIDERATION", "Larkfield Bidco Ltd", "GB", "business_sale"),
        ("KAUFPREIS GESCHAEFTSANTEILE", "Nordhoff Beteiligungs GmbH", "DE", "business_sale"),
        (
            "MEMBERSHIP INTEREST PURCHASE AGREEMENT CLOSING",
            "Delta Equity Partners LLC",
            "US",
            "business_sale",
        ),
        ("ASSET PURCHASE AGREEMENT CLOSING", "Ridge Acquisitions LLC", "US", "business_sale"),
        ("KAPITALABFINDUNG BAV 4471", "Unterstuetzungskasse Weserland eV", "DE", "pension"),
        ("PCLS 00412", "Moorland Superannuation Fund", "GB", "pension"),
        ("TRIVIAL COMMUTATION", "Carden Pension Trustees", "GB", "pension"),
        ("DRAWDOWN EQUITY RELEASE", "Goldcrest Lifetime Mortgages", "GB", "loan"),
        ("CLAIM PMT 22817", "Red River Casualty", "US", "settlement"),
        ("CLAIM PMT 22817", "Red River Property & Casualty Co", "US", "settlement"),
        ("SCHADEN 22-119", "HUK-COBURG Haftpflicht", "DE", "settlement"),
        ("VENTE TITRES", "Bourse Marchand", "FR", "asset_sale"),
        ("SALE PROCEEDS", "Fern Share Dealing", "GB", "asset_sale"),
        ("TAKEOVER CONSIDERATION", "Wessex Stockbrokers Ltd", "GB", "asset_sale"),
        ("FINAL DISTRIBUTION", "Executors of J Platt", "GB", "inheritance"),
        ("SHARE OF ESTATE", "Vale Estate Administration Ltd", "GB", "inheritance"),
        ("DELAY REPAY", "Northern Vale Trains", "GB", "settlement"),
        ("COMPULSORY PURCHASE", "Calder Borough Council", "GB", "property_sale"),
        ("ABLAUFLEISTUNG 7712", "Sparbank Nordtal eG", "DE", "savings"),
        ("KUENDIGUNG LEBENSVERSICHERUNG", "Mainfels Lebensversicherung AG", "DE", "savings"),
        ("ABLAUFLEISTUNG LV 7.118.220", "Mainfels Lebensversicherung AG", "DE", "savings"),
        ("ENDOWMENT MATURITY", "Penhale Life Assurance", "GB", "savings"),
        ("MATURITY POL 88120447", "Carden Pension Trustees", "GB", "savings"),
        ("ROLLOVER DIST FORMER PLAN", "Harwood Brokerage Services", "US", "savings"),
        ("SALE PROCEEDS ADBE RSU", "MORGAN STANLEY ETRADE", "US", "asset_sale"),
        ("401K LOAN 18", "EMPOWER RETIREMENT", "US", "loan"),
        ("SPECIAL DIVIDEND", "Hill VCT plc", "GB", "investment_income"),
        ("FINANCIAL REMEDY ORDER", "Amory Family Law LLP", "GB", "settlement"),
    ],
)
def test_a_payer_of_the_right_trade_and_a_word_that_agrees_show_what_a_large_credit_is(
    ledger: Ledger, text: str, payer: str, country: str, type_: str
) -> None:
    wealth = paid(ledger, text, payer, country=country)
    assert said(wealth) == type_
    assert "only the sender says" not in wealth.credits["reason"].iloc[0]


@pytest.mark.parametrize(
    ("text", "payer", "country"),
    [
        ("SPA INITIAL CONSIDERATION", "Silver Fern Nail Bar Ltd", "GB"),
        ("ASSET PURCHASE AGREEMENT CLOSING", "Bidco Offshore BVI", "US"),
        ("KAUFPREIS GESCHAEFTSANTEILE", "Autohaus Bergmann GmbH", "DE"),
        ("PENSION LUMP SUM", "Hilltop Imports Ltd", "GB"),
        ("PCLS", "Hilltop Imports Ltd", "GB"),
        ("ESTATE OF P HOLT", "Sunset Car Wash LLC", "US"),
        ("VIR DOMMAGES ET INTERETS", "SARL Mobile Express", "FR"),
        ("EQUITY RELEASE DRAWDOWN", "Kismet Trading Ltd", "GB"),
        ("CASUALTY INSURANCE PAYOUT", "Glitter Beauty LLC", "US"),
        ("ABFINDUNG", "Goldankauf City", "DE"),
        ("PCLS", "Phone Fix City", "GB"),
        ("SALE OF BUSINESS", "Amber Import Export LLP", "GB"),
        ("LOAN ADVANCE", "Amber Import Export LLP", "GB"),
        ("CLAIM SETTLEMENT", "Orbit Mobile Phones Ltd", "IE"),
        ("INTERIM DISTRIBUTION PLATT", "Platt Holdings Ltd", "GB"),
        ("COMPULSORY PURCHASE", "DC Trading Ltd", "GB"),
        ("TANTIEME", "Shisha Lounge Medusa UG", "DE"),
        ("ABLAUFLEISTUNG LV 7.118.220", "Autohaus Bergmann GmbH", "DE"),
        ("ENDOWMENT MATURITY", "Hilltop Imports Ltd", "GB"),
        ("ROLLOVER DIST FORMER PLAN", "Kismet Trading LLC", "US"),
        ("PX BALANCE OLD CAR", "Amber Import Export LLP", "GB"),
        ("INHERITANCE", "Trustway Escrow Services Intl", "US"),
        ("ERBSCHAFT", "Escrow Treuhand GmbH", "DE"),
    ],
)
def test_a_word_by_a_payer_of_another_trade_shows_nothing(
    ledger: Ledger, text: str, payer: str, country: str
) -> None:
    assert said(paid(ledger, text, payer, country=country)) == "other"


@pytest.mark.parametrize(
    ("text", "payer", "country", "type_"),
    [
        ("MARKING EXTERNAL EXAMS", "AQA EDUCATION", "GB", "employment"),
        ("SEC EXAM CORRECTING", "STATE EXAMINATIONS COMMISSION", "IE", "employment"),
        ("MOTORPOINT PX BALANCE OLD CAR", "MOTORPOINT", "GB", "asset_sale"),
        ("WOHNGELD 8812", "Freie Hansestadt Bremen", "DE", "state_benefit"),
        ("WOHNGELD 8812", "Landeshauptstadt Kiel", "DE", "state_benefit"),
        ("WOHNGELD 8812", "Hilltop Imports GmbH", "DE", "other"),
        ("BOOTHS SUPERMARKETS P ACKERLEY", "E H BOOTH & CO", "GB", "other"),
    ],
)
def test_what_a_payer_pays_once_is_read_from_its_words(
    ledger: Ledger, text: str, payer: str, country: str, type_: str
) -> None:
    assert said(paid(ledger, text, payer, 38_850, country=country)) == type_


def test_a_listed_employer_is_known_by_the_name_of_its_company(ledger: Ledger) -> None:
    pay = paid(ledger, "BOOTHS SUPERMARKETS P ACKERLEY", "E H BOOTH & CO", 140_250, 8)
    assert said(pay) == "employment"


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("VETERANS UK AFPS", ""),
        ("VETERANS UK AFPS75", ""),
        ("PENSION", "VETERANS UK"),
        ("AFPS", "VETERANS UK"),
        ("VETERANS UK AFPS15 PENSION", ""),
    ],
)
def test_the_pension_of_a_soldier_is_a_pension(ledger: Ledger, text: str, payer: str) -> None:
    assert said(paid(ledger, text, payer, 74_310, 6)) == "pension"


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("VETERANS UK WAR PENSION", ""),
        ("WAR PENSION", "VETERANS UK"),
        ("VETERANS UK AFCS GIP", ""),
        ("AFCS GIP", "VETERANS UK"),
    ],
)
def test_what_the_state_pays_for_an_injury_in_service_is_a_benefit(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert said(paid(ledger, text, payer, 19_820, 6)) == "state_benefit"


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("VINTED EVRI 77", ""),
        ("EVRI VINTED", ""),
        ("VINTED VIA YODEL", ""),
        ("VIR VINTED MONDIAL RELAY", "MANGOPAY"),
        ("VINTED INPOST", "MANGOPAY SA"),
        ("VINTED HERMES", ""),
        ("ADYEN VINTED", ""),
    ],
)
def test_money_from_a_second_hand_platform_is_so_with_its_carrier_or_its_bank_beside_it(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert said(paid(ledger, text, payer, 2_450)) == "asset_sale"


@pytest.mark.parametrize("text", ["EVRI WAGES VINTED", "VINTED CARRIER SERVICES LTD"])
def test_a_firm_beside_the_name_of_a_platform_is_not_the_platform(ledger: Ledger, text: str) -> None:
    assert said(paid(ledger, text, "", 2_450)) != "asset_sale"


@pytest.mark.parametrize("text", ["MILEAGE CLAIM", "TRAVEL & SUBSISTENCE CLAIM", "EXPENSES CLAIM MAR"])
def test_a_claim_for_expenses_is_no_compensation(ledger: Ledger, text: str) -> None:
    assert said(paid(ledger, text, "CORK ETB", 8_730, 3, country="IE")) != "settlement"


def test_a_bonus_of_an_account_is_interest(ledger: Ledger) -> None:
    assert said(paid(ledger, "ANNUAL BONUS+INT ADDED EASY SAVER", "", 21_108)) == "interest"
    assert said(paid(ledger, "ANNUAL BONUS", "TARN ENGINEERING LTD", 211_008)) == "employment"


@pytest.mark.parametrize(
    "name", ["STATE FARM SHOP", "CARREFOUR DES FLEURS", "CHURCHILL PROPERTY", "JUST EAT CAKES LTD"]
)
def test_a_name_that_goes_on_after_a_known_one_is_somebody_else(name: str) -> None:
    index = load_entities()
    assert index.find_all([name], is_name=False) == [None]
    assert index.find_all([name], is_name=True) == [None]


@pytest.mark.parametrize(
    ("text", "country", "type_"),
    [
        ("GOLDMAN SACHS MARCUS WITHDRAWAL", "GB", "savings"),
        ("FROM 90-DAY NOTICE A/C", "GB", "savings"),
        ("OREGON DEPT OF REVENUE DES:ORSTTAXRFD", "US", "tax_refund"),
        ("KS DEPT OF REV DES:KSTAXREF 2024", "US", "tax_refund"),
        ("DEBLOCAGE PRET 00417 PRET TRAVAUX", "FR", "loan"),
    ],
)
def test_a_known_payer_written_another_way(ledger: Ledger, text: str, country: str, type_: str) -> None:
    assert said(paid(ledger, text, "", 60_000, country=country)) == type_


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("B/O ORCHID GROUP LLC OBI EMERGENCY INSURANCE PAYOUT", "other"),
        ("WIRE FROM HALCYON TRADING LLC INSURANCE CLAIM", "other"),
        ("B/O ORCHID INSURANCE LLC OBI CLAIM PAYOUT", "settlement"),
    ],
)
def test_what_follows_a_legal_form_shows_no_trade(ledger: Ledger, text: str, type_: str) -> None:
    assert said(paid(ledger, text, amount=912_000, country="US")) == type_
