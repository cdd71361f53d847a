"""Sessions and their results by section, and the screening categories."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.gaps import Gap
from kycpack.frames.labels import member_label
from kycpack.frames.rows import records, values_of
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
from kycpack.render.origin import Given, Origin, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.check_strip import States
from kycpack.render.review.decision_section import FROM_RECORD
from kycpack.render.review.open_matches import absent_categories, gravest_of
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import (
    cell_of,
    is_absent,
    joined,
    outcome_cell,
    sentence_case,
    text_of,
    word_cell,
)

_DATA = re.compile(r"holder\.|\.document\.|extractedAddress\.|checkType")
_KNOWN_FROM = {
    "created": "Created by the firm",
    "webhook": "Notice from the provider",
    "import": "Imported file",
    "control": "Control of the demonstration service",
    "list": "List from the provider",
}
_FINE = frozenset({"clear", "true"})
_MATCHES = "screening.matchCount"
_NAME_SCREENED = (
    "It is not shown which name was screened, and the names on the record, the document and the bank account differ, or one of them cannot "
    "be read. A screening that is clear is clear for the name that was screened alone."
)
_STATES = (
    "For each check, the least favourable of what the results, the session and the findings of this pack say. {} What this pack found when "
    "it compared the sources is in “Findings”."
)
_BELOW = "Details that the provider does not call clear are below."
_NONE_BELOW = "Every detail that the provider judges is clear."
_NOT_IN_RESULTS = "{} not in the results, so it is not known whether {} searched: {}."
_PROGRESS = {"identity_completed": "Identity step finished", "identity_confirmed": "Identity confirmed"}
_SESSION_COLUMNS = ("session_id", "status", "created_at", "updated_at", "learned_from", "evidence_id")
_SCREENING_COLUMNS = ("session_id", "screening_check_type", "screening_outcome", "screening_match_count")


def results_section(
    frames: Frames,
    names: ShortNames,
    states: States,
    accepted: Paragraph | None = None,
    verdicts: Mapping[str, str] = MappingProxyType({}),
) -> Section:
    """Return the section on onboarding sessions and the state of each of their checks, in the words of the strip on page one.

    Args:
        frames: Frames of one customer.
        names: Short names of sessions.
        states: As returned by `session_states`.
        accepted: Which differences count as clear, as returned by `accepted_differences`; None if there are none.
        verdicts: As returned by `verdicts_by_path`.
    """
    sessions = [
        resting_on(
            (
                Cell(names.of(row["session_id"]), strong=True),
                word_cell(row["status"]),
                cell_of(row["created_at"]),
                cell_of(row["updated_at"]),
                _known_from(row["learned_from"]),
                Cell(str(row["evidence_id"])),
            ),
            value_of("sessions", session_id=row["session_id"]),
        )
        for row in records(frames.sessions, *_SESSION_COLUMNS)
    ]
    entries: dict[str, list[str]] = {}
    for row in (*records(frames.sessions), *records(frames.results)):
        entries.setdefault(str(row["session_id"]), []).append(str(row["evidence_id"]))
    outcomes = [
        resting_on(
            (
                Cell(names.of(session_id), strong=True),
                *(
                    _with_verdict(
                        parts[part].cell,
                        verdicts.get("", "") if part == "screening" else "",
                        value_of("results", session_id=session_id),
                    )
                    for part in SECTIONS
                ),
                Cell(joined(list(dict.fromkeys(entries.get(session_id, ()))))),
            ),
            value_of("sessions", session_id=session_id),
            value_of("results", session_id=session_id),
        )
        for session_id, parts in states.items()
    ]
    notable = [*_refused_progress(frames, names)]
    notable += [_check_row(row, names, verdicts) for row in records(frames.checks) if _is_notable(row)]
    said = _BELOW if notable else "" if frames.checks.empty else _NONE_BELOW
    blocks: list[Block] = [
        table(
            (
                TableColumn("Session", 0.8),
                TableColumn("Status", 1.0),
                TableColumn("Created", 1.5),
                TableColumn("Updated", 1.5),
                TableColumn("Known from", 1.0),
                TableColumn("Evidence", 0.8),
            ),
            sessions,
            "No onboarding session is known for this customer.",
        ),
        Subheading("State of each check"),
        Paragraph(" ".join(_STATES.format(said).split())),
        table(
            (
                TableColumn("Session", 0.8),
                *(TableColumn(name.title()) for name in SECTIONS),
                TableColumn("Evidence", 0.8),
            ),
            outcomes,
            "There is no session, so there are no results.",
        ),
        *([accepted] if accepted else []),
    ]
    if notable:
        columns = (
            TableColumn("Section", 0.9),
            TableColumn("Check", 2.4),
            TableColumn("Value", 1.8),
            TableColumn("Session", 0.8),
            TableColumn("Evidence", 0.8),
        )
        blocks += [
            Subheading("Checks that are not clear"),
            table(columns, notable),
        ]
    return Section("results", "Verification results", tuple(blocks))


def screening_section(
    frames: Frames,
    names: ShortNames,
    states: States,
    not_clear: Mapping[str, Cell],
    verdicts: Mapping[str, str] = MappingProxyType({}),
) -> Section:
    """Return the section of screening categories, with their raw values.

    Args:
        frames: Frames of one customer.
        names: Short names of sessions.
        states: As returned by `session_states`.
        not_clear: Why no category is clear that the provider calls so, by session; none where they are.
        verdicts: As returned by `verdicts_by_path`.
    """
    counts: list[tuple[Cell, ...]] = [
        resting_on(
            (
                Cell(names.of(row["session_id"]), strong=True),
                word_cell(row["screening_check_type"]),
                _with_verdict(
                    states[str(row["session_id"])]["screening"].cell,
                    verdicts.get("", ""),
                    value_of("results", session_id=row["session_id"]),
                ),
                outcome_cell(row["screening_outcome"]),
                cell_of(row["screening_match_count"]),
            ),
            value_of("results", session_id=row["session_id"]),
        )
        for row in records(frames.results, *_SCREENING_COLUMNS)
    ]
    counts += [
        (Cell(names.of(session_id), strong=True), *[states[session_id]["screening"].cell] * 4)
        for session_id in unanswered(frames)
    ]
    categories = [
        resting_on(
            (
                _name(row["path"]),
                _with_verdict(
                    _category_cell(row, not_clear.get(str(row["session_id"]))),
                    verdicts.get(str(row["path"]), ""),
                    value_of("screening", session_id=row["session_id"], path=row["path"]),
                ),
                Cell(names.of(row["session_id"])),
                Cell(str(row["evidence_id"])),
            ),
            value_of("screening", session_id=row["session_id"], path=row["path"]),
        )
        for row in records(frames.screening)
    ]
    return Section(
        "screening",
        "Screening",
        (
            Paragraph(
                f"{_matches_shown(frames.gaps, names, results=not frames.results.empty)} The provider does not say which lists were searched on what date, or "
                "whether ordered monitoring is running.",
                Tone.UNKNOWN,
            ),
            table(
                (
                    TableColumn("Session", 0.8),
                    TableColumn("Check type", 1.4),
                    TableColumn("State"),
                    TableColumn("Outcome of the provider", 1.2),
                    TableColumn("Matches", 0.8),
                ),
                counts,
                "There is no session, so there is no screening.",
            ),
            Subheading("Categories"),
            table(
                (
                    TableColumn("Category", 2.8),
                    TableColumn("Value", 1.2),
                    TableColumn("Session", 0.8),
                    TableColumn("Evidence", 0.8),
                ),
                categories,
                "The answers have no screening categories.",
            ),
        ),
    )


def screening_limits(results: pd.DataFrame, findings: pd.DataFrame, *, name_in_doubt: bool) -> Iterator[Gap]:
    """Yield what is not known of each screening: which name was screened, where that matters, and the categories that its results do not have.

    Args:
        results: Frame `results` of one customer.
        findings: Frame `findings` of the customer.
        name_in_doubt: As returned by `is_name_in_doubt`.
    """
    absent = absent_categories(findings)
    for row in records(results, "customer_id", "session_id", "screening_outcome", "evidence_id"):
        if is_absent(row["screening_outcome"]):
            continue
        gap = partial(Gap, row["customer_id"], row["session_id"], "screening", evidence_id=row["evidence_id"])
        if name_in_doubt:
            yield gap(code="screened_name_not_shown", message=_NAME_SCREENED)
        found = absent.get(str(row["session_id"]), ())
        if titles := sorted({title for _, title in found}):
            is_one = len(titles) == 1
            count = (
                f"{counted(len(titles), 'category', 'categories')} of screening {'is' if is_one else 'are'}"
            )
            said = _NOT_IN_RESULTS.format(count, "it was" if is_one else "they were", "; ".join(titles))
            yield gap(
                code="categories_not_seen", message=said, number=len(titles), part=gravest_of(sorted(found))
            )


def _with_verdict(cell: Cell, verdict: str, own: Origin) -> Cell:
    """Return the value of something that was found, with the verdict that settled it; its tone stays."""
    if not verdict:
        return cell
    return replace(
        cell, text=f"{cell.text}{verdict}", origins=(*(cell.origins or (own,)), Given(FROM_RECORD))
    )


def _category_cell(row: Mapping[Any, Any], why: Cell | None) -> Cell:
    """Return the value of a category, with why it is not clear although the provider calls it so; None where it is clear."""
    cell = outcome_cell(row["value"])
    if why is None or cell.tone != Tone.GOOD:
        return cell
    reason, apart, since = why.text.partition("; ")
    said = f"{sentence_case(reason)} (the provider says “{cell.text.lower()}”){apart}{since}"
    own = value_of("screening", session_id=row["session_id"], path=row["path"])
    return replace(cell, text=said, tone=Tone.WATCH, origins=(own, *why.origins))


def _matches_shown(gaps: pd.DataFrame, names: ShortNames, *, results: bool) -> str:
    """Return which screening matches the results list, in sentences: none, all, or some of those that the service counts; without results, that nothing is known."""
    if not results:
        return "No results of a screening were received, so it is not known whether there is a match."
    every = records(gaps, "area", "code", "subject", "message")
    hidden, answered, some = (
        [row for row in every if (row["area"], row["code"]) == ("screening", code)]
        for code in ("matches_not_visible", "list_date_not_visible", "matches_not_listed")
    )
    if len(hidden) == len(answered):
        return (
            "The provider gives the number of matches and a summary by category, not the matches themselves, so no single "
            "match can be shown here."
        )
    not_in_full = {row["subject"] for row in (*hidden, *some)}
    told = [f"In {names.of(row['subject'])}: {row['message']}" for row in some]
    told += [
        f"The results of {names.of(row['subject'])} list the matches themselves, which are judged one by one."
        for row in answered
        if row["subject"] not in not_in_full
    ]
    told += [
        f"For {names.of(row['subject'])} the provider gives the number of matches and a summary by category, not the matches themselves."
        for row in hidden
    ]
    return " ".join(told)


def _known_from(source: object) -> Cell:
    words = _KNOWN_FROM.get(text_of(source, ""))
    return word_cell(source) if words is None else Cell(words)


def unanswered(frames: Frames) -> list[str]:
    """Return the sessions without results."""
    answered = set(map(str, values_of(frames.results["session_id"].array)))
    sessions = map(str, values_of(frames.sessions["session_id"].array))
    return [session for session in sessions if session not in answered]


def _is_notable(check: dict[Any, Any]) -> bool:
    """Return whether a check's value is neither clear nor true; scores and members that only hold data do not count."""
    if check["path"] == _MATCHES:
        return str(check["value"]) != "0"
    # Outside the screening a match is what a check hopes for: the address on the proof is the customer's.
    fine = _FINE if str(check["section"]) == "screening" else {*_FINE, "match_confirmed"}
    is_quiet = str(check["value"]).casefold() in fine or check["kind"] == "number"
    return not is_quiet and not _DATA.search(check["path"])


def _check_row(row: dict[Any, Any], names: ShortNames, verdicts: Mapping[str, str]) -> tuple[Cell, ...]:
    cells = (
        Cell(sentence_case(text_of(row["section"]))),
        _name(row["path"]),
        _with_verdict(
            Cell(str(row["value"]), Tone.WATCH) if row["kind"] == "number" else outcome_cell(row["value"]),
            verdicts.get(str(row["path"]), ""),
            value_of("checks", session_id=row["session_id"], path=row["path"]),
        ),
        Cell(names.of(row["session_id"])),
        Cell(str(row["evidence_id"])),
    )
    return resting_on(cells, value_of("checks", session_id=row["session_id"], path=row["path"]))


def _refused_progress(frames: Frames, names: ShortNames) -> Iterator[tuple[Cell, ...]]:
    """Yield what the status of a session says of the identity other than yes."""
    for row in records(frames.sessions, "session_id", *_PROGRESS, "evidence_id"):
        for column, words in _PROGRESS.items():
            if not is_absent(row[column]) and not row[column]:
                cells = (
                    Cell("Session"),
                    Cell(words),
                    outcome_cell("false"),
                    Cell(names.of(row["session_id"])),
                    Cell(str(row["evidence_id"])),
                )
                yield resting_on(cells, value_of("sessions", column, session_id=row["session_id"]))


def _name(path: object) -> Cell:
    return Cell(sentence_case(member_label(str(path))), origins=(Given("name of a check"),))
