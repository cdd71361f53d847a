"""The page of a batch links its packs, the most urgent first, and is safe whatever a run holds."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from typing import Any

import pandas as pd
import pytest

from kycpack.assets import asset_path
from kycpack.evidence import load_evidence
from kycpack.render import block_markup, render_index_html, render_index_pages, render_review_html
from kycpack.render.document_parts import Cell, TableColumn, table
from kycpack.render.html_pages import _CLASSES
from kycpack.render.review.evidence_index import evidence_section
from kycpack.render.review.short_names import ShortNames
from kycpack.render.style import NOTEBOOK_STYLE, REPORT_STYLE, width_class
from kycpack.triage.judge.findings import LACKS_FILE, NOTHING


def run_of(*entries: dict[str, Any]) -> dict[str, Any]:
    filled = [
        {
            "outcome": "produced",
            "level": "",
            "pack": "",
            "top_reason": "",
            "note": "",
            "explained_share": None,
            **entry,
        }
        for entry in entries
    ]
    counts = {
        name: sum(e["outcome"] == name for e in filled)
        for name in ("produced", "incomplete", "failed", "skipped", "unchanged")
    }
    head = {"as_of": "2026-06-30T12:00:00Z", "run_id": "r", "code_version": "0", "in_scope": len(filled)}
    return {**head, **counts, "entries": filled}


def test_failures_come_first_then_the_hardest_levels() -> None:
    page = render_index_html(
        run_of(
            {"customer_id": "c-approve", "level": "approve", "pack": "c-approve"},
            {"customer_id": "c-reject", "level": "reject", "pack": "c-reject"},
            {"customer_id": "c-failed", "outcome": "failed", "note": "ServerError: no answer"},
        )
    )
    places = [page.index(name) for name in ("c-failed", "c-reject", "c-approve")]
    assert places == sorted(places)
    assert 'href="c-reject/data/report/review.pdf"' in page
    assert "ServerError: no answer" in page
    assert "30 Jun 2026, 12:00 UTC" in page
    assert page.count("no credits") == 2


@pytest.mark.parametrize(
    "reason",
    [
        LACKS_FILE,
        "No finding stands against approval, but the customer risk file has to be obtained or completed first.",
    ],
    ids=["now", "an older run"],
)
def test_a_customer_without_a_risk_file_is_not_called_approved_in_the_index(reason: str) -> None:
    entry = {"customer_id": "c-1", "level": "approve", "pack": "c-1", "top_reason": reason}
    page = render_index_html(run_of(entry))
    (row,) = re.findall('<tr data-level="Approve once conditions are met".*?</tr>', page, re.DOTALL)
    assert '<span class="kp-word kp-watch">Approve once conditions are met</span>' in row
    assert ">Approve<" not in page
    assert "Recommended: Approve once conditions are met<" in page
    assert "Recommended: Approve<" not in page


def test_a_customer_against_whom_nothing_stands_is_called_approved_in_the_index() -> None:
    entry = {"customer_id": "c-1", "level": "approve", "pack": "c-1", "top_reason": NOTHING}
    assert "once conditions are met" not in render_index_html(run_of(entry))


def test_a_hostile_run_stays_text_and_links_stay_inside() -> None:
    hostile = "<script>alert(1)</script>\u202e"
    page = render_index_html(
        run_of({"customer_id": hostile, "level": hostile, "pack": 'a" onmouseover="x', "top_reason": hostile})
    )
    assert page.count("<script") == 1
    assert "<script>alert" not in page
    script = page.partition("<script>")[2].partition("</script>")[0]
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page.replace("&#39;", "'")
    assert 'onmouseover="' not in page
    assert "\u202e" not in page
    assert "default-src" in page


def test_a_long_index_is_cut_into_pages_that_lead_to_each_other_and_to_the_packs() -> None:
    run = run_of(*({"customer_id": f"c-{n:04}", "level": "review", "pack": f"c-{n:04}"} for n in range(2001)))
    pages = dict(render_index_pages(run))
    assert list(pages) == ["index.html", "index/page-2.html", "index/page-3.html"]
    assert [page.count("review.pdf") for page in pages.values()] == [2000, 2000, 2]
    assert 'href="index/page-2.html"' in pages["index.html"]
    assert 'href="../index.html"' in pages["index/page-3.html"]
    assert 'href="../c-2000/data/report/review.pdf"' in pages["index/page-3.html"]
    assert all("2001</span>" in page for page in pages.values())  # the total of the level is that of the run


def test_names_and_changes_are_shown_where_they_are_given() -> None:
    before = {"outcome": "produced", "level": "approve", "top_reason": ""}
    run = run_of(
        {"customer_id": "c-1", "level": "edd", "pack": "c-1", "before": before},
        {"customer_id": "c-2", "level": "approve", "pack": "c-2", "before": None},
    )
    run["compared_with"] = {"run_id": "r-0", "as_of": "2026-06-29T12:00:00Z", "gone": 0}
    page = render_index_html(run, {"c-1": "Ada <Byron>"})
    assert "Ada &lt;Byron&gt;" in page
    assert '<td data-label="Change">was Approve</td>' in page or "was approve" in page.lower()
    assert '<td data-label="Change">new</td>' in page
    assert 'data-label="Name"' not in render_index_html(run)


def test_the_ids_of_evidence_in_the_index_lead_into_the_review() -> None:
    page = render_index_html(
        run_of(
            {
                "customer_id": "c",
                "level": "edd",
                "pack": "c",
                "top_reason": "Data integrity “attention” (E-03)",
            }
        )
    )
    assert '<a href="c/data/report/review.html#E-03">E-03</a>' in page


def review_page() -> str:
    cells = [
        {"cell_type": "markdown", "source": "# Customer review\n\nWhat is known."},
        {"cell_type": "markdown", "source": "## Findings"},
        {
            "cell_type": "code",
            "source": "",
            "outputs": [
                {
                    "output_type": "execute_result",
                    "data": {
                        "text/html": '<div class="kp">'
                        + block_markup(
                            table([TableColumn("Id")], [[Cell("E-03", anchor="E-03")], ["see E-03"]])
                        )
                        + '<a href="https://example.test/">out</a><td id="content">x</td></div>'
                    },
                }
            ],
        },
    ]
    return render_review_html({"cells": cells}, title="Customer review c")


def test_a_review_has_one_h1_contents_that_lead_to_its_h2_and_tables_that_take_focus() -> None:
    page = review_page()
    assert page.count("<h1") == 1
    assert '<a href="#part-2">Findings</a>' in page
    assert '<h2 id="part-2">Findings</h2>' in page
    assert 'tabindex="0"' in page
    assert 'data-label="Id"' in page


def test_links_of_a_review_stay_inside_it() -> None:
    page = review_page()
    assert '<a href="#E-03">E-03</a>' in page
    assert 'id="E-03"' in page
    assert "example.test" not in page
    assert page.count('id="content"') == 1


def test_a_review_has_colours_for_the_dark_and_a_layout_for_phones_and_paper() -> None:
    page = review_page()
    for said in ("prefers-color-scheme:dark", "max-width:700px", "@media print"):
        assert said in page
    assert page.index("prefers-color-scheme:dark") > page.rindex(
        ".kp .kp-list{"
    )  # else the light ones would win


def test_a_column_of_instants_has_room_whatever_its_heading_says() -> None:
    markup = block_markup(
        table([TableColumn("When", instant=True), TableColumn("What")], [["30 Jun 2026, 12:00 UTC", "x"]])
    )
    assert '<td class="kp-left kp-instant" data-label="When">' in markup
    assert "td.kp-instant{" in review_page()
    assert 'data-label="Asked' not in REPORT_STYLE + NOTEBOOK_STYLE


def test_the_evidence_index_gives_its_times_room() -> None:
    (heading,) = [
        column
        for block in evidence_section(
            load_evidence(asset_path("samples/evidence/index.json").parent), ShortNames(()), pd.DataFrame()
        ).blocks
        for column in getattr(block, "columns", ())
        if column.instant
    ]
    assert heading.title == "Requested at"


@pytest.mark.parametrize("share", [0.031, 0.069, 0.093, 0.5, 0.997])
def test_a_column_is_as_wide_on_paper_as_its_share(share: float) -> None:
    (width,) = re.findall(rf"\.{width_class(share)}{{width:(\d+)%}}", REPORT_STYLE)
    assert abs(int(width) - 100 * share) <= 0.5


def test_no_heading_of_a_column_is_broken_within_a_word_on_paper() -> None:
    paper = REPORT_STYLE[REPORT_STYLE.index("@media print") :]
    rules = re.findall(r"([^{}]+){[^{}]*overflow-wrap:break-word", paper)
    assert rules
    assert all(one.strip().split()[-1].startswith("td") for rule in rules for one in rule.split(","))


def test_every_class_of_the_style_is_kept_in_the_page() -> None:
    """Ids of findings were broken at their hyphen in the page alone: their class was cleaned away."""
    named = set(re.findall(r"\.(kp-[a-z]+)", NOTEBOOK_STYLE))
    assert len(named) > 20
    assert named - _CLASSES == set()
