"""Collect: everything that can be fetched for a customer, side by side, as evidence.

The plan is one; `collect` runs it in threads, so that it works in a script and in a notebook's cell alike, and
`collect_async` in the event loop.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

from kycpack.api.client import AsyncClient, Client
from kycpack.api.findings import Finding, from_answer, from_error, from_register, not_asked, reused
from kycpack.api.operations import DOWNLOAD_MEDIA
from kycpack.api.plan import OWN_SHAPE, REGISTER, Ask, Order, first_asks, known_adapter, next_asks
from kycpack.api.steps import Call
from kycpack.errors import ApiError, InputError
from kycpack.evidence import Entry, Evidence
from kycpack.models.instants import format_instant, parse_instant

Window = tuple[date | None, date | None]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a collection is.

    Attributes:
        customer_id: Whose.
        done: Things that are settled.
        planned: Things that are known of so far; more may follow from answers.
        operation: What was settled last.
        outcome: How it went.
    """

    customer_id: str
    done: int
    planned: int
    operation: str
    outcome: str


def collect(  # noqa: PLR0913 - what can be wanted of a customer, all by keyword
    client: Client,
    customer_id: str,
    *,
    sessions: Sequence[str] = (),
    payments: Sequence[str] = (),
    known: Mapping[str, Any] | None = None,
    window: Window | None = None,
    media: bool = True,
    on_progress: Callable[[Progress], None] | None = None,
    concurrency: int = 8,
    previous: Evidence | None = None,
    max_age: timedelta | None = None,
    bank_adapter: str = OWN_SHAPE,
) -> Evidence:
    """Fetch all there is of a customer; refusals, failures, timeouts and what was not asked are entries too.

    Args:
        client: The client.
        customer_id: Whom.
        sessions: Ids of onboard sessions; the interface cannot list them.
        payments: Ids of payments; the interface cannot list them.
        known: What the register knows, as `Register.known` returns it; its sessions and payments are asked for too.
        window: First and last booking date of bank transactions; all history when absent.
        media: Whether the media of sessions are fetched.
        on_progress: Called in this thread after each thing that is settled.
        concurrency: Most requests at once.
        previous: Earlier evidence of this customer; what of it is fresh enough is not fetched again.
        max_age: How old an answer may be to be fresh enough; media do not change and are always.
        bank_adapter: Which shape pages of bank transactions have, one of `kycpack.frames.adapters.ADAPTERS`; the
            entries of the pages name it, and frames read them by it. Further pages are those that `nextCursor` tells of.

    Returns:
        The evidence; its order is the plan's, not that of arrival.

    Raises:
        InputError: An id is none, or `previous` is another customer's.
        ConfigurationError: Address, key or secret cannot be used, or there is no such adapter.
    """
    order = Order(
        customer_id,
        _ids(sessions, "sessions"),
        _ids(payments, "payments"),
        known,
        window,
        media,
        known_adapter(bank_adapter),
    )
    _require_room(concurrency)
    course = _Course(order, client.now, on_progress, _Memory.of(previous, customer_id, max_age))
    ready = course.begin()
    running: dict[Future[Finding], _Task] = {}
    pool = ThreadPoolExecutor(max_workers=concurrency, thread_name_prefix="collect")
    try:
        while ready or running:
            while ready:
                task = ready.popleft()
                running[pool.submit(_fetch, client, task)] = task
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                ready.extend(course.settle(running.pop(future), future.result()))
    finally:
        # Whoever interrupts this does not wait for answers nobody will read.
        pool.shutdown(wait=not running, cancel_futures=True)
    return course.evidence()


async def collect_async(  # noqa: PLR0913 - as `collect`
    client: AsyncClient,
    customer_id: str,
    *,
    sessions: Sequence[str] = (),
    payments: Sequence[str] = (),
    known: Mapping[str, Any] | None = None,
    window: Window | None = None,
    media: bool = True,
    on_progress: Callable[[Progress], None] | None = None,
    concurrency: int = 8,
    previous: Evidence | None = None,
    max_age: timedelta | None = None,
    bank_adapter: str = OWN_SHAPE,
) -> Evidence:
    """Fetch all there is of a customer in the running event loop; arguments, result and errors as for `collect`."""
    order = Order(
        customer_id,
        _ids(sessions, "sessions"),
        _ids(payments, "payments"),
        known,
        window,
        media,
        known_adapter(bank_adapter),
    )
    _require_room(concurrency)
    course = _Course(order, client.now, on_progress, _Memory.of(previous, customer_id, max_age))
    ready = course.begin()
    running: dict[asyncio.Task[Finding], _Task] = {}
    try:
        while ready or running:
            while ready and len(running) < concurrency:
                task = ready.popleft()
                running[asyncio.create_task(_fetch_async(client, task))] = task
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for finished in done:
                ready.extend(course.settle(running.pop(finished), finished.result()))
    finally:
        for unfinished in running:
            unfinished.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    return course.evidence()


@dataclass(frozen=True, slots=True)
class _Task:
    place: tuple[int, ...]
    ask: Ask
    call: Call[Any]


@dataclass(frozen=True, slots=True)
class _Memory:
    """What earlier evidence can spare us."""

    previous: Evidence | None
    max_age: timedelta | None
    entries: Mapping[tuple[str, str, str], Entry]

    @classmethod
    def of(cls, previous: Evidence | None, customer_id: str, max_age: timedelta | None) -> _Memory:
        if previous is not None and previous.customer_id != customer_id:
            raise InputError("earlier evidence of another customer", place="previous")
        entries = previous.entries if previous else ()
        answered = (entry for entry in entries if entry.outcome == "answered" and entry.method and entry.file)
        return cls(previous, max_age, {(entry.method, entry.path, entry.query): entry for entry in answered})

    def recall(self, ask: Ask, now: datetime) -> Finding | None:
        call = ask.call
        if call is None or self.previous is None:
            return None
        entry = self.entries.get((call.operation.method, call.path, call.query))
        if entry is None or entry.requested_at is None or entry.adapter != ask.adapter:
            return None
        unchanging = ask.operation == DOWNLOAD_MEDIA.name
        fresh = self.max_age is not None and now - parse_instant(entry.requested_at) <= self.max_age
        return reused(ask, entry, self.previous.body(entry.id)) if unchanging or fresh else None


@dataclass(slots=True)
class _Course:
    """The state of one collection: what is settled, by its place in the plan."""

    order: Order
    now: Callable[[], datetime]
    on_progress: Callable[[Progress], None] | None
    memory: _Memory
    findings: dict[tuple[int, ...], Finding] = field(default_factory=dict)
    planned: int = 0

    def begin(self) -> deque[_Task]:
        """Return what is to be fetched first."""
        return deque(self._admit((), first_asks(self.order)))

    def settle(self, task: _Task, finding: Finding) -> list[_Task]:
        """Keep what came of a task, and return what it leads to."""
        self._keep(task.place, finding)
        return self._admit(task.place, next_asks(self.order, task.ask, finding.document))

    def evidence(self) -> Evidence:
        """Put the evidence together, ids in order of the plan."""
        counts = {"E": 0, "M": 0, "R": 0}
        entries: list[Entry] = []
        bodies: dict[str, bytes] = {}
        for _, finding in sorted(self.findings.items(), key=lambda item: item[0]):
            prefix = _prefix(finding.entry.operation)
            counts[prefix] += 1
            entry_id = f"{prefix}-{counts[prefix]:02d}"
            file = f"{entry_id}.{finding.extension}" if finding.body is not None else None
            entries.append(replace(finding.entry, id=entry_id, file=file))
            if finding.body is not None:
                bodies[entry_id] = finding.body
        return Evidence(self.order.customer_id, tuple(entries), bodies)

    def _admit(self, place: tuple[int, ...], asks: Sequence[Ask]) -> list[_Task]:
        tasks: list[_Task] = []
        waiting = deque([(place, asks)])
        while waiting:
            above, group = waiting.popleft()
            self.planned += len(group)
            for number, ask in enumerate(group):
                here = (*above, number)
                finding = self._without_wire(ask)
                if finding is not None:
                    self._keep(here, finding)
                    waiting.append((here, next_asks(self.order, ask, finding.document)))
                elif ask.call is not None:
                    tasks.append(_Task(here, ask, ask.call))
        return tasks

    def _without_wire(self, ask: Ask) -> Finding | None:
        if ask.operation == REGISTER and self.order.known is not None:
            return from_register(ask, self.order.known, format_instant(self.now()))
        if ask.call is None:
            return not_asked(ask)
        return self.memory.recall(ask, self.now())

    def _keep(self, place: tuple[int, ...], finding: Finding) -> None:
        self.findings[place] = finding
        if self.on_progress is not None:
            entry = finding.entry
            done = len(self.findings)
            self.on_progress(
                Progress(self.order.customer_id, done, self.planned, entry.operation, entry.outcome)
            )


def _ids(given: Sequence[str], name: str) -> tuple[str, ...]:
    if isinstance(given, str):
        raise InputError("expected a list of ids, not one", place=name)
    return tuple(given)


def _require_room(concurrency: int) -> None:
    if concurrency < 1:
        raise InputError("expected at least 1", place="concurrency")


def _fetch(client: Client, task: _Task) -> Finding:
    asked_at = format_instant(client.now())
    try:
        return from_answer(task.ask, client.ask(task.call))
    except ApiError as error:
        return from_error(task.ask, error, asked_at)


async def _fetch_async(client: AsyncClient, task: _Task) -> Finding:
    asked_at = format_instant(client.now())
    try:
        return from_answer(task.ask, await client.ask(task.call))
    except ApiError as error:
        return from_error(task.ask, error, asked_at)


def _prefix(operation: str) -> str:
    if operation == REGISTER:
        return "R"
    return "M" if operation == DOWNLOAD_MEDIA.name else "E"
