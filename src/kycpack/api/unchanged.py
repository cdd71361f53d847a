"""Which answers of earlier evidence still hold, because the service has just shown that their subject did not change. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from kycpack.api import operations as op
from kycpack.api.answers import list_items
from kycpack.errors import InputError
from kycpack.evidence import Entry, Evidence
from kycpack.models.customers import Customer
from kycpack.models.json import canonical_json

STATEMENT = "source_of_wealth.get"


def record_digest(record: Customer) -> bytes:
    """Return a SHA-256 that is equal for two customer records with the same members, unknown ones included."""
    return hashlib.sha256(canonical_json(record.wire())).digest()


def is_as_listed(previous: Evidence | None, listed: bytes) -> bool:
    """Return whether the customer's record is the one that the service's list shows now.

    Args:
        previous: The earlier evidence; None for none.
        listed: Digest of the record in the list; empty if there is none.
    """
    if previous is None or not listed:
        return False
    for entry in previous.select(op.GET_CUSTOMER.name):
        if entry.outcome == "answered" and entry.file is not None:
            try:
                return record_digest(Customer.read(previous.json(entry.id))) == listed
            except InputError:
                return False
    return False


def is_session_as_before(previous: Evidence | None, session_id: str, document: Any) -> bool:
    """Return whether a session is complete and has not been updated since; if so, its media are the same.

    Args:
        previous: The earlier evidence; None for none.
        session_id: The session.
        document: Its status now.
    """
    if previous is None or not isinstance(document, dict):
        return False
    for entry in previous.select(op.GET_SESSION.name):
        if entry.outcome == "answered" and entry.subject.get("session_id") == session_id:
            before = previous.json(entry.id)
            return (
                isinstance(before, dict)
                and document.get("status") == before.get("status") == "complete"
                and bool(document.get("updated"))
                and document["updated"] == before.get("updated")
            )
    return False


def had_no_statement(previous: Evidence | None, subject: Mapping[str, str]) -> bool:
    """Return whether the service answered that a statement does not exist (404).

    Args:
        previous: The earlier evidence; None for none.
        subject: What the statement is about.
    """
    entries = previous.select(STATEMENT) if previous is not None else ()
    return any(entry.status == HTTPStatus.NOT_FOUND and entry.subject == subject for entry in entries)


def are_none_linked(previous: Evidence | None, answered: Entry, document: Any) -> bool:
    """Return whether no bank account is linked, and the service says so as it did before.

    Args:
        previous: The earlier evidence; None for none.
        answered: The entry of the list of bank accounts now.
        document: The parsed list; None if there is none, which proves nothing.
    """
    before = previous.select(op.LIST_ACCOUNTS.name) if previous is not None else ()
    if len(before) != 1 or before[0].sha256 != answered.sha256:
        return False
    return list_items(document, "accounts") == []
