"""What a batch did: one entry a customer, and sums that add up."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

Outcome = Literal["produced", "failed", "skipped", "unchanged"]
SCHEMA = "kycpack-run-1"


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of one customer.

    Attributes:
        customer_id: The customer's id.
        outcome: `produced`; `failed`; `unchanged`: an earlier pack has the same frames, policy and code;
            `skipped`: the interrupted run that this one goes on with had finished it.
        pack: The pack's folder, relative to the output; empty where there is none.
        level: What triage recommends; empty where nothing was derived.
        top_reason: Its first reason.
        explained_share: Share of the credits that is explained, 0..1; None where there are no credits.
        seconds: How long it took.
        note: Why it failed or was skipped; ids and kinds of errors only.
        fingerprint: SHA-256 over frames, policy and code.
        evidence_root: Hash of the evidence.
        evidence: Where the evidence of a failed customer was kept, relative to the output.
    """

    customer_id: str
    outcome: Outcome
    pack: str = ""
    level: str = ""
    top_reason: str = ""
    explained_share: float | None = None
    seconds: float = 0.0
    note: str = ""
    fingerprint: str = ""
    evidence_root: str = ""
    evidence: str = ""

    def took(self, seconds: float) -> Entry:
        """Return the entry with how long it took."""
        return replace(self, seconds=round(seconds, 2))


@dataclass(frozen=True, slots=True)
class RunReport:
    """A batch that ended; `in_scope` is always the sum of the four outcomes."""

    run_id: str
    as_of: str
    started_at: str
    finished_at: str
    code_version: str
    workers: int
    entries: tuple[Entry, ...]

    def count(self, outcome: Outcome) -> int:
        """Return how many customers had an outcome."""
        return Counter(entry.outcome for entry in self.entries)[outcome]

    def to_document(self) -> dict[str, Any]:
        """Return what `run.json` holds."""
        return {
            "schema": SCHEMA,
            "run_id": self.run_id,
            "as_of": self.as_of,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
            "code_version": self.code_version,
            "workers": self.workers,
            "in_scope": len(self.entries),
            "produced": self.count("produced"),
            "failed": self.count("failed"),
            "skipped": self.count("skipped"),
            "unchanged": self.count("unchanged"),
            "entries": [asdict(entry) for entry in self.entries],
        }


def to_entry(document: Mapping[str, Any]) -> Entry:
    """Return an entry from its members in a file; members that are not known here are left out."""
    return Entry(**{name: value for name, value in document.items() if name in Entry.__dataclass_fields__})


def write_private(path: Path, content: bytes) -> None:
    """Write a file whole, readable by its owner only."""
    temporary = path.with_name(f".{path.name}.new")
    temporary.unlink(missing_ok=True)
    with os.fdopen(os.open(temporary, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def dump(document: Any) -> bytes:
    """Return a document as JSON for people to read."""
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"
