"""On data that nobody here wrote, where it is on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from kycpack.frames.adapters.bank_csv import read_export
from kycpack.wealth import Wealth, derive


def moj(path: Path) -> Wealth:
    rows = [
        {
            "customer_id": "C1",
            "account_id": "A1",
            "txn_id": row.txn_id,
            "booked_on": row.booked_on,
            "amount_minor": row.amount_minor,
            "currency": "GBP",
            "description_raw": row.description,
        }
        for row in read_export(path, "uk-csv").rows
    ]
    return derive(pd.DataFrame(rows), as_of="2021-01-01")


def test_benefits_of_a_real_statement_are_benefits_and_family_is_no_income(shared_data: Path) -> None:
    wealth = moj(shared_data / "moj" / "bank_transactions.csv")
    streams = wealth.streams.set_index("payer")
    benefits = [
        "Work and child tax credit",
        "Child benefit",
        "DWP HB",
        "DWP UC",
        "DWP AFIP",
        "DWP AA",
        "DWP BA",
    ]
    assert set(streams.loc[benefits, "type"]) == {"state_benefit"}
    assert streams.loc["Care Home Ltd Salary", ["type", "cadence"]].tolist() == ["employment", "weekly"]
    assert streams.loc["Child benefit", "cadence"] == "four_weekly"
    family = wealth.credits[wealth.credits["payer"].str.contains("Mum|children|Mike", na=False)]
    assert len(family) > 30
    assert not family["type"].isin(["employment", "state_benefit", "self_employment", "gift"]).any()
    refunds = wealth.credits[wealth.credits["disposition"] == "refund"]
    assert refunds["amount_minor"].tolist() == [5679, 5679]


def test_the_second_statement_too(shared_data: Path) -> None:
    streams = moj(shared_data / "moj" / "bank_transactions_2.csv").streams.set_index("payer")
    assert streams.loc["DWP CHB", ["type", "cadence"]].tolist() == ["state_benefit", "four_weekly"]
    assert streams.loc["Maggie May", ["type", "cadence"]].tolist() == ["other", "weekly"]


@pytest.mark.parametrize(
    ("file", "payer", "type_", "cadence"),
    [
        ("welderTestUser", "Direct Deposit - Excelsior Welding Company", "other", "monthly"),
        (
            "bank_income_custom_user_5_income_sources",
            "Social Security Administration",
            "state_benefit",
            "monthly",
        ),
        ("bank_income_custom_user_5_income_sources", "bank interest payment", "interest", "monthly"),
        ("bank_income_custom_user_5_income_sources", "Lyft Payment", "self_employment", "weekly"),
        ("selfEmployedGiguser", "Lyft Payout", "self_employment", "weekly"),
    ],
)
def test_income_of_sandbox_accounts(
    shared_data: Path, file: str, payer: str, type_: str, cadence: str
) -> None:
    document = json.loads(
        (shared_data / "plaid_sandbox" / "income" / f"{file}.json").read_text(encoding="utf-8")
    )
    rows = [
        {
            "customer_id": "C1",
            "account_id": f"A{number}",
            "txn_id": f"A{number}-{position}",
            "booked_on": row["date_posted"],
            "amount_minor": -round(row["amount"] * 100),
            "currency": row["currency"],
            "description_raw": row["description"],
        }
        for number, account in enumerate(document["override_accounts"])
        for position, row in enumerate(account.get("transactions", ()))
    ]
    streams = derive(pd.DataFrame(rows), country="US", as_of="2026-12-31").streams.set_index("payer")
    assert streams.loc[payer, ["type", "cadence"]].tolist() == [type_, cadence]
