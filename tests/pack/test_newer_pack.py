"""What a pack of a case that was opened again keeps of the later run: the sentences of its findings with their values."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.frames.evidence_maker import RESULTS, clear_customer
from tests.render.specimen_review import inputs_of
from tests.render.step_findings import LIST, findings

from kycpack.pack.decide import newer_pack


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "name the category but count no match"),
        (1, "count 1 match"),
        (2, "count 2 matches"),
    ],
)
def test_a_match_of_a_later_run_says_what_the_results_count(
    monkeypatch: pytest.MonkeyPatch, count: int, said: str
) -> None:
    results = {**RESULTS, "screening": {**RESULTS["screening"], "matchCount": count}}
    made = inputs_of(clear_customer(results))
    (session,) = made.frames.results["session_id"]
    found = findings(LIST | {"sentence": "Possible match: 'attention' (E-03)", "session_id": session})
    frames = {
        "findings": found,
        "consistency": made.triage.consistency,
        "accounts": made.frames.accounts,
        "results": made.frames.results,
    }
    monkeypatch.setattr(newer_pack, "parse_json", lambda _: {"customer_id": "c-1", "evidence_root": "0"})
    monkeypatch.setattr(newer_pack.pd, "read_parquet", lambda path: frames[Path(path).stem])
    monkeypatch.setattr(newer_pack, "pack_root", lambda _: "0")
    monkeypatch.setattr(Path, "read_bytes", lambda _: b"")
    kept = newer_pack.newer_pack(Path("pack"))["sentences"]
    assert kept == {
        "Possible match: 'attention' (E-03)": f"Possible match: 'attention'; the results {said} (E-03)"
    }
