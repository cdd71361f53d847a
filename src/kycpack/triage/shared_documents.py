"""Two customers with one identity document: found over a run or a workspace, kept as an entry of the register."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from kycpack.frames import Frames
from kycpack.frames.rows import rows
from kycpack.triage.session_observations import number_form

Document = tuple[str, str]


def document_keys(frames: Frames) -> dict[str, list[tuple[Document, str]]]:
    """Return the identity documents of each customer, each by issuing country and number, with the session that shows it.

    Args:
        frames: From `flatten`. Numbers that cannot be a document's, such as `000000000`, are left out.
    """
    found: dict[str, list[tuple[Document, str]]] = {}
    for row in rows(frames.documents):
        if (
            row.kind != "identity"
            or pd.isna(row.document_number)
            or number_form(str(row.document_number)) != "plausible"
        ):
            continue
        number = "".join(character for character in str(row.document_number).upper() if character.isalnum())
        country = "" if pd.isna(row.issuing_country) else str(row.issuing_country).strip().upper()[:2]
        found.setdefault(str(row.customer_id), []).append(((country, number), str(row.session_id)))
    return found


def shared_documents(known: Iterable[Mapping[str, list[tuple[Document, str]]]]) -> dict[str, dict[str, Any]]:
    """Return the customers whose identity document is also another customer's.

    Args:
        known: Results of `document_keys`, of one customer or of many each.

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
