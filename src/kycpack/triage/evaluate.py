"""Evaluating a policy: findings for every rule, and one recommendation a customer, which can only be raised."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from kycpack.frames import Frames
from kycpack.models.instants import read_as_of
from kycpack.triage.consistency import compare_sources
from kycpack.triage.facts import Facts, Numbers
from kycpack.triage.findings import Judged, list_findings
from kycpack.triage.gathering import gather_facts
from kycpack.triage.judging import Judge
from kycpack.triage.levels import CLEAR, HIT, LEVELS, OUTCOMES, UNKNOWN, rank
from kycpack.triage.outcomes import floor_verdicts
from kycpack.triage.paths import LEVEL
from kycpack.triage.policy import Policy, Rule
from kycpack.triage.rows import rows

RECOMMENDATIONS = (
    "customer_id",
    "level",
    "top_reason",
    "reasons",
    "fired",
    "unknown",
    "routes",
    "policy_id",
    "policy_version",
    "policy_digest",
)
NOTHING = "Nothing stands against approval."


@dataclass(frozen=True, eq=False)
class Triage:
    """What a policy makes of customers.

    Attributes:
        recommendations: One row a customer: customer_id, level, top_reason, reasons, fired, unknown, routes (lists), and the
            policy's id, version and digest.
        findings: One row for each rule and session, or rule and customer where a rule looks at no session: customer_id,
            session_id, rule_id, outcome (HIT, UNKNOWN, CLEAR, NOT_APPLICABLE), level (the severity, approve to reject), owner,
            reason and sentence (one plain sentence with the value), title (what was checked, in a few words), cause (why it
            is UNKNOWN; findings of one cause belong in one sentence), action (hold, ask, senior_approval, internal_report,
            decline, or empty), internal (true: never in a document for the customer, a webhook or a log), basis, path and
            value (raw, for machines), evidence_ids.
        consistency: One row for each pair of sources compared: customer_id, field, left, right, verdict, score, reason.
        policy: The policy that was used.
        as_of: The instant as of which it was used.
    """

    recommendations: pd.DataFrame
    findings: pd.DataFrame
    consistency: pd.DataFrame
    policy: Policy
    as_of: dt.datetime


def evaluate(frames: Frames, policy: Policy, wealth: Any = None, *, as_of: dt.date | str) -> Triage:
    """Return what a policy recommends for every customer of the frames.

    Args:
        frames: From `flatten`.
        policy: From `load_policy`.
        wealth: From `derive`; without it what it would tell is not known.
        as_of: The instant to judge expiry by: a datetime with an offset, a date (the end of that day, UTC), or either as text.

    Returns:
        Recommendations, findings and the consistency matrix.

    Raises:
        InputError: `as_of` is none of these.
    """
    moment = read_as_of(as_of)
    consistency = compare_sources(frames)
    facts = gather_facts(frames, wealth, consistency, moment)
    recommendations, findings = apply_policy(facts, policy)
    return Triage(
        recommendations=recommendations,
        findings=findings,
        consistency=consistency.drop(columns=["path"]),
        policy=policy,
        as_of=moment,
    )


def apply_policy(facts: Facts, policy: Policy) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return recommendations and findings for facts."""
    judge = Judge(facts, policy)
    judged = [
        Judged(rule, verdict, level, np.arange(len(facts.units)))
        for rule, verdict, level in floor_verdicts(facts, policy, judge)
    ]
    first = _first_units(facts)
    judged += [_judge_rule(judge, rule, first) for rule in policy.rules if not rule.about_level]
    for customer, level in enumerate(_levels(facts, judged)):
        facts.about_customer(customer, LEVEL, LEVELS[level])
    judge = Judge(facts, policy)
    judged += [_judge_rule(judge, rule, first) for rule in policy.rules if rule.about_level]
    order = {rule.id: place for place, rule in enumerate(policy.rules)}
    judged.sort(key=lambda one: order.get(one.rule.id, -1))
    findings = list_findings(judge, judged)
    return _recommendations(facts, policy, _levels(facts, judged), findings), findings


def _first_units(facts: Facts) -> Numbers:
    return np.unique(facts.customer_of_unit, return_index=True)[1].astype(np.int64)


def _judge_rule(judge: Judge, rule: Rule, first: Numbers) -> Judged:
    verdict = judge.judge(rule.when)
    by_outcome = np.array([0, rank("review"), rank(rule.raise_to)])
    units = first if rule.about_customer else np.arange(len(verdict.outcome))
    return Judged(rule, verdict, by_outcome[verdict.outcome], units)


def _levels(facts: Facts, judged: list[Judged]) -> Numbers:
    """Return each customer's level: the highest that any floor or rule gave."""
    levels = np.zeros(len(facts.customers), dtype=np.int64)
    for one in judged:
        np.maximum.at(levels, facts.customer_of_unit[one.units], one.level[one.units])
    return levels


def _recommendations(facts: Facts, policy: Policy, levels: Numbers, findings: pd.DataFrame) -> pd.DataFrame:
    standing = findings[findings["outcome"] != OUTCOMES[CLEAR]]
    by_customer = {str(customer): part for customer, part in standing.groupby("customer_id", sort=False)}
    made = []
    for customer, level in zip(facts.customers, levels, strict=True):
        part = by_customer.get(customer)
        found = [] if part is None else list(rows(part[["level", "outcome", "reason", "rule_id", "owner"]]))
        found.sort(key=lambda one: (-rank(one.level), one.outcome != OUTCOMES[HIT]))
        reasons = list(dict.fromkeys(one.reason for one in found))
        made.append(
            (
                customer,
                LEVELS[int(level)],
                reasons[0] if reasons else NOTHING,
                reasons,
                list(dict.fromkeys(one.rule_id for one in found if one.outcome == OUTCOMES[HIT])),
                list(dict.fromkeys(one.rule_id for one in found if one.outcome == OUTCOMES[UNKNOWN])),
                list(dict.fromkeys(one.owner for one in found if one.outcome == OUTCOMES[HIT])),
                policy.id,
                policy.version,
                policy.digest,
            )
        )
    frame = pd.DataFrame(made, columns=list(RECOMMENDATIONS))
    lists = {"reasons", "fired", "unknown", "routes"}
    return frame.astype({name: "string[pyarrow]" for name in RECOMMENDATIONS if name not in lists})
