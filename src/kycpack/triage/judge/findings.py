"""Findings: the result of each rule, as rows of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from kycpack.frames.rows import columns_of, frame_of
from kycpack.triage.case_file import Observation
from kycpack.triage.levels import HIT, PLAIN, UNKNOWN, rank
from kycpack.triage.paths import is_of_identity


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
_DTYPES = {"evidence_ids": "object", "internal": "bool"}


def findings_frame(findings: Sequence[Finding]) -> pd.DataFrame:
    """Return findings as a frame, one row each, in their order; `evidence_ids` are lists."""
    columns = columns_of(FINDINGS, findings)
    return frame_of(columns | {"evidence_ids": [list(ids) for ids in columns["evidence_ids"]]}, _DTYPES)


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
