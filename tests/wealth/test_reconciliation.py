"""Each difference between our sources and another statement's is explained by what explains it, or said to be unexplained."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

from kycpack.models.wealth import SourceOfWealth
from kycpack.wealth.judge.reconciliation import RECONCILIATION_COLUMNS, reconcile


def ours(**changes: Any) -> dict[str, Any]:
    """A salary of 1,000.00, seven times."""
    row = {
        "source_id": "S1",
        "type": "employment",
        "currency": "GBP",
        "cadence": "monthly",
        "amount_minor": 100_000,
        "count": 7,
        "total_minor": 700_000,
        "description": "7 credits from ACME LTD",
    }
    return row | changes


def theirs(
    amount: str = "1000.00", frequency: int = 7, total: str = "7000.00", kind: str = "employment"
) -> dict[str, Any]:
    return {
        "type": kind,
        "description": "Salary from ACME LTD",
        "amount": amount,
        "frequency": frequency,
        "totalValue": total,
    }


def reconciled(
    mine: list[dict[str, Any]], others: list[dict[str, Any]], currency: str | None = "GBP"
) -> pd.DataFrame:
    statement = SourceOfWealth.model_validate(
        {
            "customerId": "C1",
            "customer": {},
            "generatedAt": "2026-06-30T23:59:59Z",
            "primarySource": others[0] if others else None,
            "additionalSources": others[1:],
        }
    )
    return reconcile(pd.DataFrame(mine, columns=list(ours())), statement, currency)


@pytest.mark.parametrize(
    ("mine", "other", "verdict", "why"),
    [
        (ours(), theirs(), "equal", "the same amount, number of payments and total"),
        (
            ours(),
            theirs(kind="pension"),
            "unexplained",
            "the type differs: ours is employment, theirs is pension",
        ),
        (ours(), theirs(frequency=12, total="12000.00"), "explained", "reads as 12 payments a year"),
        (
            ours(cadence="four_weekly"),
            theirs(frequency=13, total="13000.00"),
            "explained",
            "reads as 13 payments a year",
        ),
        (ours(), theirs(amount="1010.00", frequency=12), "explained", "reads as 12 payments a year"),
        (ours(cadence="irregular"), theirs(frequency=12), "explained", "counted as a different number"),
        (ours(count=12), theirs(frequency=12), "equal", "the same amount"),
        (ours(), theirs(amount="500.00", frequency=14), "explained", "the same total"),
        (ours(), theirs(frequency=6, total="6000.00"), "explained", "1 more payment here, of"),
        (ours(), theirs(frequency=9, total="9000.00"), "explained", "2 fewer payments here, of"),
        (
            ours(),
            theirs(amount="1020.00", frequency=6, total="6120.00"),
            "explained",
            "1 more payment here",
        ),
        (ours(), theirs(amount="1000.01", total="7000.07"), "explained", "rounding"),
        (ours(), theirs(amount="1000.01", total="7000.08"), "unexplained", "the reason is not known"),
        (
            ours(),
            theirs(amount="1021.00", frequency=6, total="6126.00"),
            "unexplained",
            "the reason is not known",
        ),
        (ours(), theirs(amount="990.00", total="6930.00"), "unexplained", "the reason is not known"),
    ],
)
def test_a_difference_has_the_explanation_that_fits(
    mine: dict[str, Any], other: dict[str, Any], verdict: str, why: str
) -> None:
    (row,) = reconciled([mine], [other]).to_dict("records")
    assert row["verdict"] == verdict
    assert why in row["explanation"]
    assert row["difference"] == row["our_total"] - row["their_total"]


def test_each_source_is_matched_with_the_one_that_is_most_like_it_and_what_is_left_is_said() -> None:
    rent = ours(
        source_id="S2",
        type="rental_income",
        amount_minor=65_000,
        total_minor=455_000,
        description="7 credits from MARLOW",
    )
    other = {**theirs("650.00", 7, "4550.00", "rental_income"), "description": "Rent of MARLOW"}
    loan = {**theirs("90000.00", 1, "90000.00", "loan"), "description": "LENDER"}
    frame = reconciled([ours(), rent], [other, loan])
    assert frame["verdict"].tolist() == ["equal", "only_ours", "only_theirs"]
    assert frame["our_source_id"].tolist()[:2] == ["S2", "S1"]
    assert frame["their_position"].iloc[[0, 2]].tolist() == [0, 1]


def test_in_another_currency_only_a_near_twin_is_taken_for_the_same() -> None:
    assert reconciled([ours(currency="EUR")], [theirs()])["verdict"].tolist() == ["equal"]
    further = theirs(amount="900.00", total="6300.00")
    assert reconciled([ours(currency="EUR")], [further])["verdict"].tolist() == ["only_ours", "only_theirs"]
    assert len(reconciled([ours(currency="EUR")], [further], currency=None)) == 1
    assert len(reconciled([ours()], [further])) == 1


def test_nothing_on_either_side_is_an_empty_frame_with_its_columns() -> None:
    frame = reconciled([], [])
    assert frame.empty
    assert tuple(frame.columns) == RECONCILIATION_COLUMNS


@pytest.mark.parametrize(("total", "rows"), [("14000.00", 1), ("14100.00", 2)])
def test_sources_of_other_words_and_type_are_one_where_half_of_all_that_is_said_is_alike(
    total: str, rows: int
) -> None:
    """The same amount, half the total, and nothing else; below that they are two sources."""
    other = {**theirs(frequency=14, total=total, kind="pension"), "description": "HARBOUR FUND"}
    assert len(reconciled([ours()], [other])) == rows


def test_one_word_that_both_say_is_a_third_of_what_is_compared_and_no_words_are_no_error() -> None:
    quarter = theirs("250.00", 7, "1750.00", "pension")
    assert len(reconciled([ours(description="ACME")], [{**quarter, "description": "ACME"}])) == 1
    assert len(reconciled([ours(description="ACME")], [{**quarter, "description": "--"}])) == 2
    assert len(reconciled([ours(description="--")], [{**quarter, "description": "--"}])) == 2


@pytest.mark.parametrize("seed", range(200))
def test_identical_sources_are_equal_in_any_order(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - a repeatable choice
    kinds = [
        (chance.choice(("GBP", "GBP", "EUR")), chance.choice(("a b", "c d", "a d")), chance.choice(("employment", "pension", "interest")),
         chance.choice((10_000, 10_500)), chance.choice((3, 12)))
        for _ in range(5)
    ]  # fmt: skip
    ours = pd.DataFrame(
        [
            {
                "source_id": f"S{place}", "currency": currency, "type": kind, "count": count, "total_minor": minor * count,
                "amount_minor": minor, "cadence": "monthly", "description": words,
            }
            for place, (currency, words, kind, minor, count) in enumerate(kinds)
        ]
    )  # fmt: skip
    theirs = [
        {
            "description": words, "type": kind, "amount": Decimal(minor) / 100, "frequency": count,
            "totalValue": Decimal(minor * count) / 100,
        }
        for _, words, kind, minor, count in chance.sample(kinds, len(kinds))
    ]  # fmt: skip
    document = {
        "customer": {}, "accounts": [], "primarySource": theirs[0] | {"context": ""}, "additionalSources": theirs[1:],
        "generatedAt": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    assert set(reconcile(ours, SourceOfWealth.read(document), "GBP")["verdict"]) == {"equal"}


def test_a_source_in_another_currency_with_the_same_figures_is_found_whatever_it_is_called() -> None:
    row = ours(currency="EUR", type="rental_income", description="7 credits from KELLER")
    found = reconciled([row], [theirs(kind="letting")], "GBP")
    assert found["verdict"].tolist() == ["unexplained"]
    assert (
        found["explanation"]
        .item()
        .startswith("the same amount, number of payments and total; the type differs")
    )
