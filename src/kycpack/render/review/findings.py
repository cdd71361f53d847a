"""Findings as criterion, condition, evidence; and the matrix of what agrees with what."""

from __future__ import annotations

import pandas as pd

from kycpack.render.blocks import Block, Cell, Column, Paragraph, Section, Subheading, table
from kycpack.render.palette import Tone
from kycpack.render.wording import DASH, cell_of, joined, level_cell, outcome_cell, text_of

_HITS = (
    Column("Rule", 1.1),
    Column("Criterion", 2.6),
    Column("Condition found", 2.4),
    Column("Asks for", 1.2),
    Column("Owner", 0.9),
    Column("Session", 1.1),
    Column("Evidence", 1.0),
)
_UNTOLD = (
    Column("Rule", 1.2),
    Column("What could not be told, and why", 4.8),
    Column("Asks for", 1.2),
    Column("Owner", 0.9),
    Column("Session", 1.1),
    Column("Evidence", 0.9),
)
_CLEAR = (
    Column("Rule", 1.2),
    Column("Criterion", 4.2),
    Column("Seen", 1.6),
    Column("Session", 1.1),
    Column("Evidence", 1.1),
)
_MATRIX = (
    Column("Field", 1.0),
    Column("Compared", 1.6),
    Column("With", 1.6),
    Column("Verdict", 0.9),
    Column("Score", 0.7, right=True),
    Column("How it was judged", 2.6),
    Column("Evidence", 1.0),
)


def findings_section(findings: pd.DataFrame) -> Section:
    """Return the section of findings: what was hit, and what could not be told."""
    hits, untold, clear = (_rows(findings, outcome) for outcome in ("HIT", "UNKNOWN", "CLEAR"))
    blocks: list[Block] = [
        Paragraph(
            f"{_counted(hits)} hit, {_counted(untold)} could not be told, {_counted(clear)} clear. A rule stands once for each "
            "session it was judged on. What could not be told is never taken for clear."
        ),
        Subheading("Hit"),
        table(_HITS, [_hit_row(row) for row in hits], "No rule was hit."),
        Subheading("Could not be told"),
        table(_UNTOLD, [_untold_row(row) for row in untold], "Every rule could be told."),
    ]
    return Section("findings", "Findings", tuple(blocks))


def clear_section(findings: pd.DataFrame) -> Section:
    """Return the section of rules that were judged and not hit."""
    rows = [_clear_row(row) for row in _rows(findings, "CLEAR")]
    return Section(
        "clear",
        "Rules that are clear",
        (
            Paragraph(
                "Each was judged on what stands under “Seen”; a dash means that the rule looks at no single value."
            ),
            table(_CLEAR, rows, "No rule is clear."),
        ),
    )


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
            Cell(joined(row["evidence_ids"])),
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


def _rows(findings: pd.DataFrame, outcome: str) -> list[pd.Series]:
    return [row for _, row in findings[findings["outcome"].astype("string") == outcome].iterrows()]


def _hit_row(row: pd.Series) -> tuple[Cell, ...]:
    return (
        Cell(str(row["rule_id"]), Tone.ALARM),
        Cell(_criterion(row)),
        Cell(f"{text_of(row['path'], '')} = {text_of(row['value'], 'missing')}".removeprefix(" = ")),
        level_cell(text_of(row["level"], DASH)),
        Cell(text_of(row["owner"], DASH)),
        Cell(text_of(row["session_id"], DASH)),
        Cell(joined(row["evidence_ids"])),
    )


def _untold_row(row: pd.Series) -> tuple[Cell, ...]:
    return (
        Cell(str(row["rule_id"]), Tone.UNKNOWN),
        Cell(_criterion(row)),
        level_cell(text_of(row["level"], DASH)),
        Cell(text_of(row["owner"], DASH)),
        Cell(text_of(row["session_id"], DASH)),
        Cell(joined(row["evidence_ids"])),
    )


def _clear_row(row: pd.Series) -> tuple[Cell, ...]:
    return (
        Cell(str(row["rule_id"]), Tone.GOOD),
        Cell(_criterion(row)),
        Cell(text_of(row["value"], DASH)),
        Cell(text_of(row["session_id"], DASH)),
        Cell(joined(row["evidence_ids"])),
    )


def _criterion(row: pd.Series) -> str:
    basis = text_of(row["basis"], "")
    return f"{text_of(row['reason'])} ({basis})" if basis else text_of(row["reason"])


def _counted(rows: list[pd.Series]) -> str:
    return f"{len(rows)} rule{'' if len(rows) == 1 else 's'}"


def _score(value: object) -> Cell:
    text = text_of(value, DASH)
    return Cell(f"{float(text):.2f}" if text not in {DASH, "nan"} else DASH)
