"""What the section on changes says to a reader: names and days in words, and what speaks against the customer marked."""

from __future__ import annotations

from typing import Any

from kycpack.render import block_markup
from kycpack.render.review.changes import changes_section
from kycpack.triage.customers.changes import changes_between

EARLIER = {"as_of": "2026-06-01T12:00:00Z", "case_id": "c-1", "policy": {"id": "default-uk", "version": "1.0.0"}}  # fmt: skip


def _state(**more: Any) -> dict[str, Any]:
    return {
        "level": "review", "decision": None, "outcomes": {}, "screening": {}, "documents": {}, "findings": [], "flags": {}, "streams": [],
    } | more  # fmt: skip


def test_names_and_days_are_words_and_a_new_clear_document_is_not_worse() -> None:
    path = "screening.summary.watchlist.sanctionsLists"
    changes = changes_between(
        _state(screening={path: "clear"}, documents={"passport GB 1": "clear, expires 2026-08-01"}),
        _state(
            screening={path: "attention"},
            documents={
                "passport GB 1": "rejected, expires 2026-08-01",
                "passport GB 2": "clear, expires 2031-11-22",
            },
        ),
    )
    assert {each.subject: each.worse for each in changes} == {
        path: True,
        "passport GB 1": True,
        "passport GB 2": False,
    }
    said = "".join(map(block_markup, changes_section(EARLIER, changes).blocks))
    assert "Passport GB 2" in said
    assert "Clear, expires 22 Nov 2031" in said
    assert "2031-11-22" not in said
    assert "screening.summary" not in said
    assert "anctions lists" in said


def test_a_text_that_only_looks_like_a_day_stays_as_it_is() -> None:
    changes = changes_between(_state(), _state(screening={"screening.lists": "2026-99-99"}))
    assert "2026-99-99" in "".join(map(block_markup, changes_section(EARLIER, changes).blocks))


def test_findings_and_flags_are_in_words() -> None:
    found = {"rule": "RES-8", "path": "holder.name", "value": "", "sentence": "A name with a digit"}
    now = _state(
        findings=[
            found | {"outcome": "HIT", "level": "review"},
            found | {"outcome": "UNKNOWN", "level": "edd"},
        ],
        flags={"near_threshold": "2 (edd, review)"},
    )
    said = "".join(map(block_markup, changes_section(EARLIER, changes_between(_state(), now)).blocks))
    for words in (
        "Found, manual review",
        "Could not be evaluated, enhanced due diligence",
        "2 (enhanced due diligence, manual review)",
    ):
        assert words in said
    for code in ("HIT", "UNKNOWN", "edd"):
        assert code not in said


def test_without_an_earlier_pack_no_heading_says_that_something_changed() -> None:
    section = changes_section(None, ())
    assert section.title == "Comparison with an earlier pack"
    said = "".join(map(block_markup, section.blocks))
    assert "not compared with an earlier one" in said
    assert "There is no" not in said  # there may be one somewhere else
