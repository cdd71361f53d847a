"""The inbox of webhook deliveries: kept as they came, believed never.

Deliveries are unsigned, come once and carry no id of their own, so one is a hint to ask the service with our own key;
nothing from its payload goes further than which session to ask about. What comes out is one piece of work for each
session that the service itself says is complete.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, func, insert, select, update

from kycpack.errors import ApiError, AuthenticationError, InputError, NotFoundError, PermissionDeniedError
from kycpack.models.enums import SESSION_COMPLETED
from kycpack.models.json import parse_json
from kycpack.models.onboarding import SessionStatus
from kycpack.models.webhooks import SessionCompleted
from kycpack.workspace import schema
from kycpack.workspace.database import Workspace
from kycpack.workspace.learning import learn_session
from kycpack.workspace.rows import check_id

MAX_BODY = 64 * 1024
_MAX_WAITING = 1_000_000
_PAGE = 500
_PATIENCE = 3

AskStatus = Callable[[str], SessionStatus]
"""Asks the service for a session's status, as `client.onboarding.get` does."""


@dataclass(frozen=True, slots=True)
class InboxReport:
    """What became of deliveries: each one is counted once, and those that `wait` are tried again next time."""

    completed: int = 0
    duplicate: int = 0
    premature: int = 0
    quarantined: int = 0
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """A session that the service says is complete, and whose customer is to be reviewed."""

    session_id: str
    customer_id: str | None
    updated: str
    learned_from: str


class Inbox:
    """The deliveries of a workspace, and the work that comes of them.

    Args:
        workspace: The open workspace.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def token(self) -> str:
        """Return the unguessable part of the receiver's path; it stays the same for a workspace."""
        table = schema.meta
        with self._workspace.transaction() as connection:
            token = connection.scalar(select(table.c.value).where(table.c.name == "inbox_token"))
            if token is None:
                token = secrets.token_urlsafe(24)
                connection.execute(insert(table).values(name="inbox_token", value=token))
            return str(token)

    def keep(self, body: bytes) -> None:
        """Keep a delivery, durably; when this returns, a 2xx may be answered.

        Args:
            body: The bytes as they came.

        Raises:
            InputError: It is larger than a delivery can be, or the inbox is full.
        """
        if len(body) > MAX_BODY:
            raise InputError(f"a delivery has at most {MAX_BODY} bytes")
        table = schema.deliveries
        with self._workspace.transaction() as connection:
            newest, worked = connection.execute(
                select(func.max(table.c.number), func.min(table.c.number).filter(table.c.state == "new"))
            ).one()
            if worked is not None and newest - worked > _MAX_WAITING:
                raise InputError("the inbox is full; run `kycpack inbox work`")
            connection.execute(
                insert(table).values(received_at=self._workspace.timestamp(), body=body, state="new", note="")
            )

    def work(self, ask: AskStatus) -> InboxReport:
        """Go through the deliveries that are new, asking the service about each session once.

        Args:
            ask: Asks the service.

        Returns:
            What became of them. Where the service cannot be reached they wait.

        Raises:
            AuthenticationError: The service does not accept our key.
        """
        answers = _Answers(ask)
        counts: Counter[str] = Counter()
        seen: set[str] = set()
        after = 0
        while page := self._new(after):
            after = page[-1][0]
            judged = [(number, *self._judge(body, answers)) for number, body in page]
            with self._workspace.transaction() as connection:
                now = self._workspace.timestamp()
                worked = []
                for number, state, note, status in judged:
                    outcome = state
                    if status is not None:
                        known = status.id in seen or not complete(connection, now, status, "webhook")
                        outcome = "duplicate" if known else state
                        seen.add(status.id)
                    if outcome != "waiting":
                        worked.append({"worked": number, "state": outcome, "note": note, "worked_at": now})
                    counts[outcome] += 1
                if worked:
                    number_is = schema.deliveries.c.number == bindparam("worked")
                    connection.execute(update(schema.deliveries).where(number_is), worked)
        return InboxReport(**counts)

    def completions(self) -> tuple[Completion, ...]:
        """Return the sessions that are complete and whose work is open, oldest first."""
        done, sessions = schema.completions, schema.sessions
        query = (
            select(done.c.session_id, sessions.c.customer_id, done.c.updated, done.c.learned_from)
            .join(sessions, sessions.c.session_id == done.c.session_id)
            .where(done.c.state == "open")
            .order_by(done.c.learned_at, done.c.session_id)
        )
        with self._workspace.transaction() as connection:
            return tuple(Completion(**row) for row in connection.execute(query).mappings())

    def finish(self, completion: Completion) -> None:
        """Close a piece of work; a session that changed again since stays open."""
        table = schema.completions
        with self._workspace.transaction() as connection:
            connection.execute(
                update(table)
                .where(table.c.session_id == completion.session_id, table.c.updated == completion.updated)
                .values(state="done")
            )

    def counts(self) -> dict[str, int]:
        """Return how many deliveries are in each state."""
        table = schema.deliveries
        with self._workspace.transaction() as connection:
            rows = connection.execute(select(table.c.state, func.count()).group_by(table.c.state))
            return {str(state): int(count) for state, count in rows}

    def _new(self, after: int) -> list[tuple[int, bytes]]:
        table = schema.deliveries
        query = (
            select(table.c.number, table.c.body)
            .where(table.c.state == "new", table.c.number > after)
            .order_by(table.c.number)
            .limit(_PAGE)
        )
        with self._workspace.transaction() as connection:
            return [(row.number, row.body) for row in connection.execute(query)]

    def _judge(self, body: bytes, answers: _Answers) -> tuple[str, str, SessionStatus | None]:
        try:
            session_id = read_hint(body)
        except InputError as error:
            return "quarantined", str(error), None
        answer = answers.status(session_id)
        if isinstance(answer, str):
            return ("waiting" if answer == "waiting" else "quarantined"), answer, None
        if answer.status != "complete":
            return "premature", f"the service says {answer.status}", None
        return "completed", "", answer


class _Answers:
    """Asks once for each session, and stops asking when the service does not answer any more."""

    def __init__(self, ask: AskStatus) -> None:
        self._ask = ask
        self._known: dict[str, SessionStatus | str] = {}
        self._failures = 0

    def status(self, session_id: str) -> SessionStatus | str:
        if session_id not in self._known:
            if self._failures >= _PATIENCE:
                return "waiting"
            self._known[session_id] = self._fetch(session_id)
        return self._known[session_id]

    def _fetch(self, session_id: str) -> SessionStatus | str:
        try:
            status = self._ask(session_id)
        except AuthenticationError:
            raise
        except (NotFoundError, PermissionDeniedError) as error:
            return f"the service knows no such session of ours ({error.status})"
        except ApiError:
            self._failures += 1
            return "waiting"
        self._failures = 0
        if status.id != session_id:
            return "the service answered with another session"
        return status


def read_hint(body: bytes) -> str:
    """Return which session a delivery is about.

    Args:
        body: The bytes as they came.

    Raises:
        InputError: It is no delivery of the one event that is known.
    """
    delivery = SessionCompleted.read(parse_json(body))
    if delivery.event != SESSION_COMPLETED:
        raise InputError("an event that is not known")
    return check_id(delivery.session.id)


def complete(connection: Connection, now: str, status: SessionStatus, learned_from: str) -> bool:
    """Make the one piece of work of a session that the service says is complete.

    Returns:
        Whether it is new: False where the same completion was known already.
    """
    table = schema.completions
    learn_session(connection, now, status.id, "webhook", created_at=status.created, status=status.status)
    updated = status.updated or ""
    row = connection.execute(select(table.c.updated).where(table.c.session_id == status.id)).first()
    if row is None:
        connection.execute(
            insert(table).values(
                session_id=status.id, updated=updated, learned_from=learned_from, learned_at=now, state="open"
            )
        )
        return True
    if row.updated == updated:
        return False
    connection.execute(
        update(table).where(table.c.session_id == status.id).values(updated=updated, state="open")
    )
    return True


def open_sessions(connection: Connection) -> Iterator[str]:
    """Give the sessions of the register that were not yet seen complete or expired."""
    table = schema.sessions
    query = select(table.c.session_id).where(
        table.c.status.is_(None) | table.c.status.not_in(("complete", "expired"))
    )
    yield from connection.scalars(query.order_by(table.c.learned_at, table.c.session_id))
