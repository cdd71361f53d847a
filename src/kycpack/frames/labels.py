"""Names of the members of a results document in sentences for people."""

from __future__ import annotations

import re

from kycpack.models.enums import JOINED_CODES

_LABELS = {
    "document.outcome": "outcome of the document check",
    "document.holder.firstName": "first name on the document",
    "document.holder.lastName": "last name on the document",
    "document.holder.dateOfBirth": "date of birth on the document",
    "document.holder.nationality": "nationality on the document",
    "document.document.documentType": "type of the document",
    "document.document.issuingCountry": "issuing country of the document",
    "document.document.documentNumber": "number of the document",
    "document.document.expirationDate": "expiry date of the document",
    "document.contentAnalysis.dataIntegrity": "data integrity",
    "document.contentAnalysis.expirationDateCheck": "expiry date check",
    "address.outcome": "outcome of the address check",
    "address.contentAnalysis.documentAgeOutcome": "age of the proof of address",
    "address.clientValidation.firstNameMatch": "first name match",
    "address.clientValidation.lastNameMatch": "last name match",
    "address.clientValidation.addressMatchOutcome": "address match",
    "address.geoLocationAnalysis.ipInAddressCountry": "device in the country of the address",
    "address.geoLocationAnalysis.ipProximityToAddress": "distance of the device from the address",
    "address.extractedAddress.addressLine1": "first line of the address on the proof",
    "address.extractedAddress.city": "city on the proof of address",
    "address.extractedAddress.postalCode": "postal code on the proof of address",
    "address.extractedAddress.country": "country on the proof of address",
    "identity.outcome": "outcome of the identity check",
    "identity.faceAnalysis.facialSimilarity": "facial similarity",
    "identity.faceAnalysis.facialSimilarityScore": "facial similarity score",
    "identity.authenticityAnalysis.livenessCheck": "liveness check",
    "identity.authenticityAnalysis.livenessCheckScore": "liveness score",
    "identity.integrityAnalysis.faceDetection": "face detection",
    "screening.outcome": "outcome of the screening",
    "screening.checkType": "type of screening",
    "screening.matchCount": "number of screening matches",
    "screening.summary.pep.level1": "PEP level 1",
    "screening.summary.pep.level2": "PEP level 2",
    "screening.summary.watchlist.sanctionsLists": "sanctions lists",
    "screening.summary.watchlist.terror": "terrorism lists",
    "screening.summary.adverseMedia.environmentProduction": "adverse media on environment and production",
    "screening.summary.adverseMedia.socialLabour": "adverse media on social and labour matters",
}
_GROUPS = {
    "screening.summary.pep": "PEP category",
    "screening.summary.watchlist": "watchlist",
    "screening.summary.adverseMedia": "adverse media category",
}
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\s]+")
_CODE = re.compile(r"[a-z]+(_[a-z]+)+")
_LONGEST = 60


def code_words(text: str) -> str:
    """Return a code as words, as in `match confirmed` for `match_confirmed`; any other text is unchanged.

    Args:
        text: A value of a member.
    """
    return JOINED_CODES.get(text) or (text.replace("_", " ") if _CODE.fullmatch(text) else text)


def member_label(path: str) -> str:
    """Return the label of a member, as in `data integrity`; for a member that is not listed, its own name in words, and for a mere `value` that of its group.

    Args:
        path: Names joined by dots, as in `document.contentAnalysis.dataIntegrity`.
    """
    if path in _LABELS:
        return _LABELS[path]
    parent, _, name = path.rpartition(".")
    if name == "value" and "." in parent:
        return member_label(parent)
    words = spoken(name)
    if name.isdecimal() and parent:
        section, *way = parent.split(".")
        named = " ".join(map(spoken, way or [section]))
        return f"entry “{named} {int(name) + 1}” in the section “{spoken(section)}”"
    if parent in _GROUPS:
        return f"{_GROUPS[parent]} “{words}”"
    section = path.partition(".")[0]
    return f"“{words}” in the section “{spoken(section)}”" if parent else f"“{words}”"


def spoken(name: str) -> str:
    """Return a name as words, as in `tampering detected`; characters that cannot be shown are left out, and a long name is cut."""
    shown = "".join(character for character in name if character.isprintable()).replace("\\", "")
    words = " ".join(part for part in _CAMEL.split(shown) if part).lower()
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}..."
