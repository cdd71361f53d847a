"""A level that says approve names what an approval waits for, as the steps do."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pandas as pd
import pytest
from pypdf import PdfReader

from kycpack.render import ReviewContents, render_review_pdf
from kycpack.render.document_parts import Cell
from kycpack.render.palette import Tone
from kycpack.render.review.approval import Terms
from kycpack.render.review.html import render_summary_html
from kycpack.render.review.pieces import GapTask

FILE = "get the customer's risk file from the department that keeps it"
WHAT = "what the largest credits of no established source are"
LATER = "Not yet: conditions to be met"


@pytest.mark.parametrize(
    ("terms", "level", "said"),
    [
        (Terms(), Cell("Approve", Tone.GOOD), ""),
        (Terms(FILE), Cell(LATER, Tone.WATCH), ""),
        (
            Terms(questions=(WHAT,)),
            Cell(LATER, Tone.WATCH),
            f"Approve only once the customer has explained {WHAT}.",
        ),
        (
            Terms(FILE, questions=(WHAT,)),
            Cell(LATER, Tone.WATCH),
            f"Approve only once the customer has explained {WHAT} as well.",
        ),
    ],
)
def test_an_approval_names_all_that_it_waits_for(
    contents: ReviewContents, terms: Terms, level: Cell, said: str
) -> None:
    to_do = replace(contents.to_do, conditions=terms.conditions, questions_before=())
    codes = ["risk_not_given"] * bool(terms.needed_of_file) + ["nature_not_known"] * bool(terms.questions)
    tables = {**contents.tables, "limits": pd.DataFrame({"code": codes})}
    made = replace(contents, level="approve", to_do=to_do, tables=tables)
    assert made.verdict == (level, tuple(filter(None, (made.headline, said))))
    page = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    for one in (page, render_summary_html(made)):
        assert f"{level.text} " in f"{one} ".replace("<", " ")
        assert said in one
    stricter = replace(made, level="review")
    assert stricter.verdict == (Cell("Manual review", Tone.WATCH), (made.headline,))


def test_the_conditions_of_a_review_are_those_of_its_steps(contents: ReviewContents) -> None:
    asked = [step for step in contents.steps if "ask the customer where" in step or "risk file" in step]
    assert len(contents.to_do.conditions) == len(asked)


def test_page_one_names_what_has_to_be_settled_before_an_approval_and_no_finding_says(
    contents: ReviewContents,
) -> None:
    searched = "ask the provider whether the missing categories were searched"
    terms = Terms(FILE, unmonitored=("session S1",), gaps=(GapTask("MLRO", searched, is_contact=False),))
    to_do = replace(
        contents.to_do, conditions=terms.conditions, questions_before=terms.questions_before, settled=""
    )
    tables = {**contents.tables, "limits": pd.DataFrame({"code": ["risk_not_given"]})}
    made = replace(contents, level="approve", reasons=(), unknowns=(), to_do=to_do, tables=tables)
    said = "Approve only once the points under “Why” are settled as well."
    named = f"Before an approval: MLRO: {searched}; MLRO: decide whether to order monitoring for session S1, which has none."
    assert made.verdict == (Cell(LATER, Tone.WATCH), (made.headline, said))
    page = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    for one in (page, render_summary_html(made)):
        assert said in one
        assert named in one
