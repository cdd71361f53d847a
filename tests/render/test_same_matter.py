"""Nothing is called clear, and nothing is said not to be there, beside a finding on the same matter."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO
from itertools import product
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from pypdf import PdfReader
from tests.frames.evidence_maker import RESULTS, clear_customer
from tests.render.specimen_review import inputs_of, words_of
from tests.triage.invented_customers import evidence as evidence_of
from tests.triage.test_money_questions import BENEFIT, PAY, paid_in

from kycpack.models.money import format_minor
from kycpack.render import ReviewInputs, build_contents, cover_lines, render_review_pdf, render_summary_html
from kycpack.render.charts import NATURE_FILLS
from kycpack.render.document_parts import Table
from kycpack.render.drawing import Box
from kycpack.render.origin import Origin
from kycpack.render.palette import DOUBTED
from kycpack.render.review.case_record import reviewed_case
from kycpack.render.review.checks import checks_of
from kycpack.render.review.clear_checks import without_objection
from kycpack.render.review.same_matter import Opposition, is_belied, questions_of_rules
from kycpack.render.review.short_names import ShortNames
from kycpack.synthetic import generate
from kycpack.synthetic.scenarios import demo_scenarios
from kycpack.triage import load_policy
from kycpack.triage.judge.findings import Finding, findings_frame, standing
from kycpack.triage.paths import LEVEL
from kycpack.triage.policies.rules import Rule
from kycpack.wealth.judge.coverage import with_nature

DAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
KINDS = [kind.name for kind in demo_scenarios()]
RULES = load_policy().rules
QUESTIONS = questions_of_rules(RULES)
NOTHING_COMPARED = pd.DataFrame(
    columns=["field", "left", "right", "verdict", "kinds", "left_value", "right_value"]
)


def finding(rule: Rule, path: str, outcome: str) -> Finding:
    return Finding(
        customer_id="C-1", session_id=None, rule_id=rule.id, outcome=outcome, level="review", owner="Analyst", action="ask",
        internal=rule.internal, title=rule.title, reason="", sentence=f"{rule.title}: none", cause="", basis="", path=path,
        value="fine" if outcome == "CLEAR" else "bad", evidence_ids=(), superseded_by=None,
    )  # fmt: skip


def examples(rule: Rule) -> list[str]:
    """Return a path of everything that a rule asks about."""
    asked = (leaf.path for leaf in QUESTIONS[rule.id] if leaf.path not in {LEVEL, "**"})
    return [path.replace("**", "part.detail").replace("*", "detail") for path in asked]


def test_no_rule_is_clear_beside_a_finding_of_another_one_on_what_it_asks_about() -> None:
    checked = 0
    for rule, other in product(RULES, RULES):
        for path in examples(other):
            hit = finding(other, path, "HIT")
            if rule is other or not any(is_belied(leaf, path) for leaf in QUESTIONS[rule.id]):
                continue
            clear = finding(rule, examples(rule)[0], "CLEAR")
            checks = without_objection(
                findings_frame([clear, hit]), ShortNames(()), NOTHING_COMPARED, {}, Opposition((), QUESTIONS)
            )
            assert [title.text for title, _ in checks.clear] == [], (rule.id, other.id, path)
            checked += 1
    assert checked > 100


@pytest.mark.parametrize(
    ("clear", "found"),
    [
        ("EDD-1", "wealth.questions.pay_beside_benefit"),
        ("EDD-1", "wealth.flags.pass_through"),
        ("EDD-1", "wealth.linked_twice"),
        ("WLT-1", "wealth.questions.pay_beside_benefit"),
        ("CDD-1", "session.identity_confirmed"),
        ("CDD-1", "address.outcome"),
        ("SES-2", "document.outcome"),
        ("SES-2", "consistency.name.record.document"),
        ("INT-2", "consistency.name.record.document"),
        ("INT-1", "document.contentAnalysis.dataIntegrity"),
        ("DOC-5", "plausible.specimens"),
        ("DOC-1", "document.contentAnalysis.expirationDateCheck"),
        ("DOC-3", "expiry.document_days"),
        ("SCR-1", "screening.summary.watchlist.terror"),
        ("PEP-4", "screening.summary.pep.level2"),
        ("PEP-1", "risk.pep"),
    ],
)
def test_a_check_is_belied_by_what_it_does_not_ask_about_itself(clear: str, found: str) -> None:
    assert any(is_belied(leaf, found) for leaf in QUESTIONS[clear])


@pytest.mark.parametrize(
    ("clear", "found"),
    [
        ("RES-2", "document.contentAnalysis.dataIntegrity"),  # only looks for what the policy does not list
        ("DOC-5", "wealth.flags.cash"),
        ("SES-2", "wealth.flags.cash"),
        ("CTY-1", "session.identity_confirmed"),
        ("SAN-1", "screening.summary.watchlist.terror"),
    ],
)
def test_a_finding_on_another_matter_belies_nothing(clear: str, found: str) -> None:
    assert not any(is_belied(leaf, found) for leaf in QUESTIONS[clear])


def check(inputs: ReviewInputs) -> None:
    """Check that no clear row of the annex, and no sentence that nothing was found, stands beside a finding on its matter."""
    rules = {rule.title: rule.id for rule in RULES}
    found = standing(inputs.triage.findings)
    against = [
        (row.rule_id, row.path) for row in found.itertuples() if str(row.outcome) in {"HIT", "UNKNOWN"}
    ]
    clear = checks_of(inputs, reviewed_case(inputs)).clear
    flags = words_of(build_contents(inputs).section("flags"))
    for row in found.itertuples():
        if row.outcome == "HIT" and row.path.startswith(("wealth.questions.", "wealth.linked_twice")):
            assert row.rule_id in flags
    for title, _ in clear:
        id_ = rules.get(title.text, "")
        beside = [
            other
            for other, path in against
            if other != id_ and any(is_belied(leaf, path) for leaf in QUESTIONS.get(id_, ()))
        ]
        assert beside == [], title.text


@pytest.mark.parametrize("kind", KINDS)
def test_no_demo_customer_has_a_clear_check_beside_a_finding_on_the_same_matter(kind: str) -> None:
    (plan,) = generate(1, 7, DAY.date(), history_days=120, scenario=kind).customers
    check(inputs_of(evidence_of(plan, with_statement=True), DAY))


def annex_of(inputs: ReviewInputs, title: str) -> str:
    tables = [block for block in build_contents(inputs).section("clear").blocks if isinstance(block, Table)]
    said = {
        one: row[at + 1].text
        for block in tables
        for row in block.rows
        for at in range(0, len(row), 2)
        for one in row[at].text.split("; ")
    }
    return said[title]


def test_the_annex_names_the_finding_that_belies_a_check() -> None:
    results = copy.deepcopy(RESULTS)
    results["document"]["contentAnalysis"]["dataIntegrity"] = "attention"
    inputs = inputs_of(clear_customer(results))
    assert annex_of(inputs, "Completion of due diligence").startswith("a session was completed, but see ")
    assert "DOC-2" in annex_of(inputs, "Completion of due diligence")
    first = "see Data integrity of the document (DOC-2) in “Findings”; apart from that, no"
    assert annex_of(inputs, "Need for a report to the NCA").startswith(f"{first} red flag")
    assert annex_of(inputs, "Forged or stolen document").startswith(f"{first}thing")


def test_the_need_for_an_internal_report_names_every_open_match_on_sanctions() -> None:
    results = copy.deepcopy(RESULTS)
    results["screening"] |= {"outcome": "warning", "matchCount": 1}
    results["screening"]["summary"]["watchlist"]["sanctionsLists"] = "attention"
    said = annex_of(inputs_of(clear_customer(results)), "Need for a report to the NCA")
    assert said.startswith("see Sanctions lists (SAN-1) in “Findings”; apart from that, no red flag")


@pytest.mark.parametrize(
    ("code", "path", "is_against"),
    [
        ("CDD-INCOMPLETE", "diligence.completion", True),
        ("CDD-INCOMPLETE", "address.outcome", False),
        ("NOT-VERIFIED", "address.outcome", False),
        ("NOT-VERIFIED", "session.identity_confirmed", False),
        ("TRUE-MATCH", "screening.outcome", True),
        ("REVIEWED", "diligence.completion", False),
    ],
)
def test_a_check_is_not_clear_beside_the_reason_of_a_decision_that_denies_it(
    code: str, path: str, *, is_against: bool
) -> None:
    for in_force, which in ((True, "the decision"), (False, "the decision, which is not in force,")):
        decision: Any = SimpleNamespace(reason_code=code, reason="Why", is_in_force=in_force)
        said = Opposition(decision=decision).against("X-1", "", path)
        assert said == (f"but the reason given for {which} is “Why” ({code})" if is_against else "")


@pytest.mark.parametrize(
    ("path", "is_about"),
    [("address.outcome", True), ("consistency.address.record.address", True), ("screening.outcome", False)],
)
def test_the_reason_of_a_decision_that_names_no_check_stands_beside_each_that_it_may_be_about(
    path: str, *, is_about: bool
) -> None:
    decision: Any = SimpleNamespace(reason_code="NOT-VERIFIED", reason="Why", is_in_force=True)
    said = Opposition(decision=decision).reason_beside(path)
    assert said == (" (the reason given for the decision is “Why”, NOT-VERIFIED)" if is_about else "")


def test_the_pay_that_is_questioned_is_the_sum_of_its_own_rows_where_other_pay_is_not() -> None:
    inputs = inputs_of(paid_in(*PAY, *BENEFIT[:8]), DAY)
    (share,) = build_contents(inputs).shares
    credits_ = with_nature(inputs.credits, inputs.wealth.streams).astype(
        dict.fromkeys(("nature", "type"), str)
    )
    pay = credits_[(credits_["nature"] == "known") & (credits_["type"] == "employment")]
    assert 0 < share.wages[1] < int(pay["most_minor"].sum())
    assert f"another {format_minor(share.wages[1], 'GBP')} questioned" in share.questioned_words
    sums = {
        int(credits_.loc[credits_[list(one.rows)].isin(one.rows).all(axis=1), "most_minor"].sum())
        for cell in share.cells
        for one in cell.origins
        if isinstance(one, Origin) and one.operation == "sum" and "txn_id" in one.rows
    }
    assert share.wages[1] in sums


def test_no_red_flag_and_a_known_nature_are_not_said_without_the_finding_that_questions_them() -> None:
    made = build_contents(inputs_of(paid_in(*PAY, *BENEFIT), DAY))
    assert "WLT-3" in {one.rule_id for one in made.reasons}
    assert words_of(made.section("flags")).endswith(
        "Open questions about the bank data beside red flags: Pay or pay-like credits alongside a benefit that limits earnings (WLT-3). See “Findings”."
    )
    (share,) = made.shares
    said = "22,000.00 GBP is pay whose nature is stated but questioned: Pay or pay-like credits alongside a benefit that limits earnings (WLT-3)."
    assert said in share.sentence
    assert said not in replace(share, questioned=()).sentence
    headline = f"{share.known_percent} of {share.total_words}; another 22,000.00 GBP questioned"
    (first, *_) = PdfReader(BytesIO(render_review_pdf(made))).pages
    assert headline in " ".join(first.extract_text().split())
    assert ("Share of credits whose nature is known", headline) in cover_lines(made)
    page = re.sub("<[^>]*>", "", render_summary_html(made))
    assert headline in page.replace(f" {share.known_words}", "")
    assert (
        headline.replace(share.total_words, f"{share.total_words} of credits {share.known_words}")
        in made.rests_on.text
    )
    alone = build_contents(inputs_of(paid_in(*PAY), DAY))
    assert "no red flags" not in words_of(alone.section("flags"))
    assert alone.shares[0].questioned == ()


def test_the_large_share_of_page_one_is_what_is_in_no_doubt_and_the_rest_has_its_own_colour() -> None:
    """A share of 100.0% must not stand in large type over money that the same page questions."""
    made = build_contents(inputs_of(paid_in(*PAY, *BENEFIT), DAY))
    (share,) = made.shares
    assert share.doubted == share.wages
    sure = share.natures["known"] - share.doubted[1]
    assert share.known_percent == f"{100 * sure / share.total_minor:.1f}%" == share.figures()["known_share"]
    (first, fill), (second, known_fill), *_ = share.legend
    assert first.endswith("% not counted as known: nature stated but questioned")
    assert second == f"{share.known_percent} nature known"
    assert fill == NATURE_FILLS[DOUBTED][0] != known_fill
    assert sum(Decimal(one.partition("%")[0]) for one, _ in share.legend) == 100
    assert sum(minor for _, minor, _ in share.parts) == share.total_minor
    assert made.months is not None
    assert fill in {mark.fill for mark in made.months.marks if isinstance(mark, Box)}
    origins = [one for cell in share.cells if cell.text == share.known_percent for one in cell.origins]
    ids = {txn for one in origins if isinstance(one, Origin) for txn in one.rows.get("txn_id", ())}
    assert ids == {txn for _, txn in share.sure_rows}
    alone = build_contents(inputs_of(paid_in(*PAY), DAY)).shares[0]
    assert (alone.doubted, alone.known_words) == ((0, 0), "has a known nature")


def test_what_is_not_known_calls_the_benefit_beside_wages_as_the_finding_does() -> None:
    made = build_contents(inputs_of(paid_in(*PAY, *BENEFIT), DAY))
    assert any(
        re.fullmatch(
            r"[\d,.]+ GBP of pay or pay-like credits alongside a benefit that limits earnings \(E-\d+\)",
            line.text,
        )
        for line in made.missing
    )
    assert any("an out-of-work benefit, which wages can end or reduce" in one.text for one in made.reasons)


def test_every_share_of_what_is_known_is_of_what_the_large_figure_counts() -> None:
    """What is questioned is in no sentence on what is known, nor in what that rests on."""
    made = build_contents(inputs_of(paid_in(*PAY, *BENEFIT), DAY))
    (share,) = made.shares
    assert sum(share._known_by.values()) == share.natures["known"] - share.doubted[1]
    pay = format_minor(share.doubted[1], "GBP")
    others = replace(share, of_others=(1, 1)).sentence
    assert (
        f"The nature of {pay} is stated but questioned or in accounts held by others: it is not in" in others
    )
    ledger = words_of(made.section("coverage"))
    assert f"; {pay} has its nature stated but questioned or in accounts held by others." in ledger
    assert "All of the" not in ledger
    nothing = replace(share, doubted_evidence=share.evidence)
    assert nothing.sentence.startswith("No credit has a known nature beyond doubt.")
    assert "of what is known" not in nothing.on_page_one
