"""Collects everything that can be fetched for a customer, in parallel, as evidence.

Both functions follow the same plan: `collect` in threads, so that it works in scripts and notebooks, and `collect_async` in
the event loop.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Unpack

from kycpack.api.client import AsyncClient, Client
from kycpack.api.collection_plan import (
    REGISTER,
    REGISTER_PARTS,
    Ask,
    CollectJob,
    Wanted,
    after_accounts,
    first_asks,
    next_asks,
)
from kycpack.api.evidence_entries import (
    EarlierAnswers,
    EntryOutcome,
    from_answer,
    from_error,
    from_register,
    not_asked,
)
from kycpack.api.operations import DOWNLOAD_MEDIA, GET_CUSTOMER, LIST_ACCOUNTS
from kycpack.api.protocol import Call
from kycpack.errors import ApiError, AuthenticationError, InputError, NotFoundError, StatusError
from kycpack.evidence import Entry, Evidence, Journal, open_journal
from kycpack.models.arguments import require
from kycpack.models.instants import format_instant

_MOST_DOWNLOADS = 2


@dataclass(frozen=True, slots=True)
class CollectionProgress:
    """Progress of a collection.

    Attributes:
        customer_id: Customer id.
        done: Number of finished requests.
        planned: Number of requests known so far; answers may lead to more.
        operation: The operation that finished last.
        outcome: Its outcome.
    """

    customer_id: str
    done: int
    planned: int
    operation: str
    outcome: str


def collect(
    client: Client,
    wanted: str | CollectJob,
    *,
    on_progress: Callable[[CollectionProgress], None] | None = None,
    concurrency: int = 8,
    **given: Unpack[Wanted],
) -> Evidence:
    """Fetch all data about a customer; refusals, failures, timeouts and skipped requests become entries too.

    Args:
        client: The client.
        wanted: Customer id, or a `CollectJob`.
        on_progress: Called in this thread after each finished request.
        concurrency: Maximum number of requests at once; media files, which are large, are limited to two.
        **given: `sessions`, `payments`, `known`, `window`, `media`, `previous`, `max_age`, `reuse_for`, `listed`, `bank_adapter`,
            `folder` and `without_record`, as described in `CollectJob`.

    Returns:
        The evidence, in the order of the plan, not of arrival.

    Raises:
        InputError: An id is empty or malformed, or `previous` is another customer's.
        NotFoundError: The service does not know the customer.
        AuthenticationError: The service refuses the key.
        ConfigurationError: The address, key or secret cannot be used, or the adapter does not exist.
        EvidenceError: The folder cannot be written, or another collection is writing there.
    """
    require("client", client, Client, "a Client, as returned by `kp.Client()`")
    with _course(client, wanted, given, concurrency, on_progress) as course:
        ready = course.begin()
        running: dict[Future[EntryOutcome], _Task] = {}
        pool = ThreadPoolExecutor(max_workers=concurrency, thread_name_prefix="collect")
        try:
            while ready or running:
                for task in _take(ready, running.values(), concurrency):
                    running[pool.submit(_fetch, client, task)] = task
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                while (
                    done
                ):  # finished tasks are released, so that they are not kept in memory beside the next ones
                    future = done.pop()
                    ready.extend(course.settle(running.pop(future), future.result()))
                    del future
        finally:
            # An interrupt does not wait for answers that will not be read; after an error they finish before the client is closed.
            error = sys.exception()
            pool.shutdown(wait=error is None or isinstance(error, Exception), cancel_futures=True)
        return course.evidence()


async def collect_async(
    client: AsyncClient,
    wanted: str | CollectJob,
    *,
    on_progress: Callable[[CollectionProgress], None] | None = None,
    concurrency: int = 8,
    **given: Unpack[Wanted],
) -> Evidence:
    """Fetch all data about a customer in the running event loop, as `collect` does in threads.

    Args:
        client: The client.
        wanted: Customer id, or a `CollectJob`.
        on_progress: Called in the event loop after each finished request.
        concurrency: Maximum number of requests at once; media files, which are large, are limited to two.
        **given: As for `collect`.

    Returns:
        The evidence, in the order of the plan, not of arrival.

    Raises:
        InputError: An id is empty or malformed, or `previous` is another customer's.
        NotFoundError: The service does not know the customer.
        AuthenticationError: The service refuses the key.
        ConfigurationError: The address, key or secret cannot be used, or the adapter does not exist.
        EvidenceError: The folder cannot be written, or another collection is writing there.
    """
    require("client", client, AsyncClient, "an AsyncClient, as returned by `kp.AsyncClient()`")
    with _course(client, wanted, given, concurrency, on_progress) as course:
        ready = course.begin()
        running: dict[asyncio.Task[EntryOutcome], _Task] = {}
        try:
            while ready or running:
                for task in _take(ready, running.values(), concurrency):
                    running[asyncio.create_task(_fetch_async(client, task))] = task
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                while done:
                    finished = done.pop()
                    ready.extend(course.settle(running.pop(finished), finished.result()))
                    del finished
        finally:
            for unfinished in running:
                unfinished.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        return course.evidence()


@contextmanager
def _course(
    client: Client | AsyncClient,
    wanted: str | CollectJob,
    given: Wanted,
    concurrency: int,
    on_progress: Callable[[CollectionProgress], None] | None,
) -> Iterator[_Course]:
    """Yield the course of a collection, with its journal if it has a folder."""
    job = replace(wanted, **given) if isinstance(wanted, CollectJob) else CollectJob(wanted, **given)
    job.checked()
    if concurrency < 1:
        raise InputError("expected at least 1", place="concurrency")
    folder: AbstractContextManager[Journal | None] = (
        nullcontext() if job.folder is None else open_journal(Path(job.folder), job.customer_id)
    )
    with folder as journal:
        yield _Course(job, client.now, on_progress, journal, EarlierAnswers.of(job, journal))


_Placed = tuple[tuple[int, ...], Ask]


@dataclass(frozen=True, slots=True)
class _Task:
    place: tuple[int, ...]
    ask: Ask
    call: Call[Any]

    @property
    def is_download(self) -> bool:
        return self.ask.operation == DOWNLOAD_MEDIA.name


def _take(ready: deque[_Task], running: Collection[_Task], concurrency: int) -> list[_Task]:
    """Remove from the ready tasks those that can be requested now, and return them."""
    taken: list[_Task] = []
    downloads = sum(task.is_download for task in running)
    for _ in range(len(ready)):
        if len(running) + len(taken) >= concurrency:
            break
        task = ready.popleft()
        if task.is_download and downloads >= _MOST_DOWNLOADS:
            ready.append(task)
            continue
        downloads += task.is_download
        taken.append(task)
    return taken


@dataclass(slots=True)
class _Course:
    """The state of one collection: what is finished, by its position in the plan."""

    job: CollectJob
    now: Callable[[], datetime]
    on_progress: Callable[[CollectionProgress], None] | None
    journal: Journal | None
    memory: EarlierAnswers
    findings: dict[tuple[int, ...], EntryOutcome] = field(default_factory=dict)
    stored: dict[tuple[int, ...], Path] = field(default_factory=dict)
    held: list[_Placed] = field(default_factory=list)
    asked: set[tuple[str, str, str]] = field(default_factory=set)
    planned: int = 0

    def begin(self) -> deque[_Task]:
        """Return the first tasks."""
        return deque(self._admit(self._placed((), first_asks(self.job))))

    def settle(self, task: _Task, finding: EntryOutcome) -> list[_Task]:
        """Keep the outcome of a task, and return the tasks that follow from it."""
        if finding.error is not None and task.ask.operation == GET_CUSTOMER.name:
            self._stop_without_record(finding.error)
        self._keep(task.place, finding)
        asks = self._following(task.place, task.ask, finding)
        if task.ask.operation == LIST_ACCOUNTS.name:
            held, self.held = self.held, []
            entry, document = finding.entry, finding.document
            asks += [(place, after_accounts(self.job, ask, entry, document)) for place, ask in held]
        return self._admit(asks)

    def _stop_without_record(self, error: StatusError) -> None:
        if self.job.without_record or not isinstance(error, NotFoundError | AuthenticationError):
            return
        if self.journal is not None:
            self.journal.discard()
        raise error

    def evidence(self) -> Evidence:
        """Assemble the evidence, with ids in the order of the plan."""
        counts = {"E": 0, "M": 0, "R": 0}
        entries: list[Entry] = []
        bodies: dict[str, bytes] = {}
        stored: dict[str, Path] = {}
        for place, finding in sorted(self.findings.items(), key=lambda item: item[0]):
            prefix = _prefix(finding.entry.operation)
            counts[prefix] += 1
            entry_id = f"{prefix}-{counts[prefix]:02d}"
            has_body = finding.body is not None or place in self.stored
            file = f"{entry_id}.{finding.extension}" if has_body else None
            entries.append(replace(finding.entry, id=entry_id, file=file))
            if place in self.stored:
                stored[entry_id] = self.stored[place]
            elif finding.body is not None:
                bodies[entry_id] = finding.body
        if self.journal is not None:
            return self.journal.finish(entries, stored)
        return Evidence(self.job.customer_id, tuple(entries), bodies)

    def _placed(self, above: tuple[int, ...], asks: Sequence[Ask]) -> list[_Placed]:
        self.planned += len(asks)
        return [((*above, number), ask) for number, ask in enumerate(asks)]

    def _following(self, place: tuple[int, ...], ask: Ask, finding: EntryOutcome) -> list[_Placed]:
        """Return what to ask next; what a list names twice is asked once."""
        asks = next_asks(self.job, ask, finding.document, finding.entry.status)
        return self._placed(place, [ask for ask in asks if ask.call is None or self._is_new(ask.call)])

    def _is_new(self, call: Call[Any]) -> bool:
        request = (call.operation.name, call.path, call.query)
        is_new = request not in self.asked
        self.asked.add(request)
        return is_new

    def _admit(self, asks: Sequence[_Placed]) -> list[_Task]:
        tasks: list[_Task] = []
        waiting = deque(asks)
        while waiting:
            place, ask = waiting.popleft()
            if ask.waits:
                self.held.append((place, ask))
                continue
            finding = self._without_wire(ask)
            if finding is not None:
                self._keep(place, finding)
                waiting.extend(self._following(place, ask, finding))
            elif ask.call is not None:
                tasks.append(_Task(place, ask, self._to_disk(ask.call)))
        return tasks

    def _to_disk(self, call: Call[Any]) -> Call[Any]:
        """Receive the files of a collection into a folder straight to disk."""
        if self.journal is None or call.operation.name != DOWNLOAD_MEDIA.name:
            return call
        return replace(call, folder=self.journal.folder)

    def _without_wire(self, ask: Ask) -> EntryOutcome | None:
        if ask.operation in {REGISTER, *REGISTER_PARTS} and self.job.known is not None:
            return from_register(ask, self.job.known, format_instant(self.now()))
        if ask.call is None:
            return not_asked(ask)
        return self.memory.recall(ask, self.now())

    def _keep(self, place: tuple[int, ...], finding: EntryOutcome) -> None:
        body = finding.body
        if self.journal is not None:
            if finding.stored is not None:
                self.stored[place] = finding.stored
            elif finding.received is not None:
                self.stored[place] = self.journal.take(finding.entry, finding.received, finding.extension)
            elif body is not None:
                self.stored[place] = self.journal.keep(finding.entry, body, finding.extension)
            body = None
        self.findings[place] = replace(finding, body=body, document=None)
        if self.on_progress is not None:
            entry = finding.entry
            done = len(self.findings)
            self.on_progress(
                CollectionProgress(self.job.customer_id, done, self.planned, entry.operation, entry.outcome)
            )


def _fetch(client: Client, task: _Task) -> EntryOutcome:
    asked_at = format_instant(client.now())
    try:
        return from_answer(task.ask, client.ask(task.call))
    except ApiError as error:
        return from_error(task.ask, error, asked_at)


async def _fetch_async(client: AsyncClient, task: _Task) -> EntryOutcome:
    asked_at = format_instant(client.now())
    try:
        return from_answer(task.ask, await client.ask(task.call))
    except ApiError as error:
        return from_error(task.ask, error, asked_at)


def _prefix(operation: str) -> str:
    if operation in {REGISTER, *REGISTER_PARTS}:
        return "R"
    return "M" if operation == DOWNLOAD_MEDIA.name else "E"
