"""What the transactions of customers show of their histories, read for all customers at once."""

from __future__ import annotations

import pandas as pd

from kycpack.frames.schema import conform
from kycpack.triage.bank_observations import BankHistory, bank_histories


def test_a_history_reaches_from_the_first_to_the_last_booked_day_of_its_customer() -> None:
    rows = [
        ("b", "2026-03-01", "booked", "E-1"),
        ("a", "2025-01-01", "pending", "E-2"),
        ("a", "2026-04-10", "booked", "E-3"),
        ("c", "2026-01-01", "pending", "E-4"),
        ("a", "2026-04-01", "booked", "E-5"),
        ("b", "2026-03-01", "booked", None),
    ]
    transactions = conform(
        "transactions",
        pd.DataFrame(
            {
                "customer_id": [row[0] for row in rows],
                "account_id": "x",
                "txn_id": [str(number) for number in range(len(rows))],
                "booked_on": pd.to_datetime([row[1] for row in rows]),
                "status": [row[2] for row in rows],
                "amount_minor": 100,
                "currency": "GBP",
                "description_raw": "Salary",
                "evidence_id": [row[3] for row in rows],
            }
        ),
    )
    found = bank_histories(transactions)
    assert list(found) == ["b", "a", "c"]
    assert found["b"] == BankHistory("E-1", 1, "E-1")
    assert found["a"] == BankHistory("E-2", 10, "E-3")
    assert (found["c"].evidence_id, found["c"].days) == ("E-4", None)
    assert bank_histories(transactions.iloc[:0]) == {}
