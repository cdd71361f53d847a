"""Money from a pot of the same account is the customer's own as far as that account filled it, and nobody else's pot counts."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]


def with_pots(ledger: Ledger, out: str, back: str, amount: int) -> Wealth:
    """Derive three debits of 150.00 and a credit after them."""
    filled = [(f"2025-0{month}-29", -15_000, out) for month in (3, 4, 5)]
    return derive(ledger(*filled, ("2025-06-12", amount, back)), as_of="2025-12-31")


@pytest.mark.parametrize(
    ("out", "back"),
    [
        ("TO WEDDING POT", "FROM WEDDING POT"),
        ("Pot transfer - Boiler pot", "Withdrawal from Boiler pot"),
        ("TO SPACE SKIING", "FROM SPACE SKIING"),
    ],
)
def test_what_a_pot_gives_back_is_own_money_and_names_its_debit(ledger: Ledger, out: str, back: str) -> None:
    credits_ = with_pots(ledger, out, back, 42_000).credits
    assert credits_["disposition"].tolist() == ["own_transfer"]
    assert credits_["pair_txn_id"].notna().all()


@pytest.mark.parametrize(
    ("out", "back", "amount"),
    [
        ("TO WEDDING POT", "FROM WEDDING POT", 46_000),  # more than was put in
        ("TO WEDDING POT", "FROM RACING POT", 42_000),  # another pot
        ("CHIMNEY POT LTD", "CHIMNEY POT LTD", 42_000),  # a firm
    ],
)
def test_nothing_else_with_a_pot_in_its_name_is_own_money(
    ledger: Ledger, out: str, back: str, amount: int
) -> None:
    credits_ = with_pots(ledger, out, back, amount).credits
    assert "own_transfer" not in credits_["disposition"].tolist()
