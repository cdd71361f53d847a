"""Asks about sessions that may be complete although no delivery arrived; deliveries are sent once and may be lost."""

from __future__ import annotations

from dataclasses import dataclass

from kycpack.errors import ApiError, AuthenticationError, NotFoundError, PermissionDeniedError
from kycpack.models.enums import ENDED_SESSIONS
from kycpack.models.onboarding import SessionStatus
from kycpack.workspace.database import Workspace
from kycpack.workspace.inbox import AskStatus, complete, open_sessions
from kycpack.workspace.learning import learn_session

_PATIENCE = 3


@dataclass(frozen=True, slots=True)
class ReconcileReport:
    """The results for the register's open sessions; the service is asked again about `unanswered` ones next time."""

    completed: int
    still_open: int
    expired: int
    unknown: int
    unanswered: int


def reconcile(workspace: Workspace, ask: AskStatus) -> ReconcileReport:
    """Ask the service about every session of the register that is not known to have ended.

    Args:
        workspace: The open workspace.
        ask: Asks the service.

    Returns:
        The results.

    Raises:
        AuthenticationError: The service does not accept our key.
    """
    with workspace.reading() as connection:
        sessions = list(open_sessions(connection))
    completed = still_open = expired = unknown = failures = asked = 0
    for session_id in sessions:
        if failures >= _PATIENCE:
            break
        asked += 1
        try:
            status = ask(session_id)
        except AuthenticationError:
            raise
        except (NotFoundError, PermissionDeniedError):
            unknown += 1
            continue
        except ApiError:
            failures += 1
            asked -= 1
            continue
        failures = 0
        _record(workspace, session_id, status)
        completed += status.status == "complete"
        expired += status.status == "expired"
        still_open += status.status not in ENDED_SESSIONS
    return ReconcileReport(completed, still_open, expired, unknown, len(sessions) - asked)


def _record(workspace: Workspace, session_id: str, status: SessionStatus) -> None:
    now = workspace.timestamp()
    with workspace.transaction() as connection:
        if status.status == "complete" and status.id == session_id:
            complete(connection, now, status, "reconciler")
        else:
            learn_session(connection, now, session_id, "webhook", status=status.status)
