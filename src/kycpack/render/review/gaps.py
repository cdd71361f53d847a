"""What a pack cannot show."""

from __future__ import annotations

import pandas as pd

from kycpack.render.document_parts import Block, Cell, Column, Paragraph, Section, Subheading, table
from kycpack.render.palette import Tone
from kycpack.render.review.reasons import with_evidence
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import DASH, is_absent, sentence_case, text_of

_AREAS = {
    "customer": "Customer record",
    "session": "Onboard sessions",
    "screening": "Screening",
    "monitoring": "Monitoring",
    "bank": "Bank data",
    "payment": "Payments",
    "statement": "Statement",
    "media": "Media",
    "register": "Register",
}

_PRINTED = 60  # a statement of ten thousand broken lines would otherwise make a document that nobody opens

# What no pack can show, whatever was asked: shown in its section, and only counted on page one.
_STANDING = frozenset(
    {"list_date_not_visible", "matches_not_visible", "monitoring_not_visible", "not_listable", "not_linked"}
)


def in_order(gaps: pd.DataFrame) -> pd.DataFrame:
    """Return gaps in the order they are shown: by area, as a reader would ask, then code and subject."""
    rank = {area: place for place, area in enumerate(_AREAS)}
    order = gaps["area"].astype("string").map(rank).fillna(len(rank))
    keyed = gaps.assign(
        _rank=order, _code=gaps["code"].astype("string"), _subject=gaps["subject"].astype("string")
    )
    return keyed.sort_values(["_rank", "_code", "_subject"], kind="stable").drop(
        columns=["_rank", "_code", "_subject"]
    )


def headlines(
    gaps: pd.DataFrame, unprintable: tuple[str, ...], names: ShortNames, limit: int
) -> tuple[str, ...]:
    """Return one line for each kind of gap of this customer, as page one names them; what is always so comes last."""
    messages: dict[tuple[str, str], list[str]] = {}
    standing = 0
    for row in gaps.itertuples():
        if str(row.code) in _STANDING:
            standing += 1
        else:
            messages.setdefault((str(row.area), str(row.code)), []).append(
                with_evidence(_message(row.message, names), _evidence(row.evidence_id))
            )
    found = [_line(area, lines) for (area, _), lines in messages.items()]
    if unprintable:
        found.insert(0, f"Text: characters that cannot be shown stand as marks ({len(unprintable)})")
    if len(found) > limit:
        rest = len(found) - limit + 1
        found = [*found[: limit - 1], f"{rest} further kinds of gaps, in “What this pack cannot show”"]
    if standing:
        found.append(f"{standing} limits that the service always has, in “What this pack cannot show”")
    return tuple(found)


def limits_section(gaps: pd.DataFrame, unprintable: tuple[str, ...], names: ShortNames) -> Section:
    """Return the section that names everything the pack cannot show."""
    blocks: list[Block] = [
        Paragraph(
            "What was not asked, not answered or not understood. None of it was taken for clear.",
            Tone.UNKNOWN,
        )
    ]
    columns = (
        Column("Area", 1.1),
        Column("What is missing", 4.6),
        Column("About", 0.9),
        Column("Evidence", 0.8),
    )
    rows, notes = [], []
    for area, mine in gaps.groupby(gaps["area"].astype("string"), sort=False):
        title = _AREAS.get(str(area), str(area))
        rows += [
            (
                Cell(title, strong=True),
                Cell(_message(r.message, names)),
                Cell(names.of(r.subject)),
                Cell(text_of(r.evidence_id, DASH)),
            )
            for r in mine.head(_PRINTED).itertuples()
        ]
        if len(mine) > _PRINTED:
            kinds = ", ".join(
                f"{count} {str(code).replace('_', ' ')}"
                for code, count in mine["code"].astype("string").value_counts().items()
            )
            rest = f"{len(mine) - _PRINTED} more are in the frame `gaps` of this pack"
            notes.append(f"{title}: {rest}. All of this area, by kind: {kinds}.")
    blocks.append(table(columns, rows, "No gap was found."))
    blocks += [Paragraph(note, Tone.UNKNOWN) for note in notes]
    if unprintable:
        blocks += [
            Subheading("Characters that no font has"),
            Paragraph(
                "These stand in the text as marks with their code point: " + "; ".join(unprintable) + "."
            ),
        ]
    return Section("limits", "What this pack cannot show", tuple(blocks))


def _line(area: str, lines: list[str]) -> str:
    more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
    return f"{_AREAS.get(area, area)}: {lines[0]}{more}"


def _message(message: object, names: ShortNames) -> str:
    return sentence_case(names.within(text_of(message)))


def _evidence(evidence_id: object) -> list[str]:
    return [] if is_absent(evidence_id) else [str(evidence_id)]
