"""Reads a session's row: its state, what it orders, the completed steps, and its results."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row

from kycpack.models.enums import OPEN_SESSIONS, SessionState
from kycpack.models.instants import format_instant
from kycpack.models.json import parse_json
from kycpack.models.onboarding import AisOptions, IdentityOptions
from kycpack.service.problems import RefusedError
from kycpack.service.rows import present

CONSENT, IDENTITY, DOCUMENT, ADDRESS, BANK = "consent", "identity", "document", "address", "bank"
"""The steps of the portal, in order; steps that were not ordered are skipped."""

IN_REVIEW = "in_review"
"""Marker among the completed steps: the customer has finished, and the results are still to come."""


def state_of(row: Row[Any], now: datetime) -> SessionState:
    """Return the state of a session at an instant; one that was not completed in time is expired."""
    state = SessionState(row.status)
    return SessionState.EXPIRED if state in OPEN_SESSIONS and format_instant(now) >= row.expires_at else state


def status_of(row: Row[Any], now: datetime) -> dict[str, Any]:
    """Return a session's status as in the interface."""
    state = state_of(row, now)
    confirmed = None if row.identity_completed_at is None else False
    if state is SessionState.COMPLETE and ordered_sections(row):
        confirmed = is_confirmed(row)
    identity = {
        "completed": row.identity_completed_at is not None,
        "confirmed": confirmed,
        "completedAt": row.identity_completed_at,
    }
    ais = {"completed": row.ais_completed_at is not None, "completedAt": row.ais_completed_at}
    return {
        "id": row.id,
        "status": state.value,
        "progress": {"identity": present(identity), "ais": present(ais)},
        "created": row.created_at,
        "updated": row.expires_at if state is SessionState.EXPIRED else row.updated_at,
        "attemptCount": row.attempt_count,
    }


def results_of(row: Row[Any], now: datetime) -> dict[str, Any]:
    """Return a session's results.

    Raises:
        RefusedError: 404 before the session is complete.
    """
    if state_of(row, now) is not SessionState.COMPLETE:
        raise RefusedError(404, "results_not_found", "Results not found: the session is not complete")
    return dict(parse_json(row.results_json))


def identity_options(row: Row[Any]) -> IdentityOptions:
    """Return the checks that a session orders."""
    return IdentityOptions.read(parse_json(row.identity_json))


def ais_options(row: Row[Any]) -> AisOptions | None:
    """Return the bank access that a session orders, None if it orders none."""
    return AisOptions.read(parse_json(row.ais_json)) if row.ais_json else None


def ordered_sections(row: Row[Any]) -> tuple[str, ...]:
    """Return the sections of the results that a session orders."""
    options = identity_options(row)
    ordered = {
        "document": options.document_check,
        "address": options.proof_of_address_check,
        "identity": options.identity_check or options.enhanced_identity_check,
        "screening": bool(screening_type(row)),
    }
    return tuple(section for section, wanted in ordered.items() if wanted)


def screening_type(row: Row[Any]) -> str:
    """Return the screening that a session orders: extensive, standard, or empty for none. Monitoring starts with one."""
    options = identity_options(row)
    if options.aml_extensive_screening or options.aml_extensive_monitoring:
        return "extensive"
    return "standard" if options.aml_standard_screening or options.aml_standard_monitoring else ""


def steps_of(row: Row[Any]) -> tuple[str, ...]:
    """Return the steps that the customer has to complete, in order."""
    options = identity_options(row)
    wanted = {
        CONSENT: True,
        IDENTITY: options.identity_check or options.enhanced_identity_check,
        DOCUMENT: options.document_check,
        ADDRESS: options.proof_of_address_check,
        BANK: row.ais_json is not None,
    }
    return tuple(step for step, asked in wanted.items() if asked)


def steps_done(row: Row[Any]) -> dict[str, Any]:
    """Return the completed steps, each with the values entered."""
    return dict(parse_json(row.steps_json))


def next_step(row: Row[Any]) -> str | None:
    """Return the next step, None if all are completed."""
    done = steps_done(row)
    return next((step for step in steps_of(row) if step not in done), None)


def is_in_review(row: Row[Any]) -> bool:
    """Return whether the customer has finished and the results are still to come."""
    return row.status == SessionState.IN_PROGRESS.value and IN_REVIEW in steps_done(row)


def is_over_for_person(row: Row[Any], now: datetime) -> bool:
    """Return whether the customer has nothing left to do in a session: it is complete, or in review."""
    state = state_of(row, now)
    reviewed = state is SessionState.IN_PROGRESS and is_in_review(row)
    return state is SessionState.COMPLETE or reviewed


def is_confirmed(row: Row[Any]) -> bool:
    """Return whether every ordered section of a complete session is present and clear."""
    results = parse_json(row.results_json) if row.results_json else {}
    sections = [results.get(section) for section in ordered_sections(row)]
    return all(isinstance(section, dict) and section.get("outcome") == "clear" for section in sections)


def link_has_ended(row: Row[Any], now: datetime) -> bool:
    """Return whether a session's link is older than 7 days; this applies to complete sessions as well."""
    return format_instant(now) >= str(row.expires_at)
