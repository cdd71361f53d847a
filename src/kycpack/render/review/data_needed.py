"""The check of the data that a review needs: it is not clear where results are missing that nobody could request."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import pandas as pd

from kycpack.frames.rows import records
from kycpack.models.listed import counted, listed
from kycpack.render.document_parts import Cell
from kycpack.render.origin import distinct_of
from kycpack.render.palette import Tone
from kycpack.render.review.clear_checks import WithoutObjection
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import sentence_case, text_of
from kycpack.triage.judge.findings import standing
from kycpack.triage.levels import CLEAR, UNKNOWN

_OF_DATA = frozenset(f"gaps.*.{code}" for code in ("refused", "failed", "timeout", "unreadable"))
"""What a check looks at that asks whether anything requested was not received."""


def with_missing_results(
    checks: WithoutObjection, findings: pd.DataFrame, names: ShortNames, absent: AbstractSet[str]
) -> WithoutObjection:
    """Return the checks without an objection, of which that of the data is not clear where a session has no results.

    Args:
        checks: As returned by `without_objection`.
        findings: Frame `findings` of one customer.
        names: Short names of sessions and accounts.
        absent: The sessions that have no results.
    """
    columns = ("outcome", "session_id", "title", "path", "cause", "internal")
    rows = list(records(standing(findings), *columns))
    of_data = {
        names.within(sentence_case(text_of(row["title"])))
        for row in rows
        if str(row["outcome"]) == CLEAR and text_of(row["path"], "") in _OF_DATA
    }
    unknown = [row for row in rows if str(row["outcome"]) == UNKNOWN]
    missed: dict[str, set[str]] = {}  # by the cause; a check of the customer as a whole may have the same
    for row in unknown:
        if (session := text_of(row["session_id"], "")) in absent:
            missed.setdefault(text_of(row["cause"], ""), set()).add(session)
    titles = {
        cause: {str(row["title"]) for row in unknown if row["cause"] == cause and not row["internal"]}
        for cause in missed
    }
    said = "; ".join(
        f"{counted(len(titles[cause]), 'check')} could not be evaluated ({listed(sorted(map(names.of, sessions)))}, see “Findings”): {cause.rstrip('.')}"
        for cause, sessions in missed.items()
        if titles[cause]
    )
    if not of_data or not said:
        return checks
    of = {"outcome": UNKNOWN, "superseded_by": None, "internal": False}
    origins = tuple(distinct_of("findings", "title", **of, cause=cause) for cause in missed)
    moved = [
        (title, Cell(f"{seen.text}, but {said}", Tone.WATCH, origins=(*seen.origins, *origins)))
        for title, seen in (*checks.clear, *checks.beside)
        if title.text in of_data
    ]
    clear, beside = (
        [pair for pair in pairs if pair[0].text not in of_data] for pairs in (checks.clear, checks.beside)
    )
    return checks._replace(clear=clear, beside=[*beside, *moved])
