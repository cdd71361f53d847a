"""Findings, which are the result of each rule, and one recommendation per customer: the highest level of any finding, the reasons, who works on it and what has to be done."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from kycpack.frames.answer_members import RISK_FACTORS
from kycpack.frames.rows import columns_of, frame_of
from kycpack.triage.case_file import CaseFile, Observation
from kycpack.triage.levels import ACTIONS, HIT, NOT_APPLICABLE, PLAIN, UNKNOWN, highest, rank
from kycpack.triage.paths import is_of_identity
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


class Finding(NamedTuple):
    """The result of a rule for a session or a customer.

    Attributes:
        customer_id: The customer.
        session_id: The session; None for a rule about the customer.
        rule_id: The rule.
        outcome: HIT, UNKNOWN, CLEAR or NOT_APPLICABLE.
        level: The level that it raises the recommendation to.
        owner: Who works on it.
        action: What has to be done, from `levels.ACTIONS`; empty for nothing.
        internal: Whether it stays inside the firm: never in a document for the customer, a webhook or a log.
        title: What was checked, in a few words.
        reason: One plain sentence with the value and the evidence.
        sentence: The same.
        cause: Why it is UNKNOWN, one sentence; findings with the same cause belong together.
        basis: The law, guidance or standard behind it.
        path: What was checked, for machines; of an entry of a list, the member by which decisions on it are ruled.
        value: The value, for machines; of an entry of a list, all members that decided, with their values.
        evidence_ids: The entries that show it.
        superseded_by: The later session that replaces it; None if it still applies.
    """

    customer_id: str
    session_id: str | None
    rule_id: str
    outcome: str
    level: str
    owner: str
    action: str
    internal: bool
    title: str
    reason: str
    sentence: str
    cause: str
    basis: str
    path: str
    value: str | None
    evidence_ids: tuple[str, ...]
    superseded_by: str | None = None

    @property
    def stands(self) -> bool:
        """Whether it is an obstacle to approval."""
        return self.superseded_by is None and self.outcome in {HIT, UNKNOWN}


class Ruling(NamedTuple):
    """A finding with what later steps need.

    Attributes:
        finding: The finding.
        absent: Whether it is UNKNOWN because something is missing, or because a check did not run.
        gives_way: As in its rule.
        seen: The observation that decided.
    """

    finding: Finding
    absent: bool = False
    gives_way: str = ""
    seen: Observation | None = None


FINDINGS = Finding._fields


def findings_frame(findings: Sequence[Finding]) -> pd.DataFrame:
    """Return findings as a frame, one row each, in their order; `evidence_ids` are lists."""
    columns = columns_of(FINDINGS, findings)
    return frame_of(
        columns | {"evidence_ids": [list(ids) for ids in columns["evidence_ids"]]},
        {"evidence_ids": "object", "internal": "bool"},
    )


def standing(findings: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of findings that no later session replaced.

    Args:
        findings: As from `findings_frame`.
    """
    replaced = findings["superseded_by"].notna().to_numpy()
    return findings[~replaced] if replaced.any() else findings


def by_weight(findings: Sequence[Finding], late: frozenset[str] = frozenset()) -> list[Finding]:
    """Return the findings that still apply: the highest level first, and within a level hits before unknowns.

    Of those, what asks for more than an answer comes first, and then who the customer is, which has to be verified before anything else (MLR 2017 reg. 28(2)).

    Args:
        findings: In the order of the policy.
        late: Rules that depend on the level; their findings come after those that set it.
    """
    standing = [finding for finding in findings if finding.stands]
    return sorted(
        standing,
        key=lambda one: (
            -rank(one.level),
            one.rule_id in late,
            one.outcome != HIT,
            precedence(one.action, one.path),
        ),
    )


def precedence(action: str, path: str) -> tuple[bool, bool]:
    """Return what is smaller the earlier a hit stands among those of its level: what asks for more than an answer, then what is about who the customer is."""
    return action in PLAIN, not is_of_identity(path)


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
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


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
