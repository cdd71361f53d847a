"""Payments of tax offices, insurers, lawyers' funds and parents, each with words that also speak of something else."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive

Ledger = Callable[..., pd.DataFrame]


@pytest.mark.parametrize(
    ("country", "text", "name", "purpose", "amount", "type_"),
    [
        (
            "DE",
            "FINANZAMT GERA ESTERST. 2024 77/118",
            "Finanzverw. Thueringen",
            "GOVT",
            137_712,
            "tax_refund",
        ),
        ("GB", "HMRC SELF ASSESSMENT REPAYMENT", "HMRC", "GOVT", 137_712, "tax_refund"),
        ("GB", "HMRC CHILD BENEFIT", "HMRC", "GOVT", 10_240, "state_benefit"),
        (
            "US",
            "METROPOLITAN LIFE DES:GRP LIFE BENE PROCEEDS",
            "METROPOLITAN LIFE INS CO",
            None,
            10_041_810,
            "settlement",
        ),
        ("US", "HARBOR MUTUAL LIFE INS CO DEATH PROCEEDS", None, None, 2_541_810, "settlement"),
        ("FR", "CARPA LYON MORIN C/ STE OPALINE", "CARPA LYON", None, 2_160_000, "settlement"),
        ("FR", "CARPA LYON SUCCESSION MORIN", "CARPA LYON", None, 2_160_000, "inheritance"),
        ("GB", "MUM AND DAD HOUSE DEPOSIT X", "P & L FENWICK", None, 2_000_000, "gift"),
        ("DE", "PFLICHTTEIL GEM VERGLEICH", "RAe Weiss und Partner", None, 812_340, "inheritance"),
    ],
)
def test_what_an_office_or_family_pays_is_read(
    ledger: Ledger, country: str, text: str, name: str | None, purpose: str | None, amount: int, type_: str
) -> None:
    rows = ledger(("2025-06-27", amount, text, {"counterparty_name": name, "purpose": purpose}))
    wealth = derive(rows, country=country, as_of="2025-12-31")
    assert wealth.credits["type"].tolist() == [type_]


@pytest.mark.parametrize("name", [None, "Orben Supplies Ltd", "K Behrens"])
def test_a_deposit_for_a_house_without_family_is_no_gift(ledger: Ledger, name: str | None) -> None:
    rows = ledger(("2025-06-27", 2_000_000, "HOUSE DEPOSIT", {"counterparty_name": name}))
    assert derive(rows, as_of="2025-12-31").credits["type"].tolist() != ["gift"]


def test_the_code_for_a_benefit_still_contradicts_a_refund_of_tax(ledger: Ledger) -> None:
    more = {"counterparty_name": "Finanzverw. Thueringen", "purpose": "BENE"}
    rows = ledger(("2025-06-27", 137_712, "FINANZAMT GERA ESTERST. 2024", more))
    assert derive(rows, country="DE", as_of="2025-12-31").credits["type"].tolist() != ["tax_refund"]


@pytest.mark.parametrize(
    ("country", "text", "name", "amount", "type_"),
    [
        ("DE", "BAFOEG 06/26", "Landeskasse Duesseldorf", 81_200, "state_benefit"),
        ("FR", "AIDE MOBILI JEUNE", "ACTION LOGEMENT", 7_200, "state_benefit"),
        ("FR", "REMUN 06 2026", "COMMUNE DE LANNION", 171_234, "employment"),
    ],
)
def test_what_a_public_body_pays_by_the_month_is_read(
    ledger: Ledger, country: str, text: str, name: str, amount: int, type_: str
) -> None:
    days = pd.date_range("2025-01-28", periods=6, freq="MS") + pd.Timedelta(days=26)
    rows = ledger(*((day, amount, text) for day in days), counterparty_name=name)
    assert set(derive(rows, country=country, as_of="2025-12-31").credits["type"]) == {type_}


@pytest.mark.parametrize(
    ("country", "text", "name", "amount", "type_"),
    [
        ("GB", "REDUNDANCY PAYMENT", "RPS INSOLVENCY SERVICE", 950_000, "employment"),
        ("GB", "BPS RPA", "RURAL PAYMENTS AGENCY", 613_400, "business_income"),
        ("US", "ESTATE OF HAROLD BIGGS FINAL DIST", "WELLS FARGO TRUST", 4_530_000, "inheritance"),
        ("DE", "ZUM ABI HERZLICHEN GLUECKWUNSCH", "Gerda Vogt", 50_000, "gift"),
    ],
)
def test_a_single_payment_of_an_office_or_of_family_is_read(
    ledger: Ledger, country: str, text: str, name: str, amount: int, type_: str
) -> None:
    rows = ledger(("2025-06-27", amount, text), counterparty_name=name)
    assert derive(rows, country=country, as_of="2025-12-31").credits["type"].tolist() == [type_]


def test_a_credit_balance_of_heating_costs_is_a_refund(ledger: Ledger) -> None:
    rows = ledger(("2025-06-27", 26_412, "NEBENKOSTENGUTHABEN 2025"), counterparty_name="Wohnbau eG")
    assert derive(rows, country="DE", as_of="2025-12-31").credits["disposition"].tolist() == ["refund"]
