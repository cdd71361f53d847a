"""The record of batch runs: the customers of a run, who works on each, and the outcomes.

A customer is claimed for a limited time before work begins, so that several coordinators can share one run: an expired
claim can be taken over, and late results of its earlier holder are discarded. Starting, continuing and recording an
outcome take the same time however long a run is.
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
from kycpack.workspace.database import Workspace
from kycpack.workspace.rows import portions, put_row, read_json
from kycpack.workspace.schema import packs, run_customers, runs

_LOCK = 0x6B7965  # PostgreSQL's advisory lock for starting a run
_AT_ONCE = 1000
_UNFINISHED = ("open", "stopped")


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run.

    Attributes:
        run_id: Its id.
        output_id: The id in its output folder.
        output: Path of that folder.
        identity: SHA-256 of what makes two runs the same batch.
        options: The options of the command, to run it again.
        as_of: The as-of instant of its packs.
        started_at: When it started.
        finished_at: When it ended; None if it has not.
        state: `open`, `finished`, `stopped`, or `superseded` by another run on the same output.
        in_scope: Number of customers in it.
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
        """Start a run, or continue the unfinished run of the same batch in this output.

        Args:
            output_id: The id in the output folder.
            output: Path of that folder.
            identity: What makes two runs the same batch.
            options: The options of the command, to run it again.
            as_of: The as-of instant of the packs; a continued run keeps its own.
            customers: Ids, each with its occasion.
            share: Whether other coordinators may be working on the output; if not, an unfinished run has no coordinator any more.
            continues: Id of a run to continue although it has ended; empty for none.

        Returns:
            The run; its earlier results are in `outcomes`.

        Raises:
            OutputLockedError: Another coordinator is working on a different batch.
            WorkspaceError: The run to continue is not the last one in its output, or is a different batch.
        """
        with self._workspace.transaction() as connection:
            take_turn(
                connection, _LOCK
            )  # two coordinators that start at the same time would each find no run and create one
            if continues:
                return _continued(connection, continues, identity)
            unfinished = runs.c.output_id == output_id, runs.c.state.in_(_UNFINISHED)
            held = connection.execute(
                select(runs.c.run_id, runs.c.identity).where(*unfinished).order_by(runs.c.started_at.desc())
            ).first()
            if held is not None and held.identity == identity:
                run_id = str(held.run_id)
                connection.execute(update(runs).where(runs.c.run_id == run_id).values(state="open"))
                return _run(connection, run_id)
            if held is not None and share and self._is_worked_on(connection, str(held.run_id)):
                raise OutputLockedError(
                    f"another coordinator works on run {held.run_id} in {output}, which is a different batch: give both the "
                    "same customers, options, policy, analyst and version of kycpack, or wait for it"
                )
            connection.execute(update(runs).where(*unfinished).values(state="superseded"))
            run_id = str(uuid.uuid4())
            connection.execute(
                insert(runs).values(
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
            rows = (
                {
                    "run_id": run_id,
                    "attempts": 0,
                    "customer_id": name,
                    "position": number,
                    "occasion": occasion,
                }
                for number, (name, occasion) in enumerate(customers)
            )
            for some in portions(rows, _AT_ONCE):
                connection.execute(insert(run_customers), some)
            return _run(connection, run_id)

    def claim(self, run_id: str, customer_id: str, seconds: float) -> int | None:
        """Claim a customer of a run for a limited time.

        Args:
            run_id: The run.
            customer_id: The customer.
            seconds: Time after which the claim expires.

        Returns:
            Number of earlier attempts with a pack; None if the customer is settled, or another coordinator's claim
            has not expired.
        """
        now = self._workspace.now()
        is_free = run_customers.c.claimed_by.is_(None) | (run_customers.c.claimed_by == self._holder)
        is_free |= run_customers.c.claimed_until < format_microseconds(now)
        claimed = (
            update(run_customers)
            .where(_is_row(run_id, customer_id), run_customers.c.settled.is_(None), is_free)
            .values(
                claimed_by=self._holder, claimed_until=format_microseconds(now + timedelta(seconds=seconds))
            )
            .returning(run_customers.c.attempts)
        )
        with self._workspace.transaction() as connection:
            attempts = connection.scalar(claimed)
        return None if attempts is None else int(attempts)

    def _is_worked_on(self, connection: Connection, run_id: str) -> bool:
        now = format_microseconds(self._workspace.now())
        claims = select(func.count()).where(
            run_customers.c.run_id == run_id, run_customers.c.claimed_until >= now
        )
        return bool(connection.scalar(claims))

    def release(self, run_id: str, *, own: bool) -> None:
        """Release claims of a run, so that their customers can be taken over at once.

        Args:
            run_id: The run.
            own: Whether only the claims made here are released, because this coordinator ends. If not, all coordinators
                of the run have ended, and the caller has locked its output.
        """
        holder = run_customers.c.claimed_by
        is_claimed = (run_customers.c.run_id == run_id) & (
            holder == self._holder if own else holder.is_not(None)
        )
        with self._workspace.transaction() as connection:
            connection.execute(
                update(run_customers).where(is_claimed).values(claimed_by=None, claimed_until=None)
            )

    def unsettle(self, run_id: str, customer_id: str) -> None:
        """Reopen a customer whose entry cannot be read."""
        with self._workspace.transaction() as connection:
            connection.execute(update(run_customers).where(_is_row(run_id, customer_id)).values(settled=None))

    def reopen_customer(self, run_id: str, customer_id: str, entry: Mapping[str, Any]) -> bool:
        """Reopen a settled customer, for example because the run has learned more since.

        Args:
            run_id: The run.
            customer_id: The customer.
            entry: Their entry as read; if it has changed, another coordinator was faster.

        Returns:
            Whether the customer can be claimed again.
        """
        seen = _is_row(run_id, customer_id) & (
            run_customers.c.entry == json.dumps(dict(entry), sort_keys=True)
        )
        with self._workspace.transaction() as connection:
            opened = update(run_customers).where(seen).values(settled=None, outcome=None, entry=None)
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
        """Record the outcome of a customer, and release the claim.

        Args:
            run: The run.
            customer_id: The customer.
            outcome: Its outcome.
            entry: Its entry, as data.
            settled: Whether the customer need not be processed again.
            pack: Whether the entry describes what the output now contains for the customer.

        Returns:
            False if the claim had expired and another coordinator has taken over the customer.
        """
        document = json.dumps(dict(entry), sort_keys=True)
        written = (
            update(run_customers)
            .where(_is_row(run.run_id, customer_id), run_customers.c.claimed_by == self._holder)
            .values(
                outcome=outcome,
                entry=document,
                settled=self._workspace.timestamp() if settled else None,
                attempts=run_customers.c.attempts + int(pack),
                claimed_by=None,
                claimed_until=None,
            )
        )
        with self._workspace.transaction() as connection:
            if not connection.execute(written).rowcount:
                return False
            if pack:
                pack_row = {"output_id": run.output_id, "customer_id": customer_id, "entry": document}
                put_row(connection, packs, pack_row)
        return True

    def end(self, run: RunRow, state: str) -> None:
        """Record that a run ended: `finished`, or `stopped` and to be continued."""
        ended = update(runs).where(runs.c.run_id == run.run_id)
        with self._workspace.transaction() as connection:
            connection.execute(ended.values(state=state, finished_at=self._workspace.timestamp()))

    def earlier(self, output_id: str, customer_id: str) -> Mapping[str, Any] | None:
        """Return the entry of what an output contains for a customer; None if it contains nothing."""
        query = select(packs.c.entry).where(
            packs.c.output_id == output_id, packs.c.customer_id == customer_id
        )
        with self._workspace.reading() as connection:
            held = connection.scalar(query)
        return None if held is None else _entry(held)

    def outcomes(self, run_id: str) -> Iterator[tuple[str, bool, Mapping[str, Any] | None]]:
        """Yield the customers of a run in order.

        Args:
            run_id: The run.

        Yields:
            The customer's id, whether it is settled, and its entry; None if there is none yet.
        """
        query = select(run_customers.c.customer_id, run_customers.c.settled, run_customers.c.entry).where(
            run_customers.c.run_id == run_id
        )
        with self._workspace.reading() as connection:
            ordered = query.order_by(run_customers.c.position).execution_options(yield_per=_AT_ONCE)
            for row in connection.execute(ordered):
                yield (
                    row.customer_id,
                    row.settled is not None,
                    None if row.entry is None else _entry(row.entry),
                )

    def entries(self, run_id: str, customer_ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        """Return the entries of some customers of a run, by customer id; customers without an entry are left out.

        Args:
            run_id: The run.
            customer_ids: The customers, at most 500 for one query.
        """
        query = select(run_customers.c.customer_id, run_customers.c.entry).where(
            run_customers.c.run_id == run_id,
            run_customers.c.customer_id.in_(customer_ids),
            run_customers.c.entry.is_not(None),
        )
        with self._workspace.reading() as connection:
            return {row.customer_id: _entry(row.entry) for row in connection.execute(query)}

    def occasions(self, run_id: str) -> dict[str, str]:
        """Return the customers of a run in order, each with its occasion."""
        query = select(run_customers.c.customer_id, run_customers.c.occasion).where(
            run_customers.c.run_id == run_id
        )
        with self._workspace.reading() as connection:
            rows = connection.execute(query.order_by(run_customers.c.position))
            return {str(row.customer_id): str(row.occasion) for row in rows}

    def counts(self, run_id: str) -> dict[str, int]:
        """Return the number of customers of a run with each outcome; `open` for none yet."""
        outcome = func.coalesce(run_customers.c.outcome, "open")
        query = select(outcome, func.count()).where(run_customers.c.run_id == run_id).group_by(outcome)
        with self._workspace.reading() as connection:
            return {str(name): int(count) for name, count in connection.execute(query)}

    def list(self) -> tuple[RunRow, ...]:
        """Return the runs, the newest first."""
        with self._workspace.reading() as connection:
            rows = connection.execute(select(runs).order_by(runs.c.started_at.desc())).mappings()
            return tuple(_row(row) for row in rows)

    def get(self, run_id: str) -> RunRow:
        """Return a run.

        Raises:
            WorkspaceError: There is no such run.
        """
        with self._workspace.reading() as connection:
            return _run(connection, run_id)


def _continued(connection: Connection, run_id: str, identity: str) -> RunRow:
    """Reopen a run that has ended, so that failed and incomplete customers are processed again."""
    run = _run(connection, run_id)
    later = select(func.count()).where(runs.c.output_id == run.output_id, runs.c.started_at > run.started_at)
    if connection.scalar(later):
        raise WorkspaceError(f"run {run_id} is not the last on its output; run `kycpack batch` again instead")
    if run.identity != identity:
        raise WorkspaceError(
            f"run {run_id} cannot be continued: the service, policy, notebook, analyst, second person or version of kycpack "
            "differs from the one it began with; run `kycpack batch` again instead"
        )
    connection.execute(update(runs).where(runs.c.run_id == run_id).values(state="open", finished_at=None))
    return _run(connection, run_id)


def _is_row(run_id: str, customer_id: str) -> ColumnElement[bool]:
    return (run_customers.c.run_id == run_id) & (run_customers.c.customer_id == customer_id)


def _run(connection: Connection, run_id: str) -> RunRow:
    row = connection.execute(select(runs).where(runs.c.run_id == run_id)).mappings().first()
    if row is None:
        raise WorkspaceError(f"no run {run_id}; `kycpack runs list` shows them")
    return _row(row)


def _row(row: Mapping[Any, Any]) -> RunRow:
    return RunRow(**{**row, "options": read_json(row["options"], "options")})


def _entry(text: str) -> Mapping[str, Any]:
    """Return an entry as data; empty if it is damaged, so that only its customer is processed again."""
    try:
        document = json.loads(text)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
