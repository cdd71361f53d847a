"""Two customers with one identity document: found over a run or a workspace, kept as an entry of the register."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Document = tuple[str, ...]
"""What makes two documents the same: the issuing country and the number, or a digest of them."""


def shared_documents(known: Iterable[Mapping[str, list[tuple[Document, str]]]]) -> dict[str, dict[str, Any]]:
    """Return the customers whose identity document is also another customer's.

    Args:
        known: By customer, the documents, each with the session that shows it; of one customer or of many each.

    Returns:
        By customer, the document of a register entry (operation `register.shared_documents`): `{"customerId": ..., "sharedDocuments": [{"sessionId": ...,
        "customerIds": [the other customers]}]}`. It holds no number of a document.
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
