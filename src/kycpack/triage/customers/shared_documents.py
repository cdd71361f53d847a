"""Customers who share an identity document, found across a run or a workspace and stored as a register entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Document = tuple[str, ...]
"""What identifies a document: the issuing country and the number, or a digest of them."""


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
