"""The strip of page one: how document, address, identity, screening, bank and payment stand, in a word each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pandas as pd

from kycpack.render.document_parts import Cell
from kycpack.render.origin import count_of
from kycpack.render.palette import Tone
from kycpack.render.wording import is_absent, outcome_cell

if TYPE_CHECKING:
    from kycpack.frames import Frames

_ORDERED = {
    "document": ("ordered_document_check",),
    "address": ("ordered_proof_of_address_check",),
    "identity": ("ordered_identity_check", "ordered_enhanced_identity_check"),
    "screening": ("ordered_aml_standard_screening", "ordered_aml_extensive_screening"),
}
# The worst first; a word that is not known stands between what is bad and what needs a look.
_ALARM, _WATCH = (
    ("match_confirmed", "rejected", "attention"),
    ("consider", "warning", "not_processed", "missing"),
)
_ANSWERS = {
    "not supported": Cell("Not supported", Tone.ALARM),
    "cannot tell": Cell("Cannot tell", Tone.UNKNOWN),
    "partly supported": Cell("Partly supported", Tone.WATCH),
    "supported": Cell("Supported", Tone.GOOD),
}


def check_strip(frames: Frames, flags: pd.DataFrame, answers: Iterable[str]) -> tuple[tuple[str, Cell], ...]:
    """Return the six parts of the strip, each with its state in words.

    Args:
        frames: Frames of one customer.
        flags: The customer's red flags.
        answers: Whether each payment is supported by what was observed.
    """
    return (
        *((section.title(), _section(frames, section)) for section in _ORDERED),
        ("Bank", _bank(frames, flags)),
        ("Payment", _payment(frames, set(answers))),
    )


def _section(frames: Frames, section: str) -> Cell:
    sessions = frames.sessions
    if sessions.empty:
        return Cell("No session", Tone.UNKNOWN)
    outcomes = [_word(value) for value in frames.results[f"{section}_outcome"]]
    known = sessions["order_known"].fillna(value=False).astype(bool).all()
    ordered = sessions[list(_ORDERED[section])].fillna(value=False).astype(bool).to_numpy().any()
    if known and not ordered and not set(outcomes) - {"missing"}:
        return Cell("Not ordered", Tone.UNKNOWN)
    unanswered = len(sessions["session_id"].drop_duplicates()) > len(outcomes)
    words = [*outcomes, *(["missing"] if unanswered or not outcomes else [])]
    if section == "screening":
        words += [_word(value) for value in frames.screening["value"]]
    worst = min(words, key=_badness)
    cell = outcome_cell(None if worst == "missing" else worst)
    counts = frames.results["screening_match_count"].dropna()
    matches = int(counts.max()) if section == "screening" and len(counts) else 0
    if matches > 0 and cell.tone == Tone.GOOD:
        return Cell(f"{matches} match{'' if matches == 1 else 'es'}", Tone.WATCH)
    return cell


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
    return Cell("Balance only" if not frames.accounts.empty else "Not looked at", Tone.UNKNOWN)


def _payment(frames: Frames, answers: set[str]) -> Cell:
    if frames.payments.empty:
        return Cell("None known", Tone.UNKNOWN)
    return next(
        (cell for answer, cell in _ANSWERS.items() if answer in answers), Cell("Cannot tell", Tone.UNKNOWN)
    )
