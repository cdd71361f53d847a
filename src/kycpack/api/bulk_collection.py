"""Collects for many customers: in parallel, within limits, and without one failure stopping the others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice

from kycpack.api.client import AsyncClient, Client
from kycpack.api.collection import CollectionProgress, collect, collect_async
from kycpack.api.collection_plan import CollectJob
from kycpack.errors import ConfigurationError, KycpackError
from kycpack.evidence import Evidence
from kycpack.models.arguments import require


@dataclass(frozen=True, slots=True)
class Collected:
    """The result of a job: evidence or an error."""

    job: CollectJob
    evidence: Evidence | None = None
    error: KycpackError | None = None


def collect_many(
    client: Client,
    jobs: Iterable[CollectJob],
    *,
    concurrency: int = 4,
    requests: int = 4,
    on_progress: Callable[[CollectionProgress], None] | None = None,
) -> Iterator[Collected]:
    """Collect for many customers, and yield each result as it comes.

    New jobs are started only as results are taken, so at most `concurrency` customers are in memory at once.

    Args:
        client: The client.
        jobs: The jobs; may be endless.
        concurrency: Maximum number of customers at once.
        requests: Maximum number of requests at once for each customer.
        on_progress: Called after each finished request, in the thread of its customer.

    Returns:
        An iterator of one result per job, in order of completion; a customer's error is in its result and does not stop the others.

    Raises:
        ConfigurationError: The address, key or secret cannot be used, which would affect every customer.
        TypeError: The client or the jobs have the wrong type.
    """
    require("client", client, Client, "a Client, as returned by `kp.Client()`")
    require("jobs", jobs, Iterable, "an iterable of CollectJob")
    return _collect_many(client, jobs, concurrency, requests, on_progress)


def _collect_many(
    client: Client,
    jobs: Iterable[CollectJob],
    concurrency: int,
    requests: int,
    on_progress: Callable[[CollectionProgress], None] | None,
) -> Iterator[Collected]:

    def fetch(job: CollectJob) -> Collected:
        try:
            evidence = collect(client, job, concurrency=requests, on_progress=on_progress)
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


def collect_many_async(
    client: AsyncClient,
    jobs: Iterable[CollectJob],
    *,
    concurrency: int = 4,
    requests: int = 4,
    on_progress: Callable[[CollectionProgress], None] | None = None,
) -> AsyncIterator[Collected]:
    """Collect for many customers in the running event loop, as `collect_many` does in threads.

    Args:
        client: The client.
        jobs: The jobs; may be endless.
        concurrency: Maximum number of customers at once.
        requests: Maximum number of requests at once for each customer.
        on_progress: Called after each finished request, in the event loop.

    Returns:
        An iterator of one result per job, in order of completion; a customer's error is in its result and does not stop the others.

    Raises:
        ConfigurationError: The address, key or secret cannot be used, which would affect every customer.
        TypeError: The client or the jobs have the wrong type.
    """
    require("client", client, AsyncClient, "an AsyncClient, as returned by `kp.AsyncClient()`")
    require("jobs", jobs, Iterable, "an iterable of CollectJob")
    return _collect_many_async(client, jobs, concurrency, requests, on_progress)


async def _collect_many_async(
    client: AsyncClient,
    jobs: Iterable[CollectJob],
    concurrency: int,
    requests: int,
    on_progress: Callable[[CollectionProgress], None] | None,
) -> AsyncIterator[Collected]:
    async def fetch(job: CollectJob) -> Collected:
        try:
            evidence = await collect_async(client, job, concurrency=requests, on_progress=on_progress)
        except ConfigurationError:
            raise
        except KycpackError as error:
            return Collected(job, error=error)
        return Collected(job, evidence)

    waiting = iter(jobs)
    running = {asyncio.create_task(fetch(job)) for job in islice(waiting, concurrency)}
    try:
        while running:
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                running.remove(task)
                yield task.result()
                running |= {asyncio.create_task(fetch(job)) for job in islice(waiting, 1)}
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
