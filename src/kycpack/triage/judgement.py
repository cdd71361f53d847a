"""Judging one customer: every rule of a policy, what later sessions replace, and the recommendation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import CaseFile, Observation, SessionFile
from kycpack.triage.conditions import Judge
from kycpack.triage.findings import Finding, Ruling
from kycpack.triage.levels import highest
from kycpack.triage.paths import LEVEL
from kycpack.triage.policy import Policy, Rule
from kycpack.triage.recommendations import recommendation
from kycpack.triage.rulings import policy_rulings, rule_rulings
from kycpack.triage.section_outcomes import is_optional, section_rulings
from kycpack.triage.supersession import Supersession, supersede


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """What a policy makes of one customer."""

    recommendation: dict[str, object]
    findings: tuple[Finding, ...]
    supersessions: tuple[Supersession, ...]


def judge_case(policy: Policy, case: CaseFile, day: dt.date) -> JudgedCase:
    """Return what a policy makes of one customer.

    Args:
        policy: The policy.
        case: The customer.
        day: The day of the review.
    """
    required = frozenset(policy.diligence.required[policy.diligence.kind(case.risk)])
    _observe_requirement(case, required)
    rulings = [*policy_rulings(policy, case, day)]
    for session in case.sessions:
        rulings += section_rulings(policy, case, session, required)
    rulings += _judge_rules(
        policy, [rule for rule in policy.rules if not rule.about_level], case, day, required
    )
    rulings, superseded = supersede(case, rulings)
    level = highest(ruling.finding.level for ruling in rulings if ruling.finding.stands)
    case.seen.append(Observation(LEVEL, level))
    rulings += _judge_rules(policy, [rule for rule in policy.rules if rule.about_level], case, day, required)
    findings = tuple(ruling.finding for ruling in _in_order(policy, case, rulings))
    return JudgedCase(recommendation(policy, case, findings, day), findings, tuple(superseded))


def _observe_requirement(case: CaseFile, required: frozenset[str]) -> None:
    """Say whether the bank data that the customer's diligence requires is there."""
    expected = any(seen.path == "bank.expected" and seen.value is True for seen in case.seen)
    word = "not_required" if "bank" not in required else "ordered" if expected else "not_ordered"
    case.add("diligence.bank", word, case.evidence_id)


def _judge_rules(
    policy: Policy, rules: Iterable[Rule], case: CaseFile, day: dt.date, required: frozenset[str]
) -> list[Ruling]:
    judges = [
        (session, Judge(policy, case, session, day, _optional(session, required)))
        for session in case.sessions
    ]
    made: list[Ruling] = []
    for rule in rules:
        for session, judge in judges[:1] if rule.about_customer else judges:
            made += rule_rulings(policy, rule, case, session, judge, day, required)
    return made


def _optional(session: SessionFile, required: frozenset[str]) -> frozenset[str]:
    return frozenset(section for section in SECTIONS if is_optional(session, section, required))


def _in_order(policy: Policy, case: CaseFile, rulings: Iterable[Ruling]) -> list[Ruling]:
    """Return rulings by session, and inside a session in the order of the policy; the customer's own stand with the first."""
    of_rule = {rule.id: place for place, rule in enumerate(policy.rules)}
    of_session = {session.id: place for place, session in enumerate(case.sessions)}
    return sorted(
        rulings,
        key=lambda one: (of_session.get(one.finding.session_id, 0), of_rule.get(one.finding.rule_id, -1)),
    )
