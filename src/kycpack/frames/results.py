"""Verification results: one row per session in `results`, one per value in `checks`, and by subject in `documents` and `screening`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from kycpack.errors import InputError
from kycpack.evidence import Entry
from kycpack.frames.answer_fields import date, kind_of, kind_of_type, not_expected, number, whole
from kycpack.frames.answer_members import RESULT_MEMBERS, SECTIONS
from kycpack.frames.catalogue import SCHEMAS
from kycpack.frames.gaps import Open
from kycpack.frames.json_leaves import AGAIN, leaf_text, paths_and_values
from kycpack.frames.labels import member_label
from kycpack.frames.reading import EvidenceReading

_SUMMARY = "screening.summary."
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
_PLACES = {path: place for place, path in enumerate(RESULT_MEMBERS)}
# Kind and section of each document, and the place of each of its columns among the members; -1 for a column that it has not.
_DOCUMENTS = tuple(
    (
        kind,
        section,
        tuple(_PLACES.get(columns.get(name, ""), -1) for name in SCHEMAS["documents"].names[3:-1]),
    )
    for kind, section, columns in (
        ("identity", "document", _IDENTITY),
        ("proof_of_address", "address", _ADDRESS),
    )
)
# Members with a person's name or address are text and nothing else; a check may be a word, a boolean or a count.
_TEXTS = ("document.holder.", "document.document.", "address.extractedAddress.")
_READERS: Mapping[str, Callable[[Any], Any]] = {"date": date, "Float64": number, "Int64": whole}
_FITTING = {"date": "string", "Float64": "number", "Int64": "number"}


class ResultsDocument(NamedTuple):
    """A session's results document and the names of its sections."""

    entry: Entry
    session_id: str
    document: dict[str, Any]
    sections: frozenset[str]


class _Shape(NamedTuple):
    """What follows from the paths and kinds of a document's leaves alone, whatever their values.

    Attributes:
        paths: The path of each leaf.
        kinds: Its kind.
        parts: Section, group and check of each leaf.
        summary: The row of each leaf in the summary of screening, and its category, item, path and kind.
        numbers: The rows of numbers.
        others: The rows of leaves that are not strings.
        texts: The row of each member that is kept as text; -1 for each other member.
        typed: Place, path, reader and row of each member of another type.
        wrong: The kind of each member with an unexpected kind.
        absent: The missing members, by section.
        odd: The rows of leaves that cannot be read or are repeated.
    """

    paths: tuple[str, ...]
    kinds: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]
    summary: tuple[tuple[int, tuple[str, ...]], ...]
    numbers: tuple[int, ...]
    others: tuple[int, ...]
    texts: tuple[int, ...]
    typed: tuple[tuple[int, str, Callable[[Any], Any], int], ...]
    wrong: Mapping[str, str]
    absent: Mapping[str, list[str]]
    odd: tuple[int, ...]


def open_results(reading: EvidenceReading, entry: Entry, session_id: str) -> ResultsDocument | None:
    """Return the results document of an entry; None, and a gap, if it cannot be read."""
    try:
        document = reading.parsed(entry)
    except InputError as error:
        reading.add_unreadable(entry, error)
        return None
    if not isinstance(document, dict):
        reading.members(entry, None, subject=session_id).wrong_type("the results", document)
        return None
    sections = frozenset([name for name, value in document.items() if value is not None and value != {}])
    for name, value in document.items():
        if name in sections and name in SECTIONS and kind_of(value) != "object":
            reading.members(entry, None, subject=session_id).wrong_type(name, value)
    return ResultsDocument(entry, session_id, document, sections)


def read_results(reading: EvidenceReading, results: ResultsDocument) -> None:
    """Add the rows of a results document, and its gaps."""
    paths, values = paths_and_values(results.document) if results.document else ((), [])
    shape = _shape(paths, tuple(map(type, values)))
    texts: list[str | None] = [*values, None]
    scores: list[float | None] = [None] * len(values)
    for row in shape.others:
        texts[row] = leaf_text(values[row])
    for row in shape.numbers:
        scores[row] = float(values[row])
    # The row -1 is that of a missing member.
    members: list[Any] = [texts[row] for row in shape.texts]
    wrong = dict(shape.wrong)
    for place, path, read, row in shape.typed:
        try:
            members[place] = read(values[row])
        except (ValueError, InputError):
            wrong[path] = shape.kinds[row]
    rows, entry_id = reading.rows, results.entry.id
    whose = reading.customer_id, results.session_id
    rows["results"].extend([(*whose, *members[:-1], entry_id)])
    rows["documents"].extend(
        [
            (*whose, kind, *[members[place] for place in places], entry_id)
            for kind, section, places in _DOCUMENTS
            if section in results.sections
        ]
    )
    rows["screening"].extend([(*whose, *summary, texts[row], entry_id) for row, summary in shape.summary])
    texts.pop()
    rows["checks"].extend_columns(
        len(values), (*whose, *shape.parts, shape.paths, shape.kinds, texts, scores, entry_id)
    )
    opened = _gaps(shape, texts, wrong, results.sections)
    reading.gaps.extend(opened, subject=results.session_id, evidence_id=entry_id)


def _gaps(
    shape: _Shape, texts: list[str | None], wrong: Mapping[str, str], sections: frozenset[str]
) -> Iterator[Open]:
    for path in RESULT_MEMBERS if wrong else ():
        if path in wrong:
            yield Open("session", "wrong_type", f"the {member_label(path)} {not_expected(wrong[path])}")
    for section, absent in shape.absent.items():
        if section in sections:
            message = f"not in the results: {', '.join(map(member_label, absent))}"
            yield Open("session", "members_missing", message, section)
    for row in shape.odd:
        label = member_label(AGAIN.sub("", shape.paths[row]))
        if shape.kinds[row] == "unreadable":
            yield Open("session", "wrong_type", f"the {label} cannot be read: {texts[row]}")
        else:
            message = f"the {label} is given more than once; every value counts"
            yield Open("session", "given_twice", message)


# The documents of a provider have few different structures.
@lru_cache(maxsize=32)
def _shape(paths: tuple[str, ...], types: tuple[type, ...]) -> _Shape:
    kinds = tuple(map(kind_of_type, types))
    row_of = {path: row for row, path in enumerate(paths) if kinds[row] != "null" and path in RESULT_MEMBERS}
    wrong = {path: kinds[row] for path, row in row_of.items() if not _fits(path, kinds[row])}
    fitting = {path: row for path, row in row_of.items() if path not in wrong}
    parted = [path.partition(".") for path in paths]
    below = [rest.rpartition(".") for _, _, rest in parted]
    summary = tuple(
        [
            (row, (category or item, item if category else "", path, kinds[row]))
            for row, path in enumerate(paths)
            if path.startswith(_SUMMARY)
            for category, _, item in [path.removeprefix(_SUMMARY).rpartition(".")]
        ]
    )
    return _Shape(
        paths,
        kinds,
        parts=(
            tuple([section for section, _, _ in parted]),
            # A section that is itself a leaf has neither group nor check.
            tuple([group for group, _, _ in below]),
            tuple([check for _, _, check in below]),
        ),
        summary=summary,
        numbers=tuple([row for row, kind in enumerate(kinds) if kind == "number"]),
        others=tuple([row for row, kind in enumerate(kinds) if kind != "string"]),
        # One more than there are members, for the columns of a document that it has not.
        texts=(
            *[-1 if dtype in _READERS else fitting.get(path, -1) for path, dtype in RESULT_MEMBERS.items()],
            -1,
        ),
        typed=tuple(
            [
                (_PLACES[path], path, _READERS[RESULT_MEMBERS[path]], row)
                for path, row in fitting.items()
                if RESULT_MEMBERS[path] in _READERS
            ]
        ),
        wrong={path: kind for path, kind in wrong.items() if kind != "unreadable"},
        absent={
            section: absent
            for section in SECTIONS
            if (
                absent := [
                    path for path in RESULT_MEMBERS if path.startswith(f"{section}.") and path not in row_of
                ]
            )
        },
        odd=tuple(
            [row for row, path in enumerate(paths) if kinds[row] == "unreadable" or AGAIN.search(path)]
        ),
    )


def _fits(path: str, kind: str) -> bool:
    """Whether a leaf of a kind is allowed at the path of a member."""
    wanted = _FITTING.get(RESULT_MEMBERS[path])
    if wanted is None and (path.startswith(_TEXTS) or path.endswith((".outcome", ".checkType"))):
        wanted = "string"
    return kind == wanted if wanted else kind != "unreadable"
