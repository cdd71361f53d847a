"""The jobs of a run, which are kept in a temporary file."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from kycpack.batch import Job
from kycpack.batch.job_list import JobList
from kycpack.batch.jobs import KnownCase
from kycpack.errors import InputError
from kycpack.storage.scratch import Scratch


def test_the_jobs_come_back_as_they_were_and_in_their_order() -> None:
    case = KnownCase((Path("/packs"),), "root", "digest", {"entries": [1]})
    given = [Job(f"c-{(7 * number) % 1201}", {"sessions": [number]}, case=case) for number in range(1201)]
    listed = JobList(iter(given))
    assert list(listed) == given
    assert listed[1200] == given[1200]
    assert list(listed.ids) == [job.customer_id for job in given]
    assert [name for name, _ in listed.occasions()] == sorted(job.customer_id for job in given)


def test_who_was_done_before_is_not_waiting() -> None:
    listed = JobList(Job(name) for name in "cab")
    listed.mark(["a", "b", "of another run"], done=True)
    listed.mark(["b"], done=False)
    assert listed.done() == 1
    assert [job.customer_id for job in listed.waiting()] == ["c", "b"]
    assert listed.customers(0, 3) == [("c", False), ("a", True), ("b", False)]


def test_a_customer_who_is_named_twice_is_refused() -> None:
    with pytest.raises(InputError, match="named twice"):
        JobList([Job("a"), Job("b"), Job("a")])


def test_jobs_at_some_places_are_read_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = JobList(Job(f"c-{number}") for number in range(1500))
    asked: list[str] = []
    rows = Scratch.rows
    monkeypatch.setattr(Scratch, "rows", lambda self, *query: (asked.append(query[0]), rows(self, *query))[1])
    chosen = listed.at(range(0, 1500, 2))
    assert [job.customer_id for job in chosen] == [f"c-{number}" for number in range(0, 1500, 2)]
    assert len(asked) == 2
    assert [job.customer_id for job in chosen[3:5]] == ["c-6", "c-8"]
    assert chosen[-1].customer_id == "c-1498"


def test_many_jobs_are_not_in_memory() -> None:
    tracemalloc.start()
    try:
        listed = JobList(Job(f"c-{number}", {"sessions": ["x" * 500]}) for number in range(20_000))
        assert sum(len(job.customer_id) for job in listed.waiting()) > 0
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20_000 * 100
