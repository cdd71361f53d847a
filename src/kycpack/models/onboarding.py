"""Onboard sessions: what is ordered, progress, results and media.

Source: interface, "Onboard session create request", "Onboard session status", "Onboard verification results", "Session
media item". Values within a section are words, booleans, numbers or types not seen before, so they are `Any`.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from kycpack.models.enums import OpenOutcome, OpenSessionState
from kycpack.models.record import EmailAddress, HttpsUrl, Id, NamedText, Record, Request, Text


class IdentityOptions(Request):
    """The identity checks to order, with the interface's defaults."""

    identity_check: bool = True
    enhanced_identity_check: bool = False
    document_check: bool = True
    proof_of_address_check: bool = True
    aml_standard_screening: bool = False
    aml_extensive_screening: bool = True
    aml_standard_monitoring: bool = False
    aml_extensive_monitoring: bool = False

    @property
    def any_enabled(self) -> bool:
        """Whether any check is ordered; if so, the person's data is required."""
        return any(getattr(self, name) for name in type(self).model_fields)


class AisOptions(Request):
    """The bank access to order; balances or transactions switch accounts on."""

    accounts: bool = False
    balances: bool = False
    transactions: bool = False
    account_limit: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _accounts_come_with_the_rest(self) -> Self:
        if (self.balances or self.transactions) and not self.accounts:
            object.__setattr__(self, "accounts", True)
            self.__pydantic_fields_set__.add("accounts")
        return self

    @property
    def any_enabled(self) -> bool:
        """Whether any scope is ordered."""
        return self.accounts


class OnboardOptions(Request):
    """What a session orders; without identity options their defaults apply."""

    identity: IdentityOptions | None = None
    ais: AisOptions | None = None


class SessionCreate(Request):
    """The data of a new session; person data given here takes precedence over the customer record."""

    customer_id: NamedText
    options: OnboardOptions | None = None
    org_id: Text | None = None
    first_name: Text | None = None
    last_name: Text | None = None
    email_address: EmailAddress | None = None
    return_url: HttpsUrl | None = None


class SessionCreated(Record):
    """Answer to a new session; anyone who has `onboard_url` can open the portal, for 7 days."""

    session_id: Id
    onboard_url: str


class IdentityProgress(Record):
    """Progress of the identity part."""

    completed: bool | None = None
    confirmed: bool | None = None
    completed_at: str | None = None


class AisProgress(Record):
    """Progress of the bank access part."""

    completed: bool | None = None
    completed_at: str | None = None


class Progress(Record):
    """Progress of a session."""

    identity: IdentityProgress | None = None
    ais: AisProgress | None = None


class SessionStatus(Record):
    """Status of a session. It does not contain the customer's id."""

    id: Id
    status: OpenSessionState
    progress: Progress | None = None
    created: str | None = None
    updated: str | None = None
    attempt_count: int | None = None


class DocumentHolder(Record):
    """The person named in the document."""

    first_name: str | None = None
    last_name: str | None = None
    date_of_birth: str | None = None
    nationality: str | None = None


class DocumentDetails(Record):
    """The document itself."""

    document_type: str | None = None
    issuing_country: str | None = None
    document_number: str | None = None
    expiration_date: str | None = None


class DocumentContentAnalysis(Record):
    """Checks on the content of the document."""

    data_integrity: Any = None
    expiration_date_check: Any = None


class DocumentSection(Record):
    """Results of the document check."""

    outcome: OpenOutcome | None = None
    holder: DocumentHolder | None = None
    document: DocumentDetails | None = None
    content_analysis: DocumentContentAnalysis | None = None


class AddressContentAnalysis(Record):
    """Checks on the proof of address."""

    document_age_outcome: Any = None


class ClientValidation(Record):
    """Comparison of the proof of address with the customer record."""

    first_name_match: Any = None
    last_name_match: Any = None
    address_match_outcome: Any = None


class GeoLocationAnalysis(Record):
    """Where the person was."""

    ip_in_address_country: Any = None
    ip_proximity_to_address: Any = None


class ExtractedAddress(Record):
    """The address read from the proof of address."""

    address_line1: str | None = None
    city: str | None = None
    postal_code: str | None = None
    country: str | None = None


class AddressSection(Record):
    """Results of the proof-of-address check."""

    outcome: OpenOutcome | None = None
    content_analysis: AddressContentAnalysis | None = None
    client_validation: ClientValidation | None = None
    geo_location_analysis: GeoLocationAnalysis | None = None
    extracted_address: ExtractedAddress | None = None


class FaceAnalysis(Record):
    """Comparison of the face with the document; the score is a number."""

    facial_similarity: Any = None
    facial_similarity_score: Any = None


class AuthenticityAnalysis(Record):
    """Whether a living person was present; the score is a number."""

    liveness_check: Any = None
    liveness_check_score: Any = None


class IntegrityAnalysis(Record):
    """Whether a face was found."""

    face_detection: Any = None


class IdentitySection(Record):
    """Results of the identity check."""

    outcome: OpenOutcome | None = None
    face_analysis: FaceAnalysis | None = None
    authenticity_analysis: AuthenticityAnalysis | None = None
    integrity_analysis: IntegrityAnalysis | None = None


class PepSummary(Record):
    """Politically exposed person, by level; levels that the interface does not list are kept."""

    level1: Any = None
    level2: Any = None


class WatchlistSummary(Record):
    """Watchlists by kind; kinds that the interface does not list are kept."""

    sanctions_lists: Any = None
    terror: Any = None


class AdverseMediaSummary(Record):
    """Adverse media by category; categories that the interface does not list are kept."""

    environment_production: Any = None
    social_labour: Any = None


class ScreeningSummary(Record):
    """What the screening found, by category; individual matches are not given."""

    pep: PepSummary | None = None
    watchlist: WatchlistSummary | None = None
    adverse_media: AdverseMediaSummary | None = None


class ScreeningSection(Record):
    """Results of the AML screening."""

    outcome: OpenOutcome | None = None
    check_type: str | None = None
    match_count: int | None = None
    summary: ScreeningSummary | None = None


class Results(Record):
    """Verification results of a session; a section that was not ordered is absent."""

    document: DocumentSection | None = None
    address: AddressSection | None = None
    identity: IdentitySection | None = None
    screening: ScreeningSection | None = None


class MediaItem(Record):
    """One file of a session; anyone who has `download_url` can open it, for two hours."""

    id: Id
    file_name: str | None = None
    content_type: str | None = None
    description: str | None = None
    type: str | None = None
    download_url: str | None = None


class MediaAccess(Record):
    """Time-limited access to the media of a session."""

    session_id: Id
    media: list[MediaItem]
