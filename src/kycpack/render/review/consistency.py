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
from kycpack.triage.likeness import DIFFERENT
from kycpack.triage.names.official_romanisation import OF_SEVERAL_NAMES
from kycpack.triage.names.readable_names import is_name
from kycpack.triage.observations.consistency import MISSING, UNREADABLE

_SOURCES = {
    "record": "customer record",
    "document": "document",
    "address": "proof of address",
    "bank": "bank account",
    "statement": "statement",
}
_OF_PERSON = frozenset({"record", "document", "bank"})
_NAME_SEARCHED = (
    "The results do not say which name was searched, and the names on the record, the document and the bank account differ, or one of "
    "them cannot be read: see “Consistency of identity”. A clear screening is clear only for the name that was searched."
)
_UNREADABLE = Cell("Cannot be read", Tone.UNKNOWN)
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
                _UNREADABLE if text_of(row["verdict"]) == UNREADABLE else outcome_cell(row["verdict"]),
                Cell(DASH) if row["reason"] == OF_SEVERAL_NAMES else _score(row["score"]),
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
            Paragraph(_compared_words(consistency)),
            table(_MATRIX, rows, "Nothing could be compared."),
        ),
    )


def name_searched(consistency: pd.DataFrame) -> tuple[Paragraph, ...]:
    """Return that no result says which name was searched, where that matters; nothing elsewhere."""
    return (Paragraph(_NAME_SEARCHED, Tone.UNKNOWN),) if is_name_in_doubt(consistency) else ()


def is_name_in_doubt(consistency: pd.DataFrame) -> bool:
    """Return whether the names on the record, a document or a bank account differ, or one of them cannot be read, so that any may have been screened."""
    for row in records(consistency, "field", "left", "right", "verdict", "left_value", "right_value"):
        if row["field"] != "name":
            continue
        sides = {side: text_of(row[side]).partition(" ")[0] for side in ("left", "right")}
        values = [row[f"{side}_value"] for side, source in sides.items() if source in _OF_PERSON]
        differ = text_of(row["verdict"]) == DIFFERENT and _OF_PERSON.issuperset(sides.values())
        if differ or not all(is_absent(value) or is_name(str(value)) for value in values):
            return True
    return False


def _compared_words(consistency: pd.DataFrame) -> str:
    """Return which sources were compared on what, and which could not be, in sentences made of the rows of the table."""
    compared: dict[str, dict[str, None]] = {}
    left_out: dict[str, dict[str, None]] = {}
    for row in records(consistency, "field", "left", "right", "verdict"):
        left, right = (text_of(row[side]).partition(" ")[0] for side in ("left", "right"))
        said = f"two {_SOURCES[left]}s" if left == right else f"{_source(left)} and {_source(right)}"
        which = left_out if text_of(row["verdict"]) in {MISSING, UNREADABLE} else compared
        which.setdefault(text_of(row["field"]).replace("_", " "), {})[said] = None
    sentences = [f"Compared: {_listed(compared)}."] if compared else ["No two sources could be compared."]
    if left_out:
        sentences.append(f"Not compared, because a value is missing or cannot be read: {_listed(left_out)}.")
    return " ".join(sentences)


def _listed(pairs: Mapping[str, Mapping[str, None]]) -> str:
    return "; ".join(f"{field} of {', of '.join(each)}" for field, each in pairs.items())


def _source(name: str) -> str:
    return "the service's statement" if name == "statement" else f"the {_SOURCES.get(name, name)}"


def _why(row: Mapping[str, Any], names: ShortNames) -> Cell:
    absent = [
        _source_words(row[side], names) for side in ("left", "right") if is_absent(row[f"{side}_value"])
    ]
    gave_none = f"nothing to compare: not given by the {' and the '.join(absent)}"
    return Cell(gave_none) if absent else cell_of(names.within(text_of(row["reason"], "")) or None, DASH)


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
