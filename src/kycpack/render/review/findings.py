"""Findings as criterion, condition, evidence; and the matrix of what agrees with what."""

from __future__ import annotations

import pandas as pd

from kycpack.render.blocks import Block, Cell, Column, Paragraph, Section, Subheading, table
from kycpack.render.palette import Tone
from kycpack.render.wording import DASH, cell_of, joined, level_cell, outcome_cell, text_of

_CRITERIA = (
    Column("Rule", 0.9),
    Column("Outcome", 0.85),
    Column("Criterion", 2.6),
    Column("Condition found", 2.3),
    Column("Asks for", 1.25),
    Column("Owner", 1.1),
    Column("Evidence", 1.0),
)
_MATRIX = (
    Column("Field", 1.0),
    Column("Compared", 1.6),
    Column("With", 1.6),
    Column("Verdict", 0.9),
    Column("Score", 0.7, right=True),
    Column("How it was judged", 3.2),
)


def findings_section(findings: pd.DataFrame) -> Section:
    """Return the section of findings: what was hit, what could not be told, what was clear."""
    outcome = findings["outcome"].astype("string")
    hits, unknown, clear = (findings[outcome == name] for name in ("HIT", "UNKNOWN", "CLEAR"))
    blocks: list[Block] = [
        Paragraph(
            f"{len(hits)} rules hit, {len(unknown)} could not be told, {len(clear)} are clear. "
            "What could not be told is never taken for clear."
        ),
        Subheading("Hit"),
        table(_CRITERIA, [_row(row) for _, row in hits.iterrows()], "No rule was hit."),
        Subheading("Could not be told"),
        table(_CRITERIA, [_row(row) for _, row in unknown.iterrows()], "Every rule could be told."),
        Subheading("Clear"),
        table(_CRITERIA, [_row(row) for _, row in clear.iterrows()], "No rule is clear."),
    ]
    return Section("findings", "Findings", tuple(blocks))


def consistency_section(consistency: pd.DataFrame) -> Section:
    """Return the section that compares record, document, address and bank."""
    rows = [
        (
            Cell(text_of(row["field"]).replace("_", " ")),
            cell_of(row["left"]),
            cell_of(row["right"]),
            outcome_cell(row["verdict"]),
            _score(row["score"]),
            cell_of(row["reason"], DASH),
        )
        for _, row in consistency.iterrows()
    ]
    return Section(
        "consistency",
        "Consistency of identity",
        (
            Paragraph(
                "The customer record, the document's holder, the extracted address and the bank account's holder, "
                "compared on name, date of birth and address."
            ),
            table(_MATRIX, rows, "Nothing could be compared."),
        ),
    )


def _row(row: pd.Series) -> tuple[Cell, ...]:
    found = f"{text_of(row['path'], '')} = {text_of(row['value'], 'missing')}"
    criterion = text_of(row["reason"])
    basis = text_of(row["basis"], "")
    return (
        Cell(str(row["rule_id"]), strong=True),
        outcome_cell(row["outcome"]),
        Cell(f"{criterion} ({basis})" if basis else criterion),
        Cell(found.removeprefix(" = ")),
        level_cell(text_of(row["level"], DASH)) if str(row["outcome"]) != "CLEAR" else Cell(DASH, Tone.QUIET),
        Cell(text_of(row["owner"], DASH)),
        Cell(joined(row["evidence_ids"])),
    )


def _score(value: object) -> Cell:
    text = text_of(value, DASH)
    return Cell(f"{float(text):.2f}" if text not in {DASH, "nan"} else DASH)
