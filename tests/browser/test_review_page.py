"""The page of a review is the accessible form of a pack: axe finds nothing serious in it, in light and in dark."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from kycpack.assets import asset_path
from kycpack.evidence import load_evidence
from kycpack.pack import write_pack

pytestmark = pytest.mark.browser

_RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# What passes is only counted: each of some thousand elements, sent over with its markup, takes longer than the checks.
_FINDINGS = (
    "rules => axe.run(document, rules).then(all => ({passes: all.passes.length, violations: all.violations}))"
)
_GRAVE = {"serious", "critical"}


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


def test_the_pack_says_that_the_page_is_its_accessible_form(pack: Path) -> None:
    assert "this is the accessible form" in " ".join((pack / "data/README.txt").read_text().split())
