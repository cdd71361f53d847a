"""The evidence for each credit: in words for its reason, and item by item for the pack."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from kycpack.frames.rows import columns_of, frame_of
from kycpack.wealth.judge.dispositions import REASONS, Disposed
from kycpack.wealth.judge.natures import LIKE_RENT, OWN_NAME, Natures
from kycpack.wealth.judge.payer_calendars import LIKE_WAGES
from kycpack.wealth.judge.weak_words import ANYBODY, ROUND_SUMS
from kycpack.wealth.prepare.clues import CONTRADICTS, DECIDES, HINTS, IGNORED, MARKS, NONE, PATTERN, Clue
from kycpack.wealth.prepare.coded import Codes, pick, text_column
from kycpack.wealth.prepare.lexicon import NO_TYPE, OTHER, load_lexicon
from kycpack.wealth.prepare.phrase_meanings import NAME

EVIDENCE_COLUMNS = ("evidence_key", "number", "what", "says", "force", "place")

_PLACE_OF_PATTERN = "amounts and dates"
_AGAINST = (ROUND_SUMS, ANYBODY)
_FORCES = dict.fromkeys((LIKE_RENT, LIKE_WAGES, OWN_NAME), HINTS) | dict.fromkeys(_AGAINST, CONTRADICTS)


@dataclass(frozen=True, eq=False)
class CreditEvidence:
    """Evidence of credits.

    Args:
        key: Key of each credit's evidence.
        reason: Reason for each credit's disposition, with the evidence in words.
        type_code: Type of each credit, that of its stream if it is in one; `NO_TYPE` if it is not known.
        level: How its type is known, an index into `EVIDENCE_LEVELS`.
        frame: A row for each piece of evidence of each key: `EVIDENCE_COLUMNS`.
    """

    key: pd.arrays.ArrowStringArray
    reason: pd.arrays.ArrowStringArray
    type_code: Codes
    level: Codes
    frame: pd.DataFrame


def evidence_of_credits(natures: Natures, disposed: Disposed) -> CreditEvidence:
    """Return the evidence for each credit, put into words once for each distinct combination.

    Args:
        natures: The natures of credits and groups.
        disposed: Disposition and reason of each credit.
    """
    signals, grouping = natures.signals, natures.grouping
    in_stream = disposed.are("stream")
    shown = np.where(in_stream, pick(natures.pattern, grouping.group, ""), natures.of_credit)
    type_code = np.where(in_stream, pick(grouping.type_code, grouping.group, NO_TYPE), signals.type_code)
    level = np.where(in_stream, pick(grouping.evidence, grouping.group, NONE), signals.evidence)
    # A debit that confirms a refund is a pattern, as the coverage counts it.
    paired = disposed.are("refund") & (disposed.partner >= 0)
    level = np.where(paired & (level == NONE), PATTERN, level)
    pattern, patterns = pd.factorize(shown)
    names = load_lexicon().types
    both = signals.reading * max(len(patterns), 1) + pattern
    code = (both * (len(names) + 1) + type_code + 1) * len(REASONS) + disposed.reason
    distinct, first, number = np.unique(code, return_index=True, return_inverse=True)
    keys, reasons, rows = np.empty(len(distinct), dtype=object), np.empty(len(distinct), dtype=object), {}
    for index, credit in enumerate(first.tolist()):
        clues = signals.readings[int(signals.reading[credit])].nature.clues
        if type_code[credit] == NO_TYPE:
            clues = tuple(_not_established(clue) for clue in clues)
        if shown[credit]:
            clues = (
                *clues,
                Clue(
                    str(shown[credit]),
                    "" if shown[credit] in _AGAINST else names[int(type_code[credit])],
                    _FORCES.get(shown[credit], DECIDES),
                    NAME if shown[credit] == OWN_NAME else _PLACE_OF_PATTERN,
                ),
            )
        key = _key_of(clues)
        keys[index] = key
        rows[key] = clues
        reasons[index] = "; ".join([REASONS[int(disposed.reason[credit])], *map(in_words, clues)])
    return CreditEvidence(
        text_column(keys, number), text_column(reasons, number), type_code, level, _frame(rows)
    )


def _not_established(clue: Clue) -> Clue:
    """Return a piece of evidence as it counts when no nature was established: evidence that would decide is only a hint."""
    return replace(clue, force=HINTS) if clue.force == DECIDES and clue.says not in MARKS else clue


def in_words(clue: Clue) -> str:
    """Return a piece of evidence as a clause."""
    says = clue.says.replace("_", " ") or OTHER
    if clue.force == DECIDES:
        return f"{says}: {clue.what} ({clue.place})"
    if clue.force == CONTRADICTS:
        return f"against it, for {says}: {clue.what} ({clue.place})"
    if clue.force == HINTS:
        return f"reads like {says}, not established: {clue.what} ({clue.place})"
    if clue.force == IGNORED:
        return f"not counted: {clue.what} ({clue.place})"
    return f"{clue.what} ({clue.place})"


def _key_of(clues: Sequence[Clue]) -> str:
    text = "\x1e".join(f"{clue.what}\x1f{clue.says}\x1f{clue.force}\x1f{clue.place}" for clue in clues)
    return "V-" + hashlib.sha256(text.encode()).hexdigest()[:12]


def _frame(rows: dict[str, tuple[Clue, ...]]) -> pd.DataFrame:
    listed = [
        (key, number, clue.what, clue.says, clue.force, clue.place)
        for key, clues in sorted(rows.items())
        for number, clue in enumerate(clues, 1)
    ]
    return frame_of(columns_of(EVIDENCE_COLUMNS, listed), {"number": "int64"})
