from __future__ import annotations

import itertools
from datetime import date

import pytest
from tests.evaluate.degradation import DEGRADATIONS, degrade
from tests.evaluate.population_frames import to_transactions_frame

from kycpack.synthetic import Population, generate
from kycpack.synthetic.truth_frames import to_credit_truth

KEYS = ["account_id", "txn_id"]


@pytest.fixture(scope="module")
def population() -> Population:
    return generate(30, seed=11, as_of=date(2026, 6, 30), profile="evaluation")


@pytest.mark.parametrize("kind", sorted(DEGRADATIONS))
def test_a_degradation_is_the_same_each_time_and_changes_something(population: Population, kind: str) -> None:
    once, twice = (to_transactions_frame(degrade(population, kind, seed=1)) for _ in range(2))
    assert once.equals(twice)
    assert not once.equals(to_transactions_frame(population))


def test_a_tenth_of_the_months_is_lost(population: Population) -> None:
    kept = len(to_transactions_frame(degrade(population, "missing_months")))
    assert 0.82 < kept / len(to_transactions_frame(population)) < 0.97


def test_dates_move_by_three_days_at_most(population: Population) -> None:
    before = to_credit_truth(population).set_index(KEYS)["booked_on"]
    after = to_credit_truth(degrade(population, "shifted_dates")).set_index(KEYS)["booked_on"]
    moved = (after - before).dt.days.abs()
    assert moved.max() == 3


def test_amounts_change_by_a_fifth_and_transfers_stay_equal(population: Population) -> None:
    before = to_credit_truth(population).set_index(KEYS)
    after = to_credit_truth(degrade(population, "spread_amounts")).set_index(KEYS)
    ratio = after["amount_minor"] / before["amount_minor"]
    streams = before["disposition"] == "stream"
    assert ratio[streams].between(0.79, 1.21).all()
    assert (ratio[~streams & (before["disposition"] != "duplicate")] == 1).all()


def test_balances_still_chain_after_amounts_changed(population: Population) -> None:
    for plan in degrade(population, "spread_amounts").customers[:10]:
        for account in plan.accounts:
            booked = [one for one in account.postings if one.movement.status == "booked"]
            for earlier, later in itertools.pairwise(booked):
                assert earlier.balance_after_minor is not None
                assert later.balance_after_minor == earlier.balance_after_minor + later.movement.amount_minor


@pytest.mark.parametrize("kind", sorted(DEGRADATIONS))
def test_an_account_linked_twice_is_degraded_alike(population: Population, kind: str) -> None:
    pairs = 0
    for plan in degrade(population, kind, seed=2).customers:
        for account in plan.accounts:
            if account.duplicate_of:
                (original,) = [one for one in plan.accounts if one.key == account.duplicate_of]
                movements = {one.txn_id[1:]: one.movement for one in original.postings}
                assert all(one.movement == movements[one.txn_id[1:]] for one in account.postings)
                pairs += 1
    assert pairs > 0
