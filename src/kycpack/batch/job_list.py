"""The jobs of a run, in a temporary file: what the register says of 100,000 customers is never in memory together."""

from __future__ import annotations

import json
import pickle
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kycpack.batch.jobs import Job
from kycpack.errors import InputError
from kycpack.storage.paged import Paged
from kycpack.storage.scratch import Scratch


class JobList(Paged[Job]):
    """The jobs of a run in their order, and which customers were done before it began.

    Args:
        jobs: The jobs; they are taken once.

    Raises:
        InputError: A customer is named twice.
        ConfigurationError: There is no space for temporary files.
    """

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._kept = Scratch(
            "CREATE TABLE jobs (place INTEGER PRIMARY KEY, customer_id TEXT UNIQUE, occasion TEXT, job BLOB, done INTEGER)"
        )
        rows = (
            (place, job.customer_id, job.occasion, pickle.dumps(job), False) for place, job in enumerate(jobs)
        )
        try:
            self._kept.write("INSERT INTO jobs VALUES (?, ?, ?, ?, ?)", rows)
        except sqlite3.IntegrityError:
            raise InputError("a customer is named twice", place="jobs") from None
        super().__init__(self._kept.value("SELECT count(*) FROM jobs"), self._page)

    def _page(self, first: int, end: int) -> list[Job]:
        return self._jobs("SELECT job FROM jobs WHERE place >= ? AND place < ? ORDER BY place", (first, end))

    def _jobs(self, query: str, values: Sequence[Any]) -> list[Job]:
        return [pickle.loads(job) for (job,) in self._kept.rows(query, values)]  # noqa: S301 - written above, to a file that nobody else can open

    def mark(self, customer_ids: Iterable[str], *, done: bool) -> None:
        """Record whether customers were done before the run began."""
        self._kept.write(
            "UPDATE jobs SET done = ? WHERE customer_id = ?", ((done, name) for name in customer_ids)
        )

    def done(self) -> int:
        """Return how many customers were done before the run began."""
        return int(self._kept.value("SELECT count(*) FROM jobs WHERE done"))

    def customers(self, first: int, end: int) -> list[tuple[str, bool]]:
        """Return the customers from one place to before another, each with whether they were done before the run began."""
        query = "SELECT customer_id, done FROM jobs WHERE place >= ? AND place < ? ORDER BY place"
        return [(name, bool(done)) for name, done in self._kept.rows(query, (first, end))]

    @property
    def ids(self) -> Paged[str]:
        """The customers in their order."""
        return Paged(len(self), lambda first, end: [name for name, _ in self.customers(first, end)])

    def waiting(self) -> Paged[Job]:
        """Return the jobs of the customers who were not done before the run began."""
        return self.at(
            place for (place,) in self._kept.rows("SELECT place FROM jobs WHERE NOT done ORDER BY place")
        )

    def at(self, places: Iterable[int]) -> Paged[Job]:
        """Return the jobs at some places, in ascending order."""
        chosen = array("Q", places)
        query = "SELECT job FROM jobs WHERE place IN (SELECT value FROM json_each(?)) ORDER BY place"
        return Paged(
            len(chosen), lambda first, end: self._jobs(query, (json.dumps(chosen[first:end].tolist()),))
        )

    def occasions(self) -> Iterator[tuple[str, str]]:
        """Yield the customers in the order of their ids, each with the occasion."""
        yield from self._kept.rows("SELECT customer_id, occasion FROM jobs ORDER BY customer_id")
