"""Floors: the level that a section's outcome gives by itself, never softer than the service's own recommendation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kycpack.frames.catalogue import SECTIONS
from kycpack.triage.facts import Facts, Numbers
from kycpack.triage.judging import Judge, Verdict
from kycpack.triage.levels import LEVELS, UNKNOWN, rank
from kycpack.triage.policy import Leaf, Policy, Rule

OWNER = "Analyst"
BASIS = "The service's recommended action for the outcome"


def floor_verdicts(facts: Facts, policy: Policy, judge: Judge) -> Iterator[tuple[Rule, Verdict, Numbers]]:
    """Go through the floors as if they were rules, with the level of each unit.

    A section that nobody has seen yet has a floor too, as soon as it has an outcome.
    """
    for section in _sections(facts):
        known = section in SECTIONS
        leaf = Leaf(
            path=f"{section}.outcome",
            operator="not_in",
            argument=tuple(outcome for outcome, level in policy.floor.items() if level == LEVELS[0]),
            if_missing="unknown" if known else "clear",
        )
        rule = Rule(
            id=f"OUT-{section}",
            when=leaf,
            raise_to=LEVELS[0],
            owner=OWNER,
            reason=f"The outcome of the {section} check is not clear",
            basis=BASIS,
            place="floor",
        )
        verdict = judge.judge(leaf)
        yield rule, *_with_levels(judge, policy, verdict)


def _with_levels(judge: Judge, policy: Policy, verdict: Verdict) -> tuple[Verdict, Numbers]:
    values = judge.facts.contents.distinct
    of_value = np.array([_level(policy, value) for value in values], dtype=np.int64)
    understood = np.array([isinstance(value, str) and value in policy.floor for value in values], dtype=bool)
    missing = verdict.fact < 0
    if not len(values) or missing.all():
        return verdict, np.where(verdict.outcome > 0, rank(policy.floor["missing"]), 0)
    value = judge.sessions.value[np.where(missing, 0, verdict.fact)]
    level = np.where(
        missing, np.where(verdict.outcome > 0, rank(policy.floor["missing"]), 0), of_value[value]
    )
    outcome = np.where(~missing & (level > 0) & ~understood[value], UNKNOWN, verdict.outcome)
    return Verdict(outcome, verdict.leaf, verdict.fact, verdict.leaves, verdict.facts), level


def _level(policy: Policy, value: object) -> int:
    if value is None:
        return rank(policy.floor["missing"])
    if isinstance(value, str) and value in policy.floor and value not in {"missing", "*"}:
        return rank(policy.floor[value])
    return rank(policy.floor["*"])


def _sections(facts: Facts) -> tuple[str, ...]:
    seen = [
        path.removesuffix(".outcome")
        for path in facts.paths.distinct
        if path.count(".") == 1 and path.endswith(".outcome")
    ]
    return tuple(dict.fromkeys((*SECTIONS, *sorted(seen))))
