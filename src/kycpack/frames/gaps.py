"""What is not known about a customer, by name: the rows of the `gaps` frame."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from kycpack.evidence import Entry

_AREAS = {
    "customers": "customer",
    "payments": "payment",
    "onboarding": "session",
    "bank_accounts": "bank",
    "source_of_wealth": "statement",
    "register": "register",
}
_WORDS = {
    "refused": "was refused",
    "failed": "failed",
    "timeout": "was not answered in time",
    "not_asked": "was not asked for",
}
_THINGS = {
    "customers.get": "the customer's record",
    "payments.get": "the payment's record",
    "onboarding.get": "the session's status",
    "onboarding.results": "the session's results document",
    "onboarding.media": "the session's list of media",
    "onboarding.download": "a media file",
    "bank_accounts.list": "the list of bank accounts",
    "bank_accounts.balance": "the account's balance",
    "bank_accounts.transactions": "a page of the account's transactions",
    "source_of_wealth.get": "the service's own statement",
    "register.known": "what the register knows",
    "register.risk_profile": "the firm's file of risk",
    "register.shared_documents": "the register's list of shared documents",
    "register.same_person": "the register's list of customers who may be the same person",
}
_SUBJECTS = ("media_id", "account_id", "payment_id", "session_id", "customer_id")
_LONGEST_NOTE = 200
_CODE = re.compile(r"[a-z]+(_[a-z]+)+")


Gap = tuple[str, str, str, str, str, str]
"""One thing that is not known, as a row of `gaps`: customer_id, subject, area, code, message, evidence_id."""


@dataclass(slots=True)
class Gaps:
    """The gaps of one customer, in the order in which they were found."""

    customer_id: str
    found: list[Gap] = field(default_factory=list)

    def add(self, area: str, code: str, message: str, *, subject: str, evidence_id: str) -> None:
        """Note one gap."""
        self.found.append((self.customer_id, subject, area, code, message, evidence_id))

    def extend(self, told: Iterable[tuple[str, str, str]], *, subject: str, evidence_id: str) -> None:
        """Note several gaps, each by its area, code and message."""
        self.found.extend([(self.customer_id, subject, *words, evidence_id) for words in told])

    def add_unanswered(self, entry: Entry) -> None:
        """Note that an entry has no answer."""
        thing = thing_of(entry.operation)
        message = f"{thing} {_WORDS.get(entry.outcome, 'has no answer')}"
        if entry.status is not None:
            message += f" with status {entry.status}"
        if entry.note:
            message += f": {note_words(entry.note[:_LONGEST_NOTE])}"
        self.add(area_of(entry), entry.outcome, message, subject=subject_of(entry), evidence_id=entry.id)


def thing_of(operation: str) -> str:
    """Return what an operation asks for, as in `the customer's record`."""
    return _THINGS.get(operation, operation)


def note_words(note: str) -> str:
    """Return the note of an entry in words; a problem's code stands alone in it, as in `not_found`."""
    return note.replace("_", " ") if _CODE.fullmatch(note) else note


def area_of(entry: Entry) -> str:
    """Return the area of an entry, as in `bank`."""
    if entry.operation in {"onboarding.media", "onboarding.download"}:
        return "media"
    return _AREAS.get(entry.operation.partition(".")[0], "customer")


def subject_of(entry: Entry) -> str:
    """Return the most particular id that an entry is about."""
    for name in _SUBJECTS:
        if entry.subject.get(name):
            return entry.subject[name]
    return entry.id
