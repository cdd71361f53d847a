"""The record of batch runs: which customers a run is about, who works on each, and what became of it.

A customer is claimed for a time before work on it begins, so that several coordinators can share one run: a claim that
has run out can be taken over, and what its earlier holder still reports is not written. Beginning, continuing and each
outcome cost the same however long a run is.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, insert, select, update

from kycpack.errors import OutputLockedError, WorkspaceError
from kycpack.models.cards import MethodsCard
from kycpack.models.instants import format_microseconds
from kycpack.storage.transactions import take_turn
from kycpack.workspace import schema
from kycpack.workspace.database import Workspace
from kycpack.workspace.learning import upsert
from kycpack.workspace.rows import read_json

_LOCK = 0x6B7965  # PostgreSQL's advisory lock of whoever begins a run
_UNFINISHED = ("open", "stopped")


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run.

    Attributes:
        run_id: Its id.
        output_id: The id that its output folder carries.
        output: Where that folder was.
        identity: SHA-256 of what makes two runs the same batch.
        options: What the command was given, to give it again.
        as_of: The instant that its packs are about.
        started_at: When it began.
        finished_at: When it ended; None while it has not.
        state: `open`, `finished`, `stopped`, or `superseded` by another run on the same output.
        in_scope: How many customers it is about.
    """

    run_id: str
    output_id: str
    output: str
    identity: str
    options: Mapping[str, Any]
    as_of: str
    started_at: str
    finished_at: str | None
    state: str
    in_scope: int


class Runs(MethodsCard):
    """The runs of a workspace.

    Args:
        workspace: The open workspace.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._holder = uuid.uuid4().hex

    def begin(
        self,
        *,
        output_id: str,
        output: str,
        identity: str,
        options: Mapping[str, Any],
        as_of: str,
        customers: Sequence[tuple[str, str]],
        share: bool = False,
        continues: str = "",
    ) -> RunRow:
        """Begin a run, or continue the one on this output that did not finish and is the same batch.

        Args:
            output_id: The id that the output folder carries.
            output: Where that folder is.
            identity: What makes two runs the same batch.
            options: What the command was given, to give it again.
            as_of: The instant that the packs are about; a run that is continued keeps its own.
            customers: Ids, each with its occasion.
            share: Whether other coordinators may be at work on the output; else an unfinished run is nobody's any more.
            continues: Id of a run to continue although it ended; empty for none.

        Returns:
            The run; what it had finished is in `outcomes`.

        Raises:
            OutputLockedError: Another coordinator is at work on a run that is another batch.
            WorkspaceError: The run to continue is not the last on its output, or is another batch.
        """
        table = schema.runs
        with self._workspace.transaction() as connection:
            take_turn(
                connection, _LOCK
            )  # two coordinators that begin at once would each find no run and make one
            if continues:
                return _continued(connection, continues, identity)
            unfinished = table.c.output_id == output_id, table.c.state.in_(_UNFINISHED)
            held = connection.execute(
                select(table.c.run_id, table.c.identity)
                .where(*unfinished)
                .order_by(table.c.started_at.desc())
            ).first()
            if held is not None and held.identity == identity:
                run_id = str(held.run_id)
                connection.execute(update(table).where(table.c.run_id == run_id).values(state="open"))
                return _run(connection, run_id)
            if held is not None and share and self._is_worked_on(connection, str(held.run_id)):
                raise OutputLockedError(
                    f"another coordinator works on run {held.run_id} in {output}, which is another batch: give both the "
                    "same customers, options, policy, analyst and version of kycpack, or wait for it"
                )
            connection.execute(update(table).where(*unfinished).values(state="superseded"))
            run_id = str(uuid.uuid4())
            connection.execute(
                insert(table).values(
                    run_id=run_id,
                    output_id=output_id,
                    output=output,
                    identity=identity,
                    options=json.dumps(dict(options), sort_keys=True),
                    as_of=as_of,
                    started_at=self._workspace.timestamp(),
                    state="open",
                    in_scope=len(customers),
                )
            )
            rows = [
                {
                    "run_id": run_id,
                    "customer_id": name,
                    "position": number,
                    "occasion": occasion,
                    "attempts": 0,
                }
                for number, (name, occasion) in enumerate(customers)
            ]
            if rows:
                connection.execute(insert(schema.run_customers), rows)
            return _run(connection, run_id)

    def claim(self, run_id: str, customer_id: str, seconds: float) -> int | None:
        """Claim a customer of a run for a time.

        Args:
            run_id: The run.
            customer_id: The customer.
            seconds: After this the claim has run out.

        Returns:
            How many attempts with a pack were recorded before; None where the customer is settled, or another
            coordinator's claim has not run out.
        """
        table = schema.run_customers
        now = self._workspace.now()
        is_free = table.c.claimed_by.is_(None) | (table.c.claimed_by == self._holder)
        is_free |= table.c.claimed_until < format_microseconds(now)
        claimed = (
            update(table)
            .where(_is_row(run_id, customer_id), table.c.settled.is_(None), is_free)
            .values(
                claimed_by=self._holder, claimed_until=format_microseconds(now + timedelta(seconds=seconds))
            )
            .returning(table.c.attempts)
        )
        with self._workspace.transaction() as connection:
            attempts = connection.scalar(claimed)
        return None if attempts is None else int(attempts)

    def _is_worked_on(self, connection: Connection, run_id: str) -> bool:
        table = schema.run_customers
        now = format_microseconds(self._workspace.now())
        claims = select(func.count()).where(table.c.run_id == run_id, table.c.claimed_until >= now)
        return bool(connection.scalar(claims))

    def release(self, run_id: str) -> None:
        """Free the claims of a run whose coordinators are gone; the caller holds its output for itself."""
        table = schema.run_customers
        is_claimed = (table.c.run_id == run_id) & table.c.claimed_by.is_not(None)
        with self._workspace.transaction() as connection:
            connection.execute(update(table).where(is_claimed).values(claimed_by=None, claimed_until=None))

    def unsettle(self, run_id: str, customer_id: str) -> None:
        """Let a customer be done again, whose entry cannot be read."""
        table = schema.run_customers
        with self._workspace.transaction() as connection:
            connection.execute(update(table).where(_is_row(run_id, customer_id)).values(settled=None))

    def reopen_customer(self, run_id: str, customer_id: str, entry: Mapping[str, Any]) -> bool:
        """Let a settled customer be done again, as when the run has learned more about them since.

        Args:
            run_id: The run.
            customer_id: The customer.
            entry: Their entry as it was seen; where it is another by now, another coordinator was faster.

        Returns:
            Whether the customer can be claimed again.
        """
        table = schema.run_customers
        seen = _is_row(run_id, customer_id) & (table.c.entry == json.dumps(dict(entry), sort_keys=True))
        with self._workspace.transaction() as connection:
            opened = update(table).where(seen).values(settled=None, outcome=None, entry=None)
            return bool(connection.execute(opened).rowcount)

    def add(
        self,
        run: RunRow,
        customer_id: str,
        outcome: str,
        entry: Mapping[str, Any],
        *,
        settled: bool,
        pack: bool,
    ) -> bool:
        """Write what became of a customer, and give the claim back.

        Args:
            run: The run.
            customer_id: The customer.
            outcome: Its outcome.
            entry: Its entry, as data.
            settled: Whether nothing has to be done again for this customer.
            pack: Whether the entry is what the output now holds of the customer.

        Returns:
            False where the claim had run out and another coordinator has taken the customer over.
        """
        table = schema.run_customers
        document = json.dumps(dict(entry), sort_keys=True)
        written = (
            update(table)
            .where(_is_row(run.run_id, customer_id), table.c.claimed_by == self._holder)
            .values(
                outcome=outcome,
                entry=document,
                settled=self._workspace.timestamp() if settled else None,
                attempts=table.c.attempts + int(pack),
                claimed_by=None,
                claimed_until=None,
            )
        )
        with self._workspace.transaction() as connection:
            if not connection.execute(written).rowcount:
                return False
            if pack:
                made = upsert(connection, schema.packs).values(
                    output_id=run.output_id, customer_id=customer_id, entry=document
                )
                connection.execute(
                    made.on_conflict_do_update(
                        index_elements=["output_id", "customer_id"], set_={"entry": made.excluded.entry}
                    )
                )
        return True

    def end(self, run: RunRow, state: str) -> None:
        """Write that a run ended: `finished`, or `stopped` and to be continued."""
        table = schema.runs
        ended = update(table).where(table.c.run_id == run.run_id)
        with self._workspace.transaction() as connection:
            connection.execute(ended.values(state=state, finished_at=self._workspace.timestamp()))

    def earlier(self, output_id: str, customer_id: str) -> Mapping[str, Any] | None:
        """Return the entry of what an output holds of a customer; None where it holds nothing."""
        table = schema.packs
        query = select(table.c.entry).where(
            table.c.output_id == output_id, table.c.customer_id == customer_id
        )
        with self._workspace.reading() as connection:
            held = connection.scalar(query)
        return None if held is None else _entry(held)

    def outcomes(self, run_id: str) -> Iterator[tuple[str, bool, Mapping[str, Any] | None]]:
        """Go through the customers of a run in their order.

        Args:
            run_id: The run.

        Yields:
            The customer's id, whether it is settled, and its entry; None where there is none yet.
        """
        table = schema.run_customers
        query = select(table.c.customer_id, table.c.settled, table.c.entry).where(table.c.run_id == run_id)
        with self._workspace.reading() as connection:
            for row in connection.execute(query.order_by(table.c.position)):
                yield (
                    row.customer_id,
                    row.settled is not None,
                    None if row.entry is None else _entry(row.entry),
                )

    def occasions(self, run_id: str) -> dict[str, str]:
        """Return the customers of a run in their order, each with its occasion."""
        table = schema.run_customers
        query = select(table.c.customer_id, table.c.occasion).where(table.c.run_id == run_id)
        with self._workspace.reading() as connection:
            rows = connection.execute(query.order_by(table.c.position))
            return {str(row.customer_id): str(row.occasion) for row in rows}

    def counts(self, run_id: str) -> dict[str, int]:
        """Return how many customers of a run have each outcome; `open` where there is none yet."""
        table = schema.run_customers
        outcome = func.coalesce(table.c.outcome, "open")
        query = select(outcome, func.count()).where(table.c.run_id == run_id).group_by(outcome)
        with self._workspace.reading() as connection:
            return {str(name): int(count) for name, count in connection.execute(query)}

    def list(self) -> tuple[RunRow, ...]:
        """Return the runs, the newest first."""
        table = schema.runs
        with self._workspace.reading() as connection:
            rows = connection.execute(select(table).order_by(table.c.started_at.desc())).mappings()
            return tuple(_row(row) for row in rows)

    def get(self, run_id: str) -> RunRow:
        """Return a run.

        Raises:
            WorkspaceError: There is no such run.
        """
        with self._workspace.reading() as connection:
            return _run(connection, run_id)


def _continued(connection: Connection, run_id: str, identity: str) -> RunRow:
    """Let a run be continued although it ended, so that what failed or is incomplete is done again."""
    table = schema.runs
    run = _run(connection, run_id)
    later = select(func.count()).where(
        table.c.output_id == run.output_id, table.c.started_at > run.started_at
    )
    if connection.scalar(later):
        raise WorkspaceError(f"run {run_id} is not the last on its output; run `kycpack batch` again instead")
    if run.identity != identity:
        raise WorkspaceError(
            f"run {run_id} cannot be continued: the service, policy, notebook, analyst, second person or version of kycpack is "
            "another than it began with; run `kycpack batch` again instead"
        )
    connection.execute(update(table).where(table.c.run_id == run_id).values(state="open", finished_at=None))
    return _run(connection, run_id)


def _is_row(run_id: str, customer_id: str) -> ColumnElement[bool]:
    table = schema.run_customers
    return (table.c.run_id == run_id) & (table.c.customer_id == customer_id)


def _run(connection: Connection, run_id: str) -> RunRow:
    table = schema.runs
    row = connection.execute(select(table).where(table.c.run_id == run_id)).mappings().first()
    if row is None:
        raise WorkspaceError(f"no run {run_id}; `kycpack runs list` shows them")
    return _row(row)


def _row(row: Mapping[Any, Any]) -> RunRow:
    return RunRow(**{**row, "options": read_json(row["options"], "options")})


def _entry(text: str) -> Mapping[str, Any]:
    """Return an entry as data, empty where it is damaged: its customer is done again, and nobody else is held up."""
    try:
        document = json.loads(text)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
