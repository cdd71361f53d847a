"""A pack about an invented person says so wherever it is opened; a pack about anybody else does not."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader
from tests.render.specimen_review import AS_OF, inputs_of
from tests.render.test_html_pages import run_of
from tests.render.test_statement_pdf import statement

from kycpack.evidence import Evidence
from kycpack.frames import Frames, flatten
from kycpack.frames.demonstration import is_demonstration
from kycpack.render import (
    ReviewContents,
    render_index_html,
    render_review_pdf,
    render_statement_absent_pdf,
    render_statement_pdf,
    render_summary_html,
)
from kycpack.render.review.contents import build_contents
from kycpack.render.review.cover import cover_lines

MARK = "Demonstration data"


def learned(frames: Frames, frame: str, source: str) -> Frames:
    """Return frames in which the register knows the sessions or payments from a source."""
    return replace(frames, **{frame: getattr(frames, frame).assign(learned_from=source)})


def described(frames: Frames, words: str) -> Frames:
    """Return frames with media of this description."""
    return replace(frames, media=frames.media.assign(description=words))


@pytest.fixture(scope="module")
def real(specimen: Evidence) -> Frames:
    """Frames of a customer whom the service of a provider verified."""
    return described(learned(flatten(specimen), "sessions", "webhook"), "Front of the identity document")


@pytest.mark.parametrize("source", ["created", "webhook", "import", "list"])
def test_evidence_that_the_service_on_this_machine_did_not_make_is_no_demonstration(
    real: Frames, source: str
) -> None:
    assert not is_demonstration(learned(learned(real, "sessions", source), "payments", source))
    assert not is_demonstration(described(real, "Photo of a specimen signature"))


def test_a_session_of_the_control_api_or_a_picture_that_the_service_drew_is_a_demonstration(
    real: Frames,
) -> None:
    assert is_demonstration(learned(real, "sessions", "control"))
    assert is_demonstration(learned(real, "payments", "control"))
    assert is_demonstration(described(real, "Proof of address (specimen)"))


def documents(contents: ReviewContents) -> list[str]:
    """Return page one in HTML and PDF, and the cover of the workbook."""
    page = PdfReader(BytesIO(render_review_pdf(contents))).pages[0].extract_text()
    return [page, render_summary_html(contents), str(cover_lines(contents))]


def test_page_one_and_the_cover_say_that_a_person_is_invented(specimen: Evidence, real: Frames) -> None:
    inputs = inputs_of(specimen)
    plain = build_contents(replace(inputs, frames=real))
    marked = build_contents(replace(inputs, frames=learned(real, "sessions", "control")))
    assert [MARK.casefold() in one.casefold() for one in documents(plain)] == [False] * 3
    assert all(MARK in one for one in documents(marked))
    assert "demonstration" not in plain.figures()
    assert marked.figures()["demonstration"] is True


@pytest.mark.parametrize("demonstration", [True, False])
def test_a_statement_and_the_page_in_its_place_say_that_a_person_is_invented(*, demonstration: bool) -> None:
    for made in (
        render_statement_pdf(statement(), demonstration=demonstration),
        render_statement_absent_pdf("No account.", as_of=AS_OF, demonstration=demonstration),
    ):
        page = PdfReader(BytesIO(made)).pages[0].extract_text()
        assert (f"{MARK}: the customer, the verification" in page) == demonstration
        assert (MARK.upper() in page) == demonstration


def test_the_index_of_a_run_with_invented_people_says_so() -> None:
    run = run_of({"customer_id": "c-1"}, {"customer_id": "c-2", "is_demonstration": True})
    assert MARK in render_index_html(run)
    assert MARK not in render_index_html(run_of({"customer_id": "c-1"}))
