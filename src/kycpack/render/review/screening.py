"""Sessions and their results by section, and the categories of the screening."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from kycpack.render.blocks import Block, Cell, Column, Paragraph, Section, Subheading, table
from kycpack.render.palette import Tone
from kycpack.render.wording import DASH, cell_of, outcome_cell, text_of

if TYPE_CHECKING:
    from kycpack.frames import Frames

_SECTIONS = ("document", "address", "identity", "screening")


def results_section(frames: Frames) -> Section:
    """Return the section of onboard sessions and the outcome of each of their sections."""
    sessions = [
        (
            Cell(str(row["session_id"]), strong=True),
            cell_of(row["status"]),
            cell_of(row["created_at"]),
            cell_of(row["updated_at"]),
            cell_of(row["learned_from"]),
            Cell(str(row["evidence_id"])),
        )
        for _, row in frames.sessions.iterrows()
    ]
    outcomes: list[tuple[Cell, ...]] = [
        (
            Cell(str(row["session_id"]), strong=True),
            *(outcome_cell(row[f"{section}_outcome"]) for section in _SECTIONS),
            Cell(str(row["evidence_id"])),
        )
        for _, row in frames.results.iterrows()
    ]
    outcomes += [
        (Cell(session_id, strong=True), *(outcome_cell(None) for _ in _SECTIONS), Cell(DASH))
        for session_id in _unanswered(frames)
    ]
    blocks: list[Block] = [
        table(
            (
                Column("Session", 2.2),
                Column("Status", 1.0),
                Column("Created", 1.5),
                Column("Updated", 1.5),
                Column("Learned from", 1.0),
                Column("Evidence", 0.8),
            ),
            sessions,
            "No onboard session is known for this customer.",
        ),
        Subheading("Outcome by section"),
        table(
            (Column("Session", 2.2), *(Column(name.title()) for name in _SECTIONS), Column("Evidence", 0.8)),
            outcomes,
            "There is no session that could have results.",
        ),
    ]
    attention = [_check_row(row) for _, row in _notable(frames.checks).iterrows()]
    if not frames.checks.empty:
        blocks.append(Subheading("Checks that are not plainly clear"))
        blocks.append(
            table(
                (
                    Column("Section", 0.9),
                    Column("Check", 2.4),
                    Column("Value", 1.8),
                    Column("Session", 2.0),
                    Column("Evidence", 0.8),
                ),
                attention,
                "Every check is clear or true.",
            )
        )
    return Section("results", "Verification results", tuple(blocks))


def screening_section(frames: Frames) -> Section:
    """Return the section of screening categories, raw values kept."""
    counts: list[tuple[Cell, ...]] = [
        (
            Cell(str(row["session_id"]), strong=True),
            cell_of(row["screening_check_type"]),
            outcome_cell(row["screening_outcome"]),
            cell_of(row["screening_match_count"]),
        )
        for _, row in frames.results.iterrows()
    ]
    counts += [
        (Cell(session_id, strong=True), *(outcome_cell(None) for _ in range(3)))
        for session_id in _unanswered(frames)
    ]
    categories = [
        (
            Cell(text_of(row["category"])),
            Cell(text_of(row["item"])),
            outcome_cell(row["value"]),
            Cell(str(row["session_id"])),
            Cell(str(row["evidence_id"])),
        )
        for _, row in frames.screening.iterrows()
    ]
    return Section(
        "screening",
        "Screening",
        (
            Paragraph(
                "The service answers how many matches there are and a summary by category, not the matches themselves: "
                "no single match can be shown here. It says neither which lists were searched on what date, nor whether "
                "ordered monitoring runs.",
                Tone.UNKNOWN,
            ),
            table(
                (
                    Column("Session", 2.2),
                    Column("Check type", 1.4),
                    Column("Outcome"),
                    Column("Matches", 0.8),
                ),
                counts,
                "There is no session that could have a screening.",
            ),
            Subheading("Categories"),
            table(
                (
                    Column("Category", 1.2),
                    Column("Item", 1.6),
                    Column("Value", 1.2),
                    Column("Session", 2.0),
                    Column("Evidence", 0.8),
                ),
                categories,
                "No category was answered.",
            ),
        ),
    )


def _unanswered(frames: Frames) -> list[str]:
    """Return the sessions whose results are not there."""
    answered = set(frames.results["session_id"].astype(str))
    return [session for session in frames.sessions["session_id"].astype(str) if session not in answered]


def _notable(checks: pd.DataFrame) -> pd.DataFrame:
    value = checks["value"].astype("string").str.casefold()
    named = checks["check"].astype("string").isin(["outcome"])
    quiet = value.isin(["clear", "true"]) | checks["kind"].astype("string").isin(["number"]) | named
    inside = (
        checks["path"]
        .astype("string")
        .str.contains(r"holder\.|\.document\.|extractedAddress\.|summary\.|checkType")
    )
    return checks[~(quiet.fillna(value=False) | inside.fillna(value=False))]


def _check_row(row: pd.Series) -> tuple[Cell, ...]:
    value = text_of(row["value"], "missing")
    return (
        Cell(text_of(row["section"])),
        Cell(text_of(row["path"])),
        outcome_cell(row["value"]) if value != "false" else Cell("false", Tone.WATCH),
        Cell(str(row["session_id"])),
        Cell(str(row["evidence_id"])),
    )
