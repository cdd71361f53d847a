"""The jobs of a batch, one per customer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kycpack.errors import InputError
from kycpack.storage.kept_texts import KeptTexts
from kycpack.workspace.register.imports import read_rows


@dataclass(frozen=True, slots=True)
class KnownCase:
    """The workspace's data about a case when a run is created.

    Attributes:
        folders: Folders of the run that wrote the pack to compare with: the pack decided on or, before a decision, the last
            pack. Empty if not known.
        evidence_root: Root of that pack's evidence.
        policy_digest: Digest of that pack's policy.
        excerpt: The ledger's entries about the case, as returned by `Ledger.excerpt`; None before a decision.
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
        known: The register's contribution to the evidence; None without a register.
        occasion: Why the review is due: the sessions that completed, and when. An interrupted run is continued only if
            this is the same.
        ledger_head: The head of the ledger when the run was created (ledger, size, hash, root); None without a ledger.
        policy_approval: Whether the policy was approved then, as returned by `Policies.approval`; None without a workspace.
        run_id: The run that the job belongs to; empty outside a run.
        attempt: How many attempts with a pack the run has recorded before; together with the run it is the fencing token. So
            the next attempt finds a pack that was sealed by an attempt that was never recorded.
        evidence: Folder of evidence that this run has already collected, relative to the output: its answers are used again,
            and only the register's contribution is new. Empty if every request is to be sent.
        listed: Digest of the customer's record in the service's list when the run began, as returned by `record_digest`. Empty
            if there is no list.
        case: The workspace's data about the customer's case; None without a case or a workspace.
    """

    customer_id: str
    known: Mapping[str, Any] | None = field(default=None, repr=False)
    occasion: str = field(default="", repr=False)
    ledger_head: Mapping[str, Any] | None = field(default=None, repr=False)
    policy_approval: Mapping[str, Any] | None = field(default=None, repr=False)
    run_id: str = field(default="", repr=False)
    attempt: int = field(default=0, repr=False)
    evidence: str = field(default="", repr=False)
    listed: bytes = field(default=b"", repr=False)
    case: KnownCase | None = field(default=None, repr=False)


def read_customer_ids(path: Path) -> KeptTexts:
    """Read the customer ids of a batch.

    Args:
        path: CSV with a column `customer_id`; other columns are ignored.

    Returns:
        The ids, each once, in the file's order; they are kept in a temporary file.

    Raises:
        InputError: The file cannot be read, names nobody, or has wrong lines; the message names all wrong lines.
    """
    ids = KeptTexts(row["customer_id"] for _, row in read_rows(path))
    if not ids:
        raise InputError("the file names no customers", place=path.name)
    return ids
