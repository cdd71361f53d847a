"""The section on what changed since the earlier pack that this one follows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kycpack.frames.labels import member_label
from kycpack.models.dates import instant_words
from kycpack.models.instants import read_as_of
from kycpack.render.document_parts import Block, Cell, Paragraph, Section, TableColumn, facts, table
from kycpack.render.palette import Tone
from kycpack.render.wording import dated_words, level_cell, sentence_case
from kycpack.triage.customers.changes import Change
from kycpack.triage.levels import HIT, LEVEL_WORDS, UNKNOWN

_DAY = re.compile(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b")
_COMPARED = "the recommended level, the outcomes of the checks, the categories of screening, the documents, the findings, the red flags and the streams of credits"
_TITLE = "Comparison with an earlier pack"
_CODES = {HIT: "found", UNKNOWN: "could not be evaluated", **LEVEL_WORDS}
_CODE = re.compile(rf"\b({'|'.join(_CODES)})\b")


def changes_section(
    earlier: Mapping[str, Any] | None,
    changes: tuple[Change, ...],
    unreachable: str = "",
    newer: Sequence[Paragraph] = (),
) -> Section:
    """Return the section on what changed.

    Args:
        earlier: What the pack keeps about the earlier one; None if it does not follow one.
        changes: The differences.
        unreachable: A sentence naming the pack that should have been compared but could not be reached; empty if there is none.
        newer: What says that newer evidence bears on it; empty if there is none.
    """
    if earlier is None:
        said = unreachable or "This pack was not compared with an earlier one."
        return Section("changes", _TITLE, (Paragraph(said), *newer))
    about = facts(
        ("Earlier pack as of", instant_words(read_as_of(earlier["as_of"]))),
        ("Its case", earlier["case_id"]),
        ("Its policy", f"{earlier['policy']['id']} {earlier['policy']['version']}"),
        across=3,
    )
    gone = [change for change in changes if change.kind == "decision"]
    blocks: list[Block] = [about, *newer]
    blocks += [
        Paragraph(f"{change.subject} is no longer supported by the evidence. {change.now}", Tone.ALARM)
        for change in gone
    ]
    rows = [
        (
            sentence_case(change.kind),
            sentence_case(member_label(change.subject) if change.kind == "screening" else change.subject),
            _cell(change.kind, change.before, worse=False),
            _cell(change.kind, change.now, worse=change.worse),
        )
        for change in changes
        if change.kind != "decision"
    ]
    columns = (
        TableColumn("What", 0.8),
        TableColumn("About", 3.4),
        TableColumn("Before", 1.4),
        TableColumn("Now", 1.6),
    )
    alone = "By the evidence of this pack alone, none" if newer else "None"
    blocks.append(
        table(columns, rows, f"{alone} of the compared values differs from the earlier pack: {_COMPARED}.")
    )
    return Section(
        "changes",
        _TITLE,
        tuple(blocks),
        "state of the earlier pack, in data/earlier-pack.json, and of this one",
    )


def _cell(kind: str, text: str, *, worse: bool) -> Cell:
    if kind == "level":
        return level_cell(text)
    if kind in {"finding", "flag"}:
        text = _CODE.sub(lambda found: _CODES[found[0]], text)
    words = _DAY.sub(lambda found: dated_words(found[0]), sentence_case(text.replace("_", " ")))
    return Cell(words, Tone.WATCH) if worse else Cell(words)
