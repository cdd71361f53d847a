"""Rows of the annex of clear checks, as the tests read them."""

from __future__ import annotations

from kycpack.render import ReviewContents


def seen_beside(contents: ReviewContents, check: str) -> str:
    """Return what the annex of clear checks says beside a check."""
    rows = [
        [cell.text for cell in row]
        for block in contents.section("clear").blocks
        for row in getattr(block, "rows", ())
    ]
    pairs = [(row[place], row[place + 1]) for row in rows for place in range(0, len(row), 2)]
    return dict(pairs)[check]
