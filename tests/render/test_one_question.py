"""The customer is asked about a credit once and by one owner, and about every credit that a question of the money is about."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.render.specimen_review import inputs_of
from tests.render.step_findings import NAMES, findings
from tests.render.test_same_matter import DAY, KINDS, evidence_of

from kycpack.frames.rows import records
from kycpack.render.document_parts import Cell
from kycpack.render.review.after_decision import to_do_of
from kycpack.render.review.approval import Terms, asking
from kycpack.render.review.case_record import reviewed_case, terms_of
from kycpack.render.review.findings import findings_section
from kycpack.render.review.gap_duties import askers_of, duty_of
from kycpack.render.review.matters import why_of
from kycpack.render.review.open_credits import CreditQuestion, OpenCredit
from kycpack.render.review.pieces import pieces_of
from kycpack.render.review.reasons import reasons_of
from kycpack.render.review.sums import Sums
from kycpack.synthetic import generate
from kycpack.wealth.judge.open_questions import LARGE

LARGEST = "what the largest credits of no established source are"
HOLD = {"rule_id": "WLT-1", "owner": "MLRO", "action": "hold", "level": "edd", "path": "wealth.flags.a"}
JUST_BELOW = HOLD | {"sentence": "Credits just below a limit: 2 credits of cash (E-07)"}
CASH = {"rule_id": "WLT-2", "path": "wealth.flags.b", "sentence": "A large share of cash: 3 credits (E-07)"}
OTHER = {"rule_id": "WLT-2", "path": "wealth.flags.c", "sentence": "Round sums: 2 credits (E-07)"}


def keys(*txns: str) -> frozenset[tuple[str, str]]:
    return frozenset(("A", txn) for txn in txns)


SUMS = Sums(
    flagged={
        "Credits just below a limit: 2 credits of cash": keys("t1", "t2"),
        "A large share of cash: 3 credits": keys("t1", "t2", "t3"),
        "Round sums: 2 credits": keys("t3", "t4"),
        "Round sums: 2": keys("t9"),
    }
)


def credit(txn: str, payer: str = "(cash)", minor: int = 1_000_00, currency: str = "GBP") -> OpenCredit:
    return OpenCredit(("A", txn), payer, minor, minor, currency, "1 May 2026")


def steps_on(*rows: dict, about: tuple[OpenCredit, ...] = ()) -> tuple[str, ...]:
    terms = Terms(of_credits=(CreditQuestion(LARGEST, about),) if about else ())
    return to_do_of(None, (), reasons_of(findings(*rows), NAMES, sums=SUMS), (), terms).steps


def test_payments_that_several_red_flags_rest_on_are_asked_about_by_the_owner_of_the_strictest() -> None:
    """The last one shares none with the first, but with the second, and is asked about with both."""
    first, *others = steps_on(OTHER, CASH, JUST_BELOW)
    assert first.startswith("1. MLRO: hold the case; establish the background and purpose of")
    assert all(
        said in first for said in ("“Credits just below a limit”", "“A large share of cash”", "“Round sums”")
    )
    assert not any("background and purpose" in step for step in others)
    apart, *others = steps_on(OTHER, JUST_BELOW)
    assert "“Round sums”" not in apart
    assert any(
        "Analyst: when the MLRO agrees, establish the background and purpose of “Round sums”" in one
        for one in others
    )


def test_page_one_and_the_table_of_findings_name_the_owner_that_the_steps_name() -> None:
    found = findings(CASH, JUST_BELOW)
    reasons = reasons_of(found, NAMES, sums=SUMS)
    assert {one.owner for one in why_of(reasons, ())} == {"MLRO"}
    table = next(
        block for block in findings_section(found, reasons, (), Cell("")).blocks if hasattr(block, "rows")
    )
    assert [row[3].text for row in table.rows] == ["MLRO: hold", "MLRO: clarify"]


def test_a_question_of_which_other_steps_ask_all_is_no_step() -> None:
    made = steps_on(CASH, about=(credit("t1"), credit("t2"), credit("t3")))
    assert not any("ask the customer" in step for step in made)
    assert not any("not asked again" in step for step in made)


def test_a_question_of_which_other_steps_ask_a_part_names_the_payers_and_sums_that_are_left() -> None:
    left = (
        credit("t5", "K Ferrant", 5_000_00),
        credit("t6", "Harbour Lettings", 900_00),
        credit("t7", "Harbour Lettings", 900_00),
        credit("t8", "(no name)", 10_00),
    )
    (asked,) = (step for step in steps_on(CASH, about=(credit("t1"), *left)) if "ask the customer" in step)
    assert (
        "ask the customer what lies behind 5,000.00 GBP from K Ferrant on 1 May 2026, 1,800.00 GBP from Harbour Lettings (2 credits) and "
        "10.00 GBP without the name of a payer on 1 May 2026 (credits covered by another step are left out), with evidence"
    ) in asked
    (whole,) = (step for step in steps_on(OTHER, about=left) if "ask the customer" in step)
    assert LARGEST in whole


def test_payments_beside_a_benefit_are_not_asked_about_twice() -> None:
    wages = {"rule_id": "WLT-3", "path": "wealth.questions.pay_beside_benefit", "sentence": "Pay (E-07)"}
    reasons = reasons_of(findings(wages), NAMES, sums=Sums(beside=keys("t1")))
    for about, count in (((credit("t1"),), 1), ((credit("t1"), credit("t2")), 2)):
        made = to_do_of(None, (), reasons, (), Terms(of_credits=(CreditQuestion(LARGEST, about),))).steps
        assert sum("ask the customer" in step for step in made) == count


def test_of_two_messages_the_transactions_of_the_one_that_is_said_count() -> None:
    assert SUMS.transactions_of("Round sums: 2 credits (E-07)") == keys("t3", "t4")
    assert SUMS.transactions_of("Nothing (E-07)") == frozenset()


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["(cash)", "(no name)", "A", "B", "C", "D", "E", ""]), st.integers(1, 10**9)
        ),
        max_size=12,
    ),
    st.sets(st.integers(0, 11)),
)
def test_what_is_left_to_ask_comes_to_all_that_no_other_step_asks(
    paid: list[tuple[str, int]], asked: set[int]
) -> None:
    about = tuple(credit(f"t{place}", payer, minor) for place, (payer, minor) in enumerate(paid))
    others = keys(*(f"t{place}" for place in asked))
    left = [one for one in about if one.key not in others]
    said = CreditQuestion(LARGEST, about).beside(others)
    sums = [int(re.sub("[,.]", "", one)) for one in re.findall(r"([0-9,]+\.[0-9]{2}) GBP", said)]
    if len(left) == len(about):
        payers = len({one.payer.strip("()").replace("no name", "") for one in about})
        assert said.startswith(LARGEST)
        assert len(sums) == (payers if payers <= 4 else 3)
        assert "further" not in said
        return
    assert not left or said.endswith(" (credits covered by another step are left out)")
    assert sum(sums) == sum(one.minor for one in left)
    assert bool(said) == bool(left)


@pytest.mark.parametrize("kind", KINDS)
def test_every_credit_of_a_question_is_asked_about_by_some_step(kind: str) -> None:
    (plan,) = generate(1, 7, DAY.date(), history_days=120, scenario=kind).customers
    inputs = inputs_of(evidence_of(plan, with_statement=True), DAY)
    case, terms = reviewed_case(inputs), terms_of(inputs)
    asked = [
        row
        for row in records(inputs.limits, "code", "part", "amount_minor")
        if row["code"] == "nature_not_known"
    ]
    about = [one for question in terms.of_credits for one in question.credits]
    assert bool(asked) == bool(about)
    if all(row["part"] != LARGE for row in asked):
        assert sum(int(row["amount_minor"]) for row in asked) == sum(one.minor for one in about)
    pieces = pieces_of(why_of(case.reasons, case.unknowns))
    said, left = " ".join(case.to_do.steps), asking(terms, pieces).questions
    assert all(question in said for question in left)
    covered = {
        id_ for one in pieces for id_ in one.task.txns if all(thing in said for thing in one.task.things)
    }
    for question in terms.of_credits:
        words = question.beside({id_ for one in pieces for id_ in one.task.txns})
        ids = {one.key for one in question.credits}
        assert words in said
        assert words or ids <= covered
        assert not words.startswith(LARGEST) or not ids & covered


def test_a_gap_names_who_asks_for_what_it_lacks_as_the_steps_do() -> None:
    why = reasons_of(findings(JUST_BELOW, OTHER), NAMES, sums=SUMS)
    for about, asker in ((("t1", "t2"), "MLRO"), (("t1", "t9"), "Analyst and MLRO"), (("t3",), None)):
        questions = (CreditQuestion(LARGEST, tuple(map(credit, about))),)
        assert askers_of(why, questions).get("nature_not_known") == asker
    benefit = {"rule_id": "WLT-3", "path": "wealth.questions.pay_beside_benefit", "owner": "MLRO"}
    paid = {"rule_id": "PAY-1", "path": "wealth.payment_support"}
    asked = askers_of(reasons_of(findings(benefit, paid), NAMES), ())
    assert asked == {"pay_beside_benefit": "MLRO"}


def test_the_mlro_who_asks_about_a_gap_waits_for_no_consent() -> None:
    waits = "when the MLRO agrees"
    assert duty_of("nature_not_known", waits, asker="MLRO").text == "MLRO: ask the customer, with evidence"
    both = duty_of("nature_not_known", waits, asker="Analyst and MLRO").text
    assert both == "Analyst and MLRO: when the MLRO agrees, ask the customer, with evidence"
    assert duty_of("nature_not_known", asker="MLRO", closed_by="reject").owner == "No action"
    later = duty_of("nature_not_known", waits, asker="MLRO", closed_by="approve").text
    assert later.startswith("MLRO: at the next review, ")
    declined = "only if the customer is not rejected"
    for also in ("", " and the MLRO agrees"):
        said = duty_of("nature_not_known", f"{declined}{also}", asker="MLRO").text
        assert said == f"MLRO: {declined}, ask the customer, with evidence"
