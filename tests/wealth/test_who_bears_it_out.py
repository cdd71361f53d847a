"""Words that the payer does not bear out, short forms of listed words, and words that mean something else from such a payer."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]
WEEKLY, FORTNIGHTLY, MONTHLY = 7, 14, 28


def said(
    ledger: Ledger, text: str, amount: int, count: int = 1, days: int = WEEKLY, **extra: object
) -> tuple[str, str]:
    """Return the type and the disposition of equal payments some days apart."""
    dates = pd.date_range(end="2025-06-27", periods=count, freq=f"{days}D")
    rows = [(str(day.date()), amount, text, extra) for day in dates]
    credits_ = derive(ledger(*rows), as_of="2025-12-31").credits
    ((type_, disposition),) = set(
        zip(credits_["type"].astype("string").fillna("other"), credits_["disposition"], strict=True)
    )
    return str(type_), str(disposition)


@pytest.mark.parametrize(
    ("text", "amount", "type_"),
    [
        ("LDGMT HARKNESS LAW CLIENT ACC PROCS SALE 4 ROSSLARE RD", 16_412_033, "property_sale"),
        ("LDGMT HARKNESS LAW CLIENT ACC PROCS SALE ROSSLARE", 16_412_033, "other"),  # it may be a ship
        ("LODGMT DUNLEER SOLICITORS ESTATE OF M VANE", 1_812_077, "inheritance"),
        ("LDGMT 77 PENSION ATHY", 41_000, "other"),
        ("LDGMT 7731", 41_000, "cash_deposit"),
        ("LDGMT CASH 7731", 41_000, "cash_deposit"),
    ],
)
def test_a_lodgement_is_cash_only_if_nothing_else_is_said(
    ledger: Ledger, text: str, amount: int, type_: str
) -> None:
    assert said(ledger, text, amount)[0] == type_


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("ELLERBY BOROUGH C HB CLAIM 0071", "ELLERBY BOROUGH C"),
        ("ELLERBY BC HB CLAIM 0071", "ELLERBY BC"),
    ],
)
def test_the_claim_of_a_council_is_one_for_a_benefit(ledger: Ledger, text: str, payer: str) -> None:
    assert said(ledger, text, 39_612, 6, FORTNIGHTLY, counterparty_name=payer)[0] == "state_benefit"


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("LUCKY STAR TOWING INSURANCE SETTLEMENT", "LUCKY STAR TOWING", "other"),
        ("BAY TYRES INSURANCE CLAIM", "BAY TYRES", "other"),
        ("HARROW MUTUAL INSURANCE SETTLEMENT", "HARROW MUTUAL INSURANCE", "settlement"),
        ("VANE AND HOLT SOLICITORS SETTLEMENT", "VANE AND HOLT SOLICITORS", "settlement"),
    ],
)
def test_only_who_pays_claims_settles_one(ledger: Ledger, text: str, payer: str, type_: str) -> None:
    assert said(ledger, text, 487_533, counterparty_name=payer)[0] == type_


def test_who_pays_by_giro_is_named_before_the_comma(ledger: Ledger) -> None:
    assert said(ledger, "BANK GIRO CREDIT REF L TARNBROOK, DWP BENEFIT PAYMENT", 87_000, 3)[0] == (
        "person_transfer"
    )
    assert said(ledger, "BANK GIRO CREDIT REF DWP PIP, QQ123456D DWP PIP", 43_420, 6, 28)[0] == (
        "state_benefit"
    )
    assert said(ledger, "BANK GIRO CREDIT REF HOLT CARE LTD, WAGES 0417", 143_420, 6, 28)[0] == "employment"


@pytest.mark.parametrize(("amount", "type_"), [(245_000, "other"), (62_512, "employment")])
def test_pay_for_a_week_is_no_large_multiple_of_fifty(ledger: Ledger, amount: int, type_: str) -> None:
    assert said(ledger, "GEHALT VARGO", amount, 6, WEEKLY, purpose="SALA")[0] == type_


def test_what_a_car_costs_is_not_what_it_is_sold_for(ledger: Ledger) -> None:
    payer = {"counterparty_name": "N HOLLOWAY"}
    assert said(ledger, "N HOLLOWAY TAX FOR CAR", 9_750, **payer)[0] == "person_transfer"
    assert said(ledger, "N HOLLOWAY FOR CAR", 97_500, **payer)[0] == "asset_sale"


def test_short_forms_of_purchase_and_agreement_are_read(ledger: Ledger) -> None:
    text = "WIRE IN HOLT ESCROW LLC PROCEEDS ASSET PURCH AGMT VANE LAWN SVC"
    assert said(ledger, text, 6_750_012, counterparty_name="HOLT ESCROW LLC")[0] == "business_sale"


@pytest.mark.parametrize(
    ("text", "amount", "extra", "type_"),
    [
        (
            "TARN CONV SITE SALE KILROSS",
            5_400_000,
            {"counterparty_name": "TARN & CO CLIENT"},
            "property_sale",
        ),
        ("VANE AND HOLT CLIENT DEP CONV COMPLETION BAL", 20_137_744, {}, "property_sale"),
        ("LONE VALLEY CU LOAN PROCEEDS", 1_100_000, {}, "loan"),
        ("ST FINTANS C U LTD LN DRAWDOWN 44", 300_000, {"counterparty_name": "ST FINTANS C U LTD"}, "loan"),
        ("RIVERVALE CU REFI CASH OUT", 2_400_000, {}, "loan"),
        ("TARNDALE BS MATURITY 2YR BOND", 1_042_355, {"counterparty_name": "TARNDALE BS"}, "savings"),
        ("TARN WEALTH MGMT WITHDRAWAL ISA", 1_200_000, {"counterparty_name": "TARN WEALTH MGMT"}, "savings"),
        ("FROM A/C 88140 MATURED TERM DEPOSIT", 1_011_800, {}, "savings"),
        ("TRANSFER FROM SAVER 8812", 30_000, {}, "savings"),
        ("CLOTURE PEL CAPITAL ET INTERETS", 1_422_018, {}, "savings"),
        ("EDWARD JONES DES:INVESTMENT ID:44", 1_520_000, {}, "investment_income"),
        ("WP-VERKAUF ORDER 774 STK 92", 810_633, {}, "asset_sale"),
        (
            "EXORS OF V TARNBROOK INTERIM DIST",
            800_000,
            {"counterparty_name": "EXORS OF V TARNBROOK"},
            "inheritance",
        ),
        ("VIR DON MANUEL PAPA MAMAN", 1_200_000, {"counterparty_name": "M ET MME VANTIER"}, "gift"),
        ("KAPITALABFINDUNG LV 4.118", 2_731_690, {"counterparty_name": "Allianz"}, "pension"),
        ("OHIO PERS BENEFIT PAYMENT", 201_655, {}, "pension"),
        ("VIR CAF DE L ALLIER PRESTATIONS", 41_255, {}, "state_benefit"),
    ],
)
def test_who_pays_shows_what_its_words_mean(
    ledger: Ledger, text: str, amount: int, extra: dict[str, object], type_: str
) -> None:
    assert said(ledger, text, amount, **extra)[0] == type_


@pytest.mark.parametrize(("amount", "type_"), [(1_894_022, "employment"), (1_900_000, "other")])
@pytest.mark.parametrize("text", ["REDUNDANCY FINAL PAY", "ABFINDUNG AUFHEBUNGSVERTRAG"])
def test_pay_for_the_end_of_a_job_is_net_of_tax(ledger: Ledger, text: str, amount: int, type_: str) -> None:
    assert said(ledger, text, amount, counterparty_name="Druckhaus Tarnbach KG")[0] == type_


def test_large_net_pay_comes_once(ledger: Ledger) -> None:
    extra = {"counterparty_name": "Druckhaus Tarnbach KG"}
    assert said(ledger, "REDUNDANCY FINAL PAY", 1_894_022, 2, WEEKLY, **extra)[0] == "other"


def test_the_code_of_a_german_booking_may_have_its_name_before_it(ledger: Ledger) -> None:
    text = "SEPA GUTSCHRIFT REWE MARKT GMBH ABRECHNUNG PNR 8812"
    dates = [f"2025-{month:02d}-27" for month in range(1, 7)]
    rows = [(day, 130_177, text) for day in dates]
    streams = derive(ledger(*rows, bank_code="GVC 153"), country="DE", as_of="2025-12-31").streams
    assert streams["type"].tolist() == ["employment"]


@pytest.mark.parametrize("payer", ["LIMERICK CITY COUNCIL HAP", "HAP SHARED SVC"])
def test_a_housing_office_pays_landlords(ledger: Ledger, payer: str) -> None:
    assert said(ledger, f"{payer} LL 0028", 85_000, 6, MONTHLY, counterparty_name=payer)[0] == "rental_income"


@pytest.mark.parametrize("text", ["MAINTENANCE ELLA", "BILLS"])
def test_what_a_person_shares_or_owes_for_a_child_is_between_persons(ledger: Ledger, text: str) -> None:
    assert (
        said(ledger, text, 25_000, 6, MONTHLY, counterparty_name="MR K J TARNBROOK")[0] == "person_transfer"
    )


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("INHERITANCE", 940_000),
        ("PENSION LUMP SUM", 940_000),
        ("HOUSE SALE", 940_000),
        ("TAX REFUND", 940_000),
        ("SSA BENEFIT", 875_000),
        ("ISA WITHDRAWAL", 875_000),
        ("ALLOCATION CAF", 940_000),
        ("PROBATE", 940_000),
    ],
)
@pytest.mark.parametrize("payer", ["QUICKFIX PHONE REPAIR", "LUCKY PAWN", "KINGS CAR WASH"])
def test_a_text_that_repeats_its_payers_name_is_still_the_payers_own(
    ledger: Ledger, payer: str, words: str, amount: int
) -> None:
    assert said(ledger, f"{payer} {words}", amount, counterparty_name=payer)[0] == "other"
    assert said(ledger, words, amount, counterparty_name=payer)[0] == "other"


@pytest.mark.parametrize(
    ("text", "amount", "count", "payer"),
    [
        ("MIETE", 875_000, 2, "Kiosk am Eck"),
        ("BUSINESS SALE", 875_000, 2, "LUXE NAILS"),
        ("SALARY", 312_000, 6, "KINGS CAR WASH"),
        ("INTEREST", 312_000, 6, "APEX LOGISTICS"),
    ],
)
def test_sums_and_rhythms_that_nobody_pays_so_are_not_believed(
    ledger: Ledger, text: str, amount: int, count: int, payer: str
) -> None:
    assert said(ledger, text, amount, count, FORTNIGHTLY, counterparty_name=payer)[0] == "other"


@pytest.mark.parametrize(
    ("text", "amount", "payer", "type_"),
    [
        ("SCHENKUNG ZUM HAUSBAU VON OMA GERDA", 2_000_000, "Gerda Tarnbach", "gift"),
        ("UMBUCHUNG VON SPARKONTO 33", 190_000, "Eigenes Konto", "savings"),
        ("HOLT WRAY SLRS LEGACY RE P VANE", 500_000, "HOLT WRAY SLRS", "inheritance"),
    ],
)
def test_who_may_pay_so_is_believed(ledger: Ledger, text: str, amount: int, payer: str, type_: str) -> None:
    assert said(ledger, text, amount, counterparty_name=payer)[0] == type_


@pytest.mark.parametrize("shares", ["SHARES", "SHS", "SHRS"])
def test_shares_that_a_lawyer_sells_are_no_home(ledger: Ledger, shares: str) -> None:
    assert said(ledger, f"HARKNESS LEGAL COMPL SALE OF {shares} VANEHOLT", 16_412_033)[0] in {
        "business_sale",
        "asset_sale",
    }
