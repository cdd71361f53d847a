"""How many checks are clear, and how the numbers add up to that of page one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

import pandas as pd

from kycpack.frames.rows import records
from kycpack.models.listed import counted
from kycpack.render.document_parts import Cell
from kycpack.render.origin import Origin, count_of, distinct_of
from kycpack.render.review.clear_checks import WithoutObjection
from kycpack.render.review.reasons import Unknown, unevaluated
from kycpack.render.wording import sentence_case, text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import CLEAR, UNKNOWN


def count_cell(checks: WithoutObjection, missed: AbstractSet[str], findings: pd.DataFrame) -> Cell:
    """Return how many checks are clear and, apart, how many have no objection and do not count as clear, with how the numbers add up to that of page one.

    Args:
        checks: As returned by `without_objection`.
        missed: Titles of the checks that are counted as not evaluated, because they were not in another session.
        findings: Frame `findings` of the customer.
    """
    parts = [[pair for pair in pairs if pair[0].text not in missed] for pairs in checks]
    clear, beside, skipped = map(len, parts)
    others = [
        *([f"{beside} that {'is' if beside == 1 else 'are'} not clear as a whole"] if beside else []),
        *([f"{skipped} that had nothing to look at"] if skipped else []),
    ]
    more = f" Not counted as clear: {' and '.join(others)}." if others else ""
    origins = tuple(
        distinct_of("findings", "title", superseded_by=None, title=[*_titles(pairs)])
        for pairs in parts
        if pairs
    )
    added = _added_up({title.text for pairs in parts for title, _ in pairs}, missed, findings)
    return Cell(
        f"{counted(clear, 'check')} that {'is' if clear == 1 else 'are'} clear (see the annex).{more}{added.text}",
        origins=(
            *(origins or (count_of("findings", outcome=CLEAR, superseded_by=None),)),
            *added.origins,
        ),
    )


def _added_up(listed_titles: AbstractSet[str], missed: AbstractSet[str], findings: pd.DataFrame) -> Cell:
    """Return how the checks add up to those that page one counts, which is said only where some could not be evaluated."""
    if not missed:
        return Cell("")
    every = _each_check(findings)
    found, inside = every.keys() - listed_titles - missed, listed_titles - every.keys()
    more = (
        f" {counted(len(found), 'check')} that {'has' if len(found) == 1 else 'have'} findings alone,"
        if found
        else ""
    )
    less = (
        f", but not {len(inside)} that {'stays' if len(inside) == 1 else 'stay'} inside the firm"
        if inside
        else ""
    )
    origins = [
        distinct_of(
            "findings", "title", superseded_by=None, title=sorted(every.get(one, one) for one in titles)
        )
        for titles in (found, inside)
        if titles
    ]
    return Cell(
        f" “What is not known” counts {counted(len(every), 'check')}: all these,{more} and those that could not be evaluated{less}.",
        origins=(*origins, _origin_of(every)),
    )


def _each_check(findings: pd.DataFrame) -> dict[str, str]:
    """Return the title of each check that page one counts as it is shown, with that in the findings.

    A check that found something in one pair of sources and could not be evaluated in another is counted once, as the pair that could not.
    """
    rows = [
        row
        for row in records(standing(findings), "rule_id", "title", "outcome", "path", "internal")
        if not row["internal"]
    ]
    apart = {
        str(row["rule_id"])
        for row in rows
        if str(row["outcome"]) == UNKNOWN and text_of(row["path"], "").startswith("consistency.")
    }
    return {
        sentence_case(text_of(row["title"])): str(row["title"])
        for row in rows
        if str(row["outcome"]) == UNKNOWN or str(row["rule_id"]) not in apart
    }


def _origin_of(every: Mapping[str, str]) -> Origin:
    return distinct_of("findings", "title", superseded_by=None, internal=False, title=sorted(every.values()))


def _titles(pairs: Iterable[tuple[Cell, Cell]]) -> Iterator[str]:
    """Yield the titles of some checks as the findings give them."""
    for title, _ in pairs:
        for origin in title.origins:
            if isinstance(origin, Origin):
                yield from (str(one) for one in origin.rows["title"])


def unevaluated_cell(unknowns: Sequence[Unknown], findings: pd.DataFrame) -> Cell:
    """Return how many of all checks could not be evaluated, in a sentence; empty where every one could.

    Args:
        unknowns: What could not be evaluated; what stays inside the firm is not counted.
        findings: Frame `findings` of the customer.
    """
    missed = unevaluated(unknowns)
    if not missed:
        return Cell("")
    every = _each_check(findings)
    return Cell(
        f"{len(missed)} of {counted(len(every), 'check')} could not be evaluated: see “Findings”",
        origins=(
            distinct_of("findings", "title", outcome=UNKNOWN, superseded_by=None, internal=False),
            _origin_of(every),
        ),
    )
