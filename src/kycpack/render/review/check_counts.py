"""How many checks are clear, and how the numbers add up to that of page one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

import pandas as pd

from kycpack.frames.rows import records
from kycpack.models.listed import counted
from kycpack.render.document_parts import Cell
from kycpack.render.origin import Origin, count_of, distinct_of
from kycpack.render.review.clear_checks import WithoutObjection
from kycpack.render.wording import sentence_case, text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import CLEAR


def count_cell(checks: WithoutObjection, unevaluated: AbstractSet[str], findings: pd.DataFrame) -> Cell:
    """Return how many checks are clear and, apart, how many have no objection and do not count as clear, with how the numbers add up to that of page one.

    Args:
        checks: As returned by `without_objection`.
        unevaluated: Titles of the checks that are counted as not evaluated, because they were not in another session.
        findings: Frame `findings` of the customer.
    """
    parts = [[pair for pair in pairs if pair[0].text not in unevaluated] for pairs in checks]
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
    added = _added_up({title.text for pairs in parts for title, _ in pairs}, unevaluated, findings)
    return Cell(
        f"{counted(clear, 'check')} that {'is' if clear == 1 else 'are'} clear (see the annex).{more}{added.text}",
        origins=(
            *(origins or (count_of("findings", outcome=CLEAR, superseded_by=None),)),
            *added.origins,
        ),
    )


def _added_up(listed_titles: AbstractSet[str], unevaluated: AbstractSet[str], findings: pd.DataFrame) -> Cell:
    """Return how the checks add up to those that page one counts, which is said only where some could not be evaluated."""
    said: dict[str, str] = {}
    every: set[str] = set()
    for row in records(standing(findings), "title", "internal"):
        title = sentence_case(text_of(row["title"]))
        said[title] = str(row["title"])
        if not row["internal"]:
            every.add(title)
    if not unevaluated:
        return Cell("")
    found, inside = every - listed_titles - unevaluated, listed_titles - every
    other = [
        *(
            [
                f"with {counted(len(found), 'check')} that {'has' if len(found) == 1 else 'have'} findings alone"
            ]
            if found
            else []
        ),
        *(
            [f"without {len(inside)} that {'stays' if len(inside) == 1 else 'stay'} inside the firm"]
            if inside
            else []
        ),
    ]
    words = f", {' and '.join(other)}," if other else ""
    origins = [
        distinct_of(
            "findings", "title", superseded_by=None, title=sorted(said.get(one, one) for one in titles)
        )
        for titles in (found, inside)
        if titles
    ]
    return Cell(
        f" All these{words} and those that could not be evaluated are the {counted(len(every), 'check')} of page one.",
        origins=(*origins, distinct_of("findings", "title", superseded_by=None, internal=False)),
    )


def _titles(pairs: Iterable[tuple[Cell, Cell]]) -> Iterator[str]:
    """Yield the titles of some checks as the findings give them."""
    for title, _ in pairs:
        for origin in title.origins:
            if isinstance(origin, Origin):
                yield from (str(one) for one in origin.rows["title"])
