"""The consistency of sources: the record, the document, the proof of address and the bank, value by value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from kycpack.frames.rows import records
from kycpack.render.document_parts import Cell, Paragraph, Section, TableColumn, resting_on, table
from kycpack.render.origin import value_of
from kycpack.render.palette import Tone
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import (
    DASH,
    cell_of,
    dated_words,
    is_absent,
    joined,
    outcome_cell,
    sentence_case,
    text_of,
)

_MATRIX = (
    TableColumn("Field", 0.9),
    TableColumn("One source", 2.2),
    TableColumn("The other", 2.2),
    TableColumn("Verdict", 0.9),
    TableColumn("Score", 0.6, right=True),
    TableColumn("Why", 2.2),
    TableColumn("Evidence", 0.8),
)


def consistency_section(consistency: pd.DataFrame, names: ShortNames) -> Section:
    """Return the section that compares the record, document, address and bank, value by value."""
    rows = [
        resting_on(
            (
                Cell(sentence_case(text_of(row["field"]).replace("_", " ")), strong=True),
                _compared(row["left"], row["left_value"], names),
                _compared(row["right"], row["right_value"], names),
                outcome_cell(row["verdict"]),
                _score(row["score"]),
                _why(row, names),
                Cell(joined(row["evidence_ids"])),
            ),
            value_of("consistency", field=row["field"], left=row["left"], right=row["right"]),
        )
        for row in records(consistency)
    ]
    return Section(
        "consistency",
        "Consistency of identity",
        (
            Paragraph(
                "The customer record, the document's holder, the proof of address and the holder of each bank account, "
                "compared on name, date of birth and address."
            ),
            table(_MATRIX, rows, "Nothing could be compared."),
        ),
    )


def _why(row: Mapping[str, Any], names: ShortNames) -> Cell:
    absent = [
        _source_words(row[side], names) for side in ("left", "right") if is_absent(row[f"{side}_value"])
    ]
    gave_none = f"nothing to compare: not given by the {' and the '.join(absent)}"
    return Cell(gave_none) if absent else cell_of(row["reason"], DASH)


def _compared(source: Any, value: Any, names: ShortNames) -> Cell:
    label = sentence_case(_source_words(source, names))
    if is_absent(value):
        return Cell(f"{label}: not known", Tone.UNKNOWN)
    return Cell(f"{label}: {dated_words(str(value))}")


def _source_words(source: Any, names: ShortNames) -> str:
    return "proof of address" if source == "address" else names.within(text_of(source))


def _score(value: object) -> Cell:
    text = text_of(value, DASH)
    return Cell(f"{float(text):.2f}" if text not in {DASH, "nan"} else DASH)
