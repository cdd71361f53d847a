"""The console's actions on customers and sessions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row

from kycpack.service.bank_access import end_access, renew_or_link
from kycpack.service.bank_bodies import SCOPES
from kycpack.service.completion import ReviewTime, finish_session, set_next_results
from kycpack.service.console.page import Done, Visited, whole_number
from kycpack.service.console.records import OUTCOMES
from kycpack.service.customers import find_any_customer
from kycpack.service.forced_events import expire_session
from kycpack.service.problems import invalid_request
from kycpack.service.sessions import find_session, tenant_of

_SECTIONS = ("document", "address", "identity", "screening")


def finish(visited: Visited) -> Done:
    """Complete a session with an outcome."""
    row = _finish(visited, _outcome(visited), None)
    return Done(f"/console/sessions/{row.id}", "The session is complete; webhooks are being sent.")


def review(visited: Visited) -> Done:
    """Send a session to review, as if the customer had finished."""
    seconds = whole_number(visited, "minutes") * 60
    if seconds < 0:
        raise invalid_request("minutes: must be 0 or more")
    row = _finish(visited, _outcome(visited), ReviewTime(seconds or None))
    until = f"It ends in {seconds // 60} minutes." if seconds else "It ends when somebody completes it."
    return Done(f"/console/sessions/{row.id}", f"The session is in review. {until}")


def _finish(visited: Visited, outcome: str, review: ReviewTime | None) -> Row[Any]:
    with visited.service.database.write() as connection:
        held = find_session(connection, visited.path["session_id"])
        results = {section: {"outcome": outcome} for section in _SECTIONS} if outcome != "clear" else {}
        now = visited.now_of(held.tenant_id)
        return finish_session(connection, held.id, now, results=results, review=review)


def expire(visited: Visited) -> Done:
    """Expire a session."""
    with visited.service.database.write() as connection:
        row = find_session(connection, visited.path["session_id"])
        expire_session(connection, row.id, visited.now_of(row.tenant_id))
    return Done(f"/console/sessions/{row.id}", "The session has expired.")


def grant(visited: Visited) -> Done:
    """Renew a customer's bank access, or link invented accounts."""
    with visited.service.database.write() as connection:
        row = _customer(connection, visited)
        tenant, now = tenant_of(connection, row.tenant_id), visited.now_of(row.tenant_id)
        renew_or_link(connection, tenant, row, row.id, SCOPES, now)
    return Done(f"/console/customers/{row.id}", "Bank access is granted for 90 days.")


def expire_access(visited: Visited) -> Done:
    """End a customer's bank access."""
    with visited.service.database.write() as connection:
        row = _customer(connection, visited)
        tenant = tenant_of(connection, row.tenant_id)
        ended = end_access(connection, tenant, row.id, visited.now_of(tenant.id))
    accounts = "1 account" if ended == 1 else f"{ended} accounts"
    return Done(f"/console/customers/{row.id}", f"Access to {accounts} has ended.")


def keep_next_results(visited: Visited) -> Done:
    """Set the outcome of the customer's next session."""
    outcome = _outcome(visited)
    with visited.service.database.write() as connection:
        row = _customer(connection, visited)
        set_next_results(connection, row, {section: {"outcome": outcome} for section in _SECTIONS})
    return Done(
        f"/console/customers/{row.id}", f"The outcome of the next completed session will be: {outcome}."
    )


def _outcome(visited: Visited) -> str:
    outcome = visited.form.text("outcome")
    if outcome not in {choice.value for choice in OUTCOMES}:
        raise invalid_request("outcome: unknown outcome")
    return outcome


def _customer(connection: Connection, visited: Visited) -> Row[Any]:
    return find_any_customer(connection, visited.path["customer_id"])
