"""The inbox of webhook deliveries: stored as received, never trusted.

Deliveries are unsigned, are sent once and have no id, so each is only a hint to ask the service with our own key; nothing
in its payload is used except which session to ask about. A delivery about a session that is not in the register is held
until it is: otherwise anybody who knows the address could make us request anything. The result is one work item for each
session that is complete according to the service.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, func, insert, select, update

from kycpack.errors import ApiError, AuthenticationError, InputError, NotFoundError, PermissionDeniedError
from kycpack.models.cards import MethodsCard
from kycpack.models.enums import ENDED_SESSIONS, SESSION_COMPLETED
from kycpack.models.json import parse_json
from kycpack.models.onboarding import SessionStatus
from kycpack.models.webhooks import SessionCompleted
from kycpack.storage.transactions import upsert
from kycpack.workspace import schema
from kycpack.workspace.database import Workspace
from kycpack.workspace.register.learning import learn_record
from kycpack.workspace.rows import check_id, stored_secret
from kycpack.workspace.schema import completions, deliveries, meta, sessions

MAX_BODY = 64 * 1024
_PAGE = 500
_PATIENCE = 3
_UNSETTLED = ("new", "held")
_TOKEN = "inbox_token"  # noqa: S105 - the name of a row

AskStatus = Callable[[str], SessionStatus]
"""A function that asks the service for a session's status, such as `client.onboarding.get`."""


@dataclass(frozen=True, slots=True)
class InboxReport:
    """The results of processing deliveries, each counted once.

    Attributes:
        completed: The session is complete according to the service: one work item each.
        duplicate: The same completion was already known.
        premature: The session is not complete according to the service.
        quarantined: The delivery cannot be read, or the service does not know the session as ours.
        waiting: The service did not answer; it will be asked again.
        held: The session is not in the register; processed again when it is.
    """

    completed: int = 0
    duplicate: int = 0
    premature: int = 0
    quarantined: int = 0
    waiting: int = 0
    held: int = 0


@dataclass(frozen=True, slots=True)
class Delivery:
    """A delivery as received: its bytes and the sender's address."""

    body: bytes
    sender: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """A session that is complete according to the service, so its customer has to be reviewed."""

    session_id: str
    customer_id: str | None
    updated: str
    learned_from: str


class Inbox(MethodsCard):
    """The deliveries of a workspace, and the work items that result from them.

    Args:
        workspace: The open workspace.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def token(self) -> str:
        """Return the unguessable part of the receiver's path; it stays the same for a workspace."""
        query = select(meta.c.value).where(meta.c.name == _TOKEN)
        with self._workspace.reading() as connection:
            token = connection.scalar(query)
        if token is not None:
            return str(token)
        with self._workspace.transaction() as connection:
            return stored_secret(connection, _TOKEN, secrets.token_urlsafe(24))

    def keep(self, body: bytes, *, sender: str = "") -> None:
        """Store a delivery durably; after this returns, the answer may be 2xx.

        Args:
            body: The bytes as received.
            sender: The sender's address.

        Raises:
            InputError: It is larger than the limit for a delivery.
        """
        self.keep_all([Delivery(body, sender)])

    def keep_all(self, deliveries: Sequence[Delivery]) -> None:
        """Store deliveries durably: all of them or, if this raises, none.

        Args:
            deliveries: In the order received.

        Raises:
            InputError: One is larger than the limit for a delivery.
            WorkspaceError: The database reported an error.
        """
        if any(len(delivery.body) > MAX_BODY for delivery in deliveries):
            raise InputError(f"a delivery has at most {MAX_BODY} bytes")
        if not deliveries:
            return
        now = self._workspace.timestamp()
        rows = [
            {"received_at": now, "body": each.body, "sender": each.sender, "state": "new", "note": ""}
            for each in deliveries
        ]
        with self._workspace.transaction() as connection:
            connection.execute(insert(schema.deliveries), rows)

    def waiting(self) -> tuple[tuple[str, int, int], ...]:
        """Return the number of waiting deliveries and their size in bytes, by sender."""
        sender = func.coalesce(deliveries.c.sender, "")
        size = func.coalesce(func.sum(func.length(deliveries.c.body)), 0)
        query = select(sender, func.count(), size).where(deliveries.c.state.in_(_UNSETTLED)).group_by(sender)
        with self._workspace.reading() as connection:
            return tuple(
                (str(name), int(count), int(total)) for name, count, total in connection.execute(query)
            )

    def free_bytes(self) -> int | None:
        """Return the free disk space in bytes; None for a database on another machine."""
        return self._workspace.free_bytes()

    def work(self, ask: AskStatus, *, ask_unknown: bool = False) -> InboxReport:
        """Process new deliveries, asking the service about each session once.

        The process may be killed at any moment, and two may run at the same time: a delivery and its result are settled in
        one transaction, by one of them.

        Args:
            ask: Asks the service.
            ask_unknown: Also ask about sessions that are not in the register, including those held earlier.

        Returns:
            The results. If the service cannot be reached, deliveries wait.

        Raises:
            AuthenticationError: The service does not accept our key.
        """
        answers = Answers(ask)
        counts: Counter[str] = Counter()
        seen: set[str] = set()
        after = 0
        while page := self._to_do(after, ask_unknown=ask_unknown):
            after = page[-1].number
            known = None if ask_unknown else self._known(page)
            judged = [_judge(each, answers, known) for each in page]
            with self._workspace.transaction() as connection:
                counts.update(_settle(connection, self._workspace.timestamp(), judged, seen))
        return InboxReport(**counts)

    def completions(self) -> tuple[Completion, ...]:
        """Return the complete sessions with an open work item, oldest first."""
        query = (
            select(
                completions.c.session_id,
                sessions.c.customer_id,
                completions.c.updated,
                completions.c.learned_from,
            )
            .join(sessions, sessions.c.session_id == completions.c.session_id)
            .where(completions.c.state == "open")
            .order_by(completions.c.learned_at, completions.c.session_id)
        )
        with self._workspace.reading() as connection:
            return tuple(Completion(**row) for row in connection.execute(query).mappings())

    def finish(self, completion: Completion) -> None:
        """Close a work item; if the session has changed again since, it stays open."""
        with self._workspace.transaction() as connection:
            connection.execute(
                update(completions)
                .where(
                    completions.c.session_id == completion.session_id,
                    completions.c.updated == completion.updated,
                )
                .values(state="done")
            )

    def counts(self) -> dict[str, int]:
        """Return the number of deliveries in each state."""
        with self._workspace.reading() as connection:
            rows = connection.execute(select(deliveries.c.state, func.count()).group_by(deliveries.c.state))
            return {str(state): int(count) for state, count in rows}

    def held(self) -> tuple[str, ...]:
        """Return the sessions that deliveries name and that are not in the register."""
        query = (
            select(deliveries.c.session_id)
            .where(deliveries.c.state == "held")
            .distinct()
            .order_by(deliveries.c.session_id)
        )
        with self._workspace.reading() as connection:
            return tuple(str(name) for name in connection.scalars(query))

    def _to_do(self, after: int, *, ask_unknown: bool) -> list[_Judged]:
        is_held = deliveries.c.state == "held"
        if not ask_unknown:
            is_held &= deliveries.c.session_id.in_(select(sessions.c.session_id))
        query = (
            select(deliveries.c.number, deliveries.c.body)
            .where((deliveries.c.state == "new") | is_held, deliveries.c.number > after)
            .order_by(deliveries.c.number)
            .limit(_PAGE)
        )
        with self._workspace.reading() as connection:
            return [_read(row.number, row.body) for row in connection.execute(query)]

    def _known(self, page: Sequence[_Judged]) -> frozenset[str]:
        named = {each.session_id for each in page}
        with self._workspace.reading() as connection:
            found = connection.scalars(select(sessions.c.session_id).where(sessions.c.session_id.in_(named)))
            return frozenset(map(str, found))


@dataclass(frozen=True, slots=True)
class _Judged:
    """A delivery being processed.

    Attributes:
        number: Its number.
        state: Its new state; empty while it has not been judged.
        note: Why.
        session_id: The session that it names; empty if it cannot be read.
        status: What the service says, if the session is complete.
    """

    number: int
    state: str = ""
    note: str = ""
    session_id: str = ""
    status: SessionStatus | None = None


def _read(number: int, body: bytes) -> _Judged:
    try:
        return _Judged(number, session_id=read_hint(body))
    except InputError as error:
        return _Judged(number, "quarantined", str(error))


def _judge(each: _Judged, answers: Answers, known: Collection[str] | None) -> _Judged:
    if each.state:
        return each
    if known is not None and each.session_id not in known:
        return replace(each, state="held", note="the register does not know this session")
    answer = answers.status(each.session_id)
    if isinstance(answer, str):
        return replace(each, state="waiting" if answer == "waiting" else "quarantined", note=answer)
    if answer.status != "complete":
        return replace(each, state="premature", note=f"the service says {answer.status}")
    return replace(each, state="completed", status=answer)


def _settle(connection: Connection, now: str, judged: Sequence[_Judged], seen: set[str]) -> Counter[str]:
    """Write the results of deliveries, except those that another process settled first, and count them."""
    numbers = [each.number for each in judged]
    query = select(deliveries.c.number).where(
        deliveries.c.number.in_(numbers), deliveries.c.state.in_(_UNSETTLED)
    )
    # Always in the same order, so that two processes wait for each other and do not deadlock.
    ours = set(connection.scalars(query.order_by(deliveries.c.number).with_for_update()))
    counts: Counter[str] = Counter()
    rows = []
    for each in judged:
        if each.number not in ours:
            continue
        state = each.state
        if each.status is not None:
            is_known = each.status.id in seen or not complete(connection, now, each.status, "webhook")
            state = "duplicate" if is_known else state
            seen.add(each.status.id)
        counts[state] += 1
        if state != "waiting":
            rows.append(
                {
                    "worked": each.number,
                    "state": state,
                    "note": each.note,
                    "worked_at": now,
                    "session_id": each.session_id if state == "held" else None,
                }
            )
    if rows:
        connection.execute(update(deliveries).where(deliveries.c.number == bindparam("worked")), rows)
    return counts


class Answers:
    """Asks about each session once, and stops when the service no longer answers.

    Args:
        ask: Asks the service.
    """

    def __init__(self, ask: AskStatus) -> None:
        self._ask = ask
        self._known: dict[str, SessionStatus | str] = {}
        self._failures = 0

    def status(self, session_id: str) -> SessionStatus | str:
        """Return what the service says of a session, `waiting` if it does not answer, or why the session is not ours.

        Raises:
            AuthenticationError: The service does not accept our key.
        """
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
            return f"the service does not know this session as ours ({error.status})"
        except ApiError:
            self._failures += 1
            return "waiting"
        self._failures = 0
        if status.id != session_id:
            return "the service answered with another session"
        return status


def read_hint(body: bytes) -> str:
    """Return the session that a delivery is about.

    Args:
        body: The bytes as received.

    Raises:
        InputError: It cannot be read, or its event is unknown.
    """
    delivery = SessionCompleted.read(parse_json(body))
    if delivery.event != SESSION_COMPLETED:
        raise InputError("unknown event")
    return check_id(delivery.session.id)


def complete(connection: Connection, now: str, status: SessionStatus, learned_from: str) -> bool:
    """Create the work item of a session that is complete according to the service.

    Returns:
        Whether it is new; False if the same completion was already known.
    """
    known = {"created_at": status.created, "status": status.status}
    learn_record(connection, now, "session", status.id, "webhook", **known)
    updated = status.updated or ""
    made = upsert(connection, completions).values(
        session_id=status.id, updated=updated, learned_from=learned_from, learned_at=now, state="open"
    )
    if connection.scalar(made.on_conflict_do_nothing().returning(completions.c.session_id)) is not None:
        return True
    is_it = completions.c.session_id == status.id
    held = connection.scalar(select(completions.c.updated).where(is_it).with_for_update())
    if held == updated:
        return False
    connection.execute(update(completions).where(is_it).values(updated=updated, state="open"))
    return True


def open_sessions(connection: Connection) -> Iterator[str]:
    """Return the sessions in the register that are not known to be complete or expired."""
    query = select(sessions.c.session_id).where(
        sessions.c.status.is_(None) | sessions.c.status.not_in(sorted(ENDED_SESSIONS))
    )
    yield from connection.scalars(query.order_by(sessions.c.learned_at, sessions.c.session_id))
