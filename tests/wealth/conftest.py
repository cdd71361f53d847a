"""Transactions for tests of this room, and strategies for laws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

Row = dict[str, Any]


@pytest.fixture(scope="session")
def ledger() -> Callable[..., pd.DataFrame]:
    """Make a frame of the normal form from (date, minor units, text) and what else a row says."""

    def make(*rows: tuple[Any, ...], **everywhere: Any) -> pd.DataFrame:
        filled: list[Row] = []
        for number, row in enumerate(rows):
            booked_on, amount_minor, text, *rest = row
            filled.append(
                {
                    "customer_id": "C1",
                    "account_id": "A1",
                    "txn_id": f"T{number:04d}",
                    "booked_on": booked_on,
                    "amount_minor": amount_minor,
                    "currency": "GBP",
                    "description_raw": text,
                }
                | everywhere
                | (rest[0] if rest else {})
            )
        columns = [
            "customer_id",
            "account_id",
            "txn_id",
            "booked_on",
            "amount_minor",
            "currency",
            "description_raw",
        ]
        extra = [name for row in filled for name in row if name not in columns]
        return pd.DataFrame(filled, columns=[*columns, *dict.fromkeys(extra)])

    return make
