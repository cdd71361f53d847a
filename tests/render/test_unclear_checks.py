"""Each check that is not counted as clear because something is missing has a gap or a finding with an owner."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from io import BytesIO

import pandas as pd
import pytest
from pypdf import PdfReader
from tests.frames.evidence_maker import RECORD, RESULTS, EvidenceMaker
from tests.render.specimen_review import inputs_of
from tests.triage.invented_customers import evidence as evidence_of

from kycpack.frames.rows import records
from kycpack.pack.check.printed_values import squeezed
from kycpack.render import build_contents, render_review_pdf
from kycpack.render.review.case_record import reviewed_case, terms_of
from kycpack.render.review.check_gaps import payee_limits, proof_limits
from kycpack.render.review.checks import checks_of
from kycpack.render.review.gap_duties import duties_of, tasks_of_gaps
from kycpack.render.review.gap_titles import title_of
from kycpack.synthetic import generate
from kycpack.synthetic.scenarios import demo_scenarios
from kycpack.triage.levels import HIT, UNKNOWN

DAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
NO_BANK_DATA = {"no_accounts", "not_ordered", "refused", "failed", "timeout", "no_transactions", "not_asked"}
OWED: tuple[tuple[str, set[str]], ...] = (
    ("date of the document is not in the results|date of proof not shown", {"address_date_not_shown"}),
    ("results do not give the name on the proof", {"address_date_not_shown", "address_name_not_shown"}),
    ("no such category in the results|categories not seen", {"categories_not_seen"}),
    ("does not say on which list|provider does not name the kind of list|list not named", {"matches_not_visible", "matches_not_listed"}),
    ("name used not shown", {"screened_name_not_shown"}),
    ("firm gave no level|no customer risk file was given|risk file does not say", {"risk_not_given"}),
    ("No result yet", {"section_missing", "members_missing", "not_asked"}),
    ("no bank account|no bank data was analysed|no account is linked|no bank access", NO_BANK_DATA),
    ("no identity document was seen", {"section_missing", "not_ordered", "members_missing"}),
    ("nothing to compare", {*NO_BANK_DATA, "section_missing", "members_missing", "unreadable"}),
    ("not ordered", {"not_ordered"}),
)  # fmt: skip
"""What is said of a check that misses something, and the gaps of which one has to be there."""
SETTLED = (
    "see “?[A-Z]|Not confirmed|does not match|not complete|not compared|"  # a finding says more
    "no finding calls for|not given on this scale|nothing to look at|no match beyond those of a category|no pay beyond the limit of such a benefit|no payment to look at|not looked at$|not required|"  # nothing is missing
    "of what staff saw|what staff saw or heard|a difference"  # no evidence of a provider can have it
)


@pytest.mark.parametrize("kind", [kind.name for kind in demo_scenarios()])
def test_no_check_that_misses_something_is_without_a_gap_or_a_finding(kind: str) -> None:
    (plan,) = generate(1, 7, DAY.date(), history_days=120, scenario=kind).customers
    inputs = inputs_of(evidence_of(plan, with_statement=True), DAY)
    made, checks = build_contents(inputs), checks_of(inputs, reviewed_case(inputs))
    codes = {*inputs.frames.gaps["code"], *made.tables["limits"]["code"]}
    found = [row for row in records(inputs.triage.findings) if row["outcome"] in {HIT, UNKNOWN}]
    for title, seen in (*checks.beside, *checks.skipped):
        owed = [wanted for words, wanted in OWED if re.search(words, seen.text)]
        assert owed or re.search(SETTLED, seen.text), (title.text, seen.text)
        assert all(wanted & codes or (found and "see" in seen.text) for wanted in owed), (
            title.text,
            seen.text,
        )


def test_the_name_and_the_date_on_a_proof_of_address_is_a_gap_with_an_owner_and_a_step_that_an_approval_waits_for() -> (
    None
):
    (plan,) = generate(1, 7, DAY.date(), history_days=120, scenario="employee").customers
    inputs = inputs_of(evidence_of(plan, with_statement=True), DAY)
    made = build_contents(inputs)
    assert "Proof of address: name and date not given or compared (E-03)" in [
        line.text for line in made.missing
    ]
    asked = "ask the provider for the name and the date on the proof of address, or look at the document"
    assert asked in [task.words for task in terms_of(inputs).gaps]
    assert any(asked in step for step in made.steps)


@pytest.mark.parametrize(
    ("description", "said"), [(None, "payee and purpose of 250.00 GBP"), ("Deposit", "payee of 250.00 GBP")]
)
def test_a_payment_whose_payee_is_not_known_is_a_gap_with_its_sum(description: str | None, said: str) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    payment = {
        "id": "pay-1",
        "amount": "250.00",
        "currency": "GBP",
        "reference": "R-1",
        "description": description,
    }
    made.answer("payments.get", payment, payment_id="pay-1")
    made.known()
    inputs = inputs_of(made.make(), DAY)
    (gap,) = payee_limits(inputs.frames.payments)
    assert (gap.amount_minor, gap.currency, gap.evidence_id) == (
        25_000,
        "GBP",
        str(inputs.frames.payments["evidence_id"].item()),
    )
    (line,) = [one.text for one in build_contents(inputs).missing if "payee" in one.text]
    assert line == f"P1: {said} not known ({gap.evidence_id})"
    assert "ask the department that created the payment for its payee and purpose" in [
        task.words for task in terms_of(inputs).gaps
    ]


@pytest.mark.parametrize("kind", [kind.name for kind in demo_scenarios()])
def test_whatever_the_bar_does_not_know_is_a_gap_with_the_sum_of_the_bar_in_each_currency(kind: str) -> None:
    (plan,) = generate(1, 7, DAY.date(), history_days=365, scenario=kind).customers
    made = build_contents(inputs_of(evidence_of(plan, with_statement=True), DAY))
    limits = made.tables["limits"]
    asked = limits[limits["code"].isin(["nature_not_known", "nature_below_limit"])]
    sums = {str(row["currency"]): int(row["amount_minor"]) for row in records(asked)}
    bar = {one.currency: one.total_minor - one.natures["known"] for one in made.shares}
    assert sums == {currency: minor for currency, minor in bar.items() if minor}
    assert len(asked) == len(sums)


@pytest.mark.parametrize("kind", [kind.name for kind in demo_scenarios()])
def test_page_one_names_each_gap_of_a_demo_customer_and_counts_none_away(kind: str) -> None:
    (plan,) = generate(1, 7, DAY.date(), history_days=365, scenario=kind).customers
    made = build_contents(inputs_of(evidence_of(plan, with_statement=True), DAY))
    page = squeezed(PdfReader(BytesIO(render_review_pdf(made))).pages[0].extract_text())
    assert [line.text for line in made.missing if squeezed(line.text) not in page] == []


@pytest.mark.parametrize("outcome", ["clear", "attention"])
def test_who_the_table_says_looks_at_a_proof_of_address_has_a_step_whatever_its_age_is(outcome: str) -> None:
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session({"address": RESULTS["address"] | {"contentAnalysis": {"documentAgeOutcome": outcome}}})
    made.known()
    asked = "ask the provider for the name and the date on the proof of address, or look at the document"
    assert asked in " ".join(build_contents(inputs_of(made.make(), DAY)).steps)


def test_a_proof_of_address_that_the_pack_holds_is_named_in_its_gap_and_in_the_step_and_no_other() -> None:
    (plan,) = generate(1, 7, DAY.date(), history_days=120, scenario="employee").customers
    inputs = inputs_of(evidence_of(plan, with_statement=True), DAY)
    session, evidence = inputs.frames.sessions["session_id"][0], "M-02"
    held = {"session_id": session, "type": "proof_of_address", "file_evidence_id": evidence}
    (gap,) = proof_limits(inputs.frames.checks, pd.DataFrame([{**held, "downloaded": True}]))
    row = pd.DataFrame([gap])
    assert title_of([*row.itertuples()], inputs.names) == (
        "Proof of address: name and date not given or compared (E-03, M-02)"
    )
    asked = "ask the provider for the name and the date on the proof of address, or look at "
    assert gap.message.endswith(" The document is in this pack (E-03, M-02).")
    assert [one.words for one in duties_of(row)] == [f"{asked}M-02"]
    assert [one.words for one in tasks_of_gaps(row, inputs.triage.findings, inputs.names)] == [f"{asked}M-02"]
    for other in ({"downloaded": False}, {"downloaded": True, "type": "portrait"}):
        (without,) = proof_limits(inputs.frames.checks, pd.DataFrame([held | other]))
        assert [one.words for one in duties_of(pd.DataFrame([without]))] == [f"{asked}the document"]
