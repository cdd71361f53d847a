"""The index of evidence: what was asked, when, what came, and its hash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kycpack.render.blocks import Cell, Column, Paragraph, Section, table
from kycpack.render.palette import Tone
from kycpack.render.wording import DASH, outcome_cell

if TYPE_CHECKING:
    from kycpack.evidence import Entry, Evidence


def evidence_section(evidence: Evidence) -> Section:
    """Return the section that lists every entry, refusals and things not asked included."""
    columns = (
        Column("Id", 0.6),
        Column("Request", 3.1),
        Column("Outcome", 1.0),
        Column("Asked at (UTC)", 1.3),
        Column("SHA-256 of the stored body", 3.1),
        Column("Note", 1.6),
    )
    rows = [_row(entry) for entry in evidence.entries]
    return Section(
        "evidence",
        "Evidence index",
        (
            Paragraph(
                f"{len(evidence.entries)} entries. The evidence root, {evidence.root}, is the SHA-256 of the index, "
                "which carries the hash of every stored body."
            ),
            table(columns, rows, "Nothing was asked."),
        ),
    )


def _row(entry: Entry) -> tuple[Cell, ...]:
    outcome = outcome_cell(entry.outcome)
    status = f" {entry.status}" if entry.status is not None else ""
    request = f"{entry.method} {entry.path}" if entry.path else entry.operation
    query = f"?{entry.query}" if entry.query else ""
    return (
        Cell(entry.id, strong=True),
        Cell(request + query),
        Cell(f"{outcome.text}{status}", outcome.tone),
        Cell((entry.requested_at or DASH).replace("T", " ").removesuffix("Z")),
        Cell(entry.sha256 or DASH, Tone.QUIET),
        Cell(entry.note or DASH),
    )
