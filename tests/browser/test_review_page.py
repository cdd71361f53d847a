"""The page of a review is the accessible form of a pack: axe finds nothing serious in it, in light and in dark."""

from __future__ import annotations

import base64
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.frames.evidence_maker import RECORD, clear_customer

from kycpack.assets import asset_path
from kycpack.evidence import load_evidence
from kycpack.pack import write_pack
from kycpack.render import block_markup
from kycpack.render.document_parts import Cell, TableColumn, table
from kycpack.render.style import NOTEBOOK_STYLE, REPORT_STYLE
from kycpack.render.typefaces import Face, face_path

pytestmark = pytest.mark.browser

_RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# What passes is only counted: each of some thousand elements, sent over with its markup, takes longer than the checks.
_FINDINGS = (
    "rules => axe.run(document, rules).then(all => ({passes: all.passes.length, violations: all.violations}))"
)
_GRAVE = {"serious", "critical"}
_FACE = """async data => {
  const face = new FontFace("Pictures", `url(data:font/ttf;base64,${data})`, {unicodeRange: "U+200D, U+2640-2764, U+FE0F, U+1F1E6-1FAFF"});
  document.fonts.add(await face.load());
  const style = document.createElement("style");
  style.textContent = "* {font-family: Pictures, sans-serif !important}";
  document.head.append(style);
}"""
# The width of each place of a text, in widths of its letters.
_WIDTHS = """text => {
  const widths = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, at = node.data.indexOf(text);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + text.length);
    widths.push(range.getBoundingClientRect().width / parseFloat(getComputedStyle(node.parentElement).fontSize));
  }
  return widths;
}"""

_BEYOND_ITS_CELL = """() => [...document.querySelectorAll(".kp-table td")].filter(cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return range.getBoundingClientRect().right > cell.getBoundingClientRect().right;
}).map(cell => cell.textContent)"""


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    evidence = load_evidence(asset_path("samples/evidence/index.json").parent)
    return write_pack(evidence, tmp_path_factory.mktemp("pages"), as_of="2026-06-30T12:00:00Z").path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious_in_the_page_of_a_review(
    chromium: Browser, pack: Path, scheme: str, width: int
) -> None:
    axe = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.goto((pack / "data/report/review.html").as_uri())
    page.evaluate(axe)
    found = page.evaluate(_FINDINGS, _RULES)
    context.close()
    assert found["passes"] > 30
    grave = [
        (one["id"], one["help"], [node["html"][:120] for node in one["nodes"]][:3])
        for one in found["violations"]
        if one["impact"] in _GRAVE
    ]
    assert grave == []


@pytest.mark.parametrize("width", [1280, 390])
def test_the_words_of_a_chart_can_be_read_and_the_page_is_no_wider_than_the_screen(
    chromium: Browser, pack: Path, width: int
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto((pack / "data/report/review.html").as_uri())
    charts = page.evaluate(
        "[...document.querySelectorAll('.kp-figure')].map(one => one.getBoundingClientRect().width)"
    )
    whole = page.evaluate("document.documentElement.scrollWidth")
    hint = page.evaluate("getComputedStyle(document.querySelector('.kp-chart'), '::before').content")
    context.close()
    assert len(charts) > 3
    # The words of a chart are at least 2.1 of its 174 millimetres high.
    assert min(charts) * 2.1 / 174 > 8
    assert whole == width
    assert ("Scroll sideways" in hint) == (width < 700)


@pytest.mark.parametrize("width", [1280, 390])
def test_on_a_phone_the_contents_are_folded_and_open_on_a_tap(
    chromium: Browser, pack: Path, width: int
) -> None:
    """Eighteen links would stand before the first word about the customer."""
    context = chromium.new_context(viewport={"width": width, "height": 844})
    page = context.new_page()
    page.goto((pack / "data/report/review.html").as_uri())
    top = page.evaluate("document.querySelector('main').getBoundingClientRect().top")
    link = page.locator("nav a", has_text="Findings")
    assert link.is_visible() == (width > 700)
    assert (top < 200) == (width < 700)
    if width < 700:
        page.locator("nav summary").click()
    link.click()
    assert page.evaluate("location.hash").startswith("#part-")
    context.close()


def test_on_paper_a_long_rule_stays_in_its_narrow_column(chromium: Browser, tmp_path: Path) -> None:
    columns = (TableColumn("Rule", 0.8), TableColumn("What was found", 7.2))
    rows = [(Cell("OUT-document"), Cell("Document rejected: data integrity 'attention'"))]
    page_file = tmp_path / "page.html"
    markup = block_markup(table(columns, rows, ""))
    page_file.write_text(f"<style>{NOTEBOOK_STYLE}{REPORT_STYLE}</style><main class='kp'>{markup}</main>")
    context = chromium.new_context(viewport={"width": 720, "height": 900})
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.emulate_media(media="print")
    beyond = page.evaluate(_BEYOND_ITS_CELL)
    context.close()
    assert beyond == []


def test_the_pack_says_that_the_page_is_its_accessible_form(pack: Path) -> None:
    assert "use this as the accessible form" in " ".join((pack / "data/README.txt").read_text().split())


def test_emoji_that_are_joined_are_one_picture_in_a_browser_that_has_them(
    chromium: Browser, tmp_path: Path
) -> None:
    data = face_path(Face.EMOJI)
    if data is None:
        pytest.skip("the extra `fonts` is not installed")
    family, joined = "👨\u200d👩\u200d👧", ("👍🏽", "🇬🇧", "❤\ufe0f", "👩🏽\u200d⚕\ufe0f")
    address = {**RECORD["address"], "addressLine1": f"1 High Street {' '.join(joined)}"}
    record = {**RECORD, "lastName": f"Byron {family}", "address": address}
    made = write_pack(clear_customer(record=record), tmp_path, as_of="2026-06-30T12:00:00Z").path
    # The page forbids faces of others; what a browser has of its own is not there on every machine.
    context = chromium.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto((made / "data/report/review.html").as_uri())
    page.evaluate(_FACE, base64.b64encode(data.read_bytes()).decode())
    found = {text: page.evaluate(_WIDTHS, text) for text in (family, *joined)}
    several = page.evaluate(_WIDTHS, " ".join(joined[:2]))
    context.close()
    assert all(len(widths) >= 2 for widths in found.values())
    assert {round(width, 1) for widths in found.values() for width in widths} == {1.3}
    assert all(width > 2.6 for width in several)
