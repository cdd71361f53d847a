"""The strip on page one: the state of document, address, identity, screening, bank and payment, in a word or two each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.rows import records, rows, values_of
from kycpack.render.document_parts import Cell
from kycpack.render.origin import count_of, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.findings import replaced_sessions
from kycpack.render.review.payments import SMALL
from kycpack.render.review.subjects import subjects_of
from kycpack.render.wording import is_absent, is_named, no_outcome, outcome_cell
from kycpack.triage.levels import HIT, UNKNOWN, highest, rank

_ORDERED = {
    "document": ("ordered_document_check",),
    "address": ("ordered_proof_of_address_check",),
    "identity": ("ordered_identity_check", "ordered_enhanced_identity_check"),
    "screening": ("ordered_aml_standard_screening", "ordered_aml_extensive_screening"),
}
# The worst first; an unknown word comes between bad outcomes and outcomes that need a look.
_ALARM, _WATCH = (
    ("match_confirmed", "rejected", "attention"),
    ("consider", "warning", "not_processed", "missing"),
)
_NOT_KNOWN = Cell("Unknown value", Tone.UNKNOWN)
_ANSWERS = {
    "not supported": Cell("Not supported", Tone.ALARM),
    "cannot tell": Cell("Cannot tell", Tone.UNKNOWN),
    SMALL: Cell("Not supported", Tone.WATCH),
    "partly supported": Cell("Partly supported", Tone.WATCH),
    "supported": Cell("Supported", Tone.GOOD),
}


def check_strip(
    frames: Frames, flags: pd.DataFrame, answers: Iterable[str], findings: pd.DataFrame
) -> tuple[tuple[str, Cell], ...]:
    """Return the six parts of the strip, each with its state in words.

    A part whose own results are fine is not shown as fine if there is a finding about it.

    Args:
        frames: Frames of one customer.
        flags: The customer's red flags.
        answers: For each payment, whether it is supported by what was observed.
        findings: The customer's findings, as returned by `triage.findings_frame`.
    """
    against = _findings_against(findings)
    replaced = replaced_sessions(findings).keys()
    parts = (
        *((section, _section(frames, section, replaced)) for section in _ORDERED),
        ("bank", _bank(frames, flags)),
        ("payment", _payment(frames, set(answers))),
    )
    return tuple((part.title(), _beside(cell, against.get(part, ()))) for part, cell in parts)


def _findings_against(findings: pd.DataFrame) -> Mapping[str, Sequence[str]]:
    """Return the levels of the findings against approval, by the part of the strip that they are about."""
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows(findings, "outcome", "level", "path", "superseded_by"):
        stands = row.outcome in {HIT, UNKNOWN} and is_absent(row.superseded_by)
        if stands and rank(str(row.level)) > rank("approve"):
            for part in subjects_of(str(row.path)):
                found[part].append(str(row.level))
    return found


def _beside(cell: Cell, levels: Sequence[str]) -> Cell:
    """Return the cell, with a reference to the findings if there are findings about a part that is fine otherwise."""
    if not levels or cell.tone != Tone.GOOD:
        return cell
    tone = Tone.WATCH if highest(levels) == "review" else Tone.ALARM
    return replace(cell, text=f"{cell.text}, see findings", tone=tone)


def _section(frames: Frames, section: str, replaced: AbstractSet[str]) -> Cell:
    """Return the state of a section; results that a replaced session left open do not count as missing."""
    sessions = [
        session
        for session in records(
            frames.sessions, "session_id", "status", "order_known", "identity_confirmed", *_ORDERED[section]
        )
        if str(session["session_id"]) not in replaced
    ]
    if not sessions:
        return Cell("No session", Tone.UNKNOWN)
    answers = [
        (str(row["session_id"]), _word(row[f"{section}_outcome"]))
        for row in records(frames.results, "session_id", f"{section}_outcome")
    ]
    outcomes = [word for session, word in answers if word != "missing" or session not in replaced]
    known = all(session["order_known"] for session in sessions)
    ordered = any(session[check] for session in sessions for check in _ORDERED[section])
    if known and not ordered and not set(outcomes) - {"missing"}:
        return Cell("Not ordered", Tone.UNKNOWN)
    answered = {session for session, word in answers if word != "missing"}
    without = [
        no_outcome(session["status"]) for session in sessions if str(session["session_id"]) not in answered
    ]
    words = [*outcomes, *(["missing"] if without or not outcomes else [])]
    if section == "screening":
        words += [_word(value) for value in values_of(frames.screening["value"].array)]
    worst = min(words, key=_badness)
    # An unknown word may be of any length; it is shown in full among the checks that are not clear.
    if worst == "missing":
        return min(without, key=_waits, default=outcome_cell(None))
    cell = outcome_cell(worst) if is_named(worst) else _NOT_KNOWN
    counts = frames.results["screening_match_count"].dropna()
    matches = int(counts.max()) if section == "screening" and len(counts) else 0
    if matches > 0 and cell.tone == Tone.GOOD:
        counted = f"{matches} match{'' if matches == 1 else 'es'}"
        return Cell(counted, Tone.WATCH, origins=(value_of("results", "screening_match_count"),))
    denied = section == "identity" and any(session["identity_confirmed"] is False for session in sessions)
    return Cell("Not confirmed", Tone.WATCH) if denied and cell.tone == Tone.GOOD else cell


def _waits(absent: Cell) -> int:
    """Return the place of an absent outcome: what a complete session lacks comes first, then what is still to come."""
    return ("Missing", "No result yet", "No result").index(absent.text)


def _word(value: object) -> str:
    return "missing" if is_absent(value) else str(value)


def _badness(word: str) -> int:
    if word in _ALARM:
        return _ALARM.index(word)
    if word in _WATCH:
        return 10 + _WATCH.index(word)
    return 20 if word in {"clear", "0", "false"} else 5


def _bank(frames: Frames, flags: pd.DataFrame) -> Cell:
    if not flags.empty:
        hard = (flags["severity"].astype("string") == "edd").any()
        count = f"{len(flags)} red flag{'' if len(flags) == 1 else 's'}"
        return Cell(count, Tone.ALARM if hard else Tone.WATCH, origins=(count_of("flags"),))
    if not frames.transactions.empty:
        return Cell("No red flag", Tone.GOOD)
    if frames.accounts.empty:
        return Cell("Not looked at", Tone.UNKNOWN)
    return Cell("Nothing seen" if frames.balances.empty else "Balance only", Tone.UNKNOWN)


def _payment(frames: Frames, answers: set[str]) -> Cell:
    if frames.payments.empty:
        return Cell("None known", Tone.UNKNOWN)
    return next(
        (cell for answer, cell in _ANSWERS.items() if answer in answers), Cell("Cannot tell", Tone.UNKNOWN)
    )
