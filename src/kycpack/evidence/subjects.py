"""Checks that an answer is about what was asked for: compares the ids in a body with the subject of its entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kycpack.models.ids import same_id

_PROMISED = {
    "customers.get": ("id", "customer_id"),
    "onboarding.get": ("id", "session_id"),
    "onboarding.media": ("sessionId", "session_id"),
}
"""The member that the interface guarantees, and the id of the subject that it repeats."""

_POSSIBLE: Mapping[str, tuple[tuple[str, str], ...]] = {
    "onboarding.get": (("customerId", "customer_id"),),
    "onboarding.media": (("customerId", "customer_id"),),
    "onboarding.results": (("sessionId", "session_id"), ("customerId", "customer_id")),
    "payments.get": (("id", "payment_id"), ("paymentId", "payment_id"), ("customerId", "customer_id")),
    "bank_accounts.list": (("customerId", "customer_id"),),
    "bank_accounts.balance": (("accountId", "account_id"), ("customerId", "customer_id")),
    "bank_accounts.transactions": (("accountId", "account_id"), ("customerId", "customer_id")),
    "source_of_wealth.get": (("customerId", "customer_id"), ("paymentId", "payment_id")),
}
"""Other members that an answer may have; if it has them, they must match."""


CHECKED_WHEN_MADE = frozenset({*_PROMISED, "onboarding.results", "payments.get", "bank_accounts.balance"})
"""Operations with small answers; these are checked whenever evidence is made or read."""


def other_subject(operation: str, subject: Mapping[str, str], document: Any) -> str:
    """Return why a document is not about the subject that was asked for; empty if there is no mismatch.

    Args:
        operation: The operation's name, as in the evidence.
        subject: The ids that were asked for.
        document: The parsed body.
    """
    if not isinstance(document, dict):
        return ""
    promised = [_PROMISED[operation]] if operation in _PROMISED else []
    members = {name.replace("_", "").casefold(): member for name, member in document.items()}
    for member, name in (*promised, *_POSSIBLE.get(operation, ())):
        asked, answered = subject.get(name), document.get(member, members.get(member.casefold()))
        if asked and answered is not None and not same_id(asked, answered):
            return f"the answer is about another {name.removesuffix('_id')}"
    return _other_inner(subject, document)


def _other_inner(subject: Mapping[str, str], document: Mapping[str, Any]) -> str:
    """Compare ids that an answer gives in an object, as in `"customer": {"id": ...}`."""
    for thing in ("customer", "session", "payment"):
        inner, asked = document.get(thing), subject.get(f"{thing}_id")
        for member in ("id", f"{thing}Id"):
            answered = inner.get(member) if isinstance(inner, dict) else None
            if asked and answered is not None and not same_id(asked, answered):
                return f"the answer is about another {thing}"
    return ""


def names_nothing(operation: str, document: Any) -> bool:
    """Whether a document lacks the id that the interface guarantees."""
    if operation not in _PROMISED:
        return False
    return not (isinstance(document, dict) and document.get(_PROMISED[operation][0]))
