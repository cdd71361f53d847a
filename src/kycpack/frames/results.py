"""Verification results: wide in `results`, long in `checks`, and by subject in `documents` and `screening`.

Documents are gathered and turned into rows many at a time, column by column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from kycpack.errors import InputError
from kycpack.evidence import Entry
from kycpack.frames.answer_members import RESULT_MEMBERS, SECTIONS, result_column
from kycpack.frames.frame_builder import FrameBuilder
from kycpack.frames.gaps import GapCode
from kycpack.frames.json_columns import KINDS, LeafColumns, Leaves
from kycpack.frames.json_leaves import AGAIN
from kycpack.frames.labels import member_label
from kycpack.frames.reading import Reading
from kycpack.frames.result_columns import Numbers, ResultColumns

_BATCH = 65_536
_UNREADABLE = "unreadable"
_SUMMARY = "screening.summary."
_PATHS = tuple(RESULT_MEMBERS)
_IDENTITY = {
    "outcome": "document.outcome",
    "document_type": "document.document.documentType",
    "issuing_country": "document.document.issuingCountry",
    "document_number": "document.document.documentNumber",
    "expires_on": "document.document.expirationDate",
    "holder_first_name": "document.holder.firstName",
    "holder_last_name": "document.holder.lastName",
    "holder_date_of_birth_on": "document.holder.dateOfBirth",
    "holder_nationality": "document.holder.nationality",
}
_ADDRESS = {
    "outcome": "address.outcome",
    "address_line1": "address.extractedAddress.addressLine1",
    "city": "address.extractedAddress.city",
    "postal_code": "address.extractedAddress.postalCode",
    "country": "address.extractedAddress.country",
}


@dataclass(slots=True)
class Results:
    """Results documents while they are being gathered.

    Args:
        rows: Where rows go, those of `gaps` included.
    """

    rows: Mapping[str, FrameBuilder]
    leaves: LeafColumns = field(default_factory=LeafColumns)
    customers: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    entries: list[str] = field(default_factory=list)
    sections: list[frozenset[str]] = field(default_factory=list)

    def add(self, reading: Reading, entry: Entry, session_id: str) -> frozenset[str] | None:
        """Add one results document.

        Returns:
            The sections that are there; None when the document cannot be read.
        """
        try:
            outline = self.leaves.add(reading.parsed(entry))
        except InputError as error:
            reading.add_unreadable(entry, error)
            return None
        odd = {name: kind for name, kind in outline.members.items() if kind != "object" and name in SECTIONS}
        if outline.kind != "object":
            odd = {"the results": outline.kind}
        for name, kind in odd.items():
            reading.members(entry, None, subject=session_id).wrong_kind(name, kind)
        if outline.kind != "object":
            return None
        sections = frozenset(outline.members)
        self.customers.append(reading.customer_id)
        self.sessions.append(session_id)
        self.entries.append(entry.id)
        self.sections.append(sections)
        if len(self.leaves) >= _BATCH:
            self.flush()
        return sections

    def flush(self) -> None:
        """Turn what was gathered into rows."""
        if not self.customers:
            return
        leaves = self.leaves.take()
        count = len(self.customers)
        batch = _Batch(leaves, self.customers, self.sessions, self.entries)
        batch.add_checks(self.rows)
        wide = ResultColumns(leaves, batch.document, count)
        identity = {result_column(path): wide.columns[path] for path in _PATHS}
        self.rows["results"].extend_columns(count, {**batch.ids(np.arange(count)), **identity})
        self._add_documents(batch, wide)
        self._add_gaps(batch, wide)
        self.customers, self.sessions, self.entries, self.sections = [], [], [], []

    def _add_documents(self, batch: _Batch, wide: ResultColumns) -> None:
        parts = (("identity", "document", _IDENTITY), ("proof_of_address", "address", _ADDRESS))
        found = [
            (number, kind)
            for number, sections in enumerate(self.sections)
            for kind, (_, section, _) in enumerate(parts)
            if section in sections
        ]
        document = np.array([number for number, _ in found], dtype=np.int64)
        kind = np.array([kind for _, kind in found], dtype=np.int64)
        columns: dict[str, pa.Array] = {}
        for number, (_, _, members) in enumerate(parts):
            own = pa.array(document, mask=kind != number)
            for column, path in members.items():
                taken = wide.columns[path].take(own)
                other = columns.get(column)
                columns[column] = taken if other is None else _either(other, taken)
        kinds = pa.DictionaryArray.from_arrays(
            pa.array(kind, pa.int32()), pa.array([name for name, _, _ in parts])
        )
        self.rows["documents"].extend_columns(len(found), {**batch.ids(document), **columns, "kind": kinds})

    def _add_gaps(self, batch: _Batch, wide: ResultColumns) -> None:
        odd = batch.odd_leaves()
        for number in sorted({*np.flatnonzero(~wide.present.all(axis=1) | wide.has_wrong).tolist(), *odd}):
            gaps: list[tuple[GapCode, str]] = [
                ("wrong_type", f"the {member_label(path)} is not what was expected (got {kind})")
                for path, kind in wide.wrong.get(int(number), [])
                if kind != _UNREADABLE
            ]
            absent = _PRESENCE.absent(wide.present[number], self.sections[number])
            gaps += [
                ("members_missing", f"not in the results: {', '.join(map(member_label, paths))}")
                for paths in absent
            ]
            whose = self.customers[number], self.sessions[number], "session"
            self.rows["gaps"].extend(
                (*whose, *gap, self.entries[number]) for gap in (*gaps, *odd.get(number, ()))
            )


class _Presence:
    """Which members belong to which section."""

    def __init__(self) -> None:
        self.by_section = {
            section: [number for number, path in enumerate(_PATHS) if path.startswith(f"{section}.")]
            for section in SECTIONS
        }

    def absent(self, present: npt.NDArray[np.bool_], sections: frozenset[str]) -> list[list[str]]:
        """Return the members that a section lacks, for each section that is there and lacks some."""
        lacking = [
            [_PATHS[number] for number in numbers if not present[number]]
            for section, numbers in self.by_section.items()
            if section in sections
        ]
        return [paths for paths in lacking if paths]


_PRESENCE = _Presence()


def _either(left: pa.Array, right: pa.Array) -> pa.Array:
    words = left.cast(pa.string()), right.cast(pa.string())
    return pa.compute.coalesce(*words).dictionary_encode()


class _Batch:
    """Leaves with the ids of their documents."""

    def __init__(self, leaves: Leaves, customers: list[str], sessions: list[str], entries: list[str]) -> None:
        self.leaves = leaves
        self.document: Numbers = np.repeat(np.arange(len(customers)), leaves.counts)
        self._customers = pa.array(customers).dictionary_encode()
        self._sessions = pa.array(sessions).dictionary_encode()
        self._entries = pa.array(entries, pa.string())

    def ids(self, document: Numbers) -> dict[str, pa.Array]:
        """Return the columns of ids for rows of these documents."""
        rows = pa.array(document)
        return {
            "customer_id": self._customers.take(rows),
            "session_id": self._sessions.take(rows),
            "evidence_id": self._entries.take(rows),
        }

    def odd_leaves(self) -> dict[int, list[tuple[GapCode, str]]]:
        """Return, by document, a gap for each leaf that cannot be read and for each name that is given more than once."""
        leaves = self.leaves
        repeated = np.array([AGAIN.search(path) is not None for path in leaves.paths], dtype=bool)
        is_odd = leaves.kind == KINDS.index(_UNREADABLE)
        if len(leaves.path):
            is_odd |= repeated[leaves.path]
        found: dict[int, list[tuple[GapCode, str]]] = {}
        for row in np.flatnonzero(is_odd):
            path = leaves.paths[leaves.path[row]]
            label = member_label(AGAIN.sub("", path))
            if leaves.kind[row] == KINDS.index(_UNREADABLE):
                gap: tuple[GapCode, str] = (
                    "wrong_type",
                    f"the {label} cannot be read: {leaves.text[row].as_py()}",
                )
            else:
                gap = "given_twice", f"the {label} is given more than once; every value counts"
            found.setdefault(int(self.document[row]), []).append(gap)
        return found

    def add_checks(self, rows: Mapping[str, FrameBuilder]) -> None:
        """Add the rows of `checks` and `screening`."""
        leaves = self.leaves
        parted = [split(path) for path in leaves.paths]
        score = pa.array(leaves.score, from_pandas=True)
        columns = {
            "path": _words(leaves.paths, leaves.path),
            "kind": _words(list(KINDS), leaves.kind),
            "value": leaves.text,
        }
        parts = {
            name: [part[place] for part in parted] for place, name in enumerate(("section", "group", "check"))
        }
        checks = {name: _words(words, leaves.path) for name, words in parts.items()}
        rows["checks"].extend_columns(
            len(leaves.path), {**self.ids(self.document), **columns, **checks, "score": score}
        )
        in_summary = np.array([path.startswith(_SUMMARY) for path in leaves.paths], dtype=bool)
        chosen = np.flatnonzero(in_summary[leaves.path]) if len(leaves.path) else np.zeros(0, dtype=np.int64)
        below = [path.removeprefix(_SUMMARY).rpartition(".") for path in leaves.paths]
        named = {
            "category": [category or item for category, _, item in below],
            "item": [item if category else "" for category, _, item in below],
        }
        picked = pa.array(chosen)
        screening = {name: _words(words, leaves.path[chosen]) for name, words in named.items()}
        screening |= {name: column.take(picked) for name, column in columns.items()}
        rows["screening"].extend_columns(len(chosen), {**self.ids(self.document[chosen]), **screening})


def _words(words: list[str], number: npt.NDArray[Any]) -> pa.Array:
    """Return a column of words, of which each is meant by its place in a list that may have one word twice."""
    place = {word: rank for rank, word in enumerate(dict.fromkeys(words))}
    ranks = np.array([place[word] for word in words], dtype=np.int32)
    codes = ranks[number] if len(number) else np.zeros(0, dtype=np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(list(place), pa.string()))


def split(path: str) -> tuple[str, str, str]:
    """Split a path into section, group and check; a section that is itself a leaf has neither group nor check."""
    section, _, rest = path.partition(".")
    group, _, check = rest.rpartition(".")
    return section, group, check
