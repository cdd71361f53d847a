"""Parts of a review as a notebook shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from kycpack.render import ReviewContents, block_markup, render_summary_html, section_markup
from kycpack.render.document_parts import Section, TableColumn, table
from kycpack.render.style import NOTEBOOK_STYLE


@dataclass(frozen=True, slots=True)
class Shown:
    """HTML for a notebook, with a line of text for places that do not show HTML."""

    text: str
    html: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f'<div class="kp">{self.html}</div>'


def shown_summary(contents: ReviewContents) -> Shown:
    """Return page one with the style sheet for everything after it; a report uses its own style sheet instead."""
    text = (
        f"{contents.customer_id}: {contents.level} - {len(contents.reasons)} rules, {contents.gap_count} gaps"
    )
    return Shown(text, f"<style>{NOTEBOOK_STYLE}</style>{render_summary_html(contents)}")


def shown_section(section: Section) -> Shown:
    """Return a section without its heading, which the notebook supplies."""
    return Shown(f"{section.title}: {len(section.blocks)} blocks", section_markup(section))


def shown_counts(tables: Iterable[tuple[str, pd.DataFrame]]) -> Shown:
    """Return the names of frames with their number of rows and columns."""
    rows = [(name.replace("_", " "), str(len(frame)), str(frame.shape[1])) for name, frame in tables]
    columns = (TableColumn("Frame"), TableColumn("Rows", right=True), TableColumn("Columns", right=True))
    return Shown(f"{len(rows)} frames", block_markup(table(columns, rows)))
