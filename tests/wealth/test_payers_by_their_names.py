"""Payers on no list whose names show what they are: with a word for what such payers pay, the nature is known."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.prepare.entities import load_entities

Ledger = Callable[..., pd.DataFrame]


def said(ledger: Ledger, text: str, payer: str, amount: int = 131_950, count: int = 1) -> str:
    """Return the type of equal payments, a month apart."""
    days = pd.date_range(end="2025-06-27", periods=count, freq="MS")
    extra = {"counterparty_name": payer} if payer else {}
    wealth = derive(ledger(*((str(day.date()), amount, text, extra) for day in days)), as_of="2025-12-31")
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("SCHADEN 25-118-7 LEITUNGSWASSER", "Tannenauer Feuerversicherung a.G.", "settlement"),
        ("SCHADEN 88-12 KFZ", "Ostmark Allg. Vers. AG", "settlement"),
        ("ELBRIDGE MUTUAL CLAIM H-4481", "ELBRIDGE MUTUAL", "settlement"),
        ("CLM 7712 BUILDINGS", "PENHALE LIFE", "settlement"),
        ("PENHALE LIFE MATURITY 88120", "PENHALE LIFE", "savings"),
        ("VIR INDEM DDE 8812", "OCEANE ASSURANCES", "settlement"),
        ("DARLEHENSAUSZAHLUNG 88120", "VR-Kasse Tannenau eG", "loan"),
        ("LOAN DRAWDOWN 6612", "KILTORMER CU LTD", "loan"),
        ("SHARES W/D", "KILTORMER CU", "savings"),
        ("PENHALE FINANCE LOAN ADVANCE 8847", "PENHALE FINANCE", "loan"),
        ("VEHICLE PURCHASE KR19 XYZ", "PENHALE MOTORS", "asset_sale"),
        ("KAUFPREIS PKW", "Autohaus Tannenau", "asset_sale"),
        ("SCOTS ESCROW SVCS BUSINESS ASSETS", "SCOTS ESCROW SVCS", "business_sale"),
        ("VIR PRIX VTE FONDS ETUDE DUPIN", "ETUDE DUPIN", "business_sale"),
        ("RE PURCH OF HALLOW LANDSCAPING ASSETS CLOSING", "ELBRIDGE TITLE & ESCROW", "business_sale"),
    ],
)
def test_a_payer_whose_name_shows_its_kind_pays_what_such_payers_pay(
    ledger: Ledger, text: str, payer: str, type_: str
) -> None:
    assert said(ledger, text, payer) == type_


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("SCHADEN 25-118-7", "Tannenauer Spedition GmbH"),
        ("LOAN DRAWDOWN 6612", "PENHALE TRADING LTD"),
        ("CLAIM H-4481", "MUTUAL BUILDERS LTD"),
        ("LOAN ADVANCE", "LIFE FITNESS GYM LTD"),
        ("MATURITY 88120", "PENHALE DESIGN LTD"),
    ],
)
def test_another_firm_that_uses_such_words_is_not_believed(ledger: Ledger, text: str, payer: str) -> None:
    assert said(ledger, text, payer, amount=500_000) == "other"


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("TILLWAY MERCHANT SVS 41882 NET SETTLEMENT", "TILLWAY MERCHANT SVS", "business_income"),
        ("TX CHILD SUPP SDU CHILDSUPP 00133", "TX CHILD SUPP SDU", "state_benefit"),
        ("DISB UNIT CS PMT", "PA SCDU", "state_benefit"),
    ],
)
def test_what_is_paid_month_after_month_by_such_a_payer(
    ledger: Ledger, text: str, payer: str, type_: str
) -> None:
    assert said(ledger, text, payer, amount=41_233, count=12) == type_


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("VIR SEPA CAF DU MORBIHAN 7081422XPF 112025ME", "CAF DU MORBIHAN", "state_benefit"),
        ("VIR C.A.F. DE LA VIENNE 0338821M", "", "state_benefit"),
        ("VIR CPAM 56 VANNES REMB SOINS", "C.P.A.M. DU MORBIHAN", "state_benefit"),
        ("VIR INDEMNITES JOURN.", "CPAM DU MORBIHAN", "state_benefit"),
        ("DFAS RET NET", "DFAS-CLEVELAND", "pension"),
        ("ESB RETD STAFF PEN", "ESB", "pension"),
        ("EQUINITI PAYMASTER PENSION 4410", "EQUINITI LTD", "pension"),
        ("TANF CASH ASSIST", "OH DJFS", "state_benefit"),
        ("ELBRIDGE MART CATTLE 4 HD", "ELBRIDGE MART LTD", "business_income"),
        ("ROYALTY CHECK DIV ORDER 88", "ELBRIDGE OPERATING", "investment_income"),
        ("MINI MART 88120", "ELBRIDGE MINI MART", "other"),
    ],
)
def test_offices_and_buyers_are_known_by_their_names(
    ledger: Ledger, text: str, payer: str, type_: str
) -> None:
    assert said(ledger, text, payer, amount=41_233, count=12) == type_


@pytest.mark.parametrize(
    ("text", "payer"), [("eBay Auszahlung P*55120X", "EBAY S.A R.L."), ("VINTED PAYOUT", "VINTED UAB")]
)
def test_a_marketplace_pays_for_own_things_up_to_2000_a_year_and_beyond_that_for_a_trade(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert said(ledger, text, payer, amount=16_600, count=12) == "asset_sale"
    assert said(ledger, text, payer, amount=18_400, count=12) == "business_income"
    assert said(ledger, text, payer, amount=60_000, count=5) == "asset_sale"


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("VDC-REF ZARA BLANCHARDSTOWN", ""),
        ("VDC ZARA BLANCHARDSTOWN", ""),
        ("POS CARLA MAYNOOTH 4471", ""),
        ("INT PD 4471", "CARLA"),
    ],
)
def test_a_first_name_alone_and_a_payer_by_card_are_no_person(ledger: Ledger, text: str, payer: str) -> None:
    assert said(ledger, text, payer, amount=4_595) != "person_transfer"
    assert said(ledger, "LUNCH FRIDAY", "CARLA NOLAN", amount=4_595) == "person_transfer"


@pytest.mark.parametrize("text", ["CAF DE LOIRE MENUISERIE", "CAF CENTRE", "DWP RHONE LTD", "DSP DU JARDIN"])
def test_a_name_that_goes_on_is_no_office_of_a_department(text: str) -> None:
    for is_name in (True, False):
        assert load_entities().find(text, is_name=is_name) is None


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("HAYS SPECIALIST RE TS88120 W/E 09MAY", "HAYS"),
        ("HARGREAVES LANSDOWN HL 88120", "Hargreaves Lansdown"),
    ],
)
def test_a_name_that_a_narrow_field_cut_is_known_before_a_reference(text: str, entity: str) -> None:
    found = load_entities().find(text, is_name=False)
    assert found is not None
    assert found.name == entity


@pytest.mark.parametrize(
    "text",
    [
        *("HAYS SPECIALIST REPAIRS 88120", "HAYS SPECIALIST RE THATCHERS", "HARGREAVES LANSDOWN JT BUILDERS"),
        *("FEUERWEHR BIELEF HOLDINGS GROUP", "AVIVA A LTD", "TESCO T 44", "AVIVA T/A LTD", "AVIVA C/O LTD"),
    ],
)
def test_a_name_that_goes_on_otherwise_is_not_cut(text: str) -> None:
    assert load_entities().find(text, is_name=False) is None


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("NOTARANDERKONTO DR. TANNENAU SVWZ+KAUFPREIS UR-NR 88/2025", "", "property_sale"),
        ("PENHALE SOLRS CLIENT AC SALE OF 12 THE PADDOCKS", "", "property_sale"),
        ("RENTENSERVICE DEUTSCHE POST AG RENTE 07/25", "DEUTSCHE RENTENVERS. BUND", "state_benefit"),
        ("BIZUM DE MARTA REYES", "", "other"),
        ("REGALO DE REYES", "MARTA SOLER", "gift"),
    ],
)
def test_words_that_are_also_names_are_read_by_where_they_stand(
    ledger: Ledger, text: str, payer: str, type_: str
) -> None:
    assert said(ledger, text, payer, 21_450_010 if type_ == "property_sale" else 5_000) == type_


@pytest.mark.parametrize("word", ["INHERITANCE", "PROPERTY SALE", "SALE OF HOUSE"])
@pytest.mark.parametrize("code", ["BAC", "BGC", "FPI"])
def test_a_firm_of_no_such_trade_pays_no_inheritance_and_no_price_of_a_home(
    ledger: Ledger, word: str, code: str
) -> None:
    row = ("2025-06-03", 1_995_000, f"PENHALE CAR WASH LTD {word}", {"bank_code": code})
    assert set(derive(ledger(row), as_of="2025-12-31").credits["type"].astype("string").fillna("other")) == {
        "other"
    }
