"""The members of answers that frames contain: those of a results document, and the options of a session.

Source: interface.md, "Onboard verification results" and "Onboard session".
"""

from __future__ import annotations

from kycpack.frames.column import Dtype

SECTIONS = ("document", "address", "identity", "screening")

# Members of a results document (interface.md, "Onboard verification results") and their dtypes in `results`.
RESULT_MEMBERS: dict[str, Dtype] = {
    "document.outcome": "category",
    "document.holder.firstName": "string",
    "document.holder.lastName": "string",
    "document.holder.dateOfBirth": "date",
    "document.holder.nationality": "string",
    "document.document.documentType": "string",
    "document.document.issuingCountry": "string",
    "document.document.documentNumber": "string",
    "document.document.expirationDate": "date",
    "document.contentAnalysis.dataIntegrity": "string",
    "document.contentAnalysis.expirationDateCheck": "string",
    "address.outcome": "category",
    "address.contentAnalysis.documentAgeOutcome": "string",
    "address.clientValidation.firstNameMatch": "string",
    "address.clientValidation.lastNameMatch": "string",
    "address.clientValidation.addressMatchOutcome": "string",
    "address.geoLocationAnalysis.ipInAddressCountry": "string",
    "address.geoLocationAnalysis.ipProximityToAddress": "string",
    "address.extractedAddress.addressLine1": "string",
    "address.extractedAddress.city": "string",
    "address.extractedAddress.postalCode": "string",
    "address.extractedAddress.country": "string",
    "identity.outcome": "category",
    "identity.faceAnalysis.facialSimilarity": "string",
    "identity.faceAnalysis.facialSimilarityScore": "Float64",
    "identity.authenticityAnalysis.livenessCheck": "string",
    "identity.authenticityAnalysis.livenessCheckScore": "Float64",
    "identity.integrityAnalysis.faceDetection": "string",
    "screening.outcome": "category",
    "screening.checkType": "string",
    "screening.matchCount": "Int64",
    "screening.summary.pep.level1": "string",
    "screening.summary.pep.level2": "string",
    "screening.summary.watchlist.sanctionsLists": "string",
    "screening.summary.watchlist.terror": "string",
    "screening.summary.adverseMedia.environmentProduction": "string",
    "screening.summary.adverseMedia.socialLabour": "string",
}


def result_column(path: str) -> str:
    """Return the column of `results` for a member's path, as in `document_holder_first_name`; dates end in `_on`."""
    return _snake(path) + ("_on" if RESULT_MEMBERS.get(path) == "date" else "")


def _snake(path: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in path).replace(".", "_")


IDENTITY_OPTIONS = (
    "identityCheck",
    "enhancedIdentityCheck",
    "documentCheck",
    "proofOfAddressCheck",
    "amlStandardScreening",
    "amlExtensiveScreening",
    "amlStandardMonitoring",
    "amlExtensiveMonitoring",
)
AIS_OPTIONS = ("accounts", "balances", "transactions")


RISK_FACTORS = ("country", "product", "channel", "purpose", "pep")
"""The customer's risk in the firm's own file, as kept in the register."""


def ordered_column(option: str) -> str:
    """Return the column of `sessions` that says whether an option was ordered, as in `ordered_document_check`."""
    return "ordered_" + _snake(option)
