from __future__ import annotations

from datetime import date

import pytest
from tests.evaluate.population_frames import to_accounts_frame, to_transactions_frame

from kycpack.synthetic import Population, generate
from kycpack.synthetic.truth_frames import to_credit_truth, to_stream_truth

CADENCES = {
    "weekly",
    "fortnightly",
    "four_weekly",
    "semi_monthly",
    "monthly",
    "quarterly",
    "semi_annual",
    "annual",
    "irregular",
}
NOT_BOOKED = {"pending", "future", "info", "rejected"}
DISPOSITIONS = {
    "stream",
    "own_transfer",
    "refund",
    "one_off",
    "small_other",
    "unexplained",
    "duplicate",
    *NOT_BOOKED,
}


@pytest.fixture(scope="module")
def population() -> Population:
    return generate(60, seed=5, as_of=date(2026, 6, 30), profile="evaluation")


def test_every_posting_is_a_row_and_every_credit_has_a_truth(population: Population) -> None:
    transactions = to_transactions_frame(population)
    postings = sum(len(account.postings) for plan in population.customers for account in plan.accounts)
    assert len(transactions) == postings
    assert not transactions.duplicated(["account_id", "txn_id"]).any()
    credit_truth = to_credit_truth(population)
    assert len(credit_truth) == (transactions["amount_minor"] > 0).sum()
    assert set(credit_truth["disposition"]) <= DISPOSITIONS
    assert {"stream", "own_transfer", "refund", "pending", "duplicate"} <= set(credit_truth["disposition"])
    set_aside = credit_truth[credit_truth["status"] != "booked"]
    assert (set_aside["disposition"] == set_aside["status"]).all()
    assert set(transactions["account_id"]) <= set(to_accounts_frame(population)["account_id"])


def test_streams_add_up_to_their_credits(population: Population) -> None:
    credit_truth = to_credit_truth(population)
    streams = to_stream_truth(credit_truth)
    in_streams = credit_truth[credit_truth["disposition"] == "stream"]
    assert streams["total_minor"].sum() == in_streams["amount_minor"].sum()
    assert streams["stream_id"].is_unique
    assert set(streams["cadence"]) <= CADENCES
    assert (streams.loc[streams["count"] < 2, "cadence"] == "irregular").all()


def test_transfers_name_a_debit_of_the_same_amount(population: Population) -> None:
    transactions = to_transactions_frame(population)
    credit_truth = to_credit_truth(population)
    paired = credit_truth[
        (credit_truth["disposition"] == "own_transfer") & credit_truth["pair_txn_id"].notna()
    ]
    assert len(paired) > 100
    debits = transactions[transactions["amount_minor"] < 0]
    joined = paired.merge(
        debits, left_on=["pair_account_id", "pair_txn_id"], right_on=["account_id", "txn_id"]
    )
    assert len(joined) == len(paired)
    assert (joined["amount_minor_x"] == -joined["amount_minor_y"]).all()
    assert (joined["account_id_x"] != joined["account_id_y"]).all()


def test_an_empty_population_has_the_same_columns() -> None:
    empty = generate(0, seed=1, as_of=date(2026, 6, 30))
    full = generate(1, seed=1, as_of=date(2026, 6, 30))
    assert list(to_credit_truth(empty).columns) == list(to_credit_truth(full).columns)
    assert (to_credit_truth(empty).dtypes == to_credit_truth(full).dtypes).all()
    assert to_transactions_frame(empty)["amount_minor"].dtype == "int64"
    assert len(to_stream_truth(to_credit_truth(empty))) == 0
