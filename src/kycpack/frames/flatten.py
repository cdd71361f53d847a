"""From evidence to the frames of one or several customers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pandas as pd

from kycpack.errors import FrameError
from kycpack.evidence import Entry, Evidence, to_evidence
from kycpack.frames.bank_data import note_missing_pages, read_bank_data
from kycpack.frames.catalogue import SCHEMAS
from kycpack.frames.customers import read_customer
from kycpack.frames.frame_builder import FrameBuilder
from kycpack.frames.gaps import Gaps
from kycpack.frames.identity import Identity
from kycpack.frames.onboarding import read_sessions
from kycpack.frames.payments import read_payments
from kycpack.frames.reading import EvidenceReading
from kycpack.frames.register import read_register
from kycpack.frames.results import read_results
from kycpack.frames.schema import conform, empty
from kycpack.frames.statements import read_statements
from kycpack.models.arguments import require
from kycpack.models.cards import card


@dataclass(frozen=True, eq=False)
class Frames:
    """One frame for each schema of the catalogue; `customer_id` is the customer of a row, `evidence_id` the evidence entry that it was read from."""

    customers: pd.DataFrame
    sessions: pd.DataFrame
    results: pd.DataFrame
    checks: pd.DataFrame
    screening: pd.DataFrame
    documents: pd.DataFrame
    media: pd.DataFrame
    accounts: pd.DataFrame
    balances: pd.DataFrame
    transactions: pd.DataFrame
    payments: pd.DataFrame
    attempts: pd.DataFrame
    statements: pd.DataFrame
    sources: pd.DataFrame
    gaps: pd.DataFrame

    @classmethod
    def concat(cls, parts: Iterable[Frames]) -> Frames:
        """Join the frames of several calls of `flatten`, with the dtypes of each schema.

        `pandas.concat` would turn different categories, such as customer ids, into plain objects.

        Args:
            parts: Frames of different customers.

        Raises:
            FrameError: A customer is in more than one part.
        """
        given = list(parts)
        seen: set[str] = set()
        for part in given:
            ids = {
                str(customer)
                for _, frame in part.items()
                for customer in frame["customer_id"].dropna().unique()
            }
            if repeated := sorted(ids & seen):
                raise FrameError(f"customer {repeated[0]} is given twice", place="parts")
            seen |= ids
        return cls(**{field.name: _stacked(field.name, given) for field in fields(cls)})

    def __post_init__(self) -> None:
        for name, frame in self.items():
            require(name, frame, pd.DataFrame, "a DataFrame")

    def items(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """Yield each frame with its name, in the order of the catalogue."""
        for field in fields(self):
            yield field.name, getattr(self, field.name)

    def copy(self) -> Frames:
        """Return a copy; changes to it do not affect the original."""
        # pandas copies a column when it is written to, and not before.
        return Frames(**{name: frame.copy(deep=False) for name, frame in self.items()})

    def __repr__(self) -> str:
        counts = ", ".join(f"{name} {len(frame)}" for name, frame in self.items())
        return f"Frames({counts})"

    def _repr_html_(self) -> str:
        rows = [(name, len(frame), frame.shape[1]) for name, frame in self.items()]
        return card(
            "Frames",
            ("frame", "rows", "columns"),
            rows,
            following=(
                "kp.describe('transactions')",
                "kp.derive(frames.transactions, ...)",
                "kp.evaluate(frames, policy, as_of=...)",
            ),
        )


def _stacked(name: str, parts: list[Frames]) -> pd.DataFrame:
    frames = [frame for part in parts if len(frame := getattr(part, name))]
    if not frames:
        return empty(name)
    plain = [
        frame.astype(dict.fromkeys(frame.select_dtypes("category").columns, "string")) for frame in frames
    ]
    return conform(name, pd.concat(plain, ignore_index=True))


_LAST: list[tuple[tuple[Any, ...], Frames]] = []
"""The evidence flattened last, with its frames; callers get a copy that they may change."""


def flatten(evidence: Evidence | Path | str | Iterable[Evidence | Path | str]) -> Frames:
    """Return the content of evidence as frames, one row per item.

    A value that cannot be read does not stop the rest: it becomes a row of `gaps` with its entry and member.

    Args:
        evidence: Evidence of one or several customers, each given once, as an object or as the path of its folder. The items
            of an iterable are read one by one and not kept.

    Returns:
        One frame for each schema of the catalogue; the columns are always the same.

    Raises:
        FrameError: A customer is given twice.
        EvidenceError: A folder does not contain evidence, or was altered.
        TypeError: The argument is neither evidence nor a path.
    """
    if isinstance(evidence, Evidence | Path | str) or not isinstance(evidence, Iterable):
        evidence = to_evidence(evidence)
        content = (evidence.customer_id, evidence.entries, copy(evidence.bodies))
        # A pack flattens the same evidence twice: to see whether anything changed, and to review it.
        if not _LAST or _LAST[0][0] != content:
            _LAST[:] = [(content, _flattened([evidence]))]
        return _LAST[0][1].copy()
    return _flattened(evidence)


def _flattened(evidence: Iterable[Evidence | Path | str]) -> Frames:
    rows = {name: FrameBuilder(schema) for name, schema in SCHEMAS.items()}
    seen: set[str] = set()
    for one in map(to_evidence, evidence):
        if one.customer_id in seen:
            raise FrameError(f"customer {one.customer_id} is given twice", place="evidence")
        seen.add(one.customer_id)
        _read(one, rows)
    return Frames(**{name: gathered.frame() for name, gathered in rows.items()})


def _read(evidence: Evidence, rows: dict[str, FrameBuilder]) -> None:
    by_operation: dict[str, list[Entry]] = {}
    answers: dict[str, list[Entry]] = {}
    reading = EvidenceReading(evidence, rows, Gaps(evidence.customer_id), by_operation, answers)
    for entry in evidence.entries:
        by_operation.setdefault(entry.operation, []).append(entry)
        if entry.outcome == "answered":
            answers.setdefault(entry.operation, []).append(entry)
        else:
            _note_unanswered(reading, entry)
    identity = Identity(reading)
    read_customer(reading)
    known = read_register(reading)
    found = read_sessions(reading, known, identity)
    read_payments(reading, known)
    read_bank_data(reading, identity)
    note_missing_pages(reading)
    read_statements(reading, identity)
    for results in found:
        read_results(reading, results)
    rows["gaps"].extend(reading.gaps.found)


def _note_unanswered(reading: EvidenceReading, entry: Entry) -> None:
    if entry.operation == "bank_accounts.list" and entry.status == 404:
        message = "no bank account is linked: the service answered 404"
        reading.gaps.add("bank", "no_accounts", message, subject=reading.customer_id, evidence_id=entry.id)
    else:
        reading.gaps.add_unanswered(entry)
