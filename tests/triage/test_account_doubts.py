"""Accounts that may be one, and months that may be missing, are findings with a value, evidence, an owner and an action."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import pytest
from tests.frames.evidence_maker import RECORD, EvidenceMaker
from tests.triage.test_evaluate import AS_OF, POLICY

from kycpack.frames import flatten
from kycpack.triage import evaluate
from kycpack.wealth import derive

FIRST = dt.date(2025, 5, 1)
DAYS = [FIRST + dt.timedelta(days=number) for number in range(390)]
Items = list[dict[str, Any]]


def lines(*, balances: bool = False) -> Items:
    """A year of pay and shopping, without rows of February 2026."""
    balance, made = 500_000, []
    for day in DAYS:
        if day.isoformat()[:7] == "2026-02" or day.day % 2:
            continue
        paid = 240_000 if day.day == 28 else -2_000 - day.day
        balance += paid
        item = {
            "id": f"t-{day}",
            "bookingDate": day.isoformat(),
            "amount": f"{abs(paid) / 100:.2f}",
            "creditDebitIndicator": "Credit" if paid > 0 else "Debit",
            "currency": "GBP",
            "description": "TESCO STORES SALARY" if paid > 0 else "CORNER BAKERY",
        }
        if balances:
            item["balance"] = {"amount": f"{balance / 100:.2f}", "currency": "GBP"}
        made.append(item)
    return made


def judged(*numbers: str, items: Items) -> pd.DataFrame:
    """Return the findings about a customer whose accounts, with these numbers, list the same transactions."""
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    accounts = [
        {"id": f"a{place}", "currency": "GBP", "accountHolderName": "MS A BYRON", "accountNumber": number, "tokenExpiry": "2026-08-01T00:00:00Z"}
        for place, number in enumerate(numbers)
    ]  # fmt: skip
    made.answer("bank_accounts.list", {"items": accounts})
    for account in accounts:
        made.answer("bank_accounts.transactions", {"items": items}, account_id=account["id"])
    made.known()
    frames = flatten(made.make())
    wealth = derive(frames.transactions, customers=frames.customers, accounts=frames.accounts, as_of=AS_OF)
    return evaluate(frames, POLICY, wealth, as_of=AS_OF).findings


def of_rule(findings: pd.DataFrame, rule_id: str) -> pd.DataFrame:
    return findings[findings["rule_id"] == rule_id]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (("****4411", "XXXX4411"), "a1 and a0 may be one account that was linked twice: 11 credits, 26,400.00 GBP in all, may be counted twice"),
        (("12344411", "12344411"), "a0 and a1 are two links to one account: 11 credits of 26,400.00 GBP in all, which both list, are counted once"),
    ],
)  # fmt: skip
def test_accounts_that_are_or_may_be_one_are_a_finding(numbers: tuple[str, str], said: str) -> None:
    row = of_rule(judged(*numbers, items=lines()), "BNK-3").iloc[0]
    assert (row["outcome"], row["owner"], row["action"]) == ("HIT", "Analyst", "ask")
    assert said in row["sentence"]
    alike = "; the same in both: holder, currency, visible digits of the number and payments"
    assert (alike in row["sentence"]) == ("may be one" in said)
    # The list of accounts, and from the pages of both accounts what was compared.
    assert len(row["evidence_ids"]) == (3 if "may be one" in said else 1)


def test_other_accounts_are_not_taken_for_one() -> None:
    assert of_rule(judged("12344411", "99994411", items=lines()), "BNK-3")["outcome"].tolist() == ["CLEAR"]


@pytest.mark.parametrize("balances", [True, False])
def test_a_month_without_transactions_on_a_busy_account_is_a_finding(*, balances: bool) -> None:
    """Also where the balances join: a bank that works them out from the rows that it gives joins them in any case."""
    (row,) = of_rule(judged("12344411", items=lines(balances=balances)), "BNK-4").to_dict("records")
    assert (row["outcome"], row["owner"], row["action"]) == ("HIT", "Analyst", "ask")
    assert "No transaction of a0 between 30 Jan 2026 and 2 Mar 2026, where about 1" in row["sentence"]
    assert "not seen: the employment payment from" in row["sentence"]
    assert "Feb 2026 (E-" in row["sentence"]
    assert set(row["evidence_ids"]) == {"E-05"}  # the transactions, not the list of accounts


def test_pay_that_ends_in_a_month_without_transactions_is_said_to_be_missing_in_it() -> None:
    """Also after its last payment: the next one may have come, and is not in the data."""
    paid = [
        item for item in lines() if "SALARY" not in item["description"] or item["bookingDate"] < "2026-02"
    ]
    (row,) = of_rule(judged("12344411", items=paid), "BNK-4").to_dict("records")
    assert (
        "not seen: the employment payment from TESCO STORES SALARY expected on 28 Feb 2026" in row["sentence"]
    )


def test_a_whole_year_is_clear_and_no_bank_data_is_not() -> None:
    whole = [
        {**item, "id": f"x-{day}", "bookingDate": day.isoformat()}
        for item, day in zip(lines() * 2, DAYS, strict=False)
    ]
    findings = judged("12344411", items=whole)
    assert of_rule(findings, "BNK-4")["outcome"].tolist() == ["CLEAR"]
    for rule_id in ("BNK-3", "BNK-4"):
        row = of_rule(judged(items=[]), rule_id).iloc[0]
        assert row["outcome"] == "NOT_APPLICABLE"
