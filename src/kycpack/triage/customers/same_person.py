"""The register entry about a customer who may be the same person as another customer, and its meaning in words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from kycpack.frames.rows import rows
from kycpack.triage.customers.duplicates import PastDecision, ground_words
from kycpack.triage.customers.identity_keys import KINDS

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
    if theirs is None or theirs.outcome != "reject" or not mine.created_at:
        return False
    return dt.datetime.fromisoformat(mine.created_at) > dt.datetime.fromisoformat(theirs.decided_at)


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
