"""Every place that a page sends its reader to exists in the same document, and is another place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape

import pytest
from tests.render.specimen_review import contents_of
from tests.triage.invented_customers import evidence as evidence_of

from kycpack.render import ReviewContents, render_summary_html
from kycpack.render.document_parts import Block, Facts, Figure, Paragraph, Subheading, Table
from kycpack.synthetic import generate
from kycpack.synthetic.scenarios import demo_scenarios

DAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
REFERENCE = re.compile(r"\b(?:see|in|under) “([^”]+)”|\(“([^”]+)”\)")
ON_PAGE_ONE = {"Why", "Before an approval"}


def texts_of(block: Block) -> Iterator[str]:
    match block:
        case Table():
            yield from (cell.text for row in block.rows for cell in row)
            yield block.empty
        case Facts():
            yield from (cell.text for _, cell in block.pairs)
        case Figure():
            yield block.caption
        case Paragraph() | Subheading():
            yield block.text


def named_in(text: str) -> set[str]:
    return {one or other for one, other in REFERENCE.findall(text)}


def followed(made: ReviewContents) -> set[str]:
    """Return what page one refers to, after every reference was followed."""
    titles = {section.title for section in made.sections}
    for section in made.sections:
        said = " ".join(text for block in section.blocks for text in texts_of(block))
        assert named_in(said) <= titles | ON_PAGE_ONE, section.title
        assert section.title not in named_in(said)
    page_one = unescape(re.sub(r"<[^>]*>", " ", render_summary_html(made)))
    told = " ".join([page_one, *(cell.text for cell in made.summary)])
    assert "page one" not in told
    assert "“Before an approval”" not in told or "Before an approval: " in told
    assert named_in(told) <= titles | ON_PAGE_ONE
    return named_in(told)


@pytest.mark.parametrize("kind", [kind.name for kind in demo_scenarios()])
def test_every_section_that_a_page_of_the_demonstration_names_is_another_one_of_its_document(
    kind: str,
) -> None:
    (plan,) = generate(1, 7, DAY.date(), history_days=120, scenario=kind).customers
    followed(contents_of(evidence_of(plan), DAY))
