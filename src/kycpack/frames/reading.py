"""One customer's evidence while it is being read: collects the rows and the gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kycpack.errors import InputError
from kycpack.evidence import Entry, Evidence
from kycpack.frames.answer_fields import AnswerFields
from kycpack.frames.frame_builder import FrameBuilder
from kycpack.frames.gaps import GapCode, Gaps, area_of, subject_of
from kycpack.frames.json_leaves import AGAIN, leaves
from kycpack.frames.labels import spoken
from kycpack.models.broken_json import UnreadableValue
from kycpack.models.ids import same_id
from kycpack.models.json import parse_json, parse_json_leniently, without_odd_values

# One odd value in these must not hide the others. Lists of money are read strictly, and a transaction with an odd value is left out.
_LENIENT = frozenset({"customers.get", "onboarding.get", "onboarding.media"})

_IDS = tuple(
    (thing, f"{thing}_id", f"{thing}Id") for thing in ("customer", "session", "payment", "account", "media")
)
_AS_OBJECT = frozenset({"customer", "session", "payment"})
# Not `account`: in other formats that member has a provider's own id.
_OWN = {"customers.get": "customer", "onboarding.get": "session", "payments.get": "payment"}


def foreign_id(entry: Entry, document: Any) -> str:
    """Return which id of an answer differs from the one that was asked for; empty if none does.

    Args:
        entry: The evidence entry.
        document: The parsed answer, or one item of it.
    """
    if not isinstance(document, dict):
        return ""
    for thing, name, member in _IDS:
        asked = entry.subject.get(name)
        if not asked:
            continue
        members = [member, "id"] if _OWN.get(entry.operation) == thing else [member]
        answered = [document[name] for name in members if document.get(name) is not None]
        inner = document.get(thing) if thing in _AS_OBJECT else None
        if isinstance(inner, dict):
            answered += [inner[name] for name in ("id", member) if inner.get(name) is not None]
        if not all(same_id(asked, value) for value in answered):
            return thing
    return ""


@dataclass(frozen=True, slots=True)
class EvidenceReading:
    """What the readers of the parts of one customer's evidence share."""

    evidence: Evidence
    rows: Mapping[str, FrameBuilder]
    gaps: Gaps
    by_operation: Mapping[str, Sequence[Entry]]
    answers: Mapping[str, Sequence[Entry]]
    _bodies: dict[str, bytes | None] = field(default_factory=dict)
    _parsed: dict[str, Any] = field(default_factory=dict)

    @property
    def customer_id(self) -> str:
        """Customer id."""
        return self.evidence.customer_id

    def select(self, operation: str) -> Sequence[Entry]:
        """Return the entries of an operation, in order."""
        return self.by_operation.get(operation, ())

    def answered(self, operation: str) -> Sequence[Entry]:
        """Return the entries of an operation that were answered, in order."""
        return self.answers.get(operation, ())

    def note(self, entry: Entry, code: GapCode, message: str, *, subject: str = "") -> None:
        """Record a gap of an entry.

        Args:
            entry: The entry.
            code: What kind of gap.
            message: What is not known, as a sentence.
            subject: The id that the gap is about; empty for what was asked for.
        """
        self.gaps.add(
            area_of(entry), code, message, subject=subject or subject_of(entry), evidence_id=entry.id
        )

    def add(self, frame: str, entry_id: str, **values: Any) -> None:
        """Add a row to a frame."""
        self.rows[frame].add({"customer_id": self.customer_id, "evidence_id": entry_id, **values})

    def body(self, entry: Entry) -> bytes | None:
        """Return the body of an answered entry, None if it has none; it is read from disk and checked only once."""
        if entry.outcome != "answered":
            return None
        if entry.id not in self._bodies:
            self._bodies[entry.id] = self.evidence.bodies.get(entry.id)
        return self._bodies[entry.id]

    def parsed(self, entry: Entry) -> Any:
        """Return the JSON of an entry, parsed once with `parse_json_leniently`.

        Raises:
            InputError: The body is not JSON even so.
        """
        if entry.id not in self._parsed:
            self._parsed[entry.id] = parse_json_leniently(self.body(entry) or b"")
        return self._parsed[entry.id]

    def lenient_document(self, entry: Entry) -> Any:
        """Return the readable part of an entry's JSON; None if it cannot be read or there is none."""
        try:
            return None if self.body(entry) is None else self.parsed(entry)
        except InputError:
            return None

    def document(self, entry: Entry) -> Any:
        """Return the JSON of an answered entry; None, and a gap, if it cannot be read."""
        body = self.body(entry)
        if body is None:
            return None
        try:
            lenient = entry.operation in _LENIENT
            document = self.parsed(entry) if lenient else parse_json(body)
        except InputError as error:
            document = self._transactions_but_odd(entry)
            if document is None:
                self.add_unreadable(entry, error)
                return None
        if other := foreign_id(entry, document):
            message = f"the answer to {entry.operation} is about another {other} and was left out"
            self.note(entry, "wrong_subject", message)
            return None
        if lenient:
            self._add_odd(entry, document)
        return document

    def _transactions_but_odd(self, entry: Entry) -> Any:
        """Return a page of transactions without its odd values, each of which is a gap; None for any other answer."""
        document = self.lenient_document(entry) if entry.operation == "bank_accounts.transactions" else None
        self._add_odd(entry, document)
        return without_odd_values(document)

    def _add_odd(self, entry: Entry, document: Any) -> None:
        """Add a gap for each value that cannot be read, and for each name that is given more than once."""
        for path, leaf in leaves(document):
            name = spoken(path.rpartition(".")[2])
            if isinstance(leaf, UnreadableValue):
                self.note(entry, "wrong_type", f"“{name}” cannot be read: {leaf.reason}")
            elif AGAIN.search(path):
                again = spoken(AGAIN.sub("", path).rpartition(".")[2])
                self.note(entry, "given_twice", f"“{again}” is given more than once")

    def add_unreadable(self, entry: Entry, error: InputError) -> None:
        """Add a gap for the body of an answer that cannot be read."""
        self.note(entry, "unreadable", f"the answer to {entry.operation} cannot be read: {error}")

    def open(self, entry: Entry, *, subject: str = "") -> AnswerFields:
        """Return a tolerant reader for the answer of an entry."""
        return self.members(entry, self.document(entry), subject=subject)

    def members(self, entry: Entry, document: Any, *, subject: str = "") -> AnswerFields:
        """Return a tolerant reader for the document of an entry, or for a part of it."""
        return AnswerFields(document, self.gaps, area_of(entry), subject or subject_of(entry), entry.id)
