"""What a batch is to do: one job a customer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kycpack.workspace.imports import read_rows


@dataclass(frozen=True, slots=True)
class KnownCase:
    """What the workspace knows of a case when a run is created.

    Attributes:
        folders: Where the run wrote whose pack is compared with: the pack decided on or, before a decision, the last one;
            empty where that is not known.
        evidence_root: The evidence of that pack.
        policy_digest: The policy of that pack.
        excerpt: What the ledger says of the case, as of `Ledger.excerpt`; None before a decision.
    """

    folders: tuple[Path, ...]
    evidence_root: str
    policy_digest: str
    excerpt: Mapping[str, Any] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Job:
    """One customer of a batch.

    Attributes:
        customer_id: The customer's id.
        known: What the register contributes to the evidence; None where there is no register.
        occasion: Why now: the sessions that completed, and when. A run that was interrupted is continued only where
            this is the same.
        ledger_head: The head of the ledger when the run was created (ledger, size, hash, root); None without a ledger.
        policy_approval: Whether the policy was approved then, as of `Policies.approval`; None without a workspace.
        run_id: The run that this is done for; empty outside of one.
        attempt: How many attempts with a pack the run has recorded before; with the run it makes the fencing token. What was sealed
            by an attempt that was never recorded is thus found by the next one.
        evidence: Evidence that this run has collected, relative to the output: its answers are used again, and only what the
            register contributes is new. Empty where everything is asked.
        case: What the workspace knows of the customer's case; None where it has none, or there is no workspace.
    """

    customer_id: str
    known: Mapping[str, Any] | None = field(default=None, repr=False)
    occasion: str = field(default="", repr=False)
    ledger_head: Mapping[str, Any] | None = field(default=None, repr=False)
    policy_approval: Mapping[str, Any] | None = field(default=None, repr=False)
    run_id: str = field(default="", repr=False)
    attempt: int = field(default=0, repr=False)
    evidence: str = field(default="", repr=False)
    case: KnownCase | None = field(default=None, repr=False)


def read_customer_ids(path: Path) -> tuple[str, ...]:
    """Read the customers of a batch.

    Args:
        path: CSV with a column `customer_id`; other columns are ignored.

    Returns:
        The ids, each once, in the file's order.

    Raises:
        InputError: The file cannot be read or a line is wrong; all wrong lines are named.
    """
    return tuple(dict.fromkeys(row["customer_id"] for _, row in read_rows(path)))
