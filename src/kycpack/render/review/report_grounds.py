"""What was found that may be a reason for a report to the National Crime Agency, where no finding asks for one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from kycpack.evidence.citations import CITED_AT_END
from kycpack.frames.rows import records
from kycpack.render.review.pieces import is_of_report, named, rules_of
from kycpack.render.review.reasons import Reason, Unknown, with_evidence
from kycpack.render.review.same_matter import is_reportable
from kycpack.render.review.task_kinds import Kind, Task
from kycpack.render.review.task_things import quoted_head
from kycpack.render.review.tasks import REPORT
from kycpack.render.wording import text_of, title_in
from kycpack.triage.judge.findings import standing
from kycpack.triage.judge.sentences import label_of
from kycpack.triage.levels import CLEAR, HIT
from kycpack.triage.paths import QUESTIONS_OF_MONEY, UNNAMED_MATCHES

MAY_BE_REPORTED = ("wealth.flags.", QUESTIONS_OF_MONEY)
"""How the path of a finding begins that may be a reason for a report."""
KNOWN = "possible grounds known so far: "
_UNLISTED = "a match of which the list is not named"


def checks_without_need(findings: pd.DataFrame) -> Iterator[Mapping[Any, Any]]:
    """Yield the rule, the title and the basis of each check on the need for a report that found none by itself; a comparison of names is not one.

    Args:
        findings: Frame `findings` of one customer.
    """
    for row in records(standing(findings), "rule_id", "title", "basis", "path", "outcome", "internal"):
        is_clear = row["internal"] and str(row["outcome"]) == CLEAR
        if is_clear and not text_of(row["path"], "").startswith("consistency."):
            yield row


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


def with_unnamed(why: Sequence[Reason | Unknown], reasons: Sequence[Reason]) -> tuple[Reason | Unknown, ...]:
    """Return everything against approval, with the match whose list is not named also where another match governs its matter."""
    if any(isinstance(one, Reason) and one.path == UNNAMED_MATCHES for one in why):
        return tuple(why)
    return (*why, *(one for one in reasons if one.path == UNNAMED_MATCHES))


def with_grounds(reasons: Sequence[Reason]) -> tuple[Reason, ...]:
    """Return reasons, where the need for a report that a rule finds names also the possible matches that its own words do not, as `considered` does."""
    heads = {
        quoted_head(one.text): one
        for one in reasons
        if one.subjects == {"screening"} and is_reportable({"path": one.path, "outcome": HIT})
    }
    return tuple(_with_matches(one, heads) if is_of_report(one) else one for one in reasons)


def _with_matches(need: Reason, heads: Mapping[str, Reason]) -> Reason:
    """Return the need for a report with the possible matches that it does not name; a comparison of names as it is."""
    more = {head: one for head, one in heads.items() if label_of(one.path) not in need.text}
    if not more or need.path.startswith("consistency."):
        return need
    evidence = tuple(sorted({*need.evidence, *(id_ for one in more.values() for id_ in one.evidence)}))
    said = f"{CITED_AT_END.sub('', need.text)}; {named(more)}{rules_of(more.values())}"
    origins = (*need.origins, *(origin for one in more.values() for origin in one.origins))
    return replace(need, text=with_evidence(said, evidence), evidence=evidence, origins=origins)


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
