"""Source of wealth: transactions a second through `derive`, beside reading them, sorting them and summing by payer in pandas."""

from __future__ import annotations

import multiprocessing
import tempfile
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path

import pandas as pd
from tests.bench.measure import Measurement, in_turn, peak_bytes
from tests.evaluate.population_frames import to_transactions_frame

from kycpack.synthetic import generate
from kycpack.wealth import derive

_CUSTOMERS = 250
_COPIES = 10
_AS_OF = date(2026, 6, 30)
_ROWS_OF_EACH = 400
_STRINGS = ("customer_id", "account_id", "txn_id", "currency", "description_raw", "counterparty_name")


def run() -> list[Measurement]:
    """Measure speed and memory on a million transactions of 2,500 customers."""
    transactions = _transactions()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "transactions.parquet"
        transactions.to_parquet(path)

        def peer() -> pd.Series:
            ordered = _read(path).sort_values(["customer_id", "description_raw", "booked_on"])
            return ordered.groupby(["customer_id", "description_raw"], sort=False)["amount_minor"].sum()

        ours, theirs = in_turn(lambda: derive(transactions, as_of=_AS_OF), peer, rounds=3)
        peak = _peak_bytes(path)
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
            "read and derive, peak memory",
            peak / 2**20,
            frame_bytes / 2**20,
            "MiB",
            "the frame itself",
            "at most 3 times the frame",
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
    return pd.concat(copies, ignore_index=True).astype(dict.fromkeys(_STRINGS, object))


def _peak_bytes(path: Path) -> int:
    """Return the peak memory of a process of its own that reads the frame and derives, above what it began with."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_peak_here, path).result()


def _peak_here(path: Path) -> int:
    before = peak_bytes()
    derive(_read(path), as_of=_AS_OF)
    return peak_bytes() - before


def _read(path: Path) -> pd.DataFrame:
    frame = pd.read_parquet(path)
    return frame.astype(dict.fromkeys(_STRINGS, object))
