from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any

import httpx
import pytest

from kycpack.api import (
    AsyncClient,
    Client,
    Collected,
    CollectionProgress,
    CollectJob,
    collect_many,
    collect_many_async,
)
from kycpack.errors import ConfigurationError


def answer(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json={"id": request.url.path.split("/")[3], "items": []})


def gather(client: Any, jobs: Any, **wanted: Any) -> list[Collected]:
    if isinstance(client, Client):
        return list(collect_many(client, jobs, **wanted))

    async def run() -> list[Collected]:
        return [each async for each in collect_many_async(client, jobs, **wanted)]

    return asyncio.run(run())


@pytest.fixture(params=["sync", "async"])
def make(
    request: pytest.FixtureRequest,
    make_client: Callable[..., Client],
    make_async_client: Callable[..., AsyncClient],
) -> Callable[..., Any]:
    return make_client if request.param == "sync" else make_async_client


def test_every_job_has_one_result_and_a_bad_one_stops_nobody(make: Callable[..., Any]) -> None:
    jobs = [CollectJob(customer_id) for customer_id in ("c-1", "c-2", "..", "c-3", "", "c-4")]
    results = gather(make(answer), jobs, concurrency=2)
    assert sorted(result.job.customer_id for result in results) == ["", "..", "c-1", "c-2", "c-3", "c-4"]
    for result in results:
        if result.job.customer_id in {"", ".."}:
            assert "customer_id" in str(result.error)
            assert result.evidence is None
        else:
            assert result.evidence.customer_id == result.job.customer_id


def test_jobs_are_taken_only_as_results_are(make_client: Callable[..., Client]) -> None:
    taken: list[int] = []

    def endless() -> Iterator[CollectJob]:
        for number in count():
            taken.append(number)
            yield CollectJob(f"c-{number}")

    results = collect_many(make_client(answer), endless(), concurrency=3)
    assert taken == []
    first = list(islice(results, 5))
    assert len(first) == 5
    assert len(taken) <= 5 + 3
    results.close()


def test_the_async_one_takes_jobs_only_as_results_are_taken(
    make_async_client: Callable[..., AsyncClient],
) -> None:
    taken: list[int] = []

    def endless() -> Iterator[CollectJob]:
        for number in count():
            taken.append(number)
            yield CollectJob(f"c-{number}")

    async def run() -> int:
        results = collect_many_async(make_async_client(answer), endless(), concurrency=3)
        seen = 0
        async for _ in results:
            seen += 1
            if seen == 5:
                break
        await results.aclose()
        return seen

    assert asyncio.run(run()) == 5
    assert len(taken) <= 5 + 3


def test_customers_run_side_by_side_and_are_bounded(make_client: Callable[..., Client]) -> None:
    lock = threading.Lock()
    meeting = threading.Barrier(2, timeout=10)
    here: list[str] = []
    most = 0

    def watch(request: httpx.Request) -> httpx.Response:
        nonlocal most
        customer = request.url.path.split("/")[3]
        with lock:
            here.append(customer)
            most = max(most, len(set(here)))
        if request.url.path.endswith("/bank-accounts"):
            meeting.wait()
        with lock:
            here.remove(customer)
        return answer(request)

    jobs = [CollectJob(f"c-{number}") for number in range(6)]
    assert len(gather(make_client(watch), jobs, concurrency=2)) == 6
    assert most == 2


def test_a_client_that_cannot_be_used_stops_at_once(make: Callable[..., Any]) -> None:
    with pytest.raises(ConfigurationError):
        gather(make(answer, secret="AAAA"), [CollectJob("c-1"), CollectJob("c-2")])


def test_customers_who_fail_together_leave_no_error_behind(
    make_async_client: Callable[..., AsyncClient],
) -> None:
    left: list[str] = []

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: left.append(context["message"]))
        client = make_async_client(answer, secret="AAAA")
        with pytest.raises(ConfigurationError):
            async for _ in collect_many_async(client, [CollectJob(f"c-{number}") for number in range(4)]):
                pass
        gc.collect()

    asyncio.run(run())
    assert left == []


def test_progress_is_told_for_each_customer(make: Callable[..., Any]) -> None:
    told: list[CollectionProgress] = []
    gather(make(answer), [CollectJob("c-1"), CollectJob("c-2")], on_progress=told.append)
    assert {each.customer_id for each in told} == {"c-1", "c-2"}
