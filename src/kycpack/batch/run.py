"""One run of a batch: lock, resume, work, report."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kycpack import __version__
from kycpack.batch.executor import Task, run_tasks
from kycpack.batch.jobs import Job
from kycpack.batch.ledger import Ledger, OpenRun
from kycpack.batch.lock import locked_output
from kycpack.batch.report import Entry, RunReport, State, dump
from kycpack.errors import BatchStoppedError, InputError
from kycpack.folders import clear_leftovers, write_file

_LIMIT_SECONDS = 900.0
_ALIKE = 3


def run_batch(  # noqa: PLR0913 - what, where, how, and whom to tell
    jobs: Sequence[Job],
    out: Path,
    *,
    task: Task,
    as_of: datetime,
    identity: Mapping[str, Any] | None = None,
    workers: int = 2,
    limit_seconds: float = _LIMIT_SECONDS,
    on_begin: Callable[[int, int], None] | None = None,
    on_entry: Callable[[Entry], None] | None = None,
    render_index: Callable[[Mapping[str, Any]], str] | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> RunReport:
    """Do a task for each customer, and write `run.json` and `index.html` beside what it made.

    Starting the same batch again on the same folder continues a run that was interrupted: what it had finished is
    skipped, and its `as_of` stays. What is incomplete, and a customer whose process was killed, is tried once more at
    the end of the run. While a run works there is no `run.json`: an earlier one is kept in `.kycpack/`.

    Args:
        jobs: The customers, each once.
        out: The output folder.
        task: What is done for each, in a process of its own; see `ReviewTask`.
        as_of: The instant that the packs are about.
        identity: What makes two runs the same batch besides the customers: policy, country, code.
        workers: How many customers at once.
        limit_seconds: A customer that takes longer has failed.
        on_begin: Called with how many customers are in scope, and how many of them are skipped.
        on_entry: Called with each entry as it comes; a customer that is tried again comes twice.
        render_index: Makes `index.html` of what `run.json` holds.
        now: The clock, for when the run began and ended.

    Returns:
        The report; in scope = produced + incomplete + failed + skipped + unchanged.

    Raises:
        InputError: A customer is named twice, or workers is below one.
        OutputLockedError: Another run writes to the folder.
        BatchError: The folder cannot be written to.
        BatchStoppedError: Three customers in a row met a failure that every other would meet: the service cannot be
            reached, refuses the key, or the settings cannot be used. Its `report` has what was done.
    """
    ids = _checked(jobs, workers)
    with locked_output(out) as folder:
        _clear(out, folder)
        ledger = Ledger(folder)
        batch = {
            "customers": sorted([job.customer_id, job.occasion] for job in jobs),
            "code": __version__,
            **(identity or {}),
        }
        run = OpenRun(str(uuid.uuid4()), batch, _instant(as_of), _instant(now()), frozenset())
        if ledger.interrupted is not None and ledger.interrupted.identity == batch:
            run = ledger.interrupted
        entries = {name: _skipped(ledger.entries[name]) for name in ids if name in run.finished}
        ledger.begin(run)
        _put_away(out, folder)
        if on_begin is not None:
            on_begin(len(ids), len(entries))

        def work(waiting: Sequence[Job]) -> Generator[Entry]:
            results = run_tasks(
                task,
                waiting,
                out=out,
                as_of=datetime.fromisoformat(run.as_of),
                previous=ledger.entries.get,
                workers=workers,
                limit_seconds=limit_seconds,
            )
            with closing(results):
                for entry in results:
                    ledger.add(entry)
                    entries[entry.customer_id] = entry
                    if on_entry is not None:
                        on_entry(entry)
                    yield entry

        def report(state: State) -> RunReport:
            made = RunReport(
                run_id=run.run_id,
                as_of=run.as_of,
                started_at=run.started_at,
                finished_at=_instant(now()),
                code_version=__version__,
                workers=workers,
                entries=tuple(
                    entries.get(name) or _not_asked(name, ledger.entries.get(name)) for name in ids
                ),
                state=state,
            )
            document = made.to_document()
            write_file(out / "run.json", dump(document))
            if render_index is not None:
                write_file(out / "index.html", render_index(document).encode())
            return made

        try:
            reason = _work_through(work, [job for job in jobs if job.customer_id not in run.finished])
        finally:
            _clear(out, folder)  # after a process that was ended: by Ctrl-C, by its limit, by the system
        if reason:
            raise BatchStoppedError(reason, report=report("stopped"))
        finished = report("finished")
        ledger.end()
        return finished


def _checked(jobs: Sequence[Job], workers: int) -> list[str]:
    if workers < 1:
        raise InputError("a batch needs at least one worker", place="workers")
    ids = [job.customer_id for job in jobs]
    if len(set(ids)) != len(ids):
        raise InputError("a customer is named twice", place="jobs")
    return ids


def _work_through(work: Callable[[Sequence[Job]], Generator[Entry]], jobs: Sequence[Job]) -> str:
    """Do the jobs, then once more those that may end better; return why it stopped, empty when it did not."""
    most = min(_ALIKE, len(jobs))
    again: set[str] = set()
    for is_last in (False, True):
        alike = 0
        waiting = [job for job in jobs if job.customer_id in again] if is_last else jobs
        with closing(work(waiting)) as entries:
            for entry in entries:
                alike = alike + 1 if entry.is_of_every_customer else 0
                if alike >= most:
                    return "" if is_last else f"the run was stopped: {entry.note}"
                if entry.is_tried_again:
                    again.add(entry.customer_id)
    return ""


def _clear(out: Path, folder: Path) -> None:
    for place in (out, folder, folder / "evidence"):
        if place.is_dir():
            clear_leftovers(place)


def _put_away(out: Path, folder: Path) -> None:
    """Take away what would read as the result of this run while it works, or after it died."""
    if (out / "run.json").exists():
        (out / "run.json").replace(folder / "earlier-run.json")
    (out / "index.html").unlink(missing_ok=True)


def _not_asked(customer_id: str, earlier: Entry | None) -> Entry:
    note = "not asked: the run was stopped before"
    if earlier is None:
        return Entry(customer_id, "incomplete", note=note)
    note += "; the pack is an earlier one"
    return replace(earlier, outcome="incomplete", seconds=0.0, note=note, cause="")


def _skipped(entry: Entry) -> Entry:
    note = "finished by the run that was interrupted"
    return replace(entry, outcome="skipped", seconds=0.0, note=note)


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
