"""Platforms that pay through a carrier: the name of the marketplace decides, and not that of the service that passes its money on."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.prepare.entities import load_entities

Ledger = Callable[..., pd.DataFrame]


def said(
    ledger: Ledger, text: str, payer: str = "", amount: int = 3_180, count: int = 3
) -> set[tuple[str, str]]:
    """Return the types and evidence levels of similar payments some weeks apart."""
    days = pd.date_range(end="2025-06-27", periods=count, freq="17D")
    extra = {"counterparty_name": payer} if payer else {}
    rows = [(str(day.date()), amount + 110 * number, text, extra) for number, day in enumerate(days)]
    credits_ = derive(ledger(*rows), as_of="2025-12-31").credits
    return set(
        zip(credits_["type"].astype("string").fillna("other"), credits_["evidence_level"], strict=True)
    )


@pytest.mark.parametrize(
    ("text", "payer", "type_"),
    [
        ("VINTED (MANGOPAY SA) PO_8K2", "MANGOPAY SA", "asset_sale"),
        ("STRIPE GRAILED", "STRIPE", "asset_sale"),
        ("ADYEN DEPOP 4471", "ADYEN N.V.", "asset_sale"),
        ("LE BON COIN TRANSACTION POUSSETTE", "ADYEN N.V.", "asset_sale"),
        ("DONE DEAL PUSHCHAIR", "STRIPE PAYMENTS EUROPE", "asset_sale"),
        ("PAYPAL *ETSYINC", "PAYPAL", "business_income"),
    ],
)
def test_a_platform_named_behind_a_carrier_is_the_payer_by_a_word(
    ledger: Ledger, text: str, payer: str, type_: str
) -> None:
    assert said(ledger, text, payer) == {(type_, "keyword")}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("STRIPE DEPOP", "marketplace.depop"),
        ("PAYPAL REF 88 VINTED", "marketplace.vinted"),
        ("VINTED MANGOPAY SA", "marketplace.vinted"),
        ("STRIPE", "payment_processor.stripe"),
        ("STRIPE DEPOPULATION LTD", None),
        ("PAYPAL UBER LTD CLEANERS", None),
        ("PAYPAL D MERCARI", None),
    ],
)
def test_only_the_whole_name_of_a_platform_is_read_behind_a_carrier(text: str, known: str | None) -> None:
    found = load_entities().find(text, is_name=False)
    assert (found and found.id) == known


@pytest.mark.parametrize("text", ["OFFERUP DIRECT DEPOSIT", "MERCARI DIR DEP", "POSHMARK TRANSFER"])
def test_the_way_in_which_a_marketplace_pays_is_no_pay(ledger: Ledger, text: str) -> None:
    assert said(ledger, text) == {("asset_sale", "entity")}


@pytest.mark.parametrize("text", ["ETSY INC PAYROLL", "OFFERUP SALARY"])
def test_a_marketplace_that_says_pay_pays_its_staff(ledger: Ledger, text: str) -> None:
    assert said(ledger, text, amount=211_800) == {("employment", "entity")}
