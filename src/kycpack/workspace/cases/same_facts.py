"""Findings that rest on one fact, so that a decision cannot say one thing of the first and another of the second."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from kycpack.triage.levels import HIT, OF_SECTION
from kycpack.workspace.cases.case_records import CaseFinding

_CLAUSES = re.compile(r"[.;\n]")
_IDS = re.compile(r"\bF-[0-9]+\b")


def check_same_facts(findings: Sequence[CaseFinding], given: Collection[str], text: str) -> str:
    """Return what is wrong with different verdicts on one fact; empty if nothing is.

    Args:
        findings: The findings of the case, each with its verdict.
        given: Ids of those that this decision has a verdict on.
        text: Why, in words. A sentence of it that names two findings, and no other, explains why their verdicts differ.
    """
    explained = {frozenset(_IDS.findall(clause)) for clause in _CLAUSES.split(text)}
    for one, other in _on_one_fact(findings):
        pair = frozenset({one.finding_id, other.finding_id})
        if one.disposition == other.disposition or pair in explained or not pair & set(given):
            continue
        if one.disposition and other.disposition:
            fact = one.fact if one.fact in other.sentence or one.fact == other.fact else other.fact
            named = " and ".join(
                f"{each.finding_id} ({each.rule_id}, {each.disposition.replace('_', ' ')})"
                for each in (one, other)
            )
            return (
                f"{named} rest on the same fact, {fact} ({', '.join(_shared(one, other))}): give both the same verdict, or say in "
                "a sentence of the text that names these two alone why they differ"
            )
    return ""


def rests_with(finding: CaseFinding, others: Sequence[CaseFinding]) -> Iterator[CaseFinding]:
    """Yield those of some findings that rest on the same fact as a finding."""
    for one, other in _on_one_fact((finding, *(each for each in others if each is not finding))):
        if one is finding:
            yield other


def _on_one_fact(findings: Sequence[CaseFinding]) -> Iterator[tuple[CaseFinding, CaseFinding]]:
    hits = [each for each in findings if each.outcome == HIT]
    for one, other in combinations(hits, 2):
        if _shared(one, other) and (
            (one.fact and one.fact == other.fact) or _names(one, other) or _names(other, one)
        ):
            yield one, other


def _shared(one: CaseFinding, other: CaseFinding) -> list[str]:
    return [each for each in one.evidence_ids if each in other.evidence_ids]


def _names(outcome: CaseFinding, one: CaseFinding) -> bool:
    """Return whether the sentence of a section's outcome names the fact of another finding as its reason."""
    return (
        outcome.rule_id.startswith(OF_SECTION)
        and bool(one.fact)
        and any(f"{before}{one.fact}" in outcome.sentence for before in (": ", ", "))
    )
