"""Which evidence outranks which, a kind of reasoning at a time."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive
from kycpack.wealth.prepare.entities import load_entities

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def of(ledger: Ledger, text: str, amount: int = 123_456, count: int = 1, **extra: object) -> Wealth:
    """Derive equal payments of one text, a month apart."""
    days = pd.date_range("2025-01-28", periods=count, freq="MS") + pd.Timedelta(days=27)
    rows = [(str(day.date()), amount, text, extra) for day in days]
    return derive(ledger(*rows), as_of=AS_OF)


def type_of(wealth: Wealth) -> str:
    """Return the type of all credits."""
    (only,) = set(wealth.credits["type"].astype("string").fillna("other"))
    return str(only)


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("MATMUT SINISTRE TOITURE RUE FOCH", "settlement"),
        ("ESURE CLM WINDSCREEN FORD KA", "settlement"),
        ("BARCLAYS LOAN KITCHEN EXTENSION", "loan"),
        ("CHARLES STANLEY DIV UNILEVER ORD", "investment_income"),
        ("SYKES COTTAGES OWNER SEAVIEW WHITBY", "rental_income"),
        ("LEEDS BS MATURITY ACC HOLLINGS", "savings"),
    ],
)
def test_a_known_name_and_what_such_a_payer_pays_say_it_whatever_else_is_written(
    ledger: Ledger, text: str, type_: str
) -> None:
    assert type_of(of(ledger, text)) == type_


@pytest.mark.parametrize(
    "text",
    [
        "AVIVA CLAIM HANDLERS LTD",
        "ESURE CLAIMS CONSULTANTS",
        "MATMUT TOITURE RUE FOCH SINISTRE",
        "AVIVA ROAD CAFE CLAIM",
    ],
)
def test_another_firms_name_that_begins_like_a_known_one_names_nobody(text: str) -> None:
    assert load_entities().find(text, is_name=False) is None
