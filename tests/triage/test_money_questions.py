"""Which question about the money is a finding with an owner, and which is a gap alone."""

from __future__ import annotations

import datetime as dt
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.frames.evidence_maker import RECORD, EvidenceMaker
from tests.triage.test_evaluate import AS_OF, POLICY, level

from kycpack.evidence import Evidence
from kycpack.frames import flatten
from kycpack.triage import Triage, evaluate
from kycpack.triage.levels import rank
from kycpack.wealth import derive

Credit = tuple[str, str, str]
MONTHS = [(dt.date(2025, 6, 3) + dt.timedelta(days=30 * number)).isoformat() for number in range(12)]
PAY = tuple((day, "TESCO STORES SALARY", "2000.00") for day in MONTHS)
WEEKS = [(dt.date(2025, 6, 5) + dt.timedelta(days=14 * number)).isoformat() for number in range(25)]
BENEFIT = tuple((day, "DWP ESA", "195.11") for day in WEEKS)
CHILD = tuple((day, "HMRC CHILD BENEFIT", "102.40") for day in WEEKS)


def paid_in(*paid: Credit, opening: str = "", more: dict[str, tuple[Credit, ...]] | None = None) -> Evidence:
    """Return evidence of credits: of one account in GBP, and of an account in each further currency."""
    made = EvidenceMaker()
    made.answer("customers.get", RECORD)
    made.session()
    of = {"GBP": paid} | (more or {})
    accounts = [
        {"id": f"a-{currency}", "currency": currency, "accountHolderName": "MS A BYRON", "tokenExpiry": "2026-08-01T00:00:00Z"}
        for currency in of
    ]  # fmt: skip
    made.answer("bank_accounts.list", {"items": accounts})
    for currency, credits_ in of.items():
        held, items = int(opening.replace(".", "") or 0), []
        for number, (day, text, amount) in enumerate(sorted(credits_)):
            held += int(amount.replace(".", ""))
            item: dict[str, Any] = {
                "id": f"{currency}-{number}", "bookingDate": day, "amount": amount, "creditDebitIndicator": "Credit",
                "currency": currency, "description": text,
            }  # fmt: skip
            items.append(item | ({"balanceAfter": f"{held / 100:.2f}"} if opening else {}))
        made.answer("bank_accounts.transactions", {"items": items}, account_id=f"a-{currency}")
    made.known()
    return made.make()


def judged(*paid: Credit, opening: str = "", more: dict[str, tuple[Credit, ...]] | None = None) -> Triage:
    """Return what is found about the same credits."""
    frames = flatten(paid_in(*paid, opening=opening, more=more))
    wealth = derive(
        frames.transactions,
        customers=frames.customers,
        accounts=frames.accounts,
        balances=frames.balances,
        thresholds=POLICY.thresholds,
        as_of=AS_OF,
    )
    return evaluate(frames, POLICY, wealth, as_of=AS_OF)


def of_rule(made: Triage, rule: str) -> list[tuple[str, str, str, str]]:
    """Return outcome, owner, action and sentence of the findings of a rule."""
    rows = made.findings[made.findings["rule_id"] == rule]
    return [
        tuple(map(str, row))
        for row in rows[["outcome", "owner", "action", "sentence"]].itertuples(index=False)
    ]


def test_wages_beside_a_benefit_for_people_who_do_not_work_are_a_finding_with_an_owner() -> None:
    made = judged(*PAY, *BENEFIT)
    ((outcome, owner, action, sentence),) = of_rule(made, "WLT-3")
    assert (outcome, owner, action, level(made)) == ("HIT", "Analyst", "ask", "review")
    assert "11 payments of wages, 22,000.00 GBP in all, came in between" in sentence
    assert "while Employment and Support Allowance was paid" in sentence
    assert "(E-" in sentence


def test_credits_of_no_established_nature_beside_the_same_benefit_are_the_same_finding() -> None:
    made = judged(*((day, "WINSTER LOGISTICS 4711", "2000.00") for day in MONTHS), *BENEFIT)
    ((outcome, owner, action, sentence),) = of_rule(made, "WLT-3")
    assert (outcome, owner, action, level(made)) == ("HIT", "Analyst", "ask", "review")
    assert (
        "11 credits whose nature is not established, from 1 payer, 22,000.00 GBP in all, came in between"
        in sentence
    )
    assert "wages, " not in sentence


UNLIKE_PAY = (
    "WINSTER LOGISTICS 4711",
    "PAYMENT 77123 QUAYSIDE",
    "HARCOTT HOUSING LTD",
    "DELIVEROO",
    "INVOICE 22 ELLAND EVENTS",
)


@given(
    renamed=st.sampled_from(UNLIKE_PAY),
    benefit=st.sampled_from(("DWP ESA", "DWP JSA", "DWP IS", "DWP CA", "DSP JOBSEEKERS BENEFIT", "DWP UC")),
    days=st.sampled_from((7, 14, 28, 30)),
    number=st.integers(3, 12),
    pounds=st.integers(20, 1_500),
)
@settings(max_examples=20, deadline=None)
def test_pay_under_another_name_is_never_judged_softer(
    renamed: str, benefit: str, days: int, number: int, pounds: int
) -> None:
    start = dt.date(2025, 6, 12)
    paid = [(start + dt.timedelta(days=days * place)).isoformat() for place in range(number)]
    beside = tuple((day, benefit, "195.11") for day in WEEKS)
    as_pay, as_other = (
        judged(*((day, text, f"{pounds}.00") for day in paid), *beside)
        for text in ("TESCO STORES SALARY", renamed)
    )
    assert rank(level(as_other)) >= rank(level(as_pay))


def test_wages_beside_a_benefit_that_people_in_work_get_are_none() -> None:
    made = judged(*PAY, *CHILD)
    assert [row[0] for row in of_rule(made, "WLT-3")] == ["CLEAR"]
    assert level(made) == "approve"


def test_money_that_was_there_before_is_a_gap_and_no_finding() -> None:
    made = judged(*PAY, opening="72892.31")
    assert [row[0] for row in of_rule(made, "WLT-3")] == ["CLEAR"]
    assert level(made) == "approve"


def test_without_bank_data_there_is_nothing_to_ask_about() -> None:
    assert {row[0] for row in of_rule(judged(), "WLT-3")} == {"NOT_APPLICABLE"}
