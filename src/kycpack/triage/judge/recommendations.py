"""One recommendation per customer: the highest level of any finding, the reasons, who works on it and what has to be done."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from kycpack.frames.answer_members import RISK_FACTORS
from kycpack.frames.rows import frame_of
from kycpack.triage.case_file import CaseFile
from kycpack.triage.judge.findings import Finding, by_weight
from kycpack.triage.levels import ACTIONS, HIT, NOT_APPLICABLE, UNKNOWN, highest, rank
from kycpack.triage.policies.policy import Policy

RECOMMENDATIONS = (
    "customer_id",
    "level",
    "top_reason",
    "reasons",
    "fired",
    "unknown",
    "routes",
    "actions",
    "not_looked_at",
    "internal",
    "diligence",
    "required_checks",
    "next_review_on",
    "policy_id",
    "policy_version",
    "policy_digest",
)
NOTHING = "No finding stands against approval."
LACKS_FILE = (
    "The customer risk file has to be obtained or completed before an approval, and a new pack made then. "
    + NOTHING
)
_LISTS = frozenset(
    {"reasons", "fired", "unknown", "routes", "actions", "not_looked_at", "internal", "required_checks"}
)
_MOST_NAMED = 3


def recommendation(
    policy: Policy, case: CaseFile, findings: Sequence[Finding], day: dt.date
) -> dict[str, object]:
    """Return the recommendation for a customer, as a row.

    Args:
        policy: The policy.
        case: The customer.
        findings: All findings of the customer.
        day: The day of the review.
    """
    standing = by_weight(findings, policy.questions.of_level)
    level = highest(finding.level for finding in standing)
    # What must not reach the customer must not reach a headline, a log or a webhook either (tipping off).
    shown = [finding for finding in standing if not finding.internal]
    reasons = reasons_of(shown)
    kind = policy.diligence.kind(case.risk)
    return {
        "customer_id": case.customer_id,
        "level": level,
        "top_reason": _headline(shown, reasons) if reasons else _without_reason(standing, case.risk),
        "reasons": reasons,
        "fired": _distinct(finding.rule_id for finding in shown if finding.outcome == HIT),
        "unknown": _distinct(finding.rule_id for finding in shown if finding.outcome == UNKNOWN),
        "routes": _distinct(finding.owner for finding in standing),
        "actions": [each for each in ACTIONS[1:] if any(finding.action == each for finding in shown)],
        "not_looked_at": _distinct(
            finding.title for finding in findings if finding.outcome == NOT_APPLICABLE
        ),
        "internal": _distinct(finding.rule_id for finding in standing if finding.internal),
        "diligence": kind,
        "required_checks": list(policy.diligence.required[kind]),
        "next_review_on": policy.diligence.next_review(kind, level, day).isoformat(),
        "policy_id": policy.id,
        "policy_version": policy.version,
        "policy_digest": policy.digest,
    }


def recommendations_frame(made: Sequence[dict[str, object]]) -> pd.DataFrame:
    """Return recommendations as a frame, one row per customer."""
    columns = {name: [row[name] for row in made] for name in RECOMMENDATIONS}
    return frame_of(columns, dict.fromkeys(_LISTS, "object"))


def reasons_of(findings: Sequence[Finding]) -> list[str]:
    """Return the reasons given by findings that still apply: one sentence for each hit, and one for all unknowns with the same cause.

    Args:
        findings: In reading order.
    """
    reasons: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        key = ("hit", finding.sentence) if finding.outcome == HIT else ("cause", finding.cause)
        reasons.setdefault(key, []).append(finding)
    return [
        group[0].sentence if len(group) == 1 or kind == "hit" else _together(group)
        for (kind, _), group in reasons.items()
    ]


def _together(group: Sequence[Finding]) -> str:
    titles = list(dict.fromkeys(_small(finding.title) for finding in group))
    if len(titles) == 1:
        return group[0].sentence
    named = ", ".join(titles[:_MOST_NAMED])
    among = f", among them {named}" if len(titles) > _MOST_NAMED else f", namely {named}"
    ids = list(dict.fromkeys(entry for finding in group for entry in finding.evidence_ids))
    shown = f" ({', '.join(ids[:_MOST_NAMED])})" if ids else ""
    return f"{group[0].cause.removesuffix('.')}: {len(titles)} checks could not be evaluated{among}{shown}"


def _small(title: str) -> str:
    second = title[1:2]
    return title if second.isupper() else title[:1].lower() + title[1:]


def _without_reason(standing: Sequence[Finding], risk: Mapping[str, str]) -> str:
    """Return what a recommendation says that gives no reason: none was found, or it stays inside the firm."""
    if standing:
        return "The reason is given only in the customer's review."
    return NOTHING if all(risk.get(factor, "").strip() for factor in RISK_FACTORS) else LACKS_FILE


def _headline(shown: Sequence[Finding], reasons: Sequence[str]) -> str:
    """Return the first reason, together with any that is escalated to the MLRO, so that a rejection does not hide a sanctions hit."""
    beside = [
        finding.sentence
        for finding in shown
        if finding.outcome == HIT and finding.level == "escalate" and finding.sentence != reasons[0]
    ]
    if rank(highest(finding.level for finding in shown)) <= rank("escalate") or not beside:
        return reasons[0]
    return "; also: ".join((reasons[0], *dict.fromkeys(beside)))


def _distinct(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))
