"""The review of the specimen, and of evidence that differs from it."""

from __future__ import annotations

from datetime import UTC, datetime

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.models.json import canonical_json, parse_json
from kycpack.render import CasePeople, ReviewContents, ReviewInputs, build_contents
from kycpack.render.document_parts import Section
from kycpack.triage import evaluate, load_policy
from kycpack.wealth import derive

AS_OF = datetime(2026, 6, 30, 12, tzinfo=UTC)


def contents_of(evidence: Evidence, as_of: datetime = AS_OF, **case: str) -> ReviewContents:
    return build_contents(inputs_of(evidence, as_of, **case))


def inputs_of(evidence: Evidence, as_of: datetime = AS_OF, **case: str) -> ReviewInputs:
    """Return what a review is made from."""
    frames, policy = flatten(evidence), load_policy()
    wealth = derive(
        frames.transactions,
        frames.customers,
        frames.accounts,
        frames.balances,
        thresholds=policy.thresholds,
        as_of=as_of,
    )
    triage = evaluate(frames, policy, wealth=wealth, as_of=as_of)
    return ReviewInputs(evidence, frames, wealth, triage, policy, as_of, CasePeople("case-1", **case))


def with_body(evidence: Evidence, operation: str, change: dict) -> Evidence:
    """Return evidence in which an answer says something else."""
    entry = evidence.select(operation)[0]
    body = canonical_json(parse_json(evidence.body(entry.id)) | change)
    return Evidence(evidence.customer_id, evidence.entries, {**evidence.bodies, entry.id: body})


def only(evidence: Evidence, *operations: str) -> Evidence:
    """Return evidence in which nothing else was asked."""
    entries = tuple(entry for entry in evidence.entries if entry.operation in operations)
    return Evidence(evidence.customer_id, entries, {e.id: evidence.bodies[e.id] for e in entries if e.file})


def words_of(section: Section) -> str:
    cells = (cell.text for block in section.blocks for row in getattr(block, "rows", ()) for cell in row)
    return " ".join([*cells, *(block.text for block in section.blocks if hasattr(block, "text"))])
