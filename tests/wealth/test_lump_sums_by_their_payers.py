"""Large single credits: the kind of payer and the words that such payers use, and words alone that show nothing."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive
from kycpack.wealth.prepare.lexicon import load_lexicon
from kycpack.wealth.prepare.text_reading import read_text

Ledger = Callable[..., pd.DataFrame]


def paid(
    ledger: Ledger, text: str, payer: str, country: str = "GB", amount: int = 4_800_000, **row: str
) -> Wealth:
    """Derive one payment, in minor units."""
    extra = {"counterparty_name": payer, **row} if payer else row
    return derive(ledger(("2025-01-28", amount, text, extra)), as_of="2025-12-31", country=country)


def said(wealth: Wealth) -> str:
    """Return the type of all credits, which is one."""
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "payer", "country", "type_"),
    [
        ("RETENTION RELEASE SALE 9 OAK RD", "Selwyn Conveyancing", "GB", "property_sale"),
        ("YOUR SALE TARRANT 33410", "Selwyn Conveyancing", "GB", "property_sale"),
        ("SALE OF FARMLAND", "Hobday Wake LLP", "GB", "property_sale"),
        ("PROPERTY SALE PROCEEDS", "Hobday Wake Legal Clnt", "GB", "property_sale"),
        ("SALE FUNDS LESS FEES", "Tarrant Stone Legal", "GB", "property_sale"),
        ("SALE OF LAND LOT 44", "Wessex Property Auctions", "GB", "property_sale"),
        ("SELLERS NET PROCEEDS", "Dunmore Title Guaranty", "US", "property_sale"),
        ("KAUFPREISZAHLUNG FUER KAEUFER MAIER", "Sparkasse Musterstadt", "DE", "property_sale"),
        ("ESTATE D MORTON", "Wessex Trust Co UK", "GB", "inheritance"),
        ("BENEFICIARY DISTRIBUTION", "Estate of John Tarrant", "US", "inheritance"),
        ("LEGACY", "Reps of Late T Tarrant", "GB", "inheritance"),
        ("RESIDUE PAYMENT", "Trust & Estates Legal", "GB", "inheritance"),
        ("TAX FREE LUMP SUM", "Q&R Pensions", "GB", "pension"),
        ("PENSION COMM LUMP SUM", "Curtis Tarrant SIPP", "GB", "pension"),
        ("EDP LUMP", "Selwyn Pension Fund", "GB", "pension"),
        ("SERIOUS ILLNESS COVER", "Selwyn Life Assurance", "GB", "settlement"),
        ("KAPITALAUSZAHLUNG VERTRAG 1127", "Nordhafen Leben", "DE", "settlement"),
        ("DAMAGES", "NHS Resolution", "GB", "settlement"),
        ("FSCS COMPENSATION", "Fin Serv Comp Scheme", "GB", "settlement"),
        ("AWARD", "Residential Inst Redress", "IE", "settlement"),
        ("ER INITIAL ADVANCE", "Norcross Equity Release", "GB", "loan"),
        ("RELEASE FUNDS", "Pure Retirement", "GB", "loan"),
        ("HELOC FUNDING", "Bettany Mortgage", "US", "loan"),
        ("MORTGAGE CHEQUE ISSUED", "Permanent TSB", "IE", "loan"),
        ("FIXED TERM DEPOSIT REPAYMENT", "Selwyn Bank plc", "GB", "savings"),
        ("PRIZE CLAIM", "CA State Lottery", "US", "gambling"),
        ("PRIME DEPART VOLONTAIRE", "Air France", "FR", "employment"),
        ("VENTE TITRES", "Boursorama", "FR", "asset_sale"),
        ("BOURSORAMA VENTE TITRES", "", "FR", "asset_sale"),
        ("HOBDAY LEGAL LLP SALE OF 3 CHURCH LANE", "", "GB", "property_sale"),
        ("VOLKSWAGEN AG AUFHEBUNGSVERTRAG ABFINDUNG", "", "DE", "employment"),
        ("INDEMNITE", "FIVA", "FR", "settlement"),
        ("SETTLEMENT", "Rust Consulting", "US", "settlement"),
    ],
)
def test_the_kind_of_payer_and_what_such_payers_write_show_a_lump_sum(
    ledger: Ledger, text: str, payer: str, country: str, type_: str
) -> None:
    assert said(paid(ledger, text, payer, country)) == type_


@pytest.mark.parametrize(
    ("text", "payer", "country"),
    [
        ("CLOSING PROCEEDS", "Harbor Escrow Holdings LLC", "US"),
        ("SALE 12 OAK ST", "Liberty Escrow Trade LLC", "US"),
        ("SALE PROCEEDS", "Title Group Holdings Ltd", "GB"),
        ("PROPERTY SALE BALANCE", "Volga Trade LLP", "GB"),
        ("LEGACY PAYMENT", "Silverpoint Nominees Ltd", "GB"),
        ("INHERITANCE FUNDS", "Trustline Escrow Intl", "GB"),
        ("TRUSTLINE ESCROW INTL INHERITANCE FUNDS", "", "GB"),
        ("WIN", "Lottery Holdings Ltd", "GB"),
        ("PRIZE", "Oak Lottery Services Ltd", "GB"),
        ("GREENFIELD SUPPLIES LTD MATURED BOND", "", "GB"),
        ("TAX FREE LUMP SUM", "Selwyn Pensions Trading Ltd", "GB"),
        ("CLIENT AC 441207", "Drake Solicitors", "GB"),
        ("KAUFPREIS", "Bankhaus Orient Handel GmbH", "DE"),
        ("KAUFPREIS HAUS", "Oleg Brandt", "DE"),
        ("COMPENSATION", "Global Compensation Fund", "GB"),
        ("AWARD", "Victim Compensation Holdings", "GB"),
        ("INDEMNITE", "Fiva Imports", "FR"),
        ("INDEMNITE", "Civi Consulting Ltd", "FR"),
        ("INDEMNITE", "Fiva Nettoyage SARL", "FR"),
        ("WIN", "Camelot Holdings Ltd", "GB"),
        ("PRIZE", "Omaze Trading", "GB"),
        ("OLD HOUSE", "Global Trading Homes Ltd", "GB"),
        ("KAUFPREIS", "Volga Handel Bank GmbH", "DE"),
        ("SALE OF HOUSE", "Volga Oil Ltd Clt", "GB"),
        ("SALE OF HOUSE", "Volga Resources Ltd Client", "GB"),
        ("PROPERTY SALE PROCEEDS", "Hobday Wake Ltd Clnt", "GB"),
        ("MERIDIAN LLP HOLDINGS SALE OF 3 OAK LANE", "", "GB"),
        ("MERIDIAN LLP CONSULTING SALE OF HOUSE", "", "GB"),
        ("SALE OF HOUSE", "Meridian LLP Holdings", "GB"),
        ("RELEASE FUNDS", "Volga Holdings Equity Release", "GB"),
    ],
)
def test_a_firm_that_deals_in_anything_and_words_alone_show_no_lump_sum(
    ledger: Ledger, text: str, payer: str, country: str
) -> None:
    assert said(paid(ledger, text, payer, country, 12_000_000)) in ("other", "person_transfer")


def test_a_code_for_any_payment_by_a_public_body_is_no_benefit(ledger: Ledger) -> None:
    assert said(paid(ledger, "REF 4471", "Leeds City Council", amount=81_200, purpose="GOVT")) == "other"


@pytest.mark.parametrize(
    ("text", "payer"), [("INV 4411", "AJ Bell"), ("INV", "Wealthify"), ("INV", "Tarrant Brokerage")]
)
def test_what_a_broker_calls_inv_is_an_investment_and_no_invoice(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert said(paid(ledger, text, payer, amount=500_000)) == "savings"


def test_one_payment_of_a_person_for_rent_and_something_unknown_is_not_known(ledger: Ledger) -> None:
    assert said(paid(ledger, "RENT MARQUEE", "K Mendes", amount=118_000)) != "rental_income"
    assert said(paid(ledger, "RENT", "K Mendes", amount=65_000)) == "rental_income"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hollis joinery ltd", "hollis j ltd fees"),
        ("george wimpey uk ltd", "george w ltd fees"),
        ("george w ltd", "george wimpey fees"),
    ],
)
def test_a_payers_name_in_initials_is_read(name: str, text: str) -> None:
    assert not read_text(text.split(), name.split(), load_lexicon(), "firm").unread
