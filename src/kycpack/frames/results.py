"""Verification results: wide in `results`, long in `checks`, and by subject in `documents` and `screening`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kycpack.errors import InputError
from kycpack.evidence import Entry
from kycpack.frames.catalogue import RESULT_MEMBERS, SECTIONS, result_column
from kycpack.frames.leaves import leaf_score, leaf_text, leaves
from kycpack.frames.members import Members, date, kind_of, number, text, whole
from kycpack.frames.reading import Reading

_SUMMARY = "screening.summary."
_READERS: dict[str, Callable[[Any], Any]] = {"date": date, "Float64": number, "Int64": whole}


def _reader(path: str) -> Callable[[Any], Any]:
    # Members that tell who or where somebody is are text and nothing else; a check may be a word, a boolean or a count.
    told = ("document.holder.", "document.document.", "address.extractedAddress.")
    if path.startswith(told) or path.endswith((".outcome", ".checkType")):
        return _READERS.get(RESULT_MEMBERS[path], text)
    return _READERS.get(RESULT_MEMBERS[path], leaf_text)


_COLUMNS = {path: (result_column(path), _reader(path)) for path in RESULT_MEMBERS}


def read_results(reading: Reading, entry: Entry, session_id: str) -> frozenset[str] | None:
    """Add the rows of one results document.

    Returns:
        The sections that are there; None when the document cannot be read.
    """
    members = reading.open(entry, subject=session_id)
    document = members.document
    if not isinstance(document, dict):
        if document is not None:
            members.wrong_type("the results", document)
        return None
    found = list(leaves(document)) if document else []
    _add_checks(reading, entry, session_id, found)
    values = {path: value for path, value in found if value is not None}
    row = _wide(members, values)
    reading.add("results", entry.id, session_id=session_id, **row)
    sections = frozenset(name for name, section in document.items() if section is not None and section != {})
    _add_documents(reading, entry, session_id, row, sections)
    for section in SECTIONS:
        if section not in sections:
            continue
        if not isinstance(document[section], dict):
            members.wrong_type(section, document[section])
        absent = [path for path in RESULT_MEMBERS if path.startswith(f"{section}.") and path not in values]
        if absent:
            members.missing("members_missing", f"not in the results: {', '.join(absent)}")
    return sections


def _wide(members: Members, values: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for path, (column, read) in _COLUMNS.items():
        value = values.get(path)
        try:
            row[column] = None if value is None else read(value)
        except (ValueError, InputError):
            members.wrong_type(path, value)
    return row


def _add_checks(reading: Reading, entry: Entry, session_id: str, found: list[tuple[str, Any]]) -> None:
    columns: dict[str, list[Any]] = {
        name: [] for name in ("section", "group", "check", "path", "kind", "value", "score")
    }
    for path, value in found:
        section, group, check = split(path)
        columns["section"].append(section)
        columns["group"].append(group)
        columns["check"].append(check)
        columns["path"].append(path)
        columns["kind"].append(kind_of(value))
        columns["value"].append(leaf_text(value))
        columns["score"].append(leaf_score(value))
    constants = {"customer_id": reading.customer_id, "session_id": session_id, "evidence_id": entry.id}
    reading.rows["checks"].extend(len(found), columns, constants)
    for path, value in found:
        if path.startswith(_SUMMARY):
            category, _, item = path.removeprefix(_SUMMARY).rpartition(".")
            reading.add(
                "screening",
                entry.id,
                session_id=session_id,
                category=category or item,
                item=item if category else "",
                path=path,
                kind=kind_of(value),
                value=leaf_text(value),
            )


def split(path: str) -> tuple[str, str, str]:
    """Split a path into section, group and check; a section that is itself a leaf has neither group nor check."""
    section, _, rest = path.partition(".")
    group, _, check = rest.rpartition(".")
    return section, group, check


def _add_documents(
    reading: Reading, entry: Entry, session_id: str, row: dict[str, Any], sections: frozenset[str]
) -> None:
    if "document" in sections:
        reading.add(
            "documents",
            entry.id,
            session_id=session_id,
            kind="identity",
            outcome=row.get("document_outcome"),
            document_type=row.get("document_document_document_type"),
            issuing_country=row.get("document_document_issuing_country"),
            document_number=row.get("document_document_document_number"),
            expires_on=row.get("document_document_expiration_date_on"),
            holder_first_name=row.get("document_holder_first_name"),
            holder_last_name=row.get("document_holder_last_name"),
            holder_date_of_birth_on=row.get("document_holder_date_of_birth_on"),
            holder_nationality=row.get("document_holder_nationality"),
        )
    if "address" in sections:
        reading.add(
            "documents",
            entry.id,
            session_id=session_id,
            kind="proof_of_address",
            outcome=row.get("address_outcome"),
            address_line1=row.get("address_extracted_address_address_line1"),
            city=row.get("address_extracted_address_city"),
            postal_code=row.get("address_extracted_address_postal_code"),
            country=row.get("address_extracted_address_country"),
        )
