"""Lump sums whose texts are short forms: who pays, the words of such payers in any order of two parts, and names that only hold these words."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]


def said(
    ledger: Ledger, text: str, payer: str = "", country: str = "GB", amount: int = 4_811_700, count: int = 1
) -> str:
    """Return the type of one or more payments by the month, in minor units."""
    extra = {"counterparty_name": payer} if payer else {}
    rows = [(f"2025-{month:02d}-28", amount, text, extra) for month in range(1, count + 1)]
    (only,) = set(
        derive(ledger(*rows), as_of="2025-12-31", country=country)
        .credits["type"]
        .astype("string")
        .fillna("other")
    )
    return str(only)


@pytest.mark.parametrize(
    ("text", "country", "type_"),
    [
        # A lawyer's account for clients, and the address of the home or a short word for its completion.
        ("HADLEY VANE LLP CLI AC COMP 14 ELM RD", "GB", "property_sale"),
        ("HADLEY VANE LLP CLT ACCT COMPLN MON 4 THE GREEN", "GB", "property_sale"),
        ("HADLEY VANE LLP CLT AC 22 HIGHFIELD AVE", "GB", "property_sale"),
        ("HADLEY VANE LLP CLIENT SALE 3 MARINE TCE", "IE", "property_sale"),
        ("HADLEY CONVEYANCING REMTG BAL 0099812", "GB", "loan"),
        ("HADLEY SOLS LLP EQUITY REL COMP", "GB", "loan"),
        ("HADLEY SOLICITORS CLT COMP RTA 12/03", "GB", "settlement"),
        ("HADLEY LLP CLT EST P DALE FIN DIST", "GB", "inheritance"),
        # Estates that pay themselves.
        ("EST I GRAY INT DIST", "GB", "inheritance"),
        ("EST J MURRAY DCD FIN DIST", "GB", "inheritance"),
        ("EST OF LATE H BOND INTERIM", "GB", "inheritance"),
        ("RE LATE J COATES ESTATE", "GB", "inheritance"),
        ("EXECUTORS OF THE LATE R BANNER RESIDUE", "GB", "inheritance"),
        ("NACHLASS E KRUEGER AUSZAHLUNG", "DE", "inheritance"),
        # Insurers, pension bodies, banks.
        ("AVIVA PEN COM LS", "GB", "pension"),
        ("CIVIL SERVICE PENS LS", "GB", "pension"),
        ("BT PENSION SCHEME LS", "GB", "pension"),
        ("VITALITY LIFE TERM ILL BEN", "GB", "settlement"),
        ("AVIVA BOND PART SURR", "GB", "savings"),
        ("AVIVA WITH PROFITS BOND ENC", "GB", "savings"),
        ("AN POST SAVINGS CERT ENCASHMENT", "IE", "savings"),
        ("NSI PREM BOND REPAYMENT", "GB", "savings"),
        # What employers, and the state in their place, pay at the end of a job.
        ("BARCLAYS REDUND PAY", "GB", "employment"),
        ("LLOYDS BANKING GP SEV PAY", "GB", "employment"),
        ("INSOLVENCY SERVICE RPO CN1120034", "GB", "employment"),
        # Tax offices and buyers of goods.
        ("HMRC CIS DED REFUND", "GB", "tax_refund"),
        ("HMRC CORP TAX REPAY", "GB", "tax_refund"),
        ("HADLEY BULLION CO BUY BACK", "GB", "asset_sale"),
        ("FRP ADVISORY MVL DIST", "GB", "investment_income"),
    ],
)
def test_a_payer_and_short_forms_of_its_words_show_a_lump_sum(
    ledger: Ledger, text: str, country: str, type_: str
) -> None:
    assert said(ledger, text, country=country) == type_


@pytest.mark.parametrize(
    "text",
    [
        "VOLGA OIL LTD CLI AC COMP 4 HIGH ST",
        "VOLGA OIL LTD CLT AC 4 HIGH ST",
        "KOVALENKO TRADING LP CLI AC COMP 3 OAK RD",
        "HADLEY VANE LLP 3 OAK RD",
        "HADLEY VANE LLP CLT AC 88120",
        "ESTATE CARS FINAL DIST",
        "EST ELECTRICAL SUPPLIES TRANSFER",
        "EST OF MIND RECORDS LTD",
        "HILLTOP ESTATES LTD INT DIST",
        "PROBATE HOLDINGS LTD EST HALL INT DIST",
        "TRUSTEE COSTS LTD EST HALL FINAL DIST",
        "NORTHERN INSURANCE OIL FZE POL MAT",
        "ALPINE ASSURANCE STEEL DMCC BOND ENCASHMENT",
        "HM REVENUE HOLDINGS LTD REPAYMENT",
        "PENSION LS CONSULTING LTD",
        "CRITICAL ILLNESS FILMS LTD",
        "REDUNDANCY ADVICE LTD PAYMENT",
        "VR PACKAGE HOLIDAYS LTD",
        "CAMELOT HOLDINGS LTD WIN",
        "BELMONT HOLDINGS LTD DIVIDEND",
        "HMRC CORP SERVICES LTD REPAY",
        "MVL DIST LTD",
        "SHORE BULLION HOLDINGS LTD BUY BACK",
        "KESTREL TITLE TRADING LTD SELLER PROC",
    ],
)
def test_a_name_that_holds_such_words_shows_no_lump_sum(ledger: Ledger, text: str) -> None:
    assert said(ledger, text, amount=12_000_000) == "other"


@pytest.mark.parametrize("text", ["COMP 4 HIGH ST", "VR LUMP SUM", "PENSION LS", "EST I GRAY INT DIST"])
def test_a_person_who_writes_such_words_shows_no_lump_sum(ledger: Ledger, text: str) -> None:
    assert said(ledger, text, "V Morozov", amount=12_000_000) in ("other", "person_transfer")


def test_a_small_sum_from_a_lawyer_with_an_address_alone_is_no_price_of_a_home(ledger: Ledger) -> None:
    text = "HADLEY VANE LLP CLT AC 22 HIGHFIELD AVE"
    assert said(ledger, text, amount=199_999) == "other"
    assert said(ledger, text, amount=200_000) == "property_sale"


def test_a_registrar_alone_shows_a_small_dividend_only(ledger: Ledger) -> None:
    assert said(ledger, "COMPUTERSHARE", amount=18_402) == "investment_income"
    assert said(ledger, "COMPUTERSHARE", amount=200_000) == "other"
    assert said(ledger, "EQUINITI", amount=81_044, count=8) == "other"


def test_bt_before_a_name_is_no_legal_form_of_another_country(ledger: Ledger) -> None:
    assert said(ledger, "BT PENSION SCHEME LUMP SUM") == "pension"
    assert said(ledger, "NAGY PENSION TRUSTEES BT LUMP SUM") == "other"


@pytest.mark.parametrize(
    ("text", "payer", "country", "type_"),
    [
        # The name of a deal hides what is sold.
        ("PINSENT MASONS CLT PROJ HERON COMPL/RH", "", "GB", "other"),
        ("SMITH LAW LLP COMPL PROJECT FALCON", "", "GB", "other"),
        ("SMITH LAW LLP CLT PROJ HERON COMPL 14 ELM RD", "", "GB", "property_sale"),
        # A broker settles trades; that is nobody's compensation.
        ("REDMAYNE CLIENT SETTLEMENT", "", "GB", "other"),
    ],
)
def test_a_lump_sum_is_not_taken_for_another(
    ledger: Ledger, text: str, payer: str, country: str, type_: str
) -> None:
    assert said(ledger, text, payer, country) == type_


@pytest.mark.parametrize(
    "text",
    [
        # A broker's name shows neither that money was paid in before nor that the payer is not a namesake.
        "HL CLIENT HOLDINGS LTD", "TRANSACT LTD", "TRANSACT MONEY TRANSFER LTD", "FLAGSTONE HOLDINGS LTD", "MERRILL TRADING LTD", "RATHBONE",
        "CHARLES STANLEY", "DOMINIC WINTER", "STANLEY GIBBONS", "INSOLVENCY SERVICE",
        "OLYMPUS CLEANING LTD DIVIDEND",
        # What is late is no estate.
        "LATE RENT J SMITH", "LATE INVOICE J SMITH", "LATE FEE J SMITH", "LATE WAGES JOHN", "LATE COMMISSION JOHN SMITH",
        "ESTATE JOHN GAMBLING DIST",
        "CLIENT ACCOUNT THE COFFEE HOUSE", "GLOBAL CLIENT ACCOUNT FLAT WHITE HOUSE", "SHADY HOLDINGS CLIENT ACCOUNT HILL HOUSE",
    ],
)  # fmt: skip
def test_a_name_alone_shows_no_nature_of_a_large_sum(ledger: Ledger, text: str) -> None:
    assert said(ledger, text, amount=2_500_000) in {"other", "person_transfer", "rental_income", "gambling"}
