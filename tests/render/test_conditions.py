"""A level that says approve names what an approval waits for, as the steps do."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from io import BytesIO

import pandas as pd
import pytest
from pypdf import PdfReader
from tests.render.specimen_review import inputs_of, words_of
from tests.triage.invented_customers import evidence as evidence_of

from kycpack.evidence import Evidence
from kycpack.render import ReviewContents, build_contents, render_review_pdf
from kycpack.render.document_parts import Cell
from kycpack.render.palette import Tone
from kycpack.render.review.approval import FILE_THERE, Terms
from kycpack.render.review.gaps import Headline
from kycpack.render.review.html import render_summary_html
from kycpack.synthetic import generate
from kycpack.synthetic.scenarios import demo_scenarios

FILE = "get the customer's risk file from the department that keeps it"
WHAT = "what the largest credits of no established source are"
BANK = {
    "order bank access, if the level of due diligence needs it": "order bank access",
    "if the level of due diligence needs bank data, ask the customer to link an account": "ask the customer to link an account",
}
"""Two steps that are one condition."""
LATER = "Approve once conditions are met"


@pytest.mark.parametrize(
    ("terms", "level", "said"),
    [
        (Terms(), Cell("Approve", Tone.GOOD), ""),
        (Terms(FILE), Cell(LATER, Tone.WATCH), "Not before"),
        (Terms(questions=(WHAT,)), Cell(LATER, Tone.WATCH), "Not before"),
        (Terms(FILE, questions=(WHAT,)), Cell(LATER, Tone.WATCH), "Not before"),
    ],
)
def test_an_approval_names_all_that_it_waits_for(
    contents: ReviewContents, terms: Terms, level: Cell, said: str
) -> None:
    to_do = replace(contents.to_do, conditions=terms.conditions, questions_before=())
    made = replace(contents, level="approve", to_do=to_do, waits=bool(terms.conditions))
    if said:
        said += f" all {len(made.before_approval)} conditions “Before an approval” are met."
    first, *others = made.verdict[1]
    assert (made.verdict[0], others) == (level, [said] if said else [])
    assert first.startswith(made.headline)
    page = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    for one in (page, render_summary_html(made)):
        assert f"{level.text} " in f"{one} ".replace("<", " ")
        assert said in one
    stricter = replace(made, level="review")
    assert stricter.verdict[0] == Cell("Manual review", Tone.WATCH)
    assert not any("Not before" in one for one in stricter.verdict[1])


@pytest.mark.parametrize(
    ("conditions", "questions", "said"),
    [
        ((FILE_THERE, f"the customer has explained {WHAT}"), (), f"{FILE_THERE} and the customer has explained {WHAT}"),
        ((), ("Analyst: order bank access",), "the steps that come before an approval are done"),
        ((), (), ""),
    ],
)  # fmt: skip
def test_an_approval_that_waits_keeps_its_line_where_no_gap_has_a_duty(
    contents: ReviewContents, conditions: tuple[str, ...], questions: tuple[str, ...], said: str
) -> None:
    to_do = replace(contents.to_do, conditions=conditions, questions_before=questions)
    made = replace(contents, level="approve", to_do=to_do, missing=())
    assert [one for one in made.verdict[1] if "Not before" in one] == (
        [f"Not before {said}."] if said else []
    )


def test_the_conditions_of_a_review_are_those_of_its_steps(contents: ReviewContents) -> None:
    asked = [step for step in contents.steps if "ask the customer wh" in step or "risk file" in step]
    assert len(contents.to_do.conditions) == len(asked)


def test_page_one_names_what_has_to_be_settled_before_an_approval_as_a_reason_each(
    contents: ReviewContents,
) -> None:
    """What is not shown or not done comes first, with its sum and its evidence, and then who acts."""
    missing = (
        Headline("Monitoring not ordered (E-02)", gaps=1, duty="MLRO: decide whether to order it"),
        Headline(
            "A1: source of the first 78,787.72 GBP not shown (E-07)", gaps=1, duty="Analyst: ask the customer"
        ),
        Headline("No payment known (E-06)", gaps=1),
    )
    terms = Terms(FILE, unmonitored=("session S1",))
    to_do = replace(
        contents.to_do, conditions=terms.conditions, questions_before=terms.questions_before, settled=""
    )
    tables = {**contents.tables, "limits": pd.DataFrame({"code": ["risk_not_given"]})}
    bare = replace(contents, level="approve", reasons=(), unknowns=(), missing=missing)
    made = replace(bare, to_do=to_do, tables=tables)
    said = "Not before all 2 conditions “Before an approval” are met."
    assert made.verdict == (Cell(LATER, Tone.WATCH), (made.headline, said))
    named = (
        "Before an approval: Monitoring not ordered (E-02). MLRO: decide whether to order it.",
        "Before an approval: A1: source of the first 78,787.72 GBP not shown (E-07). Analyst: ask the customer.",
    )
    page = " ".join(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text().split())
    for one in (page, unescape(re.sub("<[^>]*>", "", render_summary_html(made)))):
        assert said in one
        assert all(each in one for each in named)
        assert one.count("Before an approval: ") == len(named)
    closed = replace(bare, to_do=replace(to_do, conditions=(), questions_before=()))
    assert closed.without_reasons == (contents.rests_on.text,)


@pytest.mark.parametrize("kind", [kind.name for kind in demo_scenarios()])
def test_all_that_the_steps_do_before_an_approval_is_among_the_reasons(kind: str) -> None:
    day = datetime(2026, 6, 1, 12, tzinfo=UTC)
    (plan,) = generate(1, 7, day.date(), history_days=120, scenario=kind).customers
    made = build_contents(inputs_of(evidence_of(plan, with_statement=True), day))
    points = " ".join(cell.text for cell in made.before_approval)
    for asked in made.to_do.questions_before:
        owner, _, words = asked.partition(": ")
        whole = re.sub("^(?:decide whether to )?order .*", "order it", words).partition(" of A")[0]
        of_gap = [re.escape(one) for one in (whole, BANK.get(words, whole))]
        assert re.search(rf"{owner}: [^.]*({'|'.join(of_gap)})", points)
    assert ("No customer risk file" in points) == (FILE_THERE in made.to_do.conditions)


def test_the_checks_of_what_the_register_records_cite_its_entry(
    contents: ReviewContents, specimen: Evidence
) -> None:
    """That no other customer has the same document is known from the register alone."""
    (entry,) = specimen.select("register.known")
    checks = words_of(contents.section("clear"))
    assert "Identity document also used by another customer" in checks
    assert re.search(rf"checks are clear \([^)]*{entry.id}[^)]*, in the annex\)", contents.rests_on.text)


def test_the_checks_that_are_not_counted_as_clear_are_named_beside_their_number() -> None:
    day = datetime(2026, 6, 1, 12, tzinfo=UTC)
    (plan,) = generate(1, 7, day.date(), history_days=120, scenario="employee").customers
    made = build_contents(inputs_of(evidence_of(plan, with_statement=True), day))
    said = re.search(r"([0-9]+) (?:is|are) not counted as clear \(([^)]*)\)", made.rests_on.text)
    assert said is not None
    assert len(said[2].split("; ")) == int(said[1])
    assert "Screening" in said[2].split("; ")


def test_bank_access_that_was_not_ordered_is_one_condition_with_the_level_of_due_diligence() -> None:
    day = datetime(2026, 6, 1, 12, tzinfo=UTC)
    (plan,) = generate(1, 7, day.date(), history_days=120, scenario="no bank data").customers
    made = build_contents(inputs_of(evidence_of(plan, with_statement=True), day))
    (point,) = [cell.text for cell in made.before_approval if "No bank account linked" in cell.text]
    assert point.endswith(
        "Analyst: if the level of due diligence (not known without the customer risk file) needs bank data, "
        "order bank access and ask the customer to link an account."
    )
