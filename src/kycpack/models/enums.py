"""Enumerations of the interface. Each is open: an unknown value is kept as received.

`OpenOutcome` and its siblings return the member for a known value, and the raw string otherwise.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field


class Outcome(StrEnum):
    """Outcome of a section of the results.

    Source: interface, "Onboard verification results".
    """

    CLEAR = "clear"
    CONSIDER = "consider"
    WARNING = "warning"
    REJECTED = "rejected"


class SessionState(StrEnum):
    """Status of an onboard session.

    Source: interface, "Onboard session status".
    """

    PENDING = "pending"
    IN_PROGRESS = "inprogress"
    COMPLETE = "complete"
    EXPIRED = "expired"


OPEN_SESSIONS = frozenset({SessionState.PENDING.value, SessionState.IN_PROGRESS.value})
"""States in which a session waits for the customer."""

JOINED_CODES = {SessionState.IN_PROGRESS.value: "in progress"}
"""The words of codes that the interface writes as one word."""

ENDED_SESSIONS = frozenset({SessionState.COMPLETE.value, SessionState.EXPIRED.value})
"""Final states of a session."""


class PaymentState(StrEnum):
    """State of a payment; the interface does not list the states."""

    CREATED = "created"
    PENDING = "pending"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class AttemptState(StrEnum):
    """Status of a payment attempt; the interface documents only STARTED."""

    STARTED = "STARTED"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    EXPIRED = "EXPIRED"
    DUPLICATE = "DUPLICATE"


class ActionType(StrEnum):
    """What the frontend has to do for an attempt; the interface documents only bank_redirect."""

    BANK_REDIRECT = "bank_redirect"
    THREE_DS_CHALLENGE = "three_ds_challenge"


class TransactionStatus(StrEnum):
    """Status of a bank transaction; the interface does not list the values."""

    BOOKED = "booked"
    PENDING = "pending"
    FUTURE = "future"
    INFO = "info"
    REJECTED = "rejected"


class SourceType(StrEnum):
    """Type of a source of wealth; the interface does not list the values."""

    EMPLOYMENT = "employment"
    SELF_EMPLOYMENT = "self_employment"
    BUSINESS_INCOME = "business_income"
    PENSION = "pension"
    STATE_BENEFIT = "state_benefit"
    RENTAL_INCOME = "rental_income"
    INVESTMENT_INCOME = "investment_income"
    INTEREST = "interest"
    PROPERTY_SALE = "property_sale"
    ASSET_SALE = "asset_sale"
    BUSINESS_SALE = "business_sale"
    INHERITANCE = "inheritance"
    GIFT = "gift"
    SETTLEMENT = "settlement"
    GAMBLING = "gambling"
    CRYPTO = "crypto"
    SAVINGS = "savings"
    LOAN = "loan"
    TAX_REFUND = "tax_refund"
    CASH_DEPOSIT = "cash_deposit"
    PERSON_TRANSFER = "person_transfer"
    OTHER = "other"


SESSION_COMPLETED = "onboard.session.completed"
"""The one event kind that the interface documents."""

_KNOWN_FIRST = Field(union_mode="left_to_right")

OpenOutcome = Annotated[Outcome | str, _KNOWN_FIRST]
OpenSessionState = Annotated[SessionState | str, _KNOWN_FIRST]
OpenPaymentState = Annotated[PaymentState | str, _KNOWN_FIRST]
OpenAttemptState = Annotated[AttemptState | str, _KNOWN_FIRST]
OpenActionType = Annotated[ActionType | str, _KNOWN_FIRST]
OpenTransactionStatus = Annotated[TransactionStatus | str, _KNOWN_FIRST]
OpenSourceType = Annotated[SourceType | str, _KNOWN_FIRST]
