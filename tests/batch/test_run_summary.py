"""What management gets of a run, and what is different since the run before."""

from __future__ import annotations

import io
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import pypdf

from kycpack.batch import Job, run_batch
from kycpack.batch.run_verification import verify_run
from kycpack.render import render_index_pages

sys.path.insert(0, str(Path(__file__).parent))
from stub_packs import StubTask


def _run(out: Path, ids: list[str], day: int, *, names: bool = False) -> None:
    run_batch(
        [Job(name) for name in ids],
        out,
        task=StubTask(),
        as_of=datetime(2026, 6, day, tzinfo=UTC),
        workers=1,
        render_index=render_index_pages,
        names=names,
    )


def test_index_and_summary_say_what_changed_and_name_nobody_unless_asked(tmp_path: Path) -> None:
    _run(tmp_path, ["a", "b"], 1)
    _run(tmp_path, ["a", "none-1", "c"], 2)
    document = json.loads((tmp_path / "run.json").read_bytes())
    assert document["compared_with"]["gone"] == 1
    before = {one["customer_id"]: one["before"] for one in document["entries"]}
    assert before["a"]["level"] == "review"
    assert before["c"] is None
    reader = pypdf.PdfReader(io.BytesIO((tmp_path / "summary.pdf").read_bytes()))
    text = " ".join(page.extract_text() for page in reader.pages)
    assert "2 customers are new, 1 is no longer in scope" in " ".join(text.split())
    assert "1 customer failed or is incomplete" in " ".join(text.split())
    assert 'data-label="Name"' not in (tmp_path / "index.html").read_text()
    _run(tmp_path, ["a", "c"], 3, names=True)
    assert 'data-label="Name"' in (tmp_path / "index.html").read_text()
    problems = verify_run(tmp_path).problems
    assert not [each for each in problems if "index" in each or "summary" in each or "frames" in each]
    page = (tmp_path / "index.html").read_text()
    (tmp_path / "index.html").write_text(page.replace("Name", "Label"))
    assert "index.html is not what the manifest of the run says" in verify_run(tmp_path).problems


def test_a_run_that_is_continued_is_not_compared_with_itself(tmp_path: Path) -> None:
    _run(tmp_path, ["a", "b"], 1)
    _run(tmp_path, ["a", "again-1"], 2)
    first = json.loads((tmp_path / ".kycpack" / "earlier-run.json").read_bytes())["run_id"]
    assert json.loads((tmp_path / "run.json").read_bytes())["compared_with"]["run_id"] == first
