"""A pack about an invented person says so wherever it is opened; a pack about anybody else does not."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader
from tests.render.specimen_review import AS_OF, contents_of, inputs_of, only
from tests.render.test_html_pages import run_of
from tests.render.test_statement_pdf import statement

from kycpack.batch.run_summary import run_summary
from kycpack.evidence import INVENTED, Evidence
from kycpack.frames import flatten
from kycpack.frames.demonstration import is_demonstration
from kycpack.render import (
    ReviewContents,
    render_index_html,
    render_review_html,
    render_review_pdf,
    render_statement_absent_pdf,
    render_statement_pdf,
    render_summary_html,
)
from kycpack.render.document_parts import Paragraph
from kycpack.render.review.cover import cover_lines

MARK = "Demonstration data"


def said_to_be_invented(evidence: Evidence) -> Evidence:
    """Return evidence in which the service says with the customer's record that its data is invented."""
    entries = tuple(
        replace(one, note=INVENTED) if one.operation == "customers.get" else one for one in evidence.entries
    )
    return Evidence(evidence.customer_id, entries, evidence.bodies)


@pytest.mark.parametrize("source", ["created", "webhook", "import", "list", "control"])
def test_how_the_register_knows_a_session_and_what_a_provider_calls_a_picture_do_not_mark_a_pack(
    specimen: Evidence, source: str
) -> None:
    frames = flatten(specimen)
    frames = replace(
        frames,
        sessions=frames.sessions.assign(learned_from=source),
        media=frames.media.assign(description="Signature of the customer (specimen)"),
    )
    assert not replace(inputs_of(specimen), frames=frames).is_demonstration


def test_a_customer_without_any_result_is_marked_where_the_service_says_that_its_data_is_invented(
    specimen: Evidence,
) -> None:
    pending = only(specimen, "customers.get", "onboarding.get")
    assert not is_demonstration(pending)
    assert is_demonstration(said_to_be_invented(pending))


def documents(contents: ReviewContents) -> list[str]:
    """Return page one in HTML and PDF, and the cover of the workbook."""
    page = PdfReader(BytesIO(render_review_pdf(contents))).pages[0].extract_text()
    return [page, render_summary_html(contents), str(cover_lines(contents))]


def test_page_one_and_the_cover_say_that_a_person_is_invented(specimen: Evidence) -> None:
    plain, marked = contents_of(specimen), contents_of(said_to_be_invented(specimen))
    assert [MARK.casefold() in one.casefold() for one in documents(plain)] == [False] * 3
    assert all(MARK in one for one in documents(marked))
    assert "demonstration" not in plain.figures()
    assert marked.figures()["demonstration"] is True


@pytest.mark.parametrize("demonstration", [True, False])
def test_the_banner_of_the_html_review_says_what_that_of_the_pdf_says(*, demonstration: bool) -> None:
    page = render_review_html({"cells": []}, title="Customer review c", demonstration=demonstration)
    banner = page.partition("<header>")[2].partition("</header>")[0]
    assert (MARK.upper() in banner) == demonstration


@pytest.mark.parametrize("demonstration", [True, False])
def test_a_statement_and_the_page_in_its_place_say_that_a_person_is_invented(*, demonstration: bool) -> None:
    for made in (
        render_statement_pdf(statement(), demonstration=demonstration),
        render_statement_absent_pdf("No account.", as_of=AS_OF, demonstration=demonstration),
    ):
        page = PdfReader(BytesIO(made)).pages[0].extract_text()
        assert (f"{MARK}: the customer, the verification" in page) == demonstration
        assert (MARK.upper() in page) == demonstration


def test_the_index_of_a_run_says_which_and_how_many_of_its_people_are_invented() -> None:
    run = run_of({"customer_id": "c-1"}, {"customer_id": "c-2", "is_demonstration": True})
    page = render_index_html(run)
    assert f"{MARK}: 1 of the 2 customers of this run is invented." in page
    rows = page.partition("<tbody>")[2].split("</tr>")
    assert [MARK in next(row for row in rows if who in row) for who in ("c-1", "c-2")] == [False, True]
    assert MARK not in render_index_html(run_of({"customer_id": "c-1"}))


def test_the_summary_of_a_run_says_how_many_of_its_people_are_invented() -> None:
    run = run_of(
        {"customer_id": "c-1", "is_demonstration": True}, {"customer_id": "c-2", "is_demonstration": True}
    )
    said = [
        block.text
        for block in run_summary({**run, "state": "finished"}).opening
        if isinstance(block, Paragraph)
    ]
    assert any(one.startswith(f"{MARK}: 2 of the 2 customers of this run are invented.") for one in said)
