"""What was found that may be a reason for a report to the National Crime Agency, where no finding asks for one."""

from __future__ import annotations

from collections.abc import Sequence

from kycpack.render.review.pieces import is_of_report, named
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.same_matter import is_reportable
from kycpack.render.review.task_kinds import Kind
from kycpack.render.review.task_things import quoted_head
from kycpack.triage.levels import HIT
from kycpack.triage.paths import QUESTIONS_OF_MONEY, UNNAMED_MATCHES

MAY_BE_REPORTED = ("wealth.flags.", QUESTIONS_OF_MONEY)
"""How the path of a finding begins that may be a reason for a report."""
_UNLISTED = "a match of which the list is not named"


def grounds_of(why: Sequence[Reason | Unknown]) -> list[Reason | Unknown]:
    """Return the findings that may be a reason for a report; none where a finding asks for one, and a match whose list is not named once."""
    if any(map(is_of_report, why)):
        return []
    has_own = any(isinstance(one, Reason) and one.path == UNNAMED_MATCHES for one in why)
    return [one for one in why if (ground := ground_of(one)) and not (has_own and ground == _UNLISTED)]


def ground_of(one: Reason | Unknown) -> str:
    """Return what of a finding may be a reason for a report, in words; empty for nothing."""
    if not isinstance(one, Reason):
        return ""
    single = [thing for task in one.tasks for thing in task.things if task.kind == Kind.CREDITS]
    if one.path.startswith(MAY_BE_REPORTED) or is_reportable({"path": one.path, "outcome": HIT}):
        of = "" if not single or single[0].startswith("“") else f" ({named(single)})"
        return f"{quoted_head(one.text)}{of}"
    return _UNLISTED if any(task.kind == Kind.WHICH_LIST for task in one.tasks) else ""
