"""The console's actions on customers and sessions: those of the control API, with their outcome in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from kycpack.service.bank_access import renew_or_link
from kycpack.service.bank_reading import SCOPES
from kycpack.service.bodies import check
from kycpack.service.console.page import Done, Visited, whole_number
from kycpack.service.console.records import OUTCOMES
from kycpack.service.control import customers as control
from kycpack.service.control.models import ControlCall, PartialResults
from kycpack.service.customers import find_any_customer
from kycpack.service.problems import invalid_request
from kycpack.service.results import SECTIONS
from kycpack.service.sessions import tenant_of
from kycpack.service.state import writing


def finish(visited: Visited) -> Done:
    """Complete a session with an outcome."""
    status = control.finish(_call(visited, "session_id", {"results": _results(_outcome(visited))}))
    return Done(f"/console/sessions/{status['id']}", "The session is complete; webhooks are being sent.")


def review(visited: Visited) -> Done:
    """Send a session to review, as if the customer had finished."""
    seconds = whole_number(visited, "minutes") * 60
    if seconds < 0:
        raise invalid_request("minutes: must be 0 or more")
    ending = {"after_seconds": seconds} if seconds else {"hold": True}
    body = {"results": _results(_outcome(visited)), **ending}
    status = control.finish(_call(visited, "session_id", body))
    until = f"It ends in {seconds // 60} minutes." if seconds else "It ends when somebody completes it."
    return Done(f"/console/sessions/{status['id']}", f"The session is in review. {until}")


def expire(visited: Visited) -> Done:
    """Expire a session."""
    status = control.expire(_call(visited, "session_id"))
    return Done(f"/console/sessions/{status['id']}", "The session has expired.")


@writing
def grant(visited: Visited, connection: Connection) -> Done:
    """Renew a customer's bank access, or link invented accounts."""
    row = find_any_customer(connection, visited.path["customer_id"])
    tenant, now = tenant_of(connection, row.tenant_id), visited.now_of(row.tenant_id)
    renew_or_link(connection, tenant, row, row.id, SCOPES, now)
    return Done(f"/console/customers/{row.id}", "Bank access is granted for 90 days.")


def expire_access(visited: Visited) -> Done:
    """End a customer's bank access."""
    ended = control.expire_access(_call(visited, "customer_id"))
    accounts = "1 account" if ended["accounts"] == 1 else f"{ended['accounts']} accounts"
    return Done(f"/console/customers/{ended['customer_id']}", f"Access to {accounts} has ended.")


def keep_next_results(visited: Visited) -> Done:
    """Set the outcome of the customer's next session."""
    outcome = _outcome(visited)
    kept = control.keep_next_results(_call(visited, "customer_id", {"results": _sections(outcome)}))
    return Done(
        f"/console/customers/{kept['customer_id']}",
        f"The outcome of the next completed session will be: {outcome}.",
    )


def _call(visited: Visited, name: str, results: Mapping[str, Any] | None = None) -> ControlCall:
    body = check(PartialResults, results or {})
    return ControlCall(visited.service, {"id": visited.path[name]}, body)


def _results(outcome: str) -> dict[str, Any]:
    return {} if outcome == "clear" else _sections(outcome)


def _sections(outcome: str) -> dict[str, Any]:
    return {section: {"outcome": outcome} for section in SECTIONS}


def _outcome(visited: Visited) -> str:
    outcome = visited.form.text("outcome")
    if outcome not in {choice.value for choice in OUTCOMES}:
        raise invalid_request("outcome: unknown outcome")
    return outcome
