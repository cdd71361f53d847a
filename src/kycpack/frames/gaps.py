"""What is not known about a customer: the rows of the `gaps` frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast

from kycpack.evidence import NO_PAYMENT, NO_STATEMENT, REUSED, SESSION_STATE, Entry
from kycpack.frames.labels import code_words

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
    "timeout": "did not arrive in time",
    "not_asked": "was not requested",
}
_THINGS = {
    "customers.get": "the customer's record",
    "payments.get": "the payment's record",
    "onboarding.get": "the session's record",
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
# If there was no answer, an entry's note contains the name of the error or the code of the problem.
_ERRORS = {
    "ais_scope_missing": "the bank access that was given does not cover it",
    "ais_access_expired": "the bank access has ended",
    "RequestTimeoutError": "",
    "TransportError": "the connection failed",
    "ContractError": "the answer does not have the form that the interface specifies, or is about something else",
}
_SUBJECTS = ("media_id", "account_id", "payment_id", "session_id", "customer_id")
_LONGEST_NOTE = 200
_AS_PDF = " as PDF"
_NO_SUCH_THING = 404


GapCode = Literal[
    # requests without an answer
    "refused", "failed", "timeout", "not_asked", "not_downloaded", "no_accounts",
    # checks that were not ordered or are missing from the results
    "order_not_known", "not_ordered", "monitoring_not_ordered", "standard_only", "section_missing", "members_missing", "matches_not_listed",
    "screened_name_not_shown", "categories_not_seen", "address_date_not_shown", "address_name_not_shown",
    # what the service never shows
    "not_listable", "list_date_not_visible", "matches_not_visible", "monitoring_not_visible",
    # answers about somebody or something else
    "wrong_subject", "account_not_listed", "other_currency",
    # answers that cannot be read or are incomplete
    "unreadable", "wrong_type", "given_twice", "currency_missing", "amount_missing", "token_expiry_missing", "scope_missing",
    # lists that are incomplete or contain duplicates
    "more_not_read", "count_differs", "page_repeated", "account_repeated", "transaction_misfit", "transaction_repeated",
    "transaction_id_reused",
    # what the firm's own file leaves open
    "risk_not_given",
    # other customers in the register
    "document_shared", "same_person", "decided_otherwise", "rejected_before",
    # how far the bank data reaches, as of a date
    "account_limit", "not_linked", "access_expired", "no_transactions", "history_short", "silent", "months_missing",
    "may_be_one_account",
    # what the money leaves open: questions to the customer
    "opening_balance", "opening_below_limit", "interest_above_balance", "pay_beside_benefit", "nature_not_known",
    "nature_below_limit", "nature_in_doubt",
    # evidence for a payment, and what its record does not say
    "payment_not_supported", "payee_not_known",
    # what a later run found, without the values that it compared
    "values_not_at_hand",
    # characters that no font has
    "unprintable",
]  # fmt: skip
"""Every cause of a gap: column `code` of the frames `gaps` and `limits`."""

STANDING_GAPS: tuple[GapCode, ...] = (
    "list_date_not_visible", "matches_not_visible", "monitoring_not_visible", "not_linked", "not_listable",
)  # fmt: skip
"""Gaps that are limits of the service, whoever the customer is; they are accepted once, with the approval of a version of a policy."""

BLOCKED, NO_SUCH_STATEMENT, NOT_FOUND = "blocked", "no_statement", "not_found"
BELOW_LIMIT, INCOMPLETE, SELDOM = "below_limit", "incomplete", "seldom"
"""Causes of gaps: nobody can make the request yet, the service has no statement or nothing of that id, less than the policy asks about, only a part is missing, the account is seldom used."""
IF_ONE_ACCOUNT = ", if accounts that may be one are one"
"""How a part ends that is only true if accounts that may be one are one."""


class Gap(NamedTuple):
    """One thing that is not known, as a row of the frames `gaps` and `limits`."""

    customer_id: str
    subject: str
    area: str
    code: GapCode
    message: str
    evidence_id: str
    part: str = ""
    cause: str = ""
    number: int | None = None
    amount_minor: int | None = None
    currency: str | None = None
    least_minor: int | None = None


class Open(NamedTuple):
    """One thing that a session leaves open."""

    area: str
    code: GapCode
    message: str
    part: str = ""
    number: int | None = None


@dataclass(slots=True)
class Gaps:
    """The gaps of one customer, in the order in which they were found."""

    customer_id: str
    found: list[Gap] = field(default_factory=list)

    def add(
        self,
        area: str,
        code: GapCode,
        message: str,
        *,
        subject: str,
        evidence_id: str,
        part: str = "",
        cause: str = "",
    ) -> None:
        """Add one gap."""
        self.found.append(Gap(self.customer_id, subject, area, code, message, evidence_id, part, cause))

    def extend(self, open_points: Iterable[Open], *, subject: str, evidence_id: str) -> None:
        """Add several gaps of a session."""
        self.found.extend(
            [
                Gap(
                    self.customer_id,
                    subject,
                    one.area,
                    one.code,
                    one.message,
                    evidence_id,
                    one.part,
                    number=one.number,
                )
                for one in open_points
            ]
        )

    def add_unanswered(self, entry: Entry) -> None:
        """Add the gap of an entry without an answer."""
        part = f"{entry.operation}{_AS_PDF}" if entry.subject.get("format") == "pdf" else entry.operation
        thing = thing_of(part)
        note = entry.note.removesuffix(f"; {REUSED}")[:_LONGEST_NOTE]
        not_found = is_not_found(entry)
        is_blocked = entry.outcome == "not_asked" and note.startswith((SESSION_STATE, NO_PAYMENT))
        cause = BLOCKED if is_blocked else NOT_FOUND if not_found else ""
        if area_of(entry) == "statement" and (not_found or note == NO_STATEMENT):
            cause = NO_SUCH_STATEMENT
        if not_found:
            message, note = f"{thing} was not found (status {_NO_SUCH_THING})", note.removesuffix("not_found")
        else:
            message = f"{thing} {_WORDS.get(entry.outcome, 'has no answer')}"
            message += "" if entry.status is None else f" with status {entry.status}"
        if words := note_words(note):
            message += f", because {words}" if entry.outcome == "not_asked" else f": {words}"
        code = cast(
            "GapCode", entry.outcome
        )  # all outcomes of an entry are listed in `kycpack.evidence.OUTCOMES`
        self.add(
            area_of(entry), code, message,
            subject=subject_of(entry), evidence_id=entry.id, part=part, cause=cause,
        )  # fmt: skip


def thing_of(operation: str) -> str:
    """Return what an operation requests, as in `the customer's record`; the part of a gap also says whether that is a PDF."""
    name, as_pdf, _ = operation.partition(_AS_PDF)
    return f"{_THINGS.get(name, name)}{as_pdf}"


def is_not_found(entry: Entry) -> bool:
    """Return whether an entry was refused because there is no such thing."""
    return entry.outcome == "refused" and entry.status == _NO_SUCH_THING


def note_words(note: str) -> str:
    """Return the note of an entry in words; the code of a problem is a separate part of the note, as in `page 1; not_found`."""
    parts = [_ERRORS.get(part, part) for part in note.split("; ")]
    return "; ".join(code_words(part) for part in parts if part)


def area_of(entry: Entry) -> str:
    """Return the area of an entry, as in `bank`."""
    if entry.operation in {"onboarding.media", "onboarding.download"}:
        return "media"
    return _AREAS.get(entry.operation.partition(".")[0], "customer")


def subject_of(entry: Entry) -> str:
    """Return the most specific id of an entry's subject."""
    for name in _SUBJECTS:
        if entry.subject.get(name):
            return entry.subject[name]
    return entry.id
