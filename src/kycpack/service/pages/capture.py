"""The portal's steps for uploads: a photo, an identity document, a proof of address; and how an uploaded file is recognised.

The type of a file is determined by its first bytes. If the person chooses the specimen instead, one is drawn when the session ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlalchemy import Connection, Row

from kycpack.models.record import iso_date
from kycpack.service.customers import countries
from kycpack.service.media import store_upload
from kycpack.service.pages.forms import LARGEST_FILE, Form
from kycpack.service.results import Subject
from kycpack.service.sessions import ADDRESS, DOCUMENT, IDENTITY, identity_options

JPEG, PNG, PDF = "image/jpeg", "image/png", "application/pdf"
MP4, QUICKTIME, WEBM = "video/mp4", "video/quicktime", "video/webm"

PHOTO = (JPEG, PNG)
PAPER = (JPEG, PNG, PDF)
VIDEO = (MP4, QUICKTIME, WEBM)

_ENDINGS = {JPEG: "jpg", PNG: "png", PDF: "pdf", MP4: "mp4", QUICKTIME: "mov", WEBM: "webm"}
_NAMES = {JPEG: "JPEG", PNG: "PNG", PDF: "PDF", MP4: "MP4", QUICKTIME: "MOV", WEBM: "WebM"}


@dataclass(frozen=True, slots=True)
class Upload:
    """An accepted file.

    Attributes:
        content: Its bytes.
        content_type: Media type, according to its first bytes.
    """

    content: bytes
    content_type: str

    def file_name(self, stem: str) -> str:
        """Return a name of our own for the file; the original name may be personal and is not kept."""
        return f"{stem}.{_ENDINGS[self.content_type]}"


def accept_upload(content: bytes, allowed: tuple[str, ...]) -> Upload | str:
    """Return the file, or a sentence for the person on why it is not accepted."""
    if len(content) > LARGEST_FILE:
        return f"The file is larger than {LARGEST_FILE >> 20} MB. Choose a smaller one."
    found = sniff(content)
    if found not in allowed:
        *others, last = (_NAMES[kind] for kind in allowed)
        return f"The file must be {', '.join(others)} or {last}. Choose another one."
    return Upload(content, found)


def sniff(content: bytes) -> str:
    """Return the content type of a file by its first bytes; empty if it is not an accepted type."""
    starts = {b"\xff\xd8\xff": JPEG, b"\x89PNG\r\n\x1a\n": PNG, b"%PDF-": PDF, b"\x1a\x45\xdf\xa3": WEBM}
    for magic, kind in starts.items():
        if content.startswith(magic):
            return kind
    if content[4:8] == b"ftyp":
        return QUICKTIME if content[8:12] == b"qt  " else MP4
    return ""


DOCUMENT_TYPES = {
    "passport": "Passport",
    "driving_licence": "Driving licence",
    "national_identity_card": "National identity card",
    "residence_permit": "Residence permit",
}
PROOF_TYPES = {
    "bank_statement": "Bank or card statement",
    "utility_bill": "Gas, electricity or water bill",
    "council_tax": "Council tax bill or another official letter",
    "tenancy_agreement": "Tenancy or mortgage agreement",
}
_DOCUMENT_ERRORS = {
    "documentType": ("type", "Choose which document you are using."),
    "issuingCountry": ("country", "Choose the issuing country."),
    "documentNumber": (
        "number",
        "Enter the document's number: 5 to 20 letters and digits, as printed on it.",
    ),
    "expirationDate": ("expiry", "Enter its expiry date."),
}
"""The field of each member of the document, and what is said if it is missing or does not fit."""

_NUMBER = re.compile(r"[A-Z0-9]{5,20}")
_LATEST_YEAR = 2100


@dataclass(frozen=True, slots=True)
class FileInput:
    """A file input: its field, how the file is stored, and the accepted types."""

    name: str
    kind: str
    stem: str
    description: str
    allowed: tuple[str, ...]
    missing: str
    required: bool = True

    def store(self, connection: Connection, session: Row[Any], upload: Upload) -> None:
        """Store a file that was asked for as media of the session."""
        store_upload(
            connection,
            session,
            kind=self.kind,
            file_name=upload.file_name(self.stem),
            content_type=upload.content_type,
            description=self.description,
            content=upload.content,
        )


@dataclass
class FormReading:
    """What was read from a step's form.

    Attributes:
        entered: Values to store; shown again if there are errors.
        shots: Files to store, with what was asked for.
        errors: A sentence for each field with an error.
    """

    entered: dict[str, Any] = field(default_factory=dict)
    shots: list[tuple[FileInput, Upload]] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)

    def collect(self, wanted: FileInput, form: Form, specimen: str) -> None:
        """Take a file, or the specimen instead of it, or note what is wrong."""
        content = form.files.get(wanted.name)
        if content is not None:
            upload = accept_upload(content, wanted.allowed)
            if isinstance(upload, str):
                self.errors[wanted.name] = upload
            else:
                self.entered[wanted.name] = "uploaded"
                self.shots.append((wanted, upload))
        elif wanted.required and form.text(specimen):
            self.entered[wanted.name] = "specimen"
        elif wanted.required:
            self.errors[wanted.name] = wanted.missing


@dataclass(frozen=True, slots=True)
class Capture:
    """A step for files and details.

    Attributes:
        step: Its name.
        template: Its template.
        read: Reads the form, given the session, the form and the day.
        values: The template's own values.
        summary: Its summary on the review page.
    """

    step: str
    template: str
    read: Callable[[Row[Any], Form, date], FormReading]
    values: Callable[[Row[Any], Subject], Mapping[str, Any]]
    summary: Callable[[Mapping[str, Any]], str]


_PHOTO = FileInput(
    "photo", "portrait", "portrait", "Portrait of the identity check", PHOTO, "Add a photo of your face."
)
_VIDEO = FileInput(
    "video",
    "portrait_video",
    "portrait-video",
    "Video of the identity check",
    VIDEO,
    "Add a short video of your face.",
)
_FRONT = FileInput(
    "front",
    "document_front",
    "document-front",
    "Front of the identity document",
    PAPER,
    "Add a photo of your document.",
)
_BACK = FileInput(
    "back", "document_back", "document-back", "Back of the identity document", PAPER, "", required=False
)
_PROOF = FileInput(
    "proof", "proof_of_address", "proof-of-address", "Proof of address", PAPER, "Add your proof of address."
)


def _read_identity(row: Row[Any], form: Form, _today: date) -> FormReading:
    reading = FormReading()
    for wanted in _identity_inputs(row):
        reading.collect(wanted, form, f"specimen_{wanted.name}")
    return reading


def _identity_inputs(row: Row[Any]) -> list[FileInput]:
    """Return the inputs of the identity step: a photo, a video, or both, as ordered."""
    options = identity_options(row)
    return [
        *([_PHOTO] if options.identity_check else []),
        *([_VIDEO] if options.enhanced_identity_check else []),
    ]


def _read_document(_row: Row[Any], form: Form, today: date) -> FormReading:
    number = re.sub(r"[\s-]", "", form.text("number")).upper()
    kind, country, expiry = form.text("type"), form.text("country"), form.text("expiry")
    until = _day(expiry)
    reading = FormReading(
        {
            "documentType": kind if kind in DOCUMENT_TYPES else "",
            "issuingCountry": country if country in countries() else "",
            "documentNumber": number if _NUMBER.fullmatch(number) else "",
            "expirationDate": expiry if until else "",
        }
    )
    for member, (name, missing) in _DOCUMENT_ERRORS.items():
        if not reading.entered[member]:
            reading.errors[name] = missing
    if until is not None and until < today:
        reading.errors["expiry"] = "This document has expired. Use one that is still valid."
    for wanted in (_FRONT, _BACK):
        reading.collect(wanted, form, "specimen_front")
    return reading


def _read_address(_row: Row[Any], form: Form, _today: date) -> FormReading:
    kind = form.text("type")
    reading = FormReading({"proofType": kind if kind in PROOF_TYPES else ""})
    if not reading.entered["proofType"]:
        reading.errors["type"] = "Choose what kind of document it is."
    reading.collect(_PROOF, form, "specimen_proof")
    return reading


def _day(text: str) -> date | None:
    """Return a date from a browser's date field if it is in this century, None for anything else."""
    try:
        day = date.fromisoformat(iso_date(text))
    except ValueError:
        return None
    return day if day.year <= _LATEST_YEAR else None


def _address_values(_row: Row[Any], subject: Subject) -> Mapping[str, Any]:
    lines = [subject.address.get(name, "") for name in ("addressLine1", "addressLine2", "city", "postalCode")]
    country = countries().get(subject.address.get("country", ""), "")
    return {"types": PROOF_TYPES, "address": [line for line in (*lines, country) if line]}


def _identity_summary(entered: Mapping[str, Any]) -> str:
    words = {"photo": "Photo", "video": "Video"}
    return ", ".join(_file(words[name], entered[name]) for name in words if name in entered)


def _document_summary(entered: Mapping[str, Any]) -> str:
    kind = DOCUMENT_TYPES[entered["documentType"]]
    country = countries()[entered["issuingCountry"]]
    return f"{kind}, {country}, number ending {entered['documentNumber'][-3:]}. {_file('Picture', entered['front'])}"


def _file(what: str, how: str) -> str:
    return f"{what} received" if how == "uploaded" else f"{what}: a specimen"


CAPTURES = {
    IDENTITY: Capture(
        IDENTITY,
        "onboard/identity.html",
        _read_identity,
        lambda row, _: {"asked": [item.name for item in _identity_inputs(row)]},
        _identity_summary,
    ),
    DOCUMENT: Capture(
        DOCUMENT,
        "onboard/document.html",
        _read_document,
        lambda _, subject: {
            "types": DOCUMENT_TYPES,
            "countries": countries(),
            "home_country": subject.address.get("country", ""),
        },
        _document_summary,
    ),
    ADDRESS: Capture(
        ADDRESS,
        "onboard/address.html",
        _read_address,
        _address_values,
        lambda entered: f"{PROOF_TYPES[entered['proofType']]}. {_file('File', entered['proof'])}",
    ),
}
"""The steps for files and details."""
