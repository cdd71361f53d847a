"""The queue of very many cases, beside reading the same table with pandas and sorting it by the same columns."""

from __future__ import annotations

import datetime as dt
import tempfile
from pathlib import Path

import pandas as pd
from sqlalchemy import insert, select
from tests.bench.measure import Measurement, in_turn

from kycpack.workspace import Workspace, schema
from kycpack.workspace.cases.cases import Cases
from kycpack.workspace.ledger.ledger import Ledger

CASES = 100_000
DAY = dt.date(2026, 6, 1)
_LEVELS = ("review", "edd", "escalate", "reject")
_ORDER = ["level", "due_on", "opened_at", "unknown_count"]


def run() -> list[Measurement]:
    """Measure the queue of 100,000 open cases in SQLite."""
    with tempfile.TemporaryDirectory() as folder, Workspace.open(Path(folder) / "kycpack.db") as workspace:
        with workspace.transaction() as connection:
            connection.execute(insert(schema.cases), [_case(number) for number in range(CASES)])
        cases = Cases(Ledger(workspace))

        def peer() -> pd.DataFrame:
            with workspace.transaction() as connection:
                return pd.read_sql(select(schema.cases), connection).sort_values(_ORDER)

        ours, theirs = in_turn(lambda: cases.queue(as_of=DAY), peer, rounds=5)
    name = f"the queue of {CASES:,} cases, with the reason of each place"
    return [Measurement(name, ours, theirs, "s", "pandas reads and sorts the table", "at most 1 s")]


def _case(number: int) -> dict[str, object]:
    return {
        "case_id": f"c-{number:06}",
        "customer_id": f"c-{number:06}",
        "occasion": "onboarding",
        "state": "open",
        "version": 1,
        "entries": 1,
        "level": _LEVELS[number % len(_LEVELS)],
        "top_reason": f"Large unexplained credit: {number:,}.00 GBP (E-{number % 90:02})",
        "run_id": "run-1",
        "evidence_root": "1" * 64,
        "policy_digest": "2" * 64,
        "opened_at": f"2026-05-{1 + number % 28:02}T00:00:00.000000Z",
        "changed_at": "2026-05-01T00:00:00.000000Z",
        "due_on": None if number % 3 else f"2026-06-{1 + number % 30:02}",
        "findings": "[]",
        "finding_count": 3,
        "open_count": 3,
        "unknown_count": number % 4,
    }
