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
        ("LDGMT HARKNESS LAW CLIENT ACC PROCS SALE ROSSLARE", 16_412_033, "property_sale"),
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
