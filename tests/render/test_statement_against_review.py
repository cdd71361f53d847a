"""A statement, which the customer may read and others may rely on, states no more than the review counts as known, and tells nothing of what the review found."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO

import pytest
from pypdf import PdfReader
from tests.triage.invented_customers import evidence as evidence_of

from kycpack.frames.rows import records
from kycpack.models.money import from_minor
from kycpack.pack import Review, build_review
from kycpack.synthetic import generate
from kycpack.synthetic.scenarios import demo_scenarios, other_scenarios
from kycpack.triage.judge.findings import standing
from kycpack.wealth.judge.coverage import KNOWN
from kycpack.wealth.judge.statement import primary_source
from kycpack.wealth.judge.support import NO_SOURCE, marks_of

DAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
SCENARIOS = [kind.name for kind in (*demo_scenarios(), *other_scenarios())]
REASONS = (
    "contradict",
    "question",
    "only by the sender",
    "the sender chose",
    "not sure, although",
    "go together",
    "suspicio",
    "red flag",
    "into an account in another name",
)


def _stated(review: Review, customer_id: str) -> dict[str, Decimal]:
    """Return the sum of the sources that a statement presents as established, by currency."""
    wealth = review.wealth
    sources = wealth.sources(customer_id)
    primary = primary_source(sources, wealth.base_currency(customer_id))
    marks = iter(marks_of(sources, primary))
    sums: dict[str, Decimal] = {}
    for place, row in enumerate(records(sources)):
        mark = "" if place == primary else next(marks)
        if not mark and row["type"] not in NO_SOURCE:
            currency = str(row["currency"])
            sums[currency] = sums.get(currency, Decimal(0)) + from_minor(row["most_total_minor"], currency)
    return sums


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_statement_states_at_most_what_the_review_counts_as_known_and_gives_no_reason(
    scenario: str,
) -> None:
    (plan,) = generate(1, 7, DAY.date(), history_days=400, scenario=scenario).customers
    review = build_review(evidence_of(plan, with_statement=False), as_of=DAY)
    if review.wealth.credits.empty:
        return
    known = {one.currency: one.natures[KNOWN] - one.doubted[1] for one in review.contents.shares}
    stated = _stated(review, review.evidence.customer_id)
    over = {
        currency: (sum_, known[currency])
        for currency, sum_ in stated.items()
        if sum_ > from_minor(known[currency], currency)
    }
    assert not over
    pages = PdfReader(BytesIO(review.statement_pdf())).pages
    said = " ".join(" ".join(page.extract_text() for page in pages).split())
    assert [reason for reason in REASONS if reason in said] == []
    hits = {str(row["title"]) for row in records(standing(review.triage.findings)) if row["outcome"] == "HIT"}
    assert [title for title in hits if title in said] == []
