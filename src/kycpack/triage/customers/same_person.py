"""The register entries about a customer who may be another customer too, or who shares an identity document with one, and what they mean in words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kycpack.frames.rows import rows
from kycpack.triage.customers.duplicates import KINDS, PastDecision, ground_words

Document = tuple[str, ...]
"""What identifies a document: the issuing country and the number, or a digest of them."""

REJECTED, NOT_REJECTED = "rejected", "not rejected"
CHECKS = ("document_outcome", "address_outcome", "identity_outcome", "screening_outcome")
"""The columns of `results` that say whether a check was rejected."""


@dataclass(frozen=True, slots=True)
class SeenCustomer:
    """What is kept about a customer, to compare how two customers were treated.

    Attributes:
        created_at: When the customer's record was made, ISO 8601 UTC; empty if it is not known.
        checks: Whether a check was rejected: `REJECTED` or `NOT_REJECTED`; empty if there are no results.
    """

    created_at: str = ""
    checks: str = ""


def seen_customers(frames: Mapping[str, pd.DataFrame]) -> dict[str, SeenCustomer]:
    """Return what is kept about each customer.

    Args:
        frames: `customers` and `results`, for one customer or many.
    """
    checks: dict[str, str] = {}
    for row in rows(frames["results"], "customer_id", *CHECKS):
        said = {str(outcome).casefold() for outcome in row[1:] if not pd.isna(outcome)}
        customer_id = str(row.customer_id)
        if REJECTED in said:
            checks[customer_id] = REJECTED
        elif said:
            checks.setdefault(customer_id, NOT_REJECTED)
    return {
        str(row.customer_id): SeenCustomer(
            "" if pd.isna(row.created_at) else pd.Timestamp(row.created_at).isoformat(),
            checks.get(str(row.customer_id), ""),
        )
        for row in rows(frames["customers"], "customer_id", "created_at")
    }


def same_person(
    customer_id: str,
    grounds: Mapping[str, Mapping[str, Sequence[str]]],
    seen: Mapping[str, SeenCustomer],
    decisions: Mapping[str, PastDecision],
) -> dict[str, Any] | None:
    """Return the body of a register entry (operation `register.same_person`); None if no other customer seems to be this person.

    Args:
        customer_id: The customer.
        grounds: For each other customer, what the two have in common, with the kinds of likeness of the names.
        seen: What is kept about each customer.
        decisions: The latest decision, by customer.

    Returns:
        `{"customerId": ..., "samePerson": [{"customerId": the other, "grounds": [words], "checks": ..., "otherChecks": ...,
        "decided": ..., "otherDecided": ..., "otherDecidedAt": ..., "returned": ...}]}`; values that are not known are left out. It contains
        ids, but no name, date of birth or number.
    """
    mine = seen.get(customer_id, SeenCustomer())
    decided = decisions.get(customer_id)
    others = []
    for other, why in sorted(grounds.items()):
        theirs = decisions.get(other)
        said = {
            "customerId": other,
            "grounds": [ground_words({kind: why[kind]}) for kind in KINDS if kind in why],
            "checks": mine.checks,
            "otherChecks": seen.get(other, SeenCustomer()).checks,
            "decided": decided.outcome if decided else "",
            "otherDecided": theirs.outcome if theirs else "",
            "otherDecidedAt": theirs.decided_at if theirs else "",
            "returned": _came_after(mine, theirs),
        }
        others.append({name: value for name, value in said.items() if value != ""})
    return {"customerId": customer_id, "samePerson": others} if others else None


def _came_after(mine: SeenCustomer, theirs: PastDecision | None) -> bool:
    """Return whether a customer's record was made after the other customer was rejected."""
    return (
        theirs is not None
        and theirs.outcome == "reject"
        and mine.created_at != ""
        and dt.datetime.fromisoformat(mine.created_at) > dt.datetime.fromisoformat(theirs.decided_at)
    )


def both_ways(
    pairs: Iterable[tuple[str, str, str, Sequence[str]]],
) -> dict[str, dict[str, dict[str, tuple[str, ...]]]]:
    """Return, by customer and other customer, what the two have in common.

    Args:
        pairs: Two customers, the kind of key, and the kinds of likeness of the names.
    """
    found: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
    for one, other, kind, kinds in pairs:
        for mine, theirs in ((one, other), (other, one)):
            held = found.setdefault(mine, {}).setdefault(theirs, {})
            held[kind] = tuple(kinds) if kind not in held else min(held[kind], tuple(kinds), key=len)
    return found


def shared_documents(known: Iterable[Mapping[str, list[tuple[Document, str]]]]) -> dict[str, dict[str, Any]]:
    """Return the customers who share an identity document with another customer.

    Args:
        known: By customer, the documents, each with the session that shows it.

    Returns:
        By customer, the content of a register entry (operation `register.shared_documents`): `{"customerId": ..., "sharedDocuments": [{"sessionId": ...,
        "customerIds": [the other customers]}]}`. It contains no document numbers.
    """
    holders: dict[Document, set[str]] = {}
    sessions: dict[str, list[tuple[Document, str]]] = {}
    for part in known:
        for customer_id, documents in part.items():
            for key, session_id in documents:
                holders.setdefault(key, set()).add(customer_id)
                sessions.setdefault(customer_id, []).append((key, session_id))
    made: dict[str, dict[str, Any]] = {}
    for customer_id in sorted(sessions):
        shared = [
            {"sessionId": session_id, "customerIds": sorted(holders[key] - {customer_id})}
            for key, session_id in sorted(set(sessions[customer_id]), key=lambda one: one[1])
            if len(holders[key]) > 1
        ]
        if shared:
            made[customer_id] = {"customerId": customer_id, "sharedDocuments": shared}
    return made
