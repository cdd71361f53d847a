"""Findings: what each rule gave, as rows of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from kycpack.frames.rows import columns_of, frame_of
from kycpack.triage.case_file import Observation
from kycpack.triage.levels import HIT, UNKNOWN, rank


class Finding(NamedTuple):
    """What a rule gave for a session, or for a customer.

    Attributes:
        customer_id: The customer.
        session_id: The session; None for a rule that looks at no session.
        rule_id: The rule.
        outcome: HIT, UNKNOWN, CLEAR or NOT_APPLICABLE.
        level: What it raises to: how bad it is.
        owner: Who looks at it.
        action: What it asks for, of `levels.ACTIONS`; empty where it asks for nothing.
        internal: Whether it stays inside the firm: never in a document for the customer, a webhook or a log.
        title: What was looked at, in a few words.
        reason: One plain sentence with the value and the evidence.
        sentence: The same.
        cause: Why it is UNKNOWN, one sentence; findings of one cause belong together.
        basis: The law, guidance or standard it rests on.
        path: What was looked at, for machines.
        value: The value, for machines.
        evidence_ids: The entries that show it.
        superseded_by: The later session to which it gave way; None where it stands.
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
        """Whether it says that something stands against approval."""
        return self.superseded_by is None and self.outcome in {HIT, UNKNOWN}


class Ruling(NamedTuple):
    """A finding with what later steps need of it.

    Attributes:
        finding: The finding.
        absent: Whether it is UNKNOWN because nothing is there, or because a check did not run.
        gives_way: As of its rule.
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
    """Return the rows of findings that did not give way to a later session.

    Args:
        findings: As of `findings_frame`.
    """
    return findings[findings["superseded_by"].isna()]


def by_weight(findings: Sequence[Finding], late: frozenset[str] = frozenset()) -> list[Finding]:
    """Return the findings that stand: the highest level first, in a level hits before what is not known.

    Args:
        findings: In the order of the policy.
        late: Rules that follow from the level, so that they come after what gave it.
    """
    standing = [finding for finding in findings if finding.stands]
    return sorted(standing, key=lambda one: (-rank(one.level), one.rule_id in late, one.outcome != HIT))
