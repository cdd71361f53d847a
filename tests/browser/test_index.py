"""The index of a run in a browser: a header sorts, the filters hide rows, and paper shows neither."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from kycpack.batch.report import RunEntry, RunReport
from kycpack.render import render_index_html

pytestmark = pytest.mark.browser

AS_OF = "2026-06-30T23:59:59Z"
CUSTOMERS = (
    ("c-1", "reject", "Document rejected: data integrity 'attention'", 0.857),
    ("c-2", "approve", "No finding stands against approval.", 1.0),
    ("c-3", "edd", "Screening reports 'attention'", 0.232),
    ("c-10", "approve", "No finding stands against approval.", 0.09),
)


@pytest.fixture
def index(chromium: Browser, tmp_path: Path) -> Page:
    entries = [
        RunEntry(name, "produced", name, level, reason, share) for name, level, reason, share in CUSTOMERS
    ]
    entries.append(RunEntry("c-4", "failed", note="the service did not answer"))
    run = RunReport("run-1", AS_OF, AS_OF, AS_OF, "0.1.0", 1, tuple(entries)).to_document()
    place = tmp_path / "index.html"
    place.write_text(render_index_html(run), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.goto(place.as_uri())
    return page


def customers(page: Page) -> list[str]:
    return page.locator("tbody tr:visible td:first-child").all_inner_texts()


def test_a_header_sorts_up_then_down_by_what_the_column_means(index: Page) -> None:
    assert customers(index)[0] == "c-4"  # failed customers come first
    press = index.get_by_role("button", name="Customer").click
    press()
    assert customers(index) == ["c-1", "c-2", "c-3", "c-4", "c-10"]
    assert index.get_by_role("columnheader", name="Customer").get_attribute("aria-sort") == "ascending"
    press()
    assert customers(index) == ["c-10", "c-4", "c-3", "c-2", "c-1"]
    index.get_by_role("button", name="Nature known").click()
    shares = [each for each in customers(index) if each != "c-4"]
    assert shares == ["c-10", "c-3", "c-1", "c-2"]
    assert index.get_by_role("columnheader", name="Customer").get_attribute("aria-sort") is None
    index.get_by_role("button", name="Recommended").click()
    levels = [each for each in customers(index) if each in {"c-1", "c-3"}]
    assert levels in (["c-1", "c-3"], ["c-3", "c-1"])
    first = levels
    index.get_by_role("button", name="Recommended").click()
    assert [each for each in customers(index) if each in {"c-1", "c-3"}] == first[::-1]


def test_the_filters_hide_rows_and_say_how_many_are_left(index: Page) -> None:
    count = index.get_by_role("status")
    expect(count).to_have_text("5 of 5 shown")
    index.get_by_label("Filter").fill("ATTENTION")
    assert set(customers(index)) == {"c-1", "c-3"}
    expect(count).to_have_text("2 of 5 shown")
    index.get_by_label("Recommended").select_option("Reject")
    assert customers(index) == ["c-1"]
    index.get_by_label("Filter").fill("nobody")
    expect(count).to_have_text("0 of 5 shown")
    index.get_by_label("Filter").fill("")
    index.get_by_label("Recommended").select_option("all")
    index.get_by_label("Outcome").select_option("failed")
    assert customers(index) == ["c-4"]
    index.get_by_label("Outcome").select_option("all")
    expect(count).to_have_text("5 of 5 shown")


def test_paper_has_the_table_without_the_controls(index: Page) -> None:
    index.emulate_media(media="print")
    assert not index.get_by_label("Filter").is_visible()
    assert len(customers(index)) == len(CUSTOMERS) + 1


def test_a_long_id_takes_no_column_away_and_nothing_empty_is_labelled_on_a_phone(
    chromium: Browser, tmp_path: Path
) -> None:
    long, reason = (
        "x" * 200,
        "customer not found (404): it does not exist, or it belongs to another organisation",
    )
    entries = (
        RunEntry(long, "failed", note=f"customer {long} not found"),
        RunEntry("c-1", "failed", note=reason),
    )
    run = RunReport("run-1", AS_OF, AS_OF, AS_OF, "0.1.0", 1, entries).to_document()
    place = tmp_path / "index.html"
    place.write_text(render_index_html(run), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.goto(place.as_uri())
    assert page.locator(".kp-scroll").evaluate("it => it.scrollWidth <= it.clientWidth")
    why, outcome = (
        page.locator(f"td[data-label={name}]").first.bounding_box() for name in ("Why", "Outcome")
    )
    assert why is not None
    assert outcome is not None
    assert why["width"] > 3 * outcome["width"]
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("td[data-label=Outcome]").first).to_be_visible()
    expect(page.locator("td[data-label=Documents]").first).to_be_hidden()
