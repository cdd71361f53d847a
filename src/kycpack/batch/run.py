"""One run of a batch: lock, resume, work, report."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kycpack import __version__
from kycpack.batch.executor import Executor, Task, is_disk_full, run_tasks
from kycpack.batch.fence import hold
from kycpack.batch.job_list import JobList
from kycpack.batch.jobs import Job
from kycpack.batch.lock import EVIDENCE, locked_output
from kycpack.batch.population import PopulationProof
from kycpack.batch.publication import Publication, PublishingTask
from kycpack.batch.record import RunRecord, begin, runs_of, skipped
from kycpack.batch.report import RunEntry, RunReport, State
from kycpack.batch.run_results import RenderIndex, RunResults
from kycpack.errors import BatchError, BatchStoppedError, InputError
from kycpack.folders import clear_leftovers
from kycpack.models.instants import format_seconds
from kycpack.storage.paged import Paged
from kycpack.workspace import Runs

_LIMIT_SECONDS = 900.0
_MARGIN_SECONDS = 60.0  # a claim lasts longer than the work on its customer
_POLL_SECONDS = 0.5
_ALIKE = 3
Compare = Callable[[Sequence[tuple[Job, str]]], Iterable[tuple[Job, Mapping[str, Any]]]]
"""Compares customers with each other; see `run_batch`."""
_STOPPED_BY: Mapping[str, str] = {
    "unreachable": "the service cannot be reached, or does not answer",
    "key refused": "the service refuses the key: check the key id (KYCPACK_KEY_ID) and its secret (KYCPACK_SECRET or keyring)",
    "clocks differ": "the service refuses requests, most likely because the clocks differ: set this machine's clock with NTP, and "
    "check the key if that does not help",
    "disk full": "no space is left on a disk that the run writes to; make space for {out} and for temporary files, and the same "
    "command goes on",
}


def run_batch(  # noqa: C901, PLR0913 - the jobs, the output, the options and the callbacks
    jobs: Iterable[Job],
    out: Path,
    *,
    task: Task,
    as_of: datetime,
    identity: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    ledger_head: Mapping[str, Any] | None = None,
    policy_approval: Mapping[str, Any] | None = None,
    population: PopulationProof | None = None,
    runs: Runs | None = None,
    share: bool = False,
    continues: str = "",
    url: str = "",
    workers: int = 2,
    limit_seconds: float = _LIMIT_SECONDS,
    limit_bytes: int | None = None,
    executor: Executor = run_tasks,
    compare: Compare | None = None,
    on_begin: Callable[[str, int, int], None] | None = None,
    on_entry: Callable[[RunEntry], None] | None = None,
    on_wait: Callable[[int, float], None] | None = None,
    render_index: RenderIndex | None = None,
    names: bool = False,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> RunReport:
    """Run a task for each customer, and write `run.json`, `index.html`, the frames of all packs and the manifest of the run.

    Starting the same batch again on the same folder continues an interrupted run: finished customers are skipped, and
    `as_of` stays the same. Incomplete customers, and customers whose process was killed, are tried once more at the end of
    the run. During a run there is no `run.json`; the earlier one is kept in `.kycpack/`.

    Args:
        jobs: The customers, each once; they are taken when the output is locked, and kept in a temporary file.
        out: The output folder.
        task: The work for each customer, in a separate process; see `ReviewTask`.
        as_of: The as-of instant of the packs.
        identity: The values that make two runs the same batch besides the customers: policy, country, code.
        options: The options of the command, kept with the run so that it can be given again.
        ledger_head: The current head of the ledger of decisions (ledger, size, hash, root). A run that is continued keeps
            the head that it was created with.
        policy_approval: Whether the policy is approved now, as returned by `Policies.approval`; kept in the same way.
        population: The customers in scope now, compared with the register and the service's list; goes into the report and
            the manifest.
        runs: The runs among which this one is recorded; None to record it beside the packs.
        share: Whether other coordinators may work on the same run at once; each customer is done by one of them.
        continues: Id of an ended run of the same batch to continue; empty for none.
        url: Place in an object store to which the packs and the run are copied once they are made in `out`; empty for none.
        workers: Number of customers at once.
        limit_seconds: Time limit; a customer that takes longer has failed.
        limit_bytes: Memory limit; a customer that needs more has failed. None for no limit.
        executor: Runs the tasks, in processes on this machine or as a `DaskExecutor`.
        compare: Called at the end with each customer and the pack relative to `out`, empty without one. Returns customers who, as the register has learned since, may be the same person as another,
            each with the register's current data. Their packs are made again, beside the first ones.
        on_begin: Called with the id of the run, the number of customers in scope, and the number of customers skipped.
        on_entry: Called with each entry when it is ready; twice for a customer who is tried again.
        on_wait: Called when nothing is left but customers of other coordinators, with their number and the seconds after which
            those of a coordinator that is gone are taken over.
        render_index: Makes the pages of the index from the content of `run.json`; None for no index and no summary.
        names: Whether the index shows the names of customers.
        now: The clock, for the times at which the run began and ended.

    Returns:
        The report; in scope = produced + incomplete + failed + skipped + unchanged.

    Raises:
        InputError: A customer is named twice, or `workers` is below one.
        OutputLockedError: Another run is writing to the folder, or to its place in the object store.
        WorkspaceError: The run to continue is a different batch, or not the last one on its output.
        ObjectStoreError: The object store refused or did not answer when the run began or ended.
        BatchError: The folder cannot be written to, for example because its disk is full, or the record of a shared run has
            entries that cannot be read; the same command goes on.
        BatchStoppedError: Three customers in a row, or all if there are fewer, failed in a way that every other customer
        would: the service cannot be reached, it refuses the key, or the settings cannot be used. Its `report` has the
            results so far.
    """
    if workers < 1:
        raise InputError("a batch needs at least one worker", place="workers")
    claim_seconds = limit_seconds + _MARGIN_SECONDS
    with (
        _full_disk_named(out),
        locked_output(out, share=share) as folder,
        _held(url, out) as place,
        runs_of(folder, runs) as kept,
    ):
        if not share:
            _clear(out, folder)
        listed = JobList(jobs)
        record = begin(
            kept,
            folder,
            listed,
            as_of=format_seconds(as_of),
            identity={"code": __version__, **(identity or {})},
            options={**(options or {}), "ledger_head": ledger_head, "policy_approval": policy_approval},
            share=share,
            continues=continues,
        )
        hold(folder, record.run.run_id)
        listed.mark(record.finished(), done=True)
        results = RunResults(out, folder, place)
        results.take_back(record.run.run_id)
        if on_begin is not None:
            on_begin(record.run.run_id, len(listed), listed.done())

        def work(waiting: Iterable[Job]) -> Generator[RunEntry]:
            entries = executor(
                PublishingTask(task, url) if url else task,
                record.claimed(waiting, claim_seconds),
                out=out,
                as_of=datetime.fromisoformat(record.run.as_of),
                previous=record.earlier,
                workers=workers,
                limit_seconds=limit_seconds,
                limit_bytes=limit_bytes,
            )
            with closing(entries):
                for entry in entries:
                    if record.add(entry):
                        results.add(entry)
                        if on_entry is not None:
                            on_entry(entry)
                        yield entry

        def waits(count: int) -> None:
            if on_wait is not None:
                on_wait(count, claim_seconds)

        try:
            reason = _work_through(work, listed.waiting(), out)
            if share and not reason:
                _wait_for_others(work, listed, record, waits)
            if compare is not None and not reason:
                again = _to_be_done_again(listed, record, compare)
                reason = _work_through(work, again, out)
                listed.mark((job.customer_id for job in again), done=False)
                if share and not reason:
                    _wait_for_others(work, listed, record, waits)
        finally:
            record.let_go()
            if not share:
                _clear(out, folder)  # after a process that was ended by Ctrl-C, by its limit or by the system
        state: State = "stopped" if reason else "finished"
        report = RunReport(
            run_id=record.run.run_id,
            as_of=record.run.as_of,
            started_at=format_seconds(datetime.fromisoformat(record.run.started_at)),
            finished_at=format_seconds(now()),
            code_version=__version__,
            workers=workers,
            entries=_entries(record, listed),
            state=state,
            ledger_head=record.run.options.get("ledger_head"),
            policy_approval=record.run.options.get("policy_approval"),
            earlier=results.earlier(),
            names=names,
            population=population,
        )
        report = results.publish(report, render_index)
        record.end(state)
        if reason:
            raise BatchStoppedError(reason, report=report)
        return report


@contextmanager
def _full_disk_named(out: Path) -> Iterator[None]:
    """Turn an error of a full disk into one that names the output."""
    try:
        yield
    except OSError as error:
        if not is_disk_full(error):
            raise
        raise BatchError(_STOPPED_BY["disk full"].format(out=out)) from error


@contextmanager
def _held(url: str, out: Path) -> Iterator[Publication | None]:
    """Hold the place of a run in an object store, if it has one."""
    if not url:
        yield None
        return
    place = Publication(url, out)
    with place.held():
        yield place


def _entries(record: RunRecord, jobs: JobList) -> Paged[RunEntry]:
    """Return the entries of the report, which are read from the record."""

    def read(first: int, end: int) -> list[RunEntry]:
        done = dict(jobs.customers(first, end))
        return [
            _as_reported(skipped(entry) if entry and done[name] else entry, name, record.earlier)
            for name, entry in record.entries(list(done))
        ]

    return Paged(len(jobs), read)


def _work_through(
    work: Callable[[Iterable[Job]], Generator[RunEntry]], jobs: Sequence[Job], out: Path
) -> str:
    """Do the jobs, then repeat those that may now succeed; return why the run stopped, or an empty text."""
    most = min(_ALIKE, len(jobs))
    again: set[str] = set()
    for is_last in (False, True):
        alike = 0
        waiting = (job for job in jobs if job.customer_id in again) if is_last else jobs
        with closing(work(waiting)) as entries:
            for entry in entries:
                alike = alike + 1 if entry.is_of_every_customer else 0
                if alike >= most:
                    return "" if is_last else _why_stopped(entry, out)
                if entry.is_tried_again:
                    again.add(entry.customer_id)
    return ""


def _to_be_done_again(jobs: JobList, record: RunRecord, compare: Compare) -> list[Job]:
    """Return the jobs of customers about whom the register has learned more, now that all of them were collected."""

    def read(first: int, end: int) -> list[tuple[Job, str]]:
        some = {job.customer_id: job for job in jobs[first:end]}
        return [(some[name], entry.pack if entry else "") for name, entry in record.entries(list(some))]

    again = []
    # What was learned is read before the first customer is opened again.
    learned = {job.customer_id: replace(job, known=known) for job, known in compare(Paged(len(jobs), read))}
    for name, entry in record.entries(list(learned)):
        if entry is not None and record.reopen(entry):
            evidence = f"{entry.pack}/data/evidence" if entry.outcome == "produced" else ""
            again.append(replace(learned[name], evidence=evidence))
    return again


def _why_stopped(entry: RunEntry, out: Path) -> str:
    cause = _STOPPED_BY.get(entry.cause, "").format(out=out)
    return f"the run was stopped: {cause}; {entry.note}" if cause else f"the run was stopped: {entry.note}"


def _wait_for_others(
    work: Callable[[Iterable[Job]], Generator[RunEntry]],
    jobs: JobList,
    record: RunRecord,
    waits: Callable[[int], None],
) -> None:
    """Wait until every customer has an entry, and take over those whose coordinator is gone.

    Raises:
        BatchError: The record has an entry that cannot be read: nobody would ever take that customer over.
    """

    def without_entry(places: Iterable[int], customer_ids: Sequence[str]) -> array[int]:
        read = zip(places, record.entries(customer_ids), strict=True)
        return array("Q", (place for place, (_, entry) in read if entry is None))

    is_said = False
    # All customers are read before and after the wait only: one who had an entry may have been reopened by another coordinator.
    while places := without_entry(range(len(jobs)), jobs.ids):
        while places:
            taken_over = [entry.customer_id for entry in work(jobs.at(places))]
            if damaged := record.unreadable([jobs.ids[place] for place in places]):
                raise BatchError(
                    f"the record of the run has entries that cannot be read, the first that of customer {damaged[0]} "
                    f"({len(damaged)} in all): they are damaged or from another version of kycpack; the same command, "
                    "with one version everywhere, does these customers again"
                )
            if not taken_over and not is_said:
                waits(len(places))
                is_said = True
            time.sleep(_POLL_SECONDS)
            places = without_entry(places, [jobs.ids[place] for place in places])


def _clear(out: Path, folder: Path) -> None:
    for place in (out, folder, out / EVIDENCE):
        if place.is_dir():
            clear_leftovers(place)


def _as_reported(
    entry: RunEntry | None, customer_id: str, earlier: Callable[[str], RunEntry | None]
) -> RunEntry:
    """Return the entry of a customer for the report; whoever a stopped run did not get to keeps the earlier pack."""
    if entry is not None and (entry.pack or not entry.is_of_every_customer):
        return entry
    made = entry or RunEntry(customer_id, "incomplete", note="not started: the run was stopped first")
    held = earlier(customer_id)
    if held is None:
        return made
    note = f"{made.note}; the pack is from an earlier run"
    said = replace(held, outcome=made.outcome, seconds=made.seconds, note=note, cause=made.cause)
    # What an unchanged pack was checked with is replaced by what the stopped run was answered.
    return replace(said, evidence="", checked_root="") if made.evidence else said
