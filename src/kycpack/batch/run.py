"""One run of a batch: lock, resume, work, report."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
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
from kycpack.batch.report import Entry, RunReport, dump, write_private
from kycpack.errors import InputError
from kycpack.pack.abandoned import clear_abandoned

_LIMIT_SECONDS = 900.0


def run_batch(  # noqa: PLR0913 - what, where, how, and whom to tell
    jobs: Sequence[Job],
    out: Path,
    *,
    task: Task,
    as_of: datetime,
    identity: Mapping[str, Any] | None = None,
    workers: int = 2,
    limit_seconds: float = _LIMIT_SECONDS,
    preload: Sequence[str] = (),
    on_begin: Callable[[int, int], None] | None = None,
    on_entry: Callable[[Entry], None] | None = None,
    render_index: Callable[[Mapping[str, Any]], str] | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> RunReport:
    """Do a task for each customer, and write `run.json` and `index.html` beside what it made.

    A run that was interrupted is gone on with when the same batch is started again on the same folder: what it had
    finished is skipped, and its `as_of` stays.

    Args:
        jobs: The customers, each once.
        out: The output folder.
        task: What is done for each, in a process of its own; see `ReviewTask`.
        as_of: The moment the packs speak of.
        identity: What makes two runs the same batch besides the customers: policy, country, code.
        workers: How many customers at once.
        limit_seconds: A customer that takes longer has failed.
        preload: Modules that are imported once for all.
        on_begin: Told how many are in scope, and how many of them are skipped.
        on_entry: Told of each customer that is done.
        render_index: Makes `index.html` of what `run.json` holds.
        now: The clock, for when the run began and ended.

    Returns:
        The report; in scope = produced + failed + skipped + unchanged.

    Raises:
        InputError: A customer stands in it twice, or workers is below one.
        OutputLockedError: Another run writes to the folder.
        BatchError: The folder cannot be written to.
    """
    if workers < 1:
        raise InputError("a batch needs at least one worker", place="workers")
    ids = [job.customer_id for job in jobs]
    if len(set(ids)) != len(ids):
        raise InputError("a customer stands in the batch twice", place="jobs")
    with locked_output(out) as folder:
        clear_abandoned(out)
        ledger = Ledger(folder)
        batch = {"customers": sorted(ids), "code": __version__, **(identity or {})}
        run = OpenRun(str(uuid.uuid4()), batch, _instant(as_of), _instant(now()), frozenset())
        if ledger.interrupted is not None and ledger.interrupted.identity == batch:
            run = ledger.interrupted
        entries = {name: _skipped(ledger.entries[name]) for name in ids if name in run.finished}
        ledger.begin(run)
        if on_begin is not None:
            on_begin(len(ids), len(entries))
        remaining = [job for job in jobs if job.customer_id not in run.finished]
        results = run_tasks(
            task,
            remaining,
            out=out,
            as_of=datetime.fromisoformat(run.as_of),
            previous=ledger.entries.get,
            workers=workers,
            limit_seconds=limit_seconds,
            preload=preload,
        )
        try:
            with closing(results):
                for entry in results:
                    ledger.add(entry)
                    entries[entry.customer_id] = entry
                    if on_entry is not None:
                        on_entry(entry)
        finally:
            clear_abandoned(out)  # of a process that was ended: by Ctrl-C, by its limit, by the system
        report = RunReport(
            run_id=run.run_id,
            as_of=run.as_of,
            started_at=run.started_at,
            finished_at=_instant(now()),
            code_version=__version__,
            workers=workers,
            entries=tuple(entries[name] for name in ids),
        )
        document = report.to_document()
        write_private(out / "run.json", dump(document))
        if render_index is not None:
            write_private(out / "index.html", render_index(document).encode())
        ledger.end()
        return report


def _skipped(entry: Entry) -> Entry:
    note = "finished by the run that was interrupted"
    return replace(entry, outcome="skipped", seconds=0.0, note=note)


def _instant(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
