"""The report of a run as it is written."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from kycpack.batch.report import RunEntry, RunReport, dump, dump_report, to_entry

_AWKWARD = '\n  "entries": [], \n    "x": {}'


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_report_written_entry_by_entry_is_the_report_written_at_once(count: int) -> None:
    entries = tuple(RunEntry(f"c-{number}", "failed", note=_AWKWARD) for number in range(count))
    report = RunReport(
        "r-1", "2026-06-01T00:00:00Z", "", "", "0", 1, entries, ledger_head={"entries": [], "said": _AWKWARD}
    )
    document = report.to_document()
    assert b"".join(dump_report(document)) == dump(document)


def test_words_that_many_customers_have_in_common_are_held_once() -> None:
    written = [json.dumps(asdict(RunEntry(name, "produced", top_reason="Data integrity"))) for name in "ab"]
    first, second = (to_entry(json.loads(one)) for one in written)
    assert first.top_reason is second.top_reason
