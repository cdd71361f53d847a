"""Source of wealth: transactions a second through `derive`, beside reading them, sorting them and summing by payer in pandas."""

from __future__ import annotations

import tempfile
import tracemalloc
from datetime import date
from pathlib import Path

import pandas as pd
from tests.bench.measure import Measurement, in_turn

from kycpack.service.population import generate
from kycpack.service.population.table import to_transactions_frame
from kycpack.wealth import derive

_CUSTOMERS = 250
_COPIES = 10
_AS_OF = date(2026, 6, 30)
_ROWS_OF_EACH = 400


def run() -> list[Measurement]:
    """Measure speed and memory on a million transactions of 2,500 customers."""
    transactions = _transactions()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "transactions.parquet"
        transactions.to_parquet(path)

        def peer() -> pd.Series:
            frame = pd.read_parquet(path).astype(dict.fromkeys(["customer_id", "description_raw"], object))
            ordered = frame.sort_values(["customer_id", "description_raw", "booked_on"])
            return ordered.groupby(["customer_id", "description_raw"], sort=False)["amount_minor"].sum()

        ours, theirs = in_turn(lambda: derive(transactions, as_of=_AS_OF), peer, rounds=3)
    count = len(transactions)
    frame_bytes = int(transactions.memory_usage(deep=True).sum())
    return [
        Measurement(
            "derive, source of wealth",
            count / ours,
            count / theirs,
            "transactions/s",
            "pandas: read Parquet, sort, sum by group",
            "at least 0.33 of the peer",
        ),
        Measurement(
            "derive, peak memory",
            _peak_bytes(transactions) / 2**20,
            frame_bytes / 2**20,
            "MiB",
            "the frame itself",
            "at most 4 times the frame",
        ),
    ]


def _transactions() -> pd.DataFrame:
    population = generate(_CUSTOMERS, 1, _AS_OF, profile="evaluation", history_days=730)
    frame = to_transactions_frame(population)
    frame = frame[frame.groupby("customer_id").cumcount() < _ROWS_OF_EACH]
    copies = [
        frame.assign(
            customer_id=frame["customer_id"] + f"-{copy}",
            account_id=frame["account_id"] + f"-{copy}",
            description_raw=frame["description_raw"] + f" {copy}{copy}{copy}",
        )
        for copy in range(_COPIES)
    ]
    strings = ["customer_id", "account_id", "txn_id", "currency", "description_raw", "counterparty_name"]
    return pd.concat(copies, ignore_index=True).astype(dict.fromkeys(strings, object))


def _peak_bytes(transactions: pd.DataFrame) -> int:
    tracemalloc.start()
    try:
        derive(transactions, as_of=_AS_OF)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
