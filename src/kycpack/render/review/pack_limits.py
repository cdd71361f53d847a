"""What an approval by the evidence of a pack waits for, as its frames say."""

from __future__ import annotations

import pandas as pd

from kycpack.frames.rows import plain_rows, rows
from kycpack.render.document_parts import Cell
from kycpack.render.review.account_names import linked_by_others
from kycpack.render.review.bank_limits import COLUMNS, with_more
from kycpack.render.review.findings import replaced_sessions
from kycpack.render.review.gap_duties import EXPLAINED_FIRST, tasks_of_gaps
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import CONDITIONAL, level_cell
from kycpack.triage.judge.findings import NOTHING
from kycpack.triage.levels import LEVELS

SETTLE_FIRST = "No finding stands against approval, but something else has to be settled first."
"""The first reason outside the pack for an approval that waits for something which no finding and no risk file says."""
_WITHOUT_NAMES = ShortNames(())


def is_waiting(
    limits: pd.DataFrame, gaps: pd.DataFrame, findings: pd.DataFrame, consistency: pd.DataFrame
) -> bool:
    """Return whether something has to be explained, done or settled before an approval that no finding says.

    Args:
        limits: Frame `limits` of the customer.
        gaps: Frame `gaps` of the customer.
        findings: Frame `findings` of the customer.
        consistency: Frame `consistency` of the customer.
    """
    if EXPLAINED_FIRST & set(limits["code"]) or any(linked_by_others(consistency, _WITHOUT_NAMES)):
        return True
    every = with_more(limits, list(plain_rows(gaps, *COLUMNS)))
    return bool(unmonitored_sessions(gaps, findings)) or bool(tasks_of_gaps(every, findings, _WITHOUT_NAMES))


def unmonitored_sessions(gaps: pd.DataFrame, findings: pd.DataFrame) -> tuple[str, ...]:
    """Return the ids of the sessions for which monitoring was not ordered and that no later one replaces.

    Args:
        gaps: Frame `gaps` of the customer.
        findings: Frame `findings` of the customer.
    """
    replaced = replaced_sessions(findings)
    return tuple(
        str(gap.subject)
        for gap in rows(gaps, "code", "subject")
        if gap.code == "monitoring_not_ordered" and gap.subject not in replaced
    )


def level_of_pack(level: str, *, waits: bool) -> Cell:
    """Return the level by the evidence of a pack, in words.

    Args:
        level: The recommended level.
        waits: Whether an approval waits for something, as from `is_waiting`.
    """
    return CONDITIONAL if waits and level == LEVELS[0] else level_cell(level)


def reason_of_pack(reason: str, *, waits: bool) -> str:
    """Return the first reason for a level, as a list outside the pack shows it: that nothing stands against an approval is not all, if it waits for something.

    Args:
        reason: The first reason, as triage gives it.
        waits: Whether an approval waits for something, as from `is_waiting`.
    """
    return SETTLE_FIRST if waits and reason == NOTHING else reason
