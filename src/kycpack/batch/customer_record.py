"""Whether the service gave the customer's own record, without which a pack cannot show whom it is about, and all the rest."""

from __future__ import annotations

from http import HTTPStatus

from kycpack.api.failures import CLOCKS_DIFFER
from kycpack.batch.report import Cause
from kycpack.evidence import Entry, Evidence
from kycpack.frames.gaps import note_words

_RECORD = "customers.get"
_WEALTH = "source_of_wealth."
_OUTCOMES = {"refused": "refused", "timeout": "no answer in time", "not_asked": "it was not requested"}


def record_problem(evidence: Evidence) -> str:
    """Return why the customer's record is missing; empty if it is not missing.

    Other missing records are gaps in the pack.

    Args:
        evidence: The requests and their answers.
    """
    for entry in evidence.select(_RECORD):
        if entry.outcome != "answered":
            if entry.status == HTTPStatus.NOT_FOUND:
                return f"customer {evidence.customer_id} not found (404): it does not exist, or it belongs to another organisation"
            parts = (
                _OUTCOMES.get(entry.outcome, ""),
                f"status {entry.status}" if entry.status else "",
                note_words(entry.note),
            )
            reason = ", ".join(part for part in parts if part) or "no reason is recorded"
            return f"the record of customer {evidence.customer_id} could not be fetched: {reason}"
    return ""


def may_come_later(evidence: Evidence) -> bool:
    """Return whether a new request may give the customer's record: the request failed or timed out, and was not refused."""
    return any(entry.operation == _RECORD for entry in evidence.incomplete)


def asked_again(evidence: Evidence) -> tuple[Entry, ...]:
    """Return the entries that a later run asks for again: the request failed or timed out, or the key was refused.

    A key that is refused after it gave the customer's record was withdrawn in between, which says nothing about the customer.
    Only for source of wealth does 401 also mean a missing permission, which is an answer.

    Args:
        evidence: The requests and their answers.
    """
    refused = tuple(
        entry
        for entry in evidence.entries
        if entry.status == HTTPStatus.UNAUTHORIZED and not entry.operation.startswith(_WEALTH)
    )
    return (*evidence.incomplete, *(entry for entry in refused if entry not in evidence.incomplete))


def cause_of(evidence: Evidence) -> Cause:
    """Return the cause of a failure if the batch acts on it; empty for any other cause.

    Args:
        evidence: The requests and their answers.
    """
    asked = [entry for entry in evidence.entries if entry.method]
    if asked and all(entry in evidence.incomplete for entry in asked):
        return "unreachable"
    statuses = {entry.status for entry in evidence.select(_RECORD)}
    if HTTPStatus.UNAUTHORIZED in statuses:
        is_late = any(CLOCKS_DIFFER in entry.note for entry in evidence.select(_RECORD))
        return "clocks differ" if is_late else "key refused"
    return "not found" if HTTPStatus.NOT_FOUND in statuses else ""
