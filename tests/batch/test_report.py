"""The report of a run as it is written."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from kycpack.batch.report import RunEntry, RunReport, dump, to_entry
from kycpack.storage.paged import PAGE
from kycpack.storage.stored_report import read_stored_report

_AWKWARD = '\n  "entries": [], \n    "x": {}'


@pytest.mark.parametrize("count", [0, 1, 3, 2 * PAGE + 1])
def test_a_report_is_written_and_read_entry_by_entry_as_at_once(tmp_path: Path, count: int) -> None:
    entries = tuple(RunEntry(f"c-{number}", "failed", note=_AWKWARD) for number in range(count))
    before = {
        "run_id": "r-0",
        "as_of": "2026-05-01T00:00:00Z",
        "entries": [asdict(RunEntry(name, "produced", level="review")) for name in ("c-0", "c-x")],
    }
    head = {"entries": [], "said": _AWKWARD}
    report = RunReport(
        "r-1", "2026-06-01T00:00:00Z", "", "", "0", 1, entries, ledger_head=head, earlier=before
    )
    document = report.to_document()
    assert document["compared_with"]["gone"] == (1 if count else 2)
    (tmp_path / "run.json").write_bytes(b"".join(report.dump()))
    assert (tmp_path / "run.json").read_bytes() == dump(document)

    read = read_stored_report(tmp_path / "run.json")
    (tmp_path / "run.json").unlink()
    assert {**read, "entries": list(read["entries"])} == document
    assert len(read["entries"]) == count
    if count:
        assert read["entries"][-1] == document["entries"][-1]
        assert read["entries"][1:] == document["entries"][1:]
        assert read["entries"][::-2] == document["entries"][::-2]


def test_words_that_many_customers_have_in_common_are_held_once() -> None:
    written = [json.dumps(asdict(RunEntry(name, "produced", top_reason="Data integrity"))) for name in "ab"]
    first, second = (to_entry(json.loads(one)) for one in written)
    assert first.top_reason is second.top_reason
