"""One customer's evidence while it is being read: where rows go, and where gaps go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kycpack.errors import InputError
from kycpack.evidence import Entry, Evidence
from kycpack.frames.gaps import Gaps, area_of, subject_of
from kycpack.frames.gathering import Rows
from kycpack.frames.members import Members
from kycpack.models.json import parse_json


@dataclass(frozen=True, slots=True)
class Reading:
    """What the readers of the parts of an evidence share."""

    evidence: Evidence
    rows: Mapping[str, Rows]
    gaps: Gaps
    by_operation: Mapping[str, Sequence[Entry]]

    @property
    def customer_id(self) -> str:
        """Whose evidence it is."""
        return self.evidence.customer_id

    def select(self, operation: str) -> Sequence[Entry]:
        """Return the entries of an operation, in order."""
        return self.by_operation.get(operation, ())

    def add(self, frame: str, entry_id: str, **values: Any) -> None:
        """Add a row to a frame."""
        self.rows[frame].add({"customer_id": self.customer_id, "evidence_id": entry_id, **values})

    def body(self, entry: Entry) -> bytes | None:
        """Return the body of an entry that was answered with one."""
        if entry.outcome != "answered":
            return None
        return self.evidence.bodies.get(entry.id)

    def document(self, entry: Entry) -> Any:
        """Return the JSON of an answered entry; what cannot be read is a gap and None."""
        body = self.body(entry)
        if body is None:
            return None
        try:
            return parse_json(body)
        except InputError as error:
            self.add_unreadable(entry, error)
            return None

    def add_unreadable(self, entry: Entry, error: InputError) -> None:
        """Note that the body of an answer cannot be read."""
        message = f"the answer to {entry.operation} cannot be read: {error}"
        self.gaps.add(area_of(entry), "unreadable", message, subject=subject_of(entry), evidence_id=entry.id)

    def open(self, entry: Entry, *, subject: str = "") -> Members:
        """Return a tolerant reader for the answer of an entry."""
        return self.members(entry, self.document(entry), subject=subject)

    def members(self, entry: Entry, document: Any, *, subject: str = "") -> Members:
        """Return a tolerant reader for a document that an entry holds, or for a part of it."""
        return Members(document, self.gaps, area_of(entry), subject or subject_of(entry), entry.id)
