"""What the transactions of customers show of their histories, read for all customers at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from typing import cast

import pandas as pd
import pytest
from tests.frames.evidence_maker import clear_customer

from kycpack.frames import flatten
from kycpack.frames.schema import conform
from kycpack.triage import evaluate
from kycpack.triage.case_file import CaseFile
from kycpack.triage.observations.bank_observations import BankHistory, bank_histories, observe_bank
from kycpack.triage.observations.frame_rows import FrameRows
from kycpack.wealth import derive


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
    assert found["b"] == BankHistory("E-1", 1, ("E-1",), ("E-1",))
    assert found["a"] == BankHistory("E-2", 10, ("E-3", "E-5"), ("E-2", "E-3", "E-5"))
    assert (found["c"].evidence_id, found["c"].days) == ("E-4", None)
    assert bank_histories(transactions.iloc[:0]) == {}


@pytest.mark.parametrize(
    ("as_of", "ends", "days", "note"),
    [
        ("2026-11-28T14:51:30+00:00", "2027-02-26T14:51:02+00:00", 90, "access ends on 26 Feb 2027"),
        ("2026-11-28T00:00:00+00:00", "2026-11-28T23:59:59+00:00", 0, "access ends on 28 Nov 2026"),
        ("2026-11-28T23:00:00+00:00", "2026-11-29T01:00:00+00:00", 1, "access ends on 29 Nov 2026"),
        ("2026-11-29T01:00:00+02:00", "2026-11-29T12:00:00+00:00", 1, "access ends on 29 Nov 2026"),
        ("2026-11-28T14:00:00+00:00", "2026-11-28T13:00:00+00:00", -1, "access ended on 28 Nov 2026"),
        ("2026-11-28T01:00:00+00:00", "2026-11-27T23:00:00+00:00", -1, "access ended on 27 Nov 2026"),
    ],
)
def test_days_of_bank_access_are_counted_by_dates_in_utc_and_access_that_ended_today_has_ended(
    as_of: str, ends: str, days: int, note: str
) -> None:
    account = SimpleNamespace(
        customer_id="C-1", token_expires_at=pd.Timestamp(ends).tz_convert("UTC"), evidence_id="E-1"
    )
    given = SimpleNamespace(accounts=[account], gaps=[], payments=[], sessions=[], balances=[])
    case = CaseFile("C-1", "E-0")
    observe_bank(cast("FrameRows", given), {}, {"C-1": case}, None, datetime.fromisoformat(as_of))
    (seen,) = (one for one in case.seen if one.path == "bank.access_days")
    assert (seen.value, seen.note) == (days, note)


def test_a_customer_whom_only_debits_name_is_evaluated_and_never_approved() -> None:
    transactions = conform(
        "transactions",
        pd.DataFrame(
            {
                "customer_id": "nobody",
                "account_id": "x",
                "txn_id": ["1", "2"],
                "booked_on": pd.to_datetime(["2026-03-01", "2026-05-01"]),
                "status": "booked",
                "amount_minor": -1_250,
                "currency": "GBP",
                "description_raw": "TESCO STORES",
                "evidence_id": "E-01",
            }
        ),
    )
    wealth = derive(transactions, as_of="2026-06-01")
    assert wealth.statement("nobody").primary_source is None
    known = flatten(clear_customer())
    frames = replace(known, transactions=transactions)
    alone = replace(
        frames, **{name: frame.iloc[:0] for name, frame in known.items() if name != "transactions"}
    )
    for given, count in ((frames, 2), (alone, 1)):
        found = evaluate(given, wealth=wealth, as_of="2026-06-01").recommendations
        assert len(found) == count
        row = found[found["customer_id"] == "nobody"].iloc[0]
        assert row["level"] == "edd"
        assert {"CON-1", "SAN-1"} <= set(row["unknown"])


def test_a_customer_whom_only_a_session_or_a_gap_names_is_evaluated_and_never_approved() -> None:
    known = flatten(clear_customer())
    for names in (["customers"], ["customers", "sessions", "results", "checks", "documents"]):
        less = replace(known, **{name: getattr(known, name).iloc[:0] for name in names})
        (level,) = evaluate(less, as_of="2026-06-01").recommendations["level"]
        assert level != "approve"
