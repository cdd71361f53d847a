"""What moves when a threshold changes."""

from __future__ import annotations

import pandas as pd
import pytest

import kycpack as kp
from kycpack.assets import asset_path
from kycpack.errors import PolicyError
from kycpack.wealth import Wealth
from kycpack.wealth.changed_thresholds import threshold_names, what_moves, with_thresholds


@pytest.fixture(scope="module")
def wealth() -> Wealth:
    rows = pd.read_csv(asset_path("samples/transactions.csv"), dtype={"txn_id": str, "mcc": str})
    return kp.derive(rows, as_of="2026-06-30")


def test_the_same_thresholds_move_nothing(wealth: Wealth) -> None:
    assert what_moves(wealth, with_thresholds(wealth, {})).empty


def test_a_credit_that_becomes_small_leaves_one_disposition_and_joins_another(wealth: Wealth) -> None:
    after = with_thresholds(wealth, {"small_credit": "1000000"})
    moved = what_moves(wealth, after)
    of_credits = moved[moved["kind"] == "disposition"]
    assert len(of_credits) >= 2
    gained = of_credits["after"].astype(int) - of_credits["before"].astype(int)
    assert gained.sum() == 0  # every credit keeps exactly one disposition
    assert (gained != 0).all()
    assert len(after.credits) == len(wealth.credits)


def test_a_threshold_that_is_not_known_is_refused(wealth: Wealth) -> None:
    with pytest.raises(PolicyError):
        with_thresholds(wealth, {"small": 1})
    assert "levels" not in threshold_names()
