"""Words as payers shorten them: what they show from a payer that pays such things, and that from others they show nothing."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]


def said(ledger: Ledger, text: str, payer: str, amount: int = 61_340, count: int = 1) -> set[str]:
    """Return the types of payments a month apart; a refund's type is `refund`."""
    days = pd.date_range(end="2025-06-27", periods=count, freq="MS")
    extra = {"counterparty_name": payer} if payer else {}
    rows = [(str(day.date()), amount + 17 * number, text, extra) for number, day in enumerate(days)]
    credits_ = derive(ledger(*rows), as_of="2025-12-31").credits
    types = credits_["type"].astype("string").fillna("other")
    return set(types.where(credits_["disposition"] != "refund", "refund"))


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("SETTLMT PAYMENT 7731", "ANGEION GROUP LLC", "settlement"),
        ("VISALE APAGL LOYER IMPAYE LOT 7", "ACTION LOGEMENT SERVICES", "rental_income"),
        ("PRET ACCESSION 7712", "ACTION LOGEMENT SERVICES", "other"),
        ("ACTION LOGEMENT 7712", "ACTION LOGEMENT SERVICES", "other"),
        ("MOBILI JEUNE 7712", "ACTION LOGEMENT SERVICES", "state_benefit"),
        ("VERL.GELD AZ 77/12", "BGHM Bezirksdirektion Sued", "state_benefit"),
        ("VERLETZTENGELD 02.03.-30.03.", "BG Verkehr Bezirksverwaltung Hamburg", "state_benefit"),
        ("VETS UK WDP 4/7712", "MOD VETERANS UK", "state_benefit"),
        ("DATA BREACH CLASS ACTION AWARD", "RUST CONSULTING", "settlement"),
        ("INJURIES BOARD 2025/771", "AVIVA INSURANCE IRELAND DAC", "settlement"),
        ("GRP IP BENEFIT 7712", "UNUM LTD", "settlement"),
        ("AWARD 25/7712", "CICA", "settlement"),
        ("Wertp.-Ertrag BASF SE 40 STK", "", "investment_income"),
        ("DIAGEO PLC FINAL", "", "investment_income"),
        ("PREM BONDS PRIZE 7712", "NS&I", "investment_income"),
        ("SPARE CHANGE POT", "", "savings"),
        ("WD TO NOMINATED ACCOUNT", "MARCUS BY GOLDMAN SACHS", "savings"),
        ("LIFETIME MTGE DRAWDOWN 2", "LEGAL & GENERAL", "loan"),
        ("MTG ADV 14 HOLLIN CRES", "SKIPTON BUILDING SOCIETY", "loan"),
        ("KP-AUSZ. UR 77/2025 WHG", "NOTAR DR. EHRENFELS", "property_sale"),
        ("SALE OR RETURN CARDS", "THE PAINTED HARE GALLERY LTD", "other"),
        ("CIS WE 06/06", "PENHALE GROUNDWORKS LTD", "self_employment"),
        ("Hon. Vortrag Aquarell", "VHS TANNENAU", "self_employment"),
        ("BULLOCKS 4 HD", "KEPAK", "business_income"),
        ("ESt-Erstattung 2024", "FA Osnabrueck", "tax_refund"),
        ("MAZEL TOV from us all", "ROSA WEINTRAUB", "gift"),
        ("BINANCE W/D 7712", "CHECKOUT LTD", "crypto"),
        ("HAP SSC KILKENNY", "KILKENNY COUNTY COUNCIL", "rental_income"),
        ("GRANS ESTATE INTERIM", "P TREVENA EXECUTOR", "inheritance"),
        ("OMBUDSMAN AWARD 7712", "NATIONWIDE", "settlement"),
        ("VET FEE 7712", "ANIMAL FRIENDS", "settlement"),
        ("DATA BREACH DAMAGES", "KELLER POSTMAN UK", "settlement"),
        ("SALE PLOT 4 NORTH LANE", "STEPHENS SCOWN LLP", "property_sale"),
        ("TUMBLE DRYER", "MISS H LANGTREE", "asset_sale"),
        ("CREDIT UNION LOAN ST DYMPNA", "", "loan"),
        ("CREDIT UNION LOAN NAOMH PADRAIG", "", "loan"),
        ("Verkauf Kinderwagen", "Ansgar Tiedemann", "asset_sale"),
        ("FROM HOLIDAY POT", "MONZO", "savings"),
        ("ARRIVAL 7712 MORTGAGE CASH OUT", "ROCKET MORTGAGE", "loan"),
    ],
)
def test_a_payer_that_pays_such_things_bears_its_short_words_out(
    ledger: Ledger, text: str, payer: str, type_: str
) -> None:
    assert said(ledger, text, payer) == {type_}


@pytest.mark.parametrize(
    ("text", "payer", "count", "type_"),
    [
        ("DEPT EMPL AFFRS", "DEPT EMPL AFFRS", 6, "state_benefit"),
        ("SOC SEC SCOTLAND PC", "", 6, "state_benefit"),
        ("Geh. 06/25", "Tannenauer Werkzeugbau GmbH", 6, "employment"),
        ("Bez. JUN LBV NRW 7712", "", 6, "employment"),
    ],
)
def test_what_such_a_payer_pays_every_month(
    ledger: Ledger, text: str, payer: str, count: int, type_: str
) -> None:
    assert said(ledger, text, payer, amount=161_340, count=count) == {type_}


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("CLASS ACTION AWARD", "PENHALE TYRES LTD"),
        ("INJURIES BOARD 2025/771", "PENHALE SCRAP METALS LTD"),
        ("IP BENEFIT", "PENHALE TRADING LTD"),
        ("LIFETIME MTGE DRAWDOWN", "PENHALE HOLDINGS LTD"),
        ("MTG ADV", "PENHALE TRADING LTD"),
        ("KP-AUSZ. UR 77/2025", "Tannenauer Spedition GmbH"),
        ("UNILEVER PLC FINAL SETTLEMENT", ""),
        ("BULLOCKS 4 HD", "PENHALE PHONES LTD"),
        ("BINANCE W/D", "PENHALE PHONES LTD"),
        ("TUMBLE DRYER", "PENHALE PHONES LTD"),
        ("ESTATE SHARE", "PENHALE EXECUTORS LTD"),
        ("SALE OR RETURN", "PENHALE TRADING LTD"),
        ("HALF THE SOFA", "MISS H LANGTREE"),
        ("JOINING FEE BACK", "PUREGYM"),
    ],
)
def test_another_payer_that_writes_them_is_not_believed(ledger: Ledger, text: str, payer: str) -> None:
    assert said(ledger, text, payer, amount=700_000, count=2) <= {"other", "person_transfer"}


def test_what_is_left_after_a_loan_is_no_loan(ledger: Ledger) -> None:
    assert said(ledger, "SOLDE PRIX VTE APRES PRET", "SCP DELMAS NOTAIRES", amount=17_620_400) <= {
        "property_sale",
        "other",
    }


@pytest.mark.parametrize(
    ("text", "payer", "code", "disposition"),
    [
        ("PENHALE 4471", "WATERSTONES", "VIS", "refund"),
        ("HALFORDS CR", "HALFORDS", "DEB", "refund"),
        ("HALFORDS CR", "HALFORDS", "BGC", "unexplained"),
        ("BETFRED", "BETFRED", "VIS", "one_off"),
        ("HALFORDS WAGES", "HALFORDS", "VIS", "one_off"),
        ("TENANCY DEP RELEASED", "MYDEPOSITS", "BGC", "refund"),
        ("TENANCY DEP RELEASED", "PENHALE LETTINGS LTD", "BGC", "unexplained"),
    ],
)
def test_a_shops_credit_to_a_card_and_what_a_scheme_for_deposits_returns_are_refunds(
    ledger: Ledger, text: str, payer: str, code: str, disposition: str
) -> None:
    extra = {"counterparty_name": payer, "bank_code": code}
    credits_ = derive(ledger(("2025-06-11", 121_340, text, extra)), as_of="2025-12-31").credits
    assert credits_["disposition"].tolist() == [disposition]


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("NOTPROVIDED", "Krüger"),
        ("NONREF", "Krueger"),
        ("SEPA GUTSCHRIFT KRÜGER", ""),
    ],
)
def test_a_surname_is_no_cut_word_for_a_coin_and_a_placeholder_says_nothing(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert said(ledger, text, payer, amount=27_500) <= {"other", "person_transfer"}


def test_a_placeholder_leaves_a_payment_between_people_as_it_is(ledger: Ledger) -> None:
    assert said(ledger, "NONREF", "Anna Lindner", amount=27_500) == {"person_transfer"}
