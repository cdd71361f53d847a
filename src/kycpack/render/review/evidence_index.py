"""The index of evidence: each request, its time, the answer, and its hash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from kycpack.evidence import REUSED, Entry, Evidence
from kycpack.frames.gaps import is_not_found, note_words, thing_of
from kycpack.frames.rows import records
from kycpack.models.dates import instant_words
from kycpack.models.listed import counted
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
from kycpack.render.origin import Given, count_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.counts import request_times
from kycpack.render.review.decision import DisposedFinding
from kycpack.render.review.decision_section import FROM_RECORD
from kycpack.render.review.finding_ids import number_of, ranges
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import DASH, is_absent, outcome_cell, sentence_case, text_of

_LETTERS = (
    "Ids that begin with E are answers from the provider, or requests that were not sent; M is a media file of a session; R is what "
    "the firm's own register knows."
)
_KEPT_OUTSIDE = "These files are not in this pack; the firm has to keep them. A file is the one that was looked at if it has this hash."


def evidence_section(
    evidence: Evidence, names: ShortNames, media: pd.DataFrame, disposed: Sequence[DisposedFinding] = ()
) -> Section:
    """Return the section that lists every entry, including refusals and data that was not requested, and says what each id is.

    Args:
        evidence: Evidence of one customer.
        names: Short names of sessions and accounts.
        media: Frame `media` of the customer.
        disposed: The findings of the decision, for the files that false positives rest on.
    """
    requested = request_times(evidence)
    columns = (
        TableColumn("Id", 0.6),
        TableColumn("Request", 3.1),
        TableColumn("Outcome", 1.0),
        TableColumn("Requested at", 1.3, instant=True),
        TableColumn("SHA-256 of the stored body", 3.1),
        TableColumn("Note", 1.6),
    )
    rows = [_row(entry, names) for entry in evidence.entries]
    return Section(
        "evidence",
        "Evidence index",
        (
            Paragraph(
                f"{len(evidence.entries)} entries. {requested.text} The evidence root, {evidence.root}, is the SHA-256 of the index, "
                "which has the hash of every stored body. Requests are shown with the short names of this review; the index "
                "file of the pack has them in full.",
                origins=(count_of("evidence"), *requested.origins),
            ),
            *_reused(evidence),
            Paragraph(_LETTERS),
            table(columns, rows, "No requests were sent."),
            *_media(media, names),
            *_outside(disposed),
        ),
    )


def _media(media: pd.DataFrame, names: ShortNames) -> Iterator[Block]:
    """Yield what each media file is, in the words of the service."""
    files = [row for row in records(media) if not is_absent(row["file_evidence_id"])]
    if not files:
        return
    columns = (
        TableColumn("Id", 0.6),
        TableColumn("What it is", 5.4),
        TableColumn("Session", 0.8),
        TableColumn("Listed in", 0.8),
    )
    rows = [
        resting_on(
            (
                Cell(str(row["file_evidence_id"]), strong=True),
                text_of(row["description"]),
                names.of(row["session_id"]),
                text_of(row["evidence_id"], DASH),
            ),
            value_of("media", media_id=row["media_id"]),
        )
        for row in sorted(files, key=lambda row: str(row["file_evidence_id"]))
    ]
    yield Subheading("Media files")
    yield table(columns, rows)


def _outside(disposed: Sequence[DisposedFinding]) -> Iterator[Block]:
    """Yield the files from outside the service that a decision rests on, each with what it shows and the findings that it is about."""
    files: dict[tuple[str, str], list[int]] = {}
    for each in disposed:
        if each.outside:
            files.setdefault((each.file_sha256, each.outside), []).append(number_of(each.finding_id))
    if not files:
        return
    columns = (
        TableColumn("Document, in the words of the decision", 3.1),
        TableColumn("SHA-256 of its file", 3.1),
        TableColumn("Findings", 0.8),
    )
    rows = [
        tuple(Cell(said, origins=(Given(FROM_RECORD),)) for said in (words, sha256, ranges(numbers)))
        for (sha256, words), numbers in files.items()
    ]
    yield Subheading("External evidence, on which the decision rests")
    yield Paragraph(_KEPT_OUTSIDE)
    yield table(columns, rows)


def _reused(evidence: Evidence) -> Iterator[Paragraph]:
    """Yield how many answers were not requested again, and how old the oldest one is."""
    reused = {entry.id: entry for entry in evidence.entries if entry.note.endswith(REUSED)}
    if not reused:
        return
    oldest = min(reused.values(), key=lambda entry: (entry.asked_at is None, entry.asked_at))
    many = counted(len(reused), "answer was", "answers were")
    yield Paragraph(
        f"{many} not requested again, because the provider had shown that nothing changed, and marked “{REUSED}”. The oldest, "
        f"{oldest.id}, was requested at {_asked(oldest)}.",
        origins=(count_of("evidence", id=tuple(reused)), value_of("evidence", "requested_at", id=oldest.id)),
    )


def _row(entry: Entry, names: ShortNames) -> tuple[Cell, ...]:
    outcome = Cell("Not found", Tone.WATCH) if is_not_found(entry) else outcome_cell(entry.outcome)
    status = f" {entry.status}" if entry.status is not None else ""
    request = f"{entry.method} {entry.path}" if entry.path else sentence_case(thing_of(entry.operation))
    query = f"?{entry.query}" if entry.query else ""
    cells = (
        Cell(entry.id, strong=True, anchor=entry.id),
        Cell(names.within(request + query)),
        Cell(f"{outcome.text}{status}", outcome.tone),
        Cell(_asked(entry)),
        Cell(entry.sha256 or DASH, Tone.QUIET),
        Cell(note_words(entry.note) or DASH),
    )
    return resting_on(cells, value_of("evidence", id=entry.id))


def _asked(entry: Entry) -> str:
    return instant_words(entry.asked_at, seconds=True) if entry.asked_at else entry.requested_at or DASH
