from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest

from kycpack.synthetic import generate
from kycpack.synthetic.expected_levels import LEVELS, level_of_deeds

AS_OF = date(2026, 6, 30)


@pytest.mark.parametrize("scenario", ["pass-through", "structuring"])
def test_what_is_built_in_as_grave_is_meant_for_enhanced_diligence(scenario: str) -> None:
    for plan in generate(3, 5, AS_OF, scenario=scenario, history_days=365).customers:
        assert plan.meant_level == "edd"


def test_gambling_is_meant_by_what_was_staked_and_not_by_the_name_of_the_scenario() -> None:
    plans = generate(40, 8, AS_OF, scenario="gambler", history_days=365).customers
    assert len({plan.meant_level for plan in plans}) > 1
    staked = {}
    for plan in plans:
        rows = [one.movement for account in plan.accounts for one in account.postings]
        lost = -sum(one.amount_minor for one in rows if one.mcc == "7995" and one.amount_minor < 0)
        whole = sum(one.amount_minor for one in rows if one.amount_minor > 0)
        staked[lost / whole] = LEVELS.index(plan.meant_level)
    highest = [level for _, level in sorted(staked.items())]
    assert highest[0] == 0
    assert sum(after < before for before, after in pairwise(highest)) <= 4


def test_accounts_without_deeds_are_meant_to_be_approved() -> None:
    plain = generate(5, 3, AS_OF, scenario="plain employee", history_days=365).customers
    assert {level_of_deeds((), plan.accounts) for plan in plain} == {"approve"}
    assert level_of_deeds((), ()) == "approve"


def test_wages_beside_a_benefit_for_people_who_do_not_work_ask_for_a_review() -> None:
    plans = generate(30, 3, AS_OF, scenario="weekly worker", history_days=365).customers
    beside = {
        plan.key
        for plan in plans
        for account in plan.accounts
        for one in account.postings
        if {"ESA", "JSA"} & {*one.movement.text.split()}
    }
    assert 0 < len(beside) < len(plans)
    for plan in plans:
        assert plan.key not in beside or plan.meant_level == "review"
    on_benefits = generate(20, 3, AS_OF, scenario="on benefits", history_days=365).customers
    assert "approve" in {plan.meant_level for plan in on_benefits}


def test_wages_above_what_carers_may_earn_ask_for_a_review() -> None:
    plans = generate(30, 3, AS_OF, scenario="weekly worker", history_days=365).customers
    carers = [
        plan
        for plan in plans
        if any("CA" in one.movement.text.split() for account in plan.accounts for one in account.postings)
    ]
    assert {plan.meant_level for plan in carers} == {"review"}
    on_benefits = generate(20, 3, AS_OF, scenario="on benefits", history_days=365).customers
    without_wages = [
        plan.meant_level
        for plan in on_benefits
        if any("CA" in one.movement.text.split() for account in plan.accounts for one in account.postings)
    ]
    assert "approve" in without_wages


def test_a_bank_that_turns_the_name_round_asks_for_a_review() -> None:
    plans = generate(60, 71, date(2026, 6, 1), history_days=20, scenario="plain employee").customers
    turned = [plan for plan in plans if "surname first" in plan.why]
    assert 0 < len(turned) < len(plans)
    assert "approve" not in {plan.meant_level for plan in turned}
    for plan in plans:
        body = plan.customer_body
        is_turned = plan.accounts[0].holder == f"{body['lastName']} {body['firstName']}"
        assert is_turned == (plan in turned)
