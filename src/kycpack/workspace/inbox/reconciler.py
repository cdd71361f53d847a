"""Asks about sessions that may be complete although no delivery arrived; deliveries are sent once and may be lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from kycpack.models.enums import ENDED_SESSIONS
from kycpack.models.onboarding import SessionStatus
from kycpack.workspace.database import Workspace
from kycpack.workspace.inbox.inbox import Answers, AskStatus, complete, open_sessions
from kycpack.workspace.register.learning import learn_record


@dataclass(frozen=True, slots=True)
class ReconcileReport:
    """The results for the register's open sessions; the service is asked again about `unanswered` ones next time."""

    completed: int = 0
    still_open: int = 0
    expired: int = 0
    unknown: int = 0
    unanswered: int = 0


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
    answers, counts = Answers(ask), Counter[str]()
    for session_id in sessions:
        status = answers.status(session_id)
        if isinstance(status, str):
            counts["unanswered" if status == "waiting" else "unknown"] += 1
            continue
        _record(workspace, session_id, status)
        counts["completed"] += status.status == "complete"
        counts["expired"] += status.status == "expired"
        counts["still_open"] += status.status not in ENDED_SESSIONS
    return ReconcileReport(**counts)


def _record(workspace: Workspace, session_id: str, status: SessionStatus) -> None:
    now = workspace.timestamp()
    with workspace.transaction() as connection:
        if status.status == "complete":
            complete(connection, now, status, "reconciler")
        else:
            learn_record(connection, now, "session", session_id, "webhook", status=status.status)
