"""The page beside a run's index that links the packs with decisions: they are made after the run, which its index cannot show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from kycpack.render.html_pages import render_page

DECISIONS = "decisions.html"
"""Name of the page, in the run's output."""


def render_decisions_html(packs: Sequence[Mapping[str, Any]]) -> str:
    """Render the page that lists the packs with decisions beside the packs decided on.

    Args:
        packs: For each pack with a decision: `customer_id`, `pack` (its folder), `decided_on` (the folder of the pack decided on; None if it
            is not in this folder), and `sentence` (the decision in words).
    """
    return render_page(
        "decisions.html.j2",
        title="Decisions recorded after this run",
        rows=[
            {
                **pack,
                "link": f"{quote(pack['pack'])}/data/report",
                "before": f"{quote(pack['decided_on'])}/data/report" if pack["decided_on"] else "",
            }
            for pack in packs
        ],
    )
