"""What management gets of a run, and what is different since the run before."""

from __future__ import annotations

import io
import json
import re
import sys
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pypdf
import pytest

import kycpack as kp
from kycpack.batch import Job, RunEntry, RunReport, run_batch
from kycpack.batch.population import PopulationProof, compare_population
from kycpack.batch.run_figures import run_figure_map, run_tables
from kycpack.batch.run_summary import _levels, run_summary
from kycpack.batch.run_verification import verify_run
from kycpack.pack.figures.figure_check import arithmetic_problems
from kycpack.pack.figures.figure_map import block_texts
from kycpack.render import render_index_html, render_index_pages
from kycpack.render.document_parts import Table

sys.path.insert(0, str(Path(__file__).parent))
from stub_packs import StubTask

DAY = "2026-06-01T00:00:00Z"


def _run(
    out: Path, ids: list[str], day: int, *, names: bool = False, population: PopulationProof | None = None
) -> None:
    run_batch(
        [Job(name) for name in ids],
        out,
        task=StubTask(),
        as_of=datetime(2026, 6, day, tzinfo=UTC),
        workers=1,
        render_index=render_index_pages,
        names=names,
        population=population,
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
    assert "index.html differs from the manifest of the run" in verify_run(tmp_path).problems


def test_an_index_is_the_same_for_a_machine_with_other_fonts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _run(tmp_path, ["山田"], 1)
    page = (tmp_path / "index.html").read_text()
    assert "@font-face" in page
    monkeypatch.setattr("kycpack.render.web_fonts._OPTIONAL", ())
    assert not [each for each in verify_run(tmp_path).problems if "index" in each]
    for changed in (page.replace("山田", "川田"), page.replace("unicode-range:U+", "unicode-range:U+35,U+")):
        (tmp_path / "index.html").write_text(changed)
        assert "index.html shows something other than run.json" in verify_run(tmp_path).problems


def test_index_and_summary_say_who_was_left_out_and_who_has_no_session(tmp_path: Path) -> None:
    found = compare_population(
        "all", ["a", "b"], register=["a", "b"], sessions={"s": "a"}.items(), listed=["a", "b", "c"]
    )
    _run(tmp_path, ["a", "b"], 1, population=found)
    said = (
        "When the run began: 2 customers were in scope, the register had 2 (0 of them not in scope), the service listed 3 "
        "(1 of them not in scope), 1 had no known session."
    )
    reader = pypdf.PdfReader(io.BytesIO((tmp_path / "summary.pdf").read_bytes()))
    assert said in " ".join(reader.pages[0].extract_text().split())
    assert f'kp-alarm">{said}<' in (tmp_path / "index.html").read_text()
    report = json.loads((tmp_path / "run.json").read_bytes())
    document = run_figure_map(report)
    assert not document["unmapped"]
    assert not list(arithmetic_problems(document, run_tables(report)))
    problems = verify_run(tmp_path).problems
    assert not [each for each in problems if "index" in each or "summary" in each or "figure" in each]


def test_customers_with_one_reason_are_counted_together_and_nobodys_amounts_are_shown(tmp_path: Path) -> None:
    reasons = (
        "Gambling: 199 payments out (29,101.18 GBP) and 35 credits in, between 22 Dec 2024 and 22 Nov 2026 (E-07 to E-18)",
        "Gambling: 194 payments out (32,074.74 GBP) and 44 credits in, between 28 Dec 2024 and 16 Nov 2026 (E-07)",
        "The session is pending (S1): 44 checks could not be evaluated (E-01, E-02)",
        "Document rejected: data integrity 'attention' (E-03). Also escalate to MLRO: sanctions at level 2 (E-03)",
        "No finding stands against approval.",
    )
    entries = tuple(
        RunEntry(str(number), "produced", pack=str(number), level="edd", top_reason=reason)
        for number, reason in enumerate(reasons)
    )
    report = RunReport("run", DAY, DAY, DAY, kp.__version__, 1, entries).to_document()
    section = next(one for one in run_summary(report).sections if one.key == "reasons")
    texts = [text for block in section.blocks for text, _, _ in block_texts(block)]
    assert "Gambling" in texts
    assert "The session is pending" in texts
    assert "Document rejected: data integrity 'attention'. Also escalate to MLRO" in texts
    assert texts[texts.index("Gambling") :][:3] == ["Gambling", "Enhanced due diligence", "2"]
    assert not any("GBP" in text or "2026" in text for text in texts)
    assert run_figure_map(report)["unmapped"] == []
    tables = run_tables(report)
    assert not list(arithmetic_problems(run_figure_map(report), tables))


def test_an_approval_before_which_something_is_missing_is_counted_as_one_subject_to_conditions() -> None:
    reasons = (
        "The customer risk file has to be obtained or completed before an approval, and a new pack made then. No finding stands against approval.",
        "No finding stands against approval.",
        "No finding stands against approval.",
    )
    entries = tuple(
        RunEntry(str(number), "produced", pack=str(number), level="approve", top_reason=reason)
        for number, reason in enumerate(reasons)
    )
    report = RunReport("run", DAY, DAY, DAY, kp.__version__, 1, entries).to_document()
    (shown,) = _levels(report["entries"]).blocks
    assert isinstance(shown, Table)
    assert [tuple(cell.text for cell in row) for row in shown.rows] == [
        ("Approve", "2", "66.7%"),
        ("Approve once conditions are met", "1", "33.3%"),
    ]
    assert not list(arithmetic_problems(run_figure_map(report), run_tables(report)))
    page = render_index_html(report)
    for words, count in (("Approve", 2), ("Approve once conditions are met", 1)):
        assert re.search(rf"Recommended: {words}</dt><dd><span[^>]*>{count}<", page)
        assert f"<option>{words}</option>" in page
        assert page.count(f'<tr data-level="{words}"') == count


def test_the_index_says_what_is_missing_beside_the_recommendation_and_what_its_words_mean() -> None:
    note = "1 request failed or timed out (E-05); the next run asks again"
    entry = RunEntry("a", "incomplete", pack="a", level="edd", top_reason="Screening (E-03)", note=note)
    report = RunReport("run", DAY, DAY, DAY, kp.__version__, 1, (entry,)).to_document()
    page = render_index_html(report)
    assert 'timed out (<a href="a/data/report/review.html#E-05">E-05</a>); the next run asks again' in page
    assert "Incomplete: requests failed, and the next run repeats them." in page
    assert "Nature known: the share of incoming payments whose nature is known beyond doubt" in page


def test_a_run_that_is_continued_is_not_compared_with_itself(tmp_path: Path) -> None:
    _run(tmp_path, ["a", "b"], 1)
    _run(tmp_path, ["a", "again-1"], 2)
    first = json.loads((tmp_path / ".kycpack" / "earlier-run.json").read_bytes())["run_id"]
    assert json.loads((tmp_path / "run.json").read_bytes())["compared_with"]["run_id"] == first


def test_the_shares_of_the_levels_add_up() -> None:
    entries = [
        {"level": level, "top_reason": ""}
        for level, count in (("reject", 1), ("edd", 4), ("review", 9), ("approve", 2))
        for _ in range(count)
    ]
    (shown,) = _levels(entries).blocks
    assert isinstance(shown, Table)
    assert sum(Decimal(row[2].text.rstrip("%")) for row in shown.rows) == 100
