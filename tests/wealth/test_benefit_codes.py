from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.prepare.known_payers import with_benefit


@pytest.mark.parametrize(
    ("payer", "said"),
    [
        ("DWP SP", "DWP SP (State Pension)"),
        ("dwp esa", "dwp esa (Employment and Support Allowance)"),
        ("DWP CA", "DWP CA (Carer's Allowance)"),
        ("DWP XB", "DWP XB"),
        ("DWP", "DWP"),
        ("ESA MOTORS LTD", "ESA MOTORS LTD"),
        ("DWP CA LTD", "DWP CA LTD"),
    ],
)
def test_only_a_code_that_is_certain_is_spelled_out(payer: str, said: str) -> None:
    assert with_benefit(payer) == said


def test_a_benefit_is_spelled_out_where_its_payments_are_described(
    ledger: Callable[..., pd.DataFrame],
) -> None:
    days = pd.date_range("2025-01-03", periods=20, freq="14D")
    rows = [(str(day.date()), 18_060, "DWP ESA") for day in days]
    (said,) = derive(ledger(*rows), as_of="2025-12-31").streams["description"]
    assert "20 credits from DWP ESA (Employment and Support Allowance), fortnightly" in said
