"""The record that a run keeps as it goes: in the workspace, or beside the packs if there is no workspace."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from kycpack.batch.job_list import JobList
from kycpack.batch.jobs import Job
from kycpack.batch.lock import output_id
from kycpack.batch.report import RunEntry, to_entry
from kycpack.errors import WorkspaceError
from kycpack.models.json import canonical_json
from kycpack.storage.paged import PAGE, Paged
from kycpack.workspace import RunRow, Runs, Workspace
from kycpack.workspace.rows import portions

OWN_RECORD = "runs.db"
"""File of the record of runs if there is no workspace."""


class RunRecord:
    """The record of one run.

    Args:
        runs: The runs of the workspace or folder that keeps the record.
        run: The run.
    """

    def __init__(self, runs: Runs, run: RunRow) -> None:
        self._runs = runs
        self.run = run

    def finished(self) -> Iterator[str]:
        """Yield the customers who are done; those whose entry cannot be read are opened again at the end."""
        unread: list[str] = []
        for name, is_settled, entry in self._runs.outcomes(self.run.run_id):
            if is_settled and _entry(entry) is None:
                unread.append(name)
            elif is_settled:
                yield name
        for name in unread:
            self._runs.unsettle(self.run.run_id, name)

    def entries(self, customer_ids: Sequence[str]) -> Iterator[tuple[str, RunEntry | None]]:
        """Yield customers in their order, each with the entry recorded so far; None if there is none."""
        for some in portions(customer_ids, PAGE):
            held = self._runs.entries(self.run.run_id, some)
            yield from ((name, _entry(held.get(name))) for name in some)

    def unreadable(self, customer_ids: Sequence[str]) -> list[str]:
        """Return those of some customers who count as done although their entry cannot be read: nobody can claim them."""
        odd: set[str] = set()
        for some in portions(customer_ids, PAGE):
            held = self._runs.entries(self.run.run_id, some)
            odd.update(name for name, entry in held.items() if _entry(entry) is None)
        if not odd:
            return []  # so that a coordinator that waits does not read the whole run again and again
        outcomes = self._runs.outcomes(self.run.run_id)
        return [
            name
            for name, is_settled, entry in outcomes
            if is_settled and name in odd and _entry(entry) is None
        ]

    def claimed(self, jobs: Iterable[Job], seconds: float) -> Iterator[Job]:
        """Yield the jobs that this coordinator may do, claiming each as it is taken, with what was known when the run was created."""
        known: Any = {name: self.run.options.get(name) for name in ("ledger_head", "policy_approval")}
        for job in jobs:
            attempt = self._runs.claim(self.run.run_id, job.customer_id, seconds)
            if attempt is not None:
                yield replace(job, run_id=self.run.run_id, attempt=attempt, **known)

    def let_go(self) -> None:
        """Release the customers that this coordinator has claimed and not done, because it ends."""
        self._runs.release(self.run.run_id, own=True)

    def reopen(self, entry: RunEntry) -> bool:
        """Allow a customer to be done again; return False if another coordinator was faster."""
        return self._runs.reopen_customer(self.run.run_id, entry.customer_id, asdict(entry))

    def add(self, entry: RunEntry) -> bool:
        """Record the outcome of a customer; return False if another coordinator has taken the customer over."""
        return self._runs.add(
            self.run,
            entry.customer_id,
            entry.outcome,
            asdict(entry),
            settled=entry.is_settled,
            pack=bool(entry.pack),
        )

    def earlier(self, customer_id: str) -> RunEntry | None:
        """Return the entry for the customer's pack in the output."""
        held = self._runs.earlier(self.run.output_id, customer_id)
        return None if held is None else _entry(held)

    def end(self, state: str) -> None:
        """Record that the run ended."""
        self._runs.end(self.run, state)


@contextmanager
def runs_of(folder: Path, given: Runs | None) -> Iterator[Runs]:
    """Yield the runs that are kept in a workspace or, without one, those kept beside the packs.

    Args:
        folder: The folder of the batch's own files.
        given: The runs of a workspace; None without a workspace.

    Yields:
        The runs. A damaged file beside the packs is set aside, and its customers are done again.

    Raises:
        WorkspaceError: The disk is full, for example; the file stays as it is.
    """
    if given is not None:
        yield given
        return
    path = folder / OWN_RECORD
    try:
        workspace = Workspace.open(path)
    except WorkspaceError as error:
        if error.may_pass:
            raise
        for leftover in folder.glob(f"{OWN_RECORD}*"):
            leftover.replace(folder / f"damaged-{leftover.name}")
        workspace = Workspace.open(path)
    with workspace:
        yield Runs(workspace)


def begin(
    runs: Runs,
    folder: Path,
    jobs: JobList,
    *,
    as_of: str,
    identity: Mapping[str, Any],
    options: Mapping[str, Any],
    share: bool,
    continues: str = "",
) -> RunRecord:
    """Begin a run, or continue an interrupted one.

    Args:
        runs: The runs among which it is recorded.
        folder: The folder of the batch's own files.
        jobs: The customers.
        as_of: The as-of instant of the packs.
        identity: The values that make two runs the same batch, besides the customers and their occasions.
        options: The options of the command, so that it can be given again.
        share: Whether another coordinator may be working on the run; if not, the claims of a lost coordinator are released.
        continues: Id of a run to continue even if it has ended; empty for none.
    """
    run = runs.begin(
        output_id=output_id(folder),
        output=str(folder.parent.resolve()),
        identity=_digest(identity, jobs),
        options=options,
        as_of=as_of,
        customers=Paged(
            len(jobs), lambda first, end: [(job.customer_id, job.occasion) for job in jobs[first:end]]
        ),
        share=share,
        continues=continues,
    )
    if not share:
        runs.release(run.run_id, own=False)
    return RunRecord(runs, run)


def _digest(identity: Mapping[str, Any], jobs: JobList) -> str:
    """Return the SHA-256 of what makes two runs the same batch, customer by customer, so that the whole is never in memory."""
    # No text before it contains a bare quotation mark.
    head, member, foot = canonical_json({**identity, "customers": []}).partition(b'"customers":[')
    digest = hashlib.sha256(head + member)
    for number, (customer_id, occasion) in enumerate(jobs.occasions()):
        digest.update(b"," * (number > 0) + canonical_json([customer_id, occasion]))
    digest.update(foot)
    return digest.hexdigest()


def skipped(entry: RunEntry) -> RunEntry:
    """Return the entry for a customer whom an interrupted run had finished."""
    note = "finished by the interrupted run"
    return replace(entry, outcome="skipped", seconds=0.0, note=note)


def _entry(document: Mapping[str, Any] | None) -> RunEntry | None:
    if document is None:
        return None
    try:
        return to_entry(document)
    except (TypeError, ValueError):
        return None  # written by another version: the customer is done again
