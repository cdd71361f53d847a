"""Differences between two sources to which no rule objects, and which are shown beside a state that is clear."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pandas as pd

from kycpack.frames.rows import rows
from kycpack.render.document_parts import Paragraph
from kycpack.render.origin import value_of
from kycpack.render.review.compared_values import difference_words
from kycpack.render.review.subjects import subjects_of
from kycpack.render.wording import sentence_case
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import CLEAR
from kycpack.triage.likeness import ABBREVIATION, EXTRA_NAME, INITIAL, MISSING_PART, NUMBER_MISSING, WORDS

ALIKE = "likeness"
"""The word before the two sources, in the path of a comparison in which the detail is similar."""
IN_PART_DIFFERENT = "in part different"
"""What is said beside the state of a check in which a difference counts as clear."""
# Differences that no rule objects to, but in which a part is in one of the two values alone, with their words.
_IN_PART = {
    "address": (frozenset({NUMBER_MISSING, MISSING_PART}), IN_PART_DIFFERENT),
    "name": (frozenset({EXTRA_NAME, INITIAL, ABBREVIATION}), f"name {IN_PART_DIFFERENT}"),
}


def in_part_different(findings: pd.DataFrame) -> dict[tuple[str, str], set[str]]:
    """Return, by part and words, the evidence of details that differ in a part although no rule objects: only one address has a flat, or only one name an initial.

    A name that the document gives differently is said of the document and not of the identity check.
    """
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row, words in accepted(findings):
        for part in subjects_of(str(row.path)) - {"identity"}:
            found[part, words].update(map(str, row.evidence_ids))
    return found


def alike(findings: pd.DataFrame) -> Iterator[Any]:
    """Yield the checks of details that are similar and not the same, to which no rule objects."""
    for row in rows(standing(findings), "outcome", "path", "value", "evidence_ids", "rule_id", "title"):
        root, _, *about = f"{row.path}..".split(".")
        if row.outcome == CLEAR and root == "consistency" and about[0] == ALIKE and str(row.value) in WORDS:
            yield row


def accepted(findings: pd.DataFrame) -> Iterator[tuple[Any, str]]:
    """Yield the checks of differences of which `_IN_PART` has the words, although no rule objects, with these words."""
    for row in alike(findings):
        kinds, words = _IN_PART.get(str(row.path).split(".")[1], (frozenset(), ""))
        if str(row.value) in kinds:
            yield row, words


def accepted_differences(findings: pd.DataFrame, consistency: pd.DataFrame | None) -> Paragraph | None:
    """Return which differences count as clear, and by which rules; None if there are none.

    Args:
        findings: The customer's findings, as returned by `triage.findings_frame`.
        consistency: Frame `consistency` of the customer; None for none.
    """
    said: dict[str, dict[str, None]] = {}
    for row, _ in accepted(findings):
        rule = f"{sentence_case(str(row.title))}, {row.rule_id}"
        said.setdefault(difference_words(consistency, str(row.path), str(row.value)), {})[rule] = None
    if not said:
        return None
    kinds = "; ".join(f"{words} ({'; '.join(rules)})" for words, rules in said.items())
    ids = sorted({str(row.rule_id) for row, _ in accepted(findings)})
    return Paragraph(
        f"The policy accepts these differences, so that no rule objects and nobody is asked to look at them: {kinds}.",
        origins=(value_of("findings", outcome=CLEAR, rule_id=ids),),
    )
