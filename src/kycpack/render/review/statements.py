"""The service's statement compared with our derivation, source by source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import pandas as pd

from kycpack.errors import EvidenceError, InputError
from kycpack.evidence import Entry, Evidence
from kycpack.frames.rows import columns_of, frame_of, plain_rows, records
from kycpack.models.wealth import SourceOfWealth
from kycpack.render.document_parts import (
    Block,
    Cell,
    Paragraph,
    Section,
    Subheading,
    TableColumn,
    resting_on,
    table,
)
from kycpack.render.origin import Origins, count_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.short_names import ShortNames
from kycpack.render.statement_pdf import amount_words, type_words
from kycpack.render.wording import DASH, is_absent, range_words, text_of
from kycpack.wealth import Wealth
from kycpack.wealth.judge.reconciliation import RECONCILIATION_COLUMNS
from kycpack.wealth.judge.wording import count_words

_COLUMNS = (
    TableColumn("Verdict", 1.35),
    TableColumn("Type: ours / theirs", 2.0),
    TableColumn("Payments", 1.1, right=True),
    TableColumn("Currency", 0.9),
    TableColumn("Average amount", 1.5, right=True),
    TableColumn("Total", 1.6, right=True),
    TableColumn("Difference", 1.2, right=True),
    TableColumn("Explanation", 2.2),
)
_COUNTS = ("position", "our_frequency", "their_position", "their_frequency")
_AMOUNTS = ("our_amount", "their_amount", "our_total", "their_total", "difference")
_DTYPES = {**dict.fromkeys(_COUNTS, "Int64"), **dict.fromkeys(_AMOUNTS, "object")}
_NOT_SETTLED = "not_settled"
_VERDICTS = {
    "equal": Cell("Equal", Tone.GOOD),
    "explained": Cell("Explained", Tone.GOOD),
    "unexplained": Cell("Unexplained", Tone.WATCH),
    _NOT_SETTLED: Cell("Not settled", Tone.WATCH),
    "only_ours": Cell("Only ours", Tone.WATCH),
    "only_theirs": Cell("Only theirs", Tone.WATCH),
}


def reconciliation_of(evidence: Evidence, wealth: Wealth, customer_id: str) -> pd.DataFrame:
    """Return our sources compared with those of each statement of the service: frame `reconciliation`.

    Returns:
        `evidence_id`, the row's `position` within its statement, and `RECONCILIATION_COLUMNS`; amounts are `Decimal` in major
        units. A statement that cannot be read has no rows.
    """
    names = ("customer_id", "evidence_id", "position", *RECONCILIATION_COLUMNS)
    found = [
        (customer_id, entry.id, place, *(None if is_absent(value) else value for value in row))
        for entry in _entries(evidence)
        if (statement := _read(evidence, entry)) is not None
        for place, row in enumerate(
            plain_rows(wealth.reconcile(customer_id, statement), *RECONCILIATION_COLUMNS)
        )
    ]
    return frame_of(columns_of(names, found), _DTYPES)


def statement_section(
    evidence: Evidence, reconciliation: pd.DataFrame, names: ShortNames, sources: pd.DataFrame
) -> Section:
    """Return the section that compares each statement of the service with our derivation.

    Args:
        evidence: Evidence of one customer.
        reconciliation: As returned by `reconciliation_of`; each pair of figures is printed as ours / theirs.
        names: Short names of the payments.
        sources: Our sources, as in `Wealth.sources`; they have a currency, while a statement of the service has none.
    """
    blocks: list[Block] = [
        Paragraph(
            "If the two sides differ, a figure is shown as ours / theirs. A difference is either explained or marked as unexplained. "
            "“Not settled” means that the totals agree, but something else differs, or part of a total is not certain."
        )
    ]
    entries = _entries(evidence)
    ours = {str(row["source_id"]): row for row in records(sources)}
    for entry in entries:
        blocks += _compared(evidence, entry, reconciliation, names, ours)
    if not entries:
        blocks.append(
            Paragraph("The service gave no statement, so there is nothing to compare.", Tone.UNKNOWN)
        )
    return Section("statement", "Our derivation and the service's statement", tuple(blocks))


def _entries(evidence: Evidence) -> list[Entry]:
    return [
        entry
        for entry in evidence.select("source_of_wealth.get")
        if entry.outcome == "answered" and entry.subject.get("format", "json") == "json"
    ]


def _read(evidence: Evidence, entry: Entry) -> SourceOfWealth | None:
    try:
        return SourceOfWealth.read(evidence.json(entry.id))
    except (InputError, EvidenceError):
        return None


def _compared(
    evidence: Evidence,
    entry: Entry,
    reconciliation: pd.DataFrame,
    names: ShortNames,
    ours: Mapping[str, Mapping[str, Any]],
) -> Iterator[Block]:
    payment = entry.subject.get("payment_id")
    yield Subheading(f"Statement {entry.id}" + (f", for payment {names.of(payment)}" if payment else ""))
    if _read(evidence, entry) is None:
        yield Paragraph("This statement could not be read.", Tone.UNKNOWN)
        return
    rows = [
        _row(row, ours.get(str(row["our_source_id"])))
        for row in records(reconciliation)
        if row["evidence_id"] == entry.id
    ]
    yield table(_COLUMNS, rows, "Neither side names a source.")


def _row(row: Mapping[str, Any], ours: Mapping[str, Any] | None) -> tuple[Cell, ...]:
    currency = "" if ours is None else str(ours["currency"])

    def amount(value: Any) -> str:
        return amount_words(value, currency) if isinstance(value, Decimal) else str(value)

    verdict = str(row["verdict"])
    if verdict == "unexplained" and not is_absent(row["difference"]) and not row["difference"]:
        verdict = _NOT_SETTLED
    count = total = ""
    origins: Origins = ()
    if ours is not None and ours["may_be_twice_minor"]:
        count = count_words(ours["count"] - ours["may_be_twice_count"], ours["count"])
        total = range_words(ours["least_total_minor"], ours["total_minor"], currency)
        total = total.removesuffix(f" {currency}")
        origins = (
            value_of("own_sources", source_id=ours["source_id"]),
            count_of("credits", stream_id=ours["source_id"], may_be_twice_minor=0),
        )
    cells = (
        _VERDICTS.get(verdict, Cell(verdict, Tone.UNKNOWN)),
        Cell(_pair(row["our_type"], row["their_type"], lambda kind: type_words(str(kind)))),
        Cell(_pair(row["our_frequency"], row["their_frequency"], lambda count: str(int(count)), count)),
        Cell(currency or DASH),
        Cell(_pair(row["our_amount"], row["their_amount"], amount)),
        Cell(_pair(row["our_total"], row["their_total"], amount, total)),
        Cell(DASH if is_absent(row["difference"]) else amount(row["difference"])),
        Cell(text_of(row["explanation"], DASH)),
    )
    origin = value_of("reconciliation", evidence_id=row["evidence_id"], position=row["position"])
    return resting_on(cells, origin, *origins)


def _pair(ours: Any, theirs: Any, words: Any, unsure: str = "") -> str:
    """Return the values of both sides, or one if they are the same; ours in other words if part of it is not sure."""
    mine, other = (DASH if is_absent(value) else words(value) for value in (ours, theirs))
    mine = unsure or mine
    return mine if mine == other else f"{mine} / {other}"
