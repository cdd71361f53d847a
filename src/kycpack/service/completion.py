"""Completes a session: results, bank access, media and webhooks are written in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from kycpack.models.enums import SESSION_COMPLETED, SessionState
from kycpack.models.instants import format_instant
from kycpack.models.json import dump_json, parse_json
from kycpack.service import schema, sessions
from kycpack.service.bank_access import renew_or_link
from kycpack.service.bank_reading import SCOPES
from kycpack.service.customers import find_customer
from kycpack.service.mail import COMPLETED, queue_mail
from kycpack.service.media import add_media
from kycpack.service.problems import conflict, refusal
from kycpack.service.results import compose_results, require_contract
from kycpack.service.rows import change_row
from kycpack.service.schedule import SESSION, add_scheduled, take_reviewed_results
from kycpack.service.webhooks.records import completed_payload, progress, queue_deliveries


@dataclass(frozen=True, slots=True)
class ReviewTime:
    """How long the results of a session are reviewed after the customer has finished.

    Attributes:
        seconds: Duration by the organisation's clock; None until somebody completes the session.
    """

    seconds: int | None


def finish_session(
    connection: Connection,
    session_id: str,
    now: datetime,
    *,
    results: Mapping[str, Any] | None = None,
    by_person: bool = False,
    review: ReviewTime | None = None,
) -> Row[Any]:
    """Complete a session, or send it to review first.

    Args:
        connection: A writing connection; call the sender's `wake` after the commit.
        session_id: Session id.
        now: The service's time.
        results: Partial results, merged over the all-clear document, the magic values and the customer's next results.
        by_person: Whether the customer finishes it in the portal, which requires every step to be done.
        review: How long its results are reviewed; None for the customer's own setting. A session that is in review
            already is completed.

    Returns:
        The session's row.

    Raises:
        RefusedError: 404 unknown; 409 complete, expired, or a step is missing.
    """
    require_contract(results or {})
    row = sessions.find_session(connection, session_id, lock=True)
    sessions.require_open(row, now)
    if by_person and sessions.is_in_review(row):
        raise refusal("session_in_review")
    if by_person and (step := sessions.next_step(row)) is not None:
        raise conflict("step_missing", f"The step {step} has not been done yet")
    # Sessions of one customer that end at the same time take turns: each sees the accounts and results of the previous one.
    tenant = sessions.tenant_of(connection, row.tenant_id)
    customer = find_customer(connection, tenant, row.customer_id, lock=True)
    reviewed = sessions.is_in_review(row)
    if reviewed:
        parts = take_reviewed_results(connection, row.id, now)
    else:
        parts, kept_review = _take_next_results(connection, customer)
        review = review or kept_review
    if results:
        parts.append(results)
    options = sessions.ais_options(row)
    if options is not None and row.ais_completed_at is None:
        scopes = [scope for scope in SCOPES if getattr(options, scope)]
        renew_or_link(connection, tenant, row, row.customer_id, scopes, now, limit=options.account_limit)
    ordered = sessions.ordered_sections(row)
    instant = format_instant(now)
    completed = {
        "identity_completed_at": (row.identity_completed_at or instant) if ordered else None,
        "ais_completed_at": (row.ais_completed_at or instant) if row.ais_json else None,
        "updated_at": instant,
    }
    if review is not None and not reviewed:
        due = None if review.seconds is None else now + timedelta(seconds=review.seconds)
        add_scheduled(connection, row.tenant_id, SESSION, row.id, {"parts": parts}, due=due, now=now)
        steps = {**sessions.steps_done(row), sessions.IN_REVIEW: {"at": instant}}
        return change_row(
            connection,
            schema.sessions,
            row,
            status=SessionState.IN_PROGRESS.value,
            steps_json=dump_json(steps).decode(),
            **completed,
        )
    subject = sessions.subject_of(connection, row)
    document = compose_results(subject, ordered, sessions.screening_type(row), parts, now.date())
    row = change_row(
        connection,
        schema.sessions,
        row,
        status=SessionState.COMPLETE.value,
        results_json=dump_json(document).decode(),
        **completed,
    )
    enhanced = sessions.identity_options(row).enhanced_identity_check
    add_media(connection, row, document, subject, video=enhanced)
    queue_mail(connection, row, COMPLETED, "", now)
    queue_deliveries(connection, row.tenant_id, row.id, SESSION_COMPLETED, _payload(row, now), now)
    return row


def _payload(row: Row[Any], now: datetime) -> dict[str, Any]:
    confirmed = sessions.is_confirmed(row) if sessions.ordered_sections(row) else None
    return completed_payload(
        row.id,
        now,
        identity=progress(row.identity_completed_at, confirmed),
        ais=progress(row.ais_completed_at, True if row.ais_completed_at is not None else None),
        created=row.created_at,
        updated=row.updated_at,
    )


def set_next_results(
    connection: Connection, customer: Row[Any], results: Mapping[str, Any], review: ReviewTime | None = None
) -> None:
    """Store partial results for the next session that the customer finishes, and how long they are reviewed.

    Raises:
        RefusedError: 400, the results would break the interface's contract.
    """
    require_contract(results)
    change_row(
        connection,
        schema.customers,
        customer,
        next_results_json=dump_json(results).decode(),
        next_review_json=None if review is None else dump_json({"seconds": review.seconds}).decode(),
    )


def _take_next_results(connection: Connection, customer: Row[Any]) -> tuple[list[Any], ReviewTime | None]:
    if customer.next_results_json is None:
        return [], None
    change_row(connection, schema.customers, customer, next_results_json=None, next_review_json=None)
    kept = customer.next_review_json
    review = None if kept is None else ReviewTime(parse_json(kept)["seconds"])
    results = parse_json(customer.next_results_json)
    return [results] if results else [], review
