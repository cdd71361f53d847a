"""Collect for many customers: side by side, bounded, and none stops the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from typing import Any

from kycpack.api.client import AsyncClient, Client
from kycpack.api.collecting import Progress, Window, collect, collect_async
from kycpack.api.plan import OWN_SHAPE
from kycpack.errors import ConfigurationError, KycpackError
from kycpack.evidence import Evidence


@dataclass(frozen=True, slots=True)
class CollectJob:
    """What is wanted of one customer; the fields are arguments of `collect`."""

    customer_id: str
    sessions: tuple[str, ...] = ()
    payments: tuple[str, ...] = ()
    known: Mapping[str, Any] | None = field(default=None, repr=False)
    window: Window | None = None
    media: bool = True
    previous: Evidence | None = None
    max_age: timedelta | None = None
    bank_adapter: str = OWN_SHAPE

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of `collect`."""
        names = ("sessions", "payments", "known", "window", "media", "previous", "max_age", "bank_adapter")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Collected:
    """What came of a job: evidence, or the error that stood in its way."""

    job: CollectJob
    evidence: Evidence | None = None
    error: KycpackError | None = None


def collect_many(
    client: Client,
    jobs: Iterable[CollectJob],
    *,
    concurrency: int = 4,
    requests: int = 4,
    on_progress: Callable[[Progress], None] | None = None,
) -> Iterator[Collected]:
    """Collect for many customers, and give each result as it comes.

    Jobs are taken only as results are taken, so no more than `concurrency` customers are in memory at once, however
    many there are.

    Args:
        client: The client.
        jobs: What is wanted; may be endless.
        concurrency: Most customers at once.
        requests: Most requests at once for each of them.
        on_progress: Called after each thing that is settled, in the thread of its customer.

    Yields:
        One result a job, in order of completion.

    Raises:
        ConfigurationError: Address, key or secret cannot be used; that would be so for every customer.
    """

    def fetch(job: CollectJob) -> Collected:
        try:
            evidence = collect(
                client, job.customer_id, concurrency=requests, on_progress=on_progress, **job.arguments()
            )
        except ConfigurationError:
            raise
        except KycpackError as error:
            return Collected(job, error=error)
        return Collected(job, evidence)

    waiting = iter(jobs)
    with ThreadPoolExecutor(max_workers=concurrency, thread_name_prefix="customer") as pool:
        running: set[Future[Collected]] = {pool.submit(fetch, job) for job in islice(waiting, concurrency)}
        try:
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
                    running |= {pool.submit(fetch, job) for job in islice(waiting, 1)}
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


async def collect_many_async(
    client: AsyncClient,
    jobs: Iterable[CollectJob],
    *,
    concurrency: int = 4,
    requests: int = 4,
    on_progress: Callable[[Progress], None] | None = None,
) -> AsyncIterator[Collected]:
    """Collect for many customers in the running event loop; arguments, results and errors as for `collect_many`."""

    async def fetch(job: CollectJob) -> Collected:
        try:
            evidence = await collect_async(
                client, job.customer_id, concurrency=requests, on_progress=on_progress, **job.arguments()
            )
        except ConfigurationError:
            raise
        except KycpackError as error:
            return Collected(job, error=error)
        return Collected(job, evidence)

    waiting = iter(jobs)
    running = {asyncio.create_task(fetch(job)) for job in islice(waiting, concurrency)}
    try:
        while running:
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
                running |= {asyncio.create_task(fetch(job)) for job in islice(waiting, 1)}
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
