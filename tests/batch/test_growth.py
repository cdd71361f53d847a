"""Memory of a run's end: it does not grow with the number of customers."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from kycpack.batch.paged import Paged
from kycpack.batch.report import RunEntry, RunReport
from kycpack.batch.run_results import RunResults
from kycpack.batch.stored_report import read_stored_report
from kycpack.render import render_index_pages, run_index

FEW, MANY = 500, 3_000
ON_A_PAGE = 100
BYTES_A_CUSTOMER = 32
"""The place of an entry in run.json (8 bytes), in the earlier run's and in this one's, each while it is read."""


def _entry(number: int) -> RunEntry:
    # The order of the customers is not that of their ids.
    name = f"{(number * 7919) % 10_007:036}"
    return RunEntry(name, "produced", level="review", top_reason="stub", fingerprint="0" * 64)


def _report(count: int, run_id: str, earlier: dict[str, Any] | None = None) -> RunReport:
    entries = Paged(count, lambda first, end: [_entry(number) for number in range(first, end)])
    at = "2026-06-01T00:00:00Z"
    return RunReport(run_id, at, at, at, "0", 1, entries, earlier=earlier)


def _peak(out: Path, count: int) -> int:
    """Return the peak of memory while the results of a run with an earlier run are written."""
    own = out / ".kycpack"
    own.mkdir(parents=True)
    results = RunResults(out, own, None)
    results.publish(_report(count, "first"), None)
    results.take_back("second")
    tracemalloc.start()
    try:
        results.publish(_report(count, "second", results.earlier()), None)
        for _ in render_index_pages(read_stored_report(out / "run.json")):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_writing_the_results_of_a_run_needs_no_memory_for_each_customer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_index, "_CUSTOMERS_A_PAGE", ON_A_PAGE)
    _peak(tmp_path / "warm", 10)
    growth = _peak(tmp_path / "many", MANY) - _peak(tmp_path / "few", FEW)
    assert growth < (MANY - FEW) * BYTES_A_CUSTOMER
