"""Evaluating a policy: findings for every rule, and one recommendation a customer, which can only be raised."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.catalogue import SECTIONS
from kycpack.models.cards import card
from kycpack.models.dates import day_words
from kycpack.models.instants import read_as_of
from kycpack.triage.case_file import CaseFile, Observation, SessionFile
from kycpack.triage.conditions import Judge
from kycpack.triage.consistency import compare_sources
from kycpack.triage.findings import Finding, Ruling, findings_frame
from kycpack.triage.levels import LEVELS, highest
from kycpack.triage.observations import case_files
from kycpack.triage.paths import LEVEL
from kycpack.triage.policy import Policy, Rule
from kycpack.triage.recommendations import recommendation, recommendations_frame
from kycpack.triage.rulings import policy_rulings, rule_rulings
from kycpack.triage.section_outcomes import is_optional, section_rulings
from kycpack.triage.supersession import Supersession, supersede


@dataclass(frozen=True, eq=False, repr=False)
class Triage:
    """What a policy makes of customers.

    Attributes:
        recommendations: One row a customer: customer_id, level, top_reason, reasons, fired, unknown, routes (owners of every
            hit and of everything not known), actions, not_looked_at, internal (rules that stay inside the firm), diligence,
            required_checks, next_review_on, and the policy's id, version and digest.
        findings: One row for each rule and session, or rule and customer where a rule looks at no session; more where a rule
            gives each hit by itself. Columns as in `findings.Finding`.
        consistency: One row for each pair of sources compared: customer_id, field, left, right, verdict, score, reason.
        supersessions: One row for each session that a later one replaces. Columns as in `supersession.Supersession`.
        policy: The policy that was used.
        as_of: The instant as of which it was used.
    """

    recommendations: pd.DataFrame
    findings: pd.DataFrame
    consistency: pd.DataFrame
    supersessions: pd.DataFrame
    policy: Policy
    as_of: dt.datetime

    def __repr__(self) -> str:
        levels = ", ".join(f"{level} {count}" for level, count in self._levels)
        return f"Triage(as of {day_words(self.as_of.date())}, customers {len(self.recommendations)}: {levels or 'none'})"

    def _repr_html_(self) -> str:
        outcomes = self.findings["outcome"].value_counts()
        rows = [
            *((level, count, "customers") for level, count in self._levels),
            *((str(outcome), int(count), "findings") for outcome, count in sorted(outcomes.items())),
        ]
        return card(
            repr(self),
            ("", "", ""),
            rows,
            notes=[f"Policy {self.policy.id} {self.policy.version}."],
            following=(
                ".recommendations",
                ".findings.query(\"outcome == 'HIT'\")",
                ".consistency",
                ".policy",
            ),
        )

    @property
    def _levels(self) -> list[tuple[str, int]]:
        counts = self.recommendations["level"].value_counts()
        return [(level, int(counts[level])) for level in LEVELS if level in counts]


def evaluate(frames: Frames, policy: Policy, wealth: Any = None, *, as_of: dt.date | str) -> Triage:
    """Return what a policy recommends for every customer of the frames.

    Args:
        frames: From `flatten`.
        policy: From `load_policy`.
        wealth: From `derive`; without it what the bank data shows is not known.
        as_of: The instant of the review: a datetime with an offset, a date (its end, UTC), or either as text.

    Returns:
        Recommendations, findings, the consistency matrix, and the sessions that were replaced.

    Raises:
        InputError: `as_of` is none of these.
    """
    moment = read_as_of(as_of)
    consistency = compare_sources(frames)
    judged = [
        judge_case(policy, case, moment.date()) for case in case_files(frames, wealth, consistency, moment)
    ]
    return Triage(
        recommendations=recommendations_frame([one.recommendation for one in judged]),
        findings=findings_frame([finding for one in judged for finding in one.findings]),
        consistency=consistency.drop(columns=["path"]),
        supersessions=_supersessions_frame(record for one in judged for record in one.supersessions),
        policy=policy,
        as_of=moment,
    )


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


def _supersessions_frame(records: Iterable[Supersession]) -> pd.DataFrame:
    made = list(records)
    dtypes = {"gave_way": "object", "evidence_ids": "object", "attempts": "int64"}
    columns = {}
    for name in (field.name for field in fields(Supersession)):
        values = [getattr(record, name) for record in made]
        dtype: Any = dtypes.get(name, "string[pyarrow]")
        columns[name] = pd.Series(
            [list(value) for value in values] if dtype == "object" else values, dtype=dtype
        )
    return pd.DataFrame(columns)
