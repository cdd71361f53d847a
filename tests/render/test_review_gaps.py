"""What page one lists as not known."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from kycpack.render.document_parts import Table
from kycpack.render.review.gap_duties import questions_of
from kycpack.render.review.gaps import headlines, limits_section
from kycpack.render.review.reasons import Reason, Unknown
from kycpack.render.review.short_names import ShortNames


def test_a_check_that_could_not_be_evaluated_stands_among_what_is_not_known() -> None:
    columns = ("area", "code", "message", "subject", "evidence_id")
    none = pd.DataFrame({name: pd.Series([], dtype="string") for name in columns})
    one = Unknown("More came in than is shown", ("Source of wealth",), "edd", ("MLRO",), (), ("E-07",))
    (line,) = headlines(none, ShortNames(()), 6, {}, (one,))
    assert line.text == "Checks: Source of wealth could not be evaluated, as given under “Why”"
    gap = none.reindex([0]).assign(
        area="bank", code="refused", message="More came in than is shown.", subject="C1", evidence_id="E-07"
    )
    (line,) = headlines(gap, ShortNames(()), 6, {}, (one,))
    assert line.text.startswith("Bank data: More came in")


def test_a_check_is_among_the_gaps_already_if_it_is_about_the_payment_and_not_if_it_only_names_an_amount() -> (
    None
):
    row = {
        "area": "payment",
        "code": "payment_not_supported",
        "message": "P1, 10.00 GBP: none of it is supported by what was observed.",
        "subject": "P1",
        "evidence_id": "E-09",
    }
    gap = pd.DataFrame([row], dtype="string")
    cause = "Income of 500.00 GBP cannot be told from gifts"
    one = Unknown(
        cause, ("Source of wealth",), "edd", "MLRO", (), ("E-07",), paths=frozenset({"wealth.source_found"})
    )
    checks, payment = headlines(gap, ShortNames(()), 6, {}, (one,))
    assert checks.text == "Checks: Source of wealth could not be evaluated, as given under “Why”"
    assert payment.text.startswith("Payments: P1")
    about = replace(one, cause="The papers are missing", paths=frozenset({"wealth.payment_support"}))
    (payment,) = headlines(gap, ShortNames(()), 6, {}, (about,))
    assert payment.text.startswith("Payments: P1")


def test_one_limit_of_every_pack_applies_and_several_apply() -> None:
    row = {
        "area": "bank",
        "code": "not_linked",
        "message": "Not linked.",
        "subject": "C1",
        "evidence_id": "E-01",
    }
    for rows, said in (
        ([row], "1 limit of the service that applies"),
        ([row, row], "1 limit of the service that applies"),
        ([row, {**row, "code": "not_listable"}], "2 limits of the service that apply"),
    ):
        (line,) = headlines(pd.DataFrame(rows, dtype="string"), ShortNames(()), 6, {})
        assert line.text == f"{said} to every pack: see “What this pack cannot show”"


QUESTION = {
    "area": "bank",
    "code": "opening_balance",
    "message": "72,892.31 GBP was in account A1 before the first transaction.",
    "subject": "A1",
    "evidence_id": "E-07",
}


def test_a_question_that_is_a_finding_is_not_said_twice_on_page_one_and_is_where_no_rule_asks_it() -> None:
    asked = Reason(
        "WLT-3",
        "Money from before the first transaction (E-07)",
        "Analyst",
        "review",
        evidence=("E-07", "E-08"),
        path="wealth.questions.opening_balance",
    )
    gap = pd.DataFrame([QUESTION], dtype="string")
    (line,) = headlines(gap, ShortNames(()), 6, {}, (asked,))
    assert line.text == "Bank data: A question about the money is given under “Why” (WLT-3) (E-07)"
    (line,) = headlines(gap, ShortNames(()), 6, {})
    assert line.text.startswith("Bank data: 72,892.31 GBP was in account A1")
    (line,) = headlines(gap.assign(evidence_id="E-09"), ShortNames(()), 6, {}, (asked,))
    assert line.text.startswith("Bank data: 72,892.31 GBP was in account A1")
    other = gap.assign(code="refused")
    (line,) = headlines(other, ShortNames(()), 6, {}, (asked,))
    assert line.text.startswith("Bank data: 72,892.31 GBP was in account A1")


def test_each_gap_of_the_section_says_who_does_what() -> None:
    monitoring = QUESTION | {
        "area": "monitoring",
        "code": "monitoring_not_ordered",
        "message": "Not ordered.",
    }
    gaps = pd.DataFrame([QUESTION, monitoring, QUESTION | {"code": "refused"}], dtype="string")
    (listed,) = (block for block in limits_section(gaps, ShortNames(())).blocks if isinstance(block, Table))
    assert [row[2].text for row in listed.rows] == [
        "Analyst: ask the customer, with evidence",
        "Analyst: collect the evidence again",
        "MLRO: decide whether to order it",
    ]
    section = limits_section(gaps, ShortNames(()), "when the MLRO agrees")
    (listed,) = (block for block in section.blocks if isinstance(block, Table))
    assert [row[2].text for row in listed.rows] == [
        "Analyst: when the MLRO agrees, ask the customer, with evidence",
        "Analyst: collect the evidence again",
        "MLRO: decide whether to order it",
    ]


def test_the_questions_of_the_money_are_named_together_and_one_that_is_a_finding_is_not() -> None:
    codes = ("nature_not_known", "opening_balance", "pay_beside_benefit", "silent")
    limits = pd.DataFrame([QUESTION | {"code": code} for code in codes], dtype="string")
    more = pd.DataFrame([QUESTION | {"subject": "A2"}], dtype="string")
    assert questions_of(pd.concat([limits, more]), ShortNames(())) == (
        "where the money came from that was in A1 and A2 before the first transaction",
        "what the largest credits of no established source are",
    )
    assert questions_of(limits[limits["code"] == "silent"], ShortNames(())) == ()
