"""The customer: the record and the document, and the legend of the review's short names."""

from __future__ import annotations

from typing import Any

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.rows import records
from kycpack.render.document_parts import Cell, Section, Subheading, facts
from kycpack.render.origin import Origin, value_of
from kycpack.render.palette import Tone
from kycpack.render.review.short_names import ShortNames
from kycpack.render.wording import is_absent, sentence_case, text_of
from kycpack.triage.countries import country_name, country_words

_ABSENT = "Not known"
_NAMES = ("first_name", "last_name")
_PLACE = ("address_line1", "address_line2", "city", "postal_code")
_RECORD = value_of("customers")
_DOCUMENT = value_of("documents", kind="identity")


def name_of(customers: pd.DataFrame) -> str:
    """Return the customer's name as recorded; empty if it is not known."""
    return _words(_first(customers, *_NAMES), _NAMES, " ")


def person_facts(frames: Frames) -> tuple[tuple[str, Cell], ...]:
    """Return date of birth, nationality, address and document as labels with values."""
    record = _first(frames.customers, *_PLACE, "country", "date_of_birth_on")
    document = _identity_document(frames.documents)
    place = _words(record, _PLACE, ", ")
    country = text_of(record.get("country"), "")
    nationality = country_words(text_of(document.get("holder_nationality"), ""))
    if nationality and "licen" in text_of(document.get("document_type"), ""):
        nationality += ", as the provider gives it"  # a driving licence does not state one
    address = ", ".join(filter(None, (place, country_name(country) or country)))
    return (
        ("Born", _cell(text_of(record.get("date_of_birth_on"), ""), _RECORD)),
        ("Nationality", _cell(nationality, _DOCUMENT)),
        ("Address", _cell(address, _RECORD)),
        ("Document", _cell(_document_words(document), _DOCUMENT)),
    )


def person_with_evidence(frames: Frames) -> tuple[tuple[str, Cell], ...]:
    """Return the same, each label with the evidence of its value."""
    record, document = _first(frames.customers, "evidence_id"), _identity_document(frames.documents)
    sources = (record, document, record, document)
    return tuple(
        (label if cell.text == _ABSENT else f"{label} ({source['evidence_id']})", cell)
        for (label, cell), source in zip(person_facts(frames), sources, strict=True)
    )


def person_section(frames: Frames, customer_id: str, names: ShortNames, latin: Cell | None) -> Section:
    """Return the section with the full name, the person's details, and the legend of short names."""
    name = name_of(frames.customers)
    return Section(
        "customer",
        "The customer",
        (
            facts(("Name on record", _cell(name)), *((("Latin form", latin),) if latin else ()), across=1),
            facts(*person_with_evidence(frames), across=2),
            facts(
                ("Customer id", _cell(customer_id)),
                ("Email", _cell(text_of(_first(frames.customers, "email_address").get("email_address"), ""))),
                across=2,
            ),
            Subheading("Short names used in this review"),
            names.legend(),
        ),
    )


def _cell(text: str, origin: Origin = _RECORD) -> Cell:
    return Cell(text, origins=(origin,)) if text else Cell(_ABSENT, Tone.UNKNOWN)


def _first(frame: pd.DataFrame, *names: str) -> dict[Any, Any]:
    return next(iter(records(frame, *names)), {})


def _identity_document(documents: pd.DataFrame) -> dict[Any, Any]:
    return next((one for one in reversed(records(documents)) if one["kind"] == "identity"), {})


def _document_words(document: dict[Any, Any]) -> str:
    kind = sentence_case(text_of(document.get("document_type"), "").replace("_", " "))
    parts = [
        kind,
        country_words(text_of(document.get("issuing_country"), "")),
        text_of(document.get("document_number"), ""),
        f"expires {text_of(document['expires_on'])}" if not is_absent(document.get("expires_on")) else "",
    ]
    return ", ".join(part for part in parts if part)


def _words(row: dict[Any, Any], names: tuple[str, ...], between: str) -> str:
    return between.join(str(row[name]) for name in names if not is_absent(row.get(name)))
