"""Page one says what the firm's file says of risk, purpose and due diligence, or that it is missing and who supplies it."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from io import BytesIO

import pytest
from pypdf import PdfReader
from tests.render.specimen_review import inputs_of, words_of

from kycpack.evidence import Evidence
from kycpack.render import ReviewContents, build_contents, render_review_pdf
from kycpack.render.review.html import render_summary_html

FILE = {
    "country": "GB",
    "product": "Current account",
    "channel": "online",
    "purpose": "salary",
    "pep": "none",
}
MISSING = "No customer risk file was given, so the risk rating, the purpose of the relationship and the level of due diligence are not stated"
GET = "Analyst: get the customer's risk file from the department that keeps it, and enter it in the register of customers"


def made_of(evidence: Evidence, said: dict[str, str]) -> ReviewContents:
    """Return the review for a file that says this."""
    inputs = inputs_of(evidence)
    customers = inputs.frames.customers.assign(**{f"risk_{factor}": value for factor, value in said.items()})
    return build_contents(replace(inputs, frames=replace(inputs.frames, customers=customers)))


def page_one(evidence: Evidence, said: dict[str, str]) -> tuple[str, str]:
    """Return page one as PDF and as HTML, for a file that says this."""
    made = made_of(evidence, said)
    first = PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text()
    return " ".join(first.split()), unescape(re.sub("<[^>]*>", "", render_summary_html(made)))


def test_a_customer_without_a_risk_file_has_that_among_what_is_not_known(specimen: Evidence) -> None:
    for page in page_one(specimen, {}):
        assert "No customer risk file: purpose, risk rating and level of due diligence not known" in page
        assert page.count(GET) == 0  # once, among the steps
        assert "By the firm's risk file" not in page
    assert MISSING in words_of(made_of(specimen, {}).section("limits"))


@pytest.mark.parametrize("left_out", ["purpose", "pep"])
def test_what_the_file_leaves_open_is_named(specimen: Evidence, left_out: str) -> None:
    words = {"purpose": "purpose of the relationship", "pep": "political exposure"}[left_out]
    said = {name: value for name, value in FILE.items() if name != left_out}
    assert all("Customer risk file incomplete" in page for page in page_one(specimen, said))
    limits = words_of(made_of(specimen, said).section("limits"))
    assert f"The customer risk file does not give the {words}" in limits


def test_what_the_file_says_stands_on_page_one_with_the_due_diligence_that_follows(
    specimen: Evidence,
) -> None:
    for page in page_one(specimen, FILE):
        assert "purpose of the relationship “salary”" in page
        assert "Level of due diligence that the policy requires for this: standard." in page
        assert "risk file was given" not in page
