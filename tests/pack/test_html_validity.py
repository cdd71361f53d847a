"""Every page that is written beside and in packs is valid HTML: review, index of a run, verification, queue of cases and memo."""

from __future__ import annotations

import shutil
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.pack.conftest import FIRST, LAST
from tests.render.html_validity import nu_messages, parse_errors

from kycpack.batch.run_summary import run_summary
from kycpack.pack import PackResult, verify_pack
from kycpack.pack.check.verification_page import verification_page
from kycpack.render import render_index_pages, render_memo_html, render_queue_html
from kycpack.workspace.cases.queue import CALENDAR, QUEUE

AS_OF = datetime(2026, 6, 30, 12, tzinfo=UTC)
NAMES = {"c-1": FIRST, "c-2": LAST}


def _run(count: int) -> dict[str, Any]:
    levels = ("approve", "review", "edd", "escalate", "reject", LAST)
    before = {"outcome": "produced", "level": "approve", "top_reason": ""}
    entries = [
        {
            "customer_id": f"c-{number}",
            "outcome": "produced" if number else "failed",
            "level": levels[number % len(levels)],
            "pack": f"c {number}" if number else "",
            "top_reason": f"{FIRST} (E-03)",
            "note": LAST,
            "explained_share": None if number % 2 else 0.5,
            "before": None if number % 3 else before,
        }
        for number in range(count)
    ]
    counts = {"produced": count - 1, "incomplete": 0, "failed": 1, "skipped": 0, "unchanged": 0}
    compared = {"run_id": "r-0", "as_of": "2026-06-29T12:00:00Z", "gone": 1}
    head = {
        "as_of": "2026-06-30T12:00:00Z",
        "run_id": "r",
        "code_version": "0",
        "in_scope": count,
        "state": "finished",
    }
    return {**head, **counts, "compared_with": compared, "entries": entries}


def _queue() -> tuple[pd.DataFrame, pd.DataFrame]:
    case = {**dict.fromkeys(QUEUE, FIRST), "place": 1, "level": "edd", "overdue_days": 3, "age_days": 9}
    due = {**dict.fromkeys(CALENDAR, LAST), "due_at": "2026-07-01T09:00:00+00:00"}
    return pd.DataFrame([case, {**case, "place": 2, "level": LAST}]), pd.DataFrame([due])


@pytest.fixture(scope="module")
def pages(made: PackResult, hostile: PackResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one page of each kind, of ordinary and of hostile content."""
    folder = tmp_path_factory.mktemp("pages")
    for name, pack in (("review", made), ("hostile", hostile)):
        shutil.copy(pack.path / "data/report/review.html", folder / f"{name}.html")
    damaged = Path(shutil.copytree(made.path, folder.parent / "damaged" / made.path.name))
    (damaged / "data/figures.json").write_bytes(b"{}")
    run = _run(2001)
    written = {
        "verification.html": verification_page(
            [(made.path, verify_pack(made.path)), (damaged, verify_pack(damaged))]
        ),
        "queue.html": render_queue_html(*_queue(), date(2026, 6, 30)),
        "no-queue.html": render_queue_html(*(frame.head(0) for frame in _queue()), date(2026, 6, 30)),
        "memo.html": render_memo_html(run_summary(run)),
        **{name.replace("/", "-"): page for name, page in render_index_pages(run)},
        **{f"names-{name}": page for name, page in render_index_pages(_run(9), NAMES)},
    }
    for name, page in written.items():
        (folder / name).write_text(page, encoding="utf-8")
    return folder


def test_no_page_has_a_parse_error(pages: Path) -> None:
    written = sorted(pages.glob("*.html"))
    assert len(written) == 10
    assert {page.name: parse_errors(page.read_text(encoding="utf-8")) for page in written} == {
        page.name: [] for page in written
    }


@pytest.mark.java
def test_the_nu_checker_finds_every_page_valid(pages: Path) -> None:
    assert nu_messages(pages) == []
