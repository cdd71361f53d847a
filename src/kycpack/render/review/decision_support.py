"""Whether the evidence of a pack supports a decision that is based on other evidence, and what has come since that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from kycpack.models.listed import counted
from kycpack.render.review.decision import CaseDecision, CaseRecord
from kycpack.render.review.reopened import in_order, words_of_new
from kycpack.triage.customers.changes import Change
from kycpack.triage.levels import LEVEL_WORDS

_SUPPORTED = "The evidence of this pack still supports decision"


def earlier_decision(record: CaseRecord | None, evidence_root: str) -> CaseDecision | None:
    """Return the decision that a pack has to be compared with: the last one of the case, or the one that it corrects.

    Args:
        record: What the ledger says about the case.
        evidence_root: The evidence of the pack.
    """
    if record is None or record.decision is None or record.decision.evidence_root != evidence_root:
        return None if record is None else record.decision
    return record.corrected


def support_of(
    record: CaseRecord | None,
    evidence_root: str,
    earlier: Mapping[str, Any] | None,
    changes: tuple[Change, ...],
) -> str:
    """Return a sentence that says whether the evidence of a pack supports a decision based on other evidence; empty if there is none.

    Args:
        record: What the ledger says about the case.
        evidence_root: The evidence of the pack.
        earlier: What the pack keeps about the earlier pack; None if there was none.
        changes: The differences between the two packs.
    """
    rested = earlier_decision(record, evidence_root)
    if rested is None or rested.evidence_root == evidence_root:
        return ""
    if earlier is None or earlier["evidence_root"] != rested.evidence_root:
        return (
            f"Whether the evidence of this pack supports decision {rested.decision_id} was not compared: the pack that the "
            f"decision rests on (evidence {rested.evidence_root[:12]}) was not reachable when this one was made."
        )
    fallen = [change.now for change in changes if change.kind == "decision"]
    if fallen:
        return f"The evidence of this pack no longer supports decision {rested.decision_id}. {fallen[0]}"
    others = [change for change in changes if change.kind in {"level", "finding"} and change.worse]
    if not others:
        return f"{_SUPPORTED} {rested.decision_id}."
    level = [
        f"the recommended level rose from {LEVEL_WORDS[each.before]} to {LEVEL_WORDS[each.now]}"
        for each in others
        if each.kind == "level"
    ]
    count = sum(each.kind == "finding" for each in others)
    new = [f"{counted(count, 'finding')} came up"] if count else []
    since = " and ".join([*level, *new])
    return f"Since decision {rested.decision_id} {since}: the case has to be decided again."


def with_support(
    record: CaseRecord | None,
    evidence_root: str,
    support: str,
    new: Sequence[str] = (),
    routes: Sequence[str] = (),
    owners: Mapping[str, str] | None = None,
    *,
    day: date = date.max,
) -> CaseRecord | None:
    """Return a record with what has come since its decision, and whether the evidence of a pack supports that.

    Args:
        record: What the ledger says about the case.
        evidence_root: The evidence of the pack.
        support: As from `support_of`.
        new: The evidence of this pack that the decision did not rest on: id, kind, and when it was received.
        routes: Who has to review this pack.
        owners: Who works on the findings of each rule, by the pack's policy.
        day: The day of the pack, by which the decision may have ended.
    """
    if record is None or record.decision is None:
        return record
    is_before = record.decision.evidence_root != evidence_root
    reopening = record.decision.reopening
    since = words_of_new(new) if is_before else ()
    newer = reopening if reopening is not None and reopening.run_id and not is_before else None
    if newer is not None:
        since = newer.words(record.decision.level)
        routes = [owner for rule in newer.rules if (owner := (owners or {}).get(rule))]
    is_supported = is_before and support.startswith(_SUPPORTED)
    is_open = reopening is not None or (is_before and not is_supported)
    ends = record.decision.reopens_on
    return replace(
        record,
        support=support,
        is_before=is_before,
        is_supported=is_supported and not is_open and (not ends or day < date.fromisoformat(ends)),
        since=since,
        deciders=in_order(routes) if is_open else (),
        newer=newer,
    )
