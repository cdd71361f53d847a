"""The page of a batch links its packs, the most urgent first, and is safe whatever a run holds."""

from __future__ import annotations

from typing import Any

from kycpack.render import render_index_html


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


def test_a_hostile_run_stays_text_and_links_stay_inside() -> None:
    hostile = "<script>alert(1)</script>\u202e"
    page = render_index_html(
        run_of({"customer_id": hostile, "level": hostile, "pack": 'a" onmouseover="x', "top_reason": hostile})
    )
    assert "<script" not in page
    assert 'onmouseover="' not in page
    assert "\u202e" not in page
    assert "default-src" in page
