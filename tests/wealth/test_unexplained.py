"""What the credits of no established nature are called: single ones only where no payer paid twice."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.render.document_parts import Table
from kycpack.render.review.credit_sources import months_of, sections
from kycpack.render.review.short_names import ShortNames
from kycpack.wealth import derive
from kycpack.wealth.judge.unexplained import beside_sources_of, unexplained_of, unexplained_words

Row = tuple[str, int, str]
SALARY = [(f"2025-{month:02d}-25", 200_000, "TESCO STORES SALARY") for month in range(1, 13)]
PERSON = [("2025-02-03", 50_000, "K FERRANT"), ("2025-03-05", 50_000, "K FERRANT")]
MORE = [("2025-04-20", 90_011, "K FERRANT"), ("2025-06-11", 116_685, "K FERRANT")]
OTHER, THIRD = ("2025-05-06", 700_000, "QUORNDON 77/2"), ("2025-08-06", 600_000, "BRACKLEY 14/6")
TWO = "500.00 GBP on 3 Feb 2025 and 500.00 GBP on 5 Mar 2025"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([OTHER], "Single credit outside the listed sources whose nature is not established: 7,000.00 GBP on 6 May 2025."),
        ([OTHER, THIRD], "Single credits outside the listed sources whose nature is not established: 7,000.00 GBP on 6 May 2025 and 6,000.00 GBP on 6 Aug 2025."),
        (PERSON, f"Credits outside the listed sources whose nature is not established: {TWO}, both of one person."),
        ([*PERSON, *MORE], "Credits outside the listed sources whose nature is not established: the largest of 4, all of one person, are 1,166.85 GBP on 11 Jun 2025, 900.11 GBP on 20 Apr 2025 and 500.00 GBP on 3 Feb 2025."),
        ([*PERSON, OTHER, THIRD], "Credits outside the listed sources whose nature is not established: the largest of 4, several of one person, are 7,000.00 GBP on 6 May 2025, 6,000.00 GBP on 6 Aug 2025 and 500.00 GBP on 3 Feb 2025."),
    ],
)  # fmt: skip
def test_credits_of_one_person_are_not_called_single(
    ledger: Callable[..., pd.DataFrame], rows: list[Row], said: str
) -> None:
    wealth = derive(ledger(*sorted([*SALARY, *rows])), as_of="2025-12-31")
    assert unexplained_words(unexplained_of(wealth.credits)) == (said,)


def test_a_credit_from_a_payer_of_the_customers_own_name_says_so(
    ledger: Callable[..., pd.DataFrame],
) -> None:
    people = pd.DataFrame({"customer_id": ["C1"], "first_name": ["Fiona"], "last_name": ["Pickersgill"]})
    own = [("2025-02-03", 20_900, "FIONA PICKERSGILL"), ("2025-08-05", 20_900, "FIONA PICKERSGILL")]
    rows = ledger(*sorted([*SALARY, *own])).assign(booked_on=lambda one: pd.to_datetime(one["booked_on"]))
    wealth = derive(rows, customers=people, as_of="2025-12-31")
    named = "(the payer has the customer's own name: possibly an own transfer)"
    assert unexplained_words(unexplained_of(wealth.credits)) == (
        f"Credits outside the listed sources whose nature is not established: 209.00 GBP on 3 Feb 2025 {named} and 209.00 GBP on 5 Aug 2025 {named}, both of one payer.",
    )
    streams, _, *_ = sections(wealth, "C1", months_of(wealth, "C1", {}), ShortNames(()))
    shown = next(
        one
        for one in streams.blocks
        if isinstance(one, Table) and "Booked on" in [column.title for column in one.columns]
    )
    assert [row[1].text for row in shown.rows] == [f"Nature not established; {named[1:-1]}"] * 2


def test_a_small_credit_that_is_only_possibly_an_own_transfer_is_among_the_small_ones(
    ledger: Callable[..., pd.DataFrame],
) -> None:
    people = pd.DataFrame({"customer_id": ["C1"], "first_name": ["Fiona"], "last_name": ["Pickersgill"]})
    own = ("2025-02-03", 6_000, "FIONA PICKERSGILL")
    rows = ledger(*sorted([*SALARY, own, OTHER])).assign(
        booked_on=lambda one: pd.to_datetime(one["booked_on"])
    )
    wealth = derive(rows, customers=people, as_of="2025-12-31")
    (small,) = wealth.credits.index[wealth.credits["disposition"] == "small_other"]
    assert wealth.credits.loc[small, "type"] == "savings"
    (found,) = unexplained_of(wealth.credits)
    assert (found.small, found.small_count) == ((6_000, 6_000), 1)
    assert [txn for _, txn in found.small_rows] == [wealth.credits.loc[small, "txn_id"]]
    assert beside_sources_of(wealth.credits) == {("GBP", "other"): (706_000, 706_000)}


def test_credits_without_a_payer_are_not_of_one(ledger: Callable[..., pd.DataFrame]) -> None:
    nameless = [("2025-02-03", 500_000, ""), ("2025-03-05", 510_000, "")]
    credits_ = derive(ledger(*sorted([*SALARY, *nameless])), as_of="2025-12-31").credits
    (said,) = unexplained_words(unexplained_of(credits_))
    assert said.startswith("Single credits outside")
    unnamed = credits_.assign(payer=pd.NA, payer_key=pd.NA)
    assert unexplained_words(unexplained_of(unnamed)) == (said,)
