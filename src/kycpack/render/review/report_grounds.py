"""What was found that may be a reason for a report to the National Crime Agency, where no finding asks for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kycpack.render.review.pieces import is_of_report, named, rules_of
from kycpack.render.review.reasons import Reason, Unknown, with_evidence
from kycpack.render.review.same_matter import is_reportable
from kycpack.render.review.task_kinds import Kind, Task
from kycpack.render.review.task_things import quoted_head
from kycpack.render.review.tasks import REPORT
from kycpack.render.wording import title_in
from kycpack.triage.levels import HIT
from kycpack.triage.paths import QUESTIONS_OF_MONEY, UNNAMED_MATCHES

MAY_BE_REPORTED = ("wealth.flags.", QUESTIONS_OF_MONEY)
"""How the path of a finding begins that may be a reason for a report."""
KNOWN = "possible grounds known so far: "
_UNLISTED = "a match of which the list is not named"


def considered(why: Sequence[Reason | Unknown], need: Reason | None) -> tuple[Reason, ...]:
    """Return the decision on a report that no finding asks for as a reason, where something was found that may be a ground for one; nothing where there is none.

    Args:
        why: Everything against approval.
        need: The check on the need for a report as a reason without a text, if it found no need by itself; else None.
    """
    found = grounds_of(why)
    if need is None or not found:
        return ()
    grounds = f"{named(map(ground_of, found))}{rules_of(found)}"
    evidence = tuple(sorted({id_ for one in found for id_ in one.evidence}))
    text = (
        f"Possible need for a report to the NCA, on which the nominated officer, the MLRO, decides: {grounds}"
    )
    return (
        replace(
            need,
            text=with_evidence(text, evidence),
            title=title_in(text, need.title),
            origins=tuple(origin for one in found for origin in one.origins),
            evidence=evidence,
            tasks=(Task(f"{REPORT}; {KNOWN}{grounds}", kind=Kind.REPORT),),
        ),
    )


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
