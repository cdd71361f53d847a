"""Running tasks in parallel, each in a separate process.

Each process is forked from a server that has done the imports, does one task and ends, so a crash, leak or hang affects one
customer only. (A pool would give up all its work when one worker is killed.)
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import re
import signal
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Protocol

from kycpack.batch.jobs import Job
from kycpack.batch.report import Cause, RunEntry
from kycpack.errors import ConfigurationError, KycpackError, NotFoundError

_GRACE_SECONDS = 5.0
_NO_ROOM = re.compile(
    r"can't start new thread|cannot allocate memory|failed to map segment|malloc failure", re.IGNORECASE
)
_NO_MEMORY = "needed more memory than the limit for one customer"
_DISK_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class Executor(Protocol):
    """Runs the tasks of a run, in processes on this machine or on workers elsewhere; see `run_tasks`."""

    def __call__(
        self,
        task: Task,
        jobs: Iterable[Job],
        *,
        out: Path,
        as_of: datetime,
        previous: Callable[[str], RunEntry | None],
        workers: int,
        limit_seconds: float,
        limit_bytes: int | None = None,
    ) -> Generator[RunEntry]:
        """Run a task for each job."""


class Task(Protocol):
    """The work for one customer; it is pickled, and runs in a separate process."""

    @property
    def preload(self) -> Sequence[str]:
        """Modules to import before forking, so that no process imports them again."""

    def __call__(self, job: Job, *, out: Path, as_of: datetime, previous: RunEntry | None) -> RunEntry:
        """Do the work for a customer.

        Args:
            job: The customer.
            out: The output folder.
            as_of: The as-of instant of the pack.
            previous: The entry of the customer's last pack in that folder.
        """


@dataclass(frozen=True, slots=True)
class _Running:
    job: Job
    process: ForkServerProcess
    answer: Connection
    lifeline: Connection
    began: float


def run_tasks(
    task: Task,
    jobs: Iterable[Job],
    *,
    out: Path,
    as_of: datetime,
    previous: Callable[[str], RunEntry | None],
    workers: int,
    limit_seconds: float,
    limit_bytes: int | None = None,
) -> Generator[RunEntry]:
    """Run a task for each job, and yield each entry when it is ready.

    Args:
        task: The work for each customer.
        jobs: The customers; each is taken when a worker is free.
        out: The output folder, passed to the task.
        as_of: The as-of instant of the packs, passed to the task.
        previous: Returns the entry of a customer's last pack.
        workers: Number of processes at once.
        limit_seconds: Time limit; a task that takes longer is ended and has failed.
        limit_bytes: Memory limit of a task's own data; a task that needs more has failed. None for no limit. Only Linux
            enforces it.

    Yields:
        One entry a job, in the order in which they end. Closing the iterator ends what is still running.

    Raises:
        ConfigurationError: The system cannot fork.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        raise ConfigurationError(
            "a batch needs Linux or macOS: on Windows run it in WSL, or `kycpack review` for one customer at a time"
        )
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, *task.preload])
    waiting = iter(jobs)
    is_more = True
    running: list[_Running] = []
    try:
        while is_more or running:
            while is_more and len(running) < workers:
                job = next(waiting, None)
                if job is None:
                    is_more = False
                    break
                receiver, sender = context.Pipe(duplex=False)
                held, lifeline = context.Pipe(duplex=False)
                arguments = (sender, held, task, job, out, as_of, previous(job.customer_id), limit_bytes)
                process = context.Process(target=_work, args=arguments, daemon=False)
                process.start()
                sender.close()
                held.close()
                running.append(_Running(job, process, receiver, lifeline, time.monotonic()))
            if not running:
                break
            first_limit = min(each.began for each in running) + limit_seconds
            wait([each.answer for each in running], timeout=max(0.0, first_limit - time.monotonic()))
            for each in list(running):
                late = time.monotonic() - each.began >= limit_seconds
                if each.answer.poll() or late:
                    running.remove(each)
                    yield _entry(each, late=late).took(time.monotonic() - each.began)
    finally:
        for each in running:
            _end(each)


def _work(
    sender: Connection,
    held: Connection,
    task: Task,
    job: Job,
    out: Path,
    as_of: datetime,
    previous: RunEntry | None,
    limit_bytes: int | None,
) -> None:
    os.setsid()  # so that what the task starts can be ended with it, and Ctrl-C reaches the parent alone
    _end_with_parent(held)
    if limit_bytes is not None:
        _limit_memory(limit_bytes)
    try:
        entry = task(job, out=out, as_of=as_of, previous=previous)
    except ConfigurationError as error:
        entry = RunEntry(job.customer_id, "failed", note=str(error), cause="configuration")
    except Exception as error:  # noqa: BLE001 - the boundary: any error becomes this customer's outcome
        entry = failed_entry(job.customer_id, error)
    sender.send(entry)
    sender.close()


def _limit_memory(limit_bytes: int) -> None:
    import resource  # noqa: PLC0415 - absent on Windows, where this module is imported all the same

    resource.setrlimit(resource.RLIMIT_DATA, (limit_bytes, limit_bytes))


def failed_entry(customer_id: str, error: Exception) -> RunEntry:
    """Return the outcome of a customer whose task raised an error; the note quotes no data."""
    if _is_short_of_memory(error):
        return RunEntry(customer_id, "failed", note=_NO_MEMORY)
    cause: Cause = "disk full" if is_disk_full(error) else ""
    if isinstance(error, KycpackError):
        cause = "not found" if isinstance(error, NotFoundError) else cause
        return RunEntry(customer_id, "failed", note=str(error), cause=cause)
    # The message of an unforeseen error may quote data; the error's type and place, and the system's own words, do not.
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}:{last.lineno}"
    if isinstance(error, OSError) and error.errno is not None:
        return RunEntry(customer_id, "failed", note=f"{os.strerror(error.errno)} (at {place})", cause=cause)
    return RunEntry(customer_id, "failed", note=f"internal error ({type(error).__name__} at {place})")


def is_disk_full(error: BaseException) -> bool:
    """Return whether an error, or one that led to it, says that no space is left on a disk."""
    return any(getattr(seen, "errno", None) in _DISK_FULL for seen in _chain_of(error))


def _is_short_of_memory(error: BaseException) -> bool:
    return any(
        isinstance(seen, MemoryError)
        or getattr(seen, "errno", None) == errno.ENOMEM
        or (isinstance(seen, RuntimeError | ImportError | OSError) and _NO_ROOM.search(str(seen)))
        for seen in _chain_of(error)
    )


def _chain_of(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and those that led to it, the last first."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def _end_with_parent(held: Connection) -> None:
    """Make the system end this process and its children when the parent is gone, even if the parent was killed.

    The parent never writes to this pipe. When the parent's end closes, a signal arrives whose default action ends the process.
    (A waiting thread would work too, but forking is not safe beside threads.)
    """
    import fcntl  # noqa: PLC0415 - absent on Windows, where this module is imported all the same

    fcntl.fcntl(held.fileno(), fcntl.F_SETOWN, -os.getpgrp())
    flags = fcntl.fcntl(held.fileno(), fcntl.F_GETFL)
    fcntl.fcntl(held.fileno(), fcntl.F_SETFL, flags | os.O_ASYNC)
    if held.poll():  # the parent was gone before the signal was set up
        os._exit(1)


def _entry(each: _Running, *, late: bool) -> RunEntry:
    try:
        if each.answer.poll():
            entry = each.answer.recv()
            if isinstance(entry, RunEntry):
                each.process.join(_GRACE_SECONDS)
                return entry
    except (EOFError, OSError):
        each.process.join(_GRACE_SECONDS)
        code = each.process.exitcode
        return RunEntry(each.job.customer_id, "failed", note=_how_it_ended(code), cause="process ended")
    finally:
        _end(each)
    note = "took longer than the limit for one customer" if late else "its process returned no entry"
    return RunEntry(each.job.customer_id, "failed", note=note)


def _how_it_ended(code: int | None) -> str:
    if code == -signal.SIGKILL:
        return (
            "its process was killed (signal 9) before it answered; the system does this when memory runs out"
        )
    how = f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"
    return f"its process ended {how} before it answered"


def _end(each: _Running) -> None:
    each.answer.close()
    each.lifeline.close()
    pid = each.process.pid
    if pid is not None and each.process.is_alive():
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        each.process.kill()  # in case it had not yet made its own process group
        each.process.join(_GRACE_SECONDS)
