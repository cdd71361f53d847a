"""Whole families of words: benefits, dividends, savings that end, auctions, alimony, agents' statements, in several countries; and what contradicts them."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]


def paid(ledger: Ledger, text: str, payer: str = "", amount: int = 61_230, count: int = 1) -> Wealth:
    """Derive equal payments of one text, a month apart."""
    dates = [pd.Timestamp("2025-06-27") - pd.DateOffset(months=number) for number in range(count)]
    extra = {"counterparty_name": payer} if payer else {}
    rows = ledger(*[(str(day.date()), amount, text, extra) for day in dates])
    return derive(rows, as_of="2025-12-31")


def nature_of(wealth: Wealth) -> str:
    """Return the type of all credits, or `refund` where that is their disposition."""
    credits_ = wealth.credits
    said = credits_["type"].astype("string").fillna("other").astype(str)
    (only,) = set(said.mask(credits_["disposition"] == "refund", "refund"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("ELTERNGELD LM 3 AZ 881", "L-Bank Karlsruhe"),
        ("WOHNGELD JUNI", "Gemeindekasse Haar"),
        ("UVG LEISTUNG 06/25 KASSENZ 8811", "Stadt Essen Stadtkasse"),
        ("CENTRELINK PENSION 442", "CENTRELINK"),
        ("CANADA CCB", "GOVERNMENT OF CANADA"),
        ("BARNETRYGD", "NAV"),
        ("BORNEYDELSE", "UDBETALING DANMARK"),
        ("LAPSILISA KELA", "KELA"),
        ("STUDIEMEDEL", "CENTRALA STUDIESTODSNAMNDEN"),
        ("VIR URSSAF PAJEMPLOI CMG JUIN", "URSSAF"),
    ],
)
def test_benefits_are_known_in_many_countries(ledger: Ledger, text: str, payer: str) -> None:
    assert nature_of(paid(ledger, text, payer, count=6)) == "state_benefit"


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("UDBYTTE 2024", "NOVO NORDISK A/S", "investment_income"),
        ("VIR SCI DES PINS DISTRIBUTION DE BENEFICES", "SCI DES PINS", "investment_income"),
        ("CHEVRON USA INC ROYALTY", "CHEVRON USA", "investment_income"),
        ("PENNANT OIL AND GAS ROYALTY", "PENNANT OIL AND GAS LLC", "investment_income"),
        ("CU SHARE W/DRAWAL", "BALLYMUN CREDIT UNION", "savings"),
        ("BAUSPARVERTRAG AUSZAHLUNG GUTHABEN", "Bausparkasse Kurpfalz AG", "savings"),
        ("LIKWIDACJA LOKATY 4411", "", "savings"),
        ("SVINCOLO CONTO DEPOSITO", "", "savings"),
        ("VRIJVAL DEPOSITO", "ING BANK", "savings"),
        ("LOT 114 HAMMER PRICE LESS COMM", "BIDWELL AUCTION ROOMS", "asset_sale"),
        ("AUKTIONSERLOES LOS 88", "Auktionshaus Stahl", "asset_sale"),
        ("ADJUDICATION LOT 12", "SALLE DES VENTES DE BRON", "asset_sale"),
        ("VINTED PAYOUT", "VINTED UAB", "asset_sale"),
        ("REDDITION COMPTE PROPRIETAIRE 2T", "REGIE IMMOBILIERE BRON", "rental_income"),
        ("CIS SUB WK 22", "KELLY CIVILS LTD", "self_employment"),
        ("HTB REFUND", "REVENUE", "tax_refund"),
        ("EMP 44821 BACS", "LEEDS CITY COUNCIL", "employment"),
        ("BONIFICO DISPOSTO STIPENDIO FERRERO SPA", "FERRERO S.P.A.", "employment"),
    ],
)
def test_what_is_paid_is_known_by_its_family_of_words(
    ledger: Ledger, text: str, payer: str, said: str
) -> None:
    assert nature_of(paid(ledger, text, payer, count=6 if said == "employment" else 1)) == said


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("VIR PENSION ENFANTS JUIN", "M PAUL GIRARD"),
        ("ALIMENTAIRE PENSION", "M PAUL GIRARD"),
        ("ALIMENTY NA DZIECKO", "Tomasz Darowny"),
        ("MANTENIMENTO FIGLI", "MARCO BIANCHI"),
        ("KINDERALIMENTATIE", "J DE BOER"),
        ("ZWROT ZA BILETY", "Tomasz Darowny"),
        ("RIMBORSO CENA SABATO", "Giulia Conti"),
        ("REFUND FOR THE TRAIN", "Nils Arnesen"),
        ("FURS AUTO LEIHEN", "Timo Kern"),
        ("PAY GRANT WAGES", "Capt. Wesley Moore"),
    ],
)
def test_what_persons_pay_each_other_is_nothing_that_offices_and_shops_pay(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert nature_of(paid(ledger, text, payer)) == "person_transfer"


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("TAX REFUND", "HM REVENUE SERVICES ONLINE LTD"),
        ("DWP UC HELP", "DWP HELPERS LTD"),
        ("WOHNGELD", "Wohngeldberatung Nord GmbH"),
        ("SCHOOL FEES", "HOLLOWGATE LLP"),
        ("COURT FEES", "HOLLOWGATE LLP"),
        ("EST OF JOHN PIKE LETTINGS", "EST OF JOHN PIKE LETTINGS"),
        ("INVOICE 123", ""),
        ("INVOICE 123", "SIMON KEANE"),
        ("for the car", ""),
        ("PROVISION HOMEOFFICE", "Stefan Gruber"),
        ("SAVINGS WITHDRAWAL", "ORBIT TRADE LTD"),
        ("LIKWIDACJA LOKATY", "ORBIT TRADE LTD"),
    ],
)
def test_words_that_contradict_the_payer_or_stand_alone_establish_nothing(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert nature_of(paid(ledger, text, payer, count=2)) == "other"


@pytest.mark.parametrize(
    "text", ["RETD WAGES A PELL", "SEPA CT RTN AC04 CLOSED ACCOUNT", "STROM GUTH JVA 2024", "TDS DEPOSIT RTN"]
)
def test_money_that_comes_back_is_known_by_the_banks_words(ledger: Ledger, text: str) -> None:
    assert nature_of(paid(ledger, text, amount=35_000)) == "refund"


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("GEHALT MAI", "Bausparkasse Kurpfalz AG", "employment"),
        ("SALARY MAY", "BIDWELL AUCTIONS LTD", "employment"),
        ("PAYROLL", "CHEVRON USA", "employment"),
        ("CMG CONSEIL SALAIRE", "CMG CONSEIL SAS", "employment"),
        ("UNTERHALTSREINIGUNG GEHALT", "GEBAEUDESERVICE NORD GMBH", "employment"),
        ("CAPTAIN COOK HOTEL WAGES", "CAPTAIN COOK HOTEL LTD", "employment"),
        ("RENT FLAT 2", "LYDIA MARTIN", "rental_income"),
        ("CONSULTANCY FEES", "BRIGHT IDEAS LTD", "self_employment"),
        ("AUTHOR ROYALTIES", "PENGUIN BOOKS LTD", "self_employment"),
        ("INVOICE 12", "T HOLLOWAY", "self_employment"),
        ("PROVISION 05/2025", "Vertretung Huber GmbH", "self_employment"),
        ("ESTATE LETTINGS RENT", "ESTATE LETTINGS LTD", "rental_income"),
        ("SAVER MATURITY", "KINGDOM BANK LTD", "savings"),
        ("SHARE WITHDRAWAL", "BALLYFANE CREDIT UNION LTD", "savings"),
        ("XMAS CLUB PAYOUT", "PARK CHRISTMAS SAVINGS LTD", "savings"),
        ("HMRC SA REPAYMENT", "HMRC SA", "tax_refund"),
        ("ZWROT TOWARU 8812", "ALLEGRO SP Z O O", "refund"),
        ("RETURNED DD J SMITH", "J SMITH", "refund"),
    ],
)
def test_look_alikes_of_these_words_stay_what_they_are(
    ledger: Ledger, text: str, payer: str, said: str
) -> None:
    assert nature_of(paid(ledger, text, payer, count=6)) == said


@pytest.mark.parametrize(
    ("text", "payer", "said"),
    [
        ("LØN JUNI", "SØREN SØRENSEN APS", "employment"),
        ("ZASIŁEK RODZINNY", "MOPS KRAKÓW", "state_benefit"),
        ("LIQUIDAZIONE SINISTRO", "ALPINA ASSICURAZIONI SPA", "settlement"),
        ("VENTA VIVIENDA", "NOTARIA PEREZ", "property_sale"),
        ("ERFENIS TANTE", "NOTARISKANTOOR DE WIT", "inheritance"),
        ("SPELVINST", "SVENSKA SPEL", "gambling"),
        ("EROGAZIONE PRESTITO", "BANCA DEL MONTE", "loan"),
        ("LØNN", "NORSK TIPPING", "employment"),
        ("NOMINA", "NOTARIA PEREZ", "employment"),
    ],
)
def test_other_languages_say_the_same(ledger: Ledger, text: str, payer: str, said: str) -> None:
    assert (
        nature_of(paid(ledger, text, payer, count=6 if said in ("employment", "state_benefit") else 1))
        == said
    )
