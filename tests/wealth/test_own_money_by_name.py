"""A payer with the customer's own name: possibly own money, which the name alone does not establish."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.result import Wealth

Ledger = Callable[..., pd.DataFrame]
CUSTOMERS = pd.DataFrame([{"customer_id": "C1", "first_name": "Sarah", "last_name": "Whitcombe"}])


def of(ledger: Ledger, text: str, payer: str = "", amount: int = 1_240_000) -> Wealth:
    """Return what is derived from two payments on odd days."""
    extra = {"counterparty_name": payer} if payer else {}
    rows = [(day, amount + 110, text, extra) for day in ("2025-03-04", "2025-05-19")]
    return derive(ledger(*rows), CUSTOMERS, as_of="2025-12-31")


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("FROM STARLING", "SARAH WHITCOMBE"),
        ("S WHITCOMBE N26", "S WHITCOMBE"),
        ("WHITCOMBE S CASH ISA POT", ""),
        ("FROM A/C 60110042 S WHITCOMBE SAVER", "S WHITCOMBE"),
        ("ALLY BANK TRANSFER S WHITCOMBE", ""),
    ],
)
def test_single_credits_in_the_customers_name_are_possibly_savings_and_stay_unexplained(
    ledger: Ledger, text: str, payer: str
) -> None:
    wealth = of(ledger, text, payer)
    assert set(wealth.credits["type"]) == {"savings"}
    assert set(wealth.credits["disposition"]) == {"unexplained"}
    assert wealth.credits["reason"].str.contains("reads like savings, not established").all() or set(
        wealth.credits["evidence_level"]
    ) == {"keyword"}
    coverage = wealth.coverage.set_index("disposition")["total_minor"]
    assert coverage["unexplained"] == wealth.credits["amount_minor"].sum()


def test_such_credits_are_flagged_as_unexplained_ones_are(ledger: Ledger) -> None:
    own, other = of(ledger, "FROM STARLING", "SARAH WHITCOMBE"), of(ledger, "FROM STARLING", "KARL OSTROM")
    assert set(own.flags["code"]) == set(other.flags["code"]) != set()


@pytest.mark.parametrize(
    ("text", "payer"),
    [
        ("FROM STARLING", "KARL WHITCOMBE"),
        ("WHITCOMBE LTD", "WHITCOMBE LTD"),
        ("ACME DES:MISC INDN:WHITCOMBE SARAH", "ACME LLC"),
        ("RENT WHITCOMBE", "KARL OSTROM"),
    ],
)
def test_another_person_or_a_firm_of_that_name_is_not_the_customer(
    ledger: Ledger, text: str, payer: str
) -> None:
    assert "savings" not in set(of(ledger, text, payer).credits["type"].astype("string"))


@pytest.mark.parametrize(
    "back",
    ["REVERSAL TRANSFER S WHITCOMBE ALLY BANK", "RETURNED PAYMENT SARAH WHITCOMBE", "REFUND"],
)
def test_such_a_credit_that_is_given_back_at_once_is_flagged_as_any_other(ledger: Ledger, back: str) -> None:
    payer = {"counterparty_name": "REVOLUT SARAH W"}
    rows = [
        ("2025-03-04", 5_000_000, "TRANSFER S WHITCOMBE ALLY BANK", payer),
        ("2025-03-06", -5_000_000, back, payer),
    ]
    wealth = derive(ledger(*rows), CUSTOMERS, as_of="2025-12-31")
    assert set(wealth.credits["type"]) == {"savings"}
    assert set(wealth.flags["code"]) == {"large_unexplained", "round_trip"}
