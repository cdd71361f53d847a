"""What was, or may have been, taken back counts alike on page one, in the statement, by the month and for a payment."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

from kycpack.render.document_parts import Subheading
from kycpack.render.review.credit_sources import months_of, sections, strip_of
from kycpack.render.review.share_sums import shares_of
from kycpack.render.review.shares import Shares
from kycpack.render.review.short_names import ShortNames
from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"
SALARY = [(f"2025-{month:02d}-28", 200_000, "ROLLS-ROYCE PLC SALARY") for month in range(1, 13)]
RECALLED = [
    ("2025-07-08", 900_000, "FASTER PAYMENT VELD TRADING"),
    ("2025-07-10", -900_000, "RECALL FASTER PAYMENT VELD TRADING"),
]
OVERPAID = [*SALARY[:5], ("2025-06-28", 250_000, "ROLLS-ROYCE PLC SALARY"), *SALARY[6:]]
RETURNED = ("2025-07-03", -50_000, "ROLLS-ROYCE PLC SALARY OVERPAYMENT RETURNED")
SENT_BACK = ("2025-07-03", -50_000, "ROLLS-ROYCE PLC")
BESIDE = [("2025-06-28", 30_000, "ROLLS-ROYCE PLC SALARY"), ("2025-07-03", -30_000, "ROLLS-ROYCE PLC")]


def page_one(wealth: Wealth) -> Shares:
    (found,) = shares_of(wealth.nature("C1"), wealth.coverage, wealth.credits, None, wealth.streams)
    return found


def test_a_refund_is_known_and_is_said_to_be_no_source_of_wealth(ledger: Ledger) -> None:
    rows = [
        ("2025-03-03", -19_500, "CARD PAYMENT HARLOW OUTDOORS"),
        ("2025-03-09", 19_500, "REFUND HARLOW OUTDOORS"),
        ("2025-05-05", 900_000, "QUORNDON 77/2"),
    ]
    shares = page_one(derive(ledger(*rows), as_of=AS_OF))
    assert (shares.known_percent, shares.refunds) == ("2.1%", (19_500, 19_500))
    assert "All of what is known (195.00 GBP) is refunds" in shares.sentence
    assert "no source of wealth" in shares.sentence


def test_winnings_are_known_and_are_said_to_show_no_source_of_wealth(ledger: Ledger) -> None:
    rows = [("2025-03-03", 40_000, "BET365"), ("2025-04-09", 23_000, "BET365"), *SALARY]
    shares = page_one(derive(ledger(*rows), as_of=AS_OF))
    said = "630.00 GBP of what is known is of a kind that shows no source of wealth: gambling."
    assert said in shares.on_page_one
    assert said in shares.sentence
    assert (shares.no_source, shares.no_source_types) == ((63_000, 63_000), {"gambling"})
    assert "of a kind" not in page_one(derive(ledger(*SALARY), as_of=AS_OF)).sentence


def dated(frame: pd.DataFrame) -> pd.DataFrame:
    """Return transactions with dates, as the pages of a review need them."""
    return frame.assign(booked_on=pd.to_datetime(frame["booked_on"]))


def supports(wealth: Wealth, amount: str = "100000.00") -> int:
    return wealth.sufficiency("C1", None, amount, "GBP").supported_minor


@pytest.mark.parametrize(
    ("rows", "total", "said"),
    [
        ([*SALARY, *RECALLED], "24,000.00 GBP", "9,000.00 GBP that was taken back is left out."),
        ([*OVERPAID, RETURNED], "24,000.00 GBP", "500.00 GBP that was taken back is left out."),
        ([*OVERPAID, SENT_BACK], "24,000.00 to 24,500.00 GBP", ""),
        ([*SALARY, *BESIDE], "24,000.00 to 24,300.00 GBP", ""),
    ],
)
def test_page_one_counts_neither_what_was_taken_back_nor_surely_what_may_have_been(
    ledger: Ledger, rows: list[tuple[Any, ...]], total: str, said: str
) -> None:
    wealth = derive(ledger(*rows), as_of=AS_OF)
    shares = page_one(wealth)
    assert shares.total_words == total
    assert said in shares.sentence
    assert ("may have been taken back" in shares.twice_words) == (" to " in total)
    # The ledger still adds up to all booked credits.
    assert wealth.coverage["total_minor"].sum() == sum(row[1] for row in rows if row[1] > 0)


@pytest.mark.parametrize("rows", [[*OVERPAID, RETURNED], [*OVERPAID, SENT_BACK], [*SALARY, *BESIDE]])
def test_the_statement_the_months_and_page_one_have_the_same_least_and_most(
    ledger: Ledger, rows: list[tuple[Any, ...]]
) -> None:
    wealth = derive(ledger(*rows, ("2024-12-20", -100, "BAKERY")), as_of=AS_OF)
    (stream,) = wealth.streams.to_dict("records")
    (totals,) = wealth.statement_totals("C1")
    least, most = (int(one * 100) for one in totals)
    shares = page_one(wealth)
    assert (stream["least_total_minor"], stream["most_total_minor"]) == (least, most)
    assert (shares.total_minor - shares.may_be_returned_minor, shares.total_minor) == (least, most)
    assert stream["monthly_12_least_minor"] == least // 12
    assert stream["monthly_12_minor"] == round(most / 12)
    assert least == 2_400_000


def test_a_payment_beside_the_usual_one_that_may_have_gone_back_is_in_the_range_of_its_source(
    ledger: Ledger,
) -> None:
    wealth = derive(ledger(*SALARY, *BESIDE), as_of=AS_OF)
    assert wealth.statement_totals("C1") == ((Decimal("24000.00"), Decimal("24300.00")),)
    primary = wealth.statement("C1").primary_source
    assert primary is not None
    assert "At least 24,000.00 GBP: 300.00 GBP may have been taken back." in primary.context
    beside = wealth.credits[wealth.credits["amount_minor"] == 30_000].iloc[0]
    assert (beside["disposition"], beside["may_be_returned_minor"], beside["least_minor"]) == (
        "stream",
        30_000,
        0,
    )
    assert beside["pair_txn_id"] == "T0013"


def test_equally_many_credits_in_two_currencies_are_listed_with_the_base_currency_first(
    ledger: Ledger,
) -> None:
    euros = [(day, 90_000, "GALERIE LOHN", {"currency": "EUR", "account_id": "A2"}) for day, *_ in SALARY]
    wealth = derive(dated(ledger(*SALARY, *euros)), as_of=AS_OF)
    assert wealth.base_currency("C1") == "GBP"
    found = shares_of(wealth.nature("C1"), wealth.coverage, wealth.credits, wealth.base_currency("C1"))
    assert [one.currency for one in found] == ["GBP", "EUR"]
    charts = months_of(wealth, "C1", {})
    made = {one.key: one for one in sections(wealth, "C1", charts, ShortNames(()))}
    for key in ("streams", "coverage"):
        said = [one.text for one in made[key].blocks if isinstance(one, Subheading) and ", " in one.text]
        assert [one[-3:] for one in said] == sorted((one[-3:] for one in said), reverse=True)
    months = strip_of(charts, "GBP")
    assert months is not None
    assert " in GBP" in months.words


def test_page_one_names_the_largest_single_credits_whose_nature_is_not_established(ledger: Ledger) -> None:
    single = ("2025-03-04", 1_234_500, "ZORVIK TRADING LTD")
    said = "Single credit outside the listed sources whose nature is not established: 12,345.00 GBP on 4 Mar 2025."
    assert page_one(derive(ledger(*SALARY, single), as_of=AS_OF)).largest_words == said
    small = ("2025-05-06", 2_000, "TRF 8812")
    both = page_one(derive(ledger(*SALARY, single, small), as_of=AS_OF)).largest_words
    assert both == f"{said.removesuffix('.')}, beside a small one of 20.00 GBP."
    gift = ("2025-05-06", 26_900, "K ACHTERBERG WITH LOVE")
    both = page_one(derive(ledger(*SALARY, single, gift), as_of=AS_OF)).largest_words
    assert both == f"{said.removesuffix('.')}, beside a small one, called a gift, of 269.00 GBP."
    assert not page_one(derive(ledger(*SALARY), as_of=AS_OF)).largest_words


def test_the_ledger_says_how_much_of_the_streams_is_of_known_nature(ledger: Ledger) -> None:
    unknown = [(day, 90_000, "ZORVIK HOLDCO SERVICES") for day, *_ in SALARY]
    for rows, said, amount in (
        (unknown, "None of the 10,800.00 GBP in streams is of known nature.", 0),
        (
            [*unknown, *OVERPAID, RETURNED],
            "Of the 35,300.00 GBP in streams, the nature of 24,000.00 GBP is known.",
            24_000_00,
        ),
    ):
        wealth = derive(dated(ledger(*rows)), as_of=AS_OF)
        made = {one.key: one for one in sections(wealth, "C1", months_of(wealth, "C1", {}), ShortNames(()))}[
            "coverage"
        ]
        assert said in " ".join(getattr(one, "text", "") for one in made.blocks)
        assert wealth.nature("C1").query("nature == 'known'")["total_minor"].sum() == amount


def test_each_credit_says_what_is_left_of_it_and_when_the_rest_went_back(ledger: Ledger) -> None:
    frame = derive(ledger(*OVERPAID, RETURNED, *RECALLED), as_of=AS_OF).credits
    back = frame[frame["pair_on"].notna()]
    assert back["pair_on"].tolist() == [pd.Timestamp("2025-07-03"), pd.Timestamp("2025-07-10")]
    assert back["most_minor"].tolist() == [200_000, 0]
    assert back["returned_minor"].tolist() == [50_000, 900_000]
    rest = frame[frame["pair_on"].isna()]
    assert (rest["most_minor"] == rest["amount_minor"]).all()


def test_money_that_came_and_was_taken_back_changes_nothing_for_a_payment(ledger: Ledger) -> None:
    """It was not income, and the debit that took it back was not spending."""
    before = supports(derive(ledger(*SALARY), as_of=AS_OF))
    assert before == 2_400_000
    for rows in ([*SALARY, *RECALLED], [*OVERPAID, RETURNED], [*OVERPAID, SENT_BACK], [*SALARY, *BESIDE]):
        assert supports(derive(ledger(*rows), as_of=AS_OF)) == before


@pytest.mark.parametrize(
    ("refund", "left"),
    [
        (("2025-04-21", 129_900, "OAKHOUSE FURNITURE REFUND"), 2_400_000),
        (("2025-04-21", 100_000, "OAKHOUSE FURNITURE"), 2_400_000 - 29_900),
        (("2025-04-21", 129_900, "SOMEBODY ELSE"), 2_400_000 - 129_900),
    ],
)
def test_a_purchase_that_was_refunded_is_not_spending(
    ledger: Ledger, refund: tuple[Any, ...], left: int
) -> None:
    rows = [*SALARY, ("2025-04-03", -129_900, "OAKHOUSE FURNITURE"), refund]
    assert supports(derive(ledger(*rows), as_of=AS_OF)) == left


def test_overpaid_money_that_went_back_supports_nothing_where_other_money_was_held(ledger: Ledger) -> None:
    """With balances, other money is assumed to be spent first: the overpayment would seem to be still there."""
    frame = ledger(*OVERPAID, RETURNED).sort_values("booked_on", kind="stable", ignore_index=True)
    held = frame.assign(balance_after_minor=frame["amount_minor"].cumsum() + 10_000_000)
    found = derive(held, as_of=AS_OF).sufficiency("C1", None, "24400.00", "GBP")
    assert (found.answer, found.supported_minor) == ("partly supported", 2_400_000)
    assert any("24,000.00 GBP from 1 stream or single credit" in line for line in found.basis)


def test_a_customer_whose_only_credit_was_taken_back_has_no_income_on_page_one(ledger: Ledger) -> None:
    shares = page_one(derive(ledger(*RECALLED), as_of=AS_OF))
    assert shares.total_words == "0.00 GBP"
    assert shares.sentence == ("No credit has a known nature. 9,000.00 GBP that was taken back is left out.")


def test_the_main_source_is_the_largest_without_what_went_back_or_may_be_counted_twice(
    ledger: Ledger,
) -> None:
    sales = [(f"2025-{month:02d}-10", 300_000, "TESCO STORES SALARY") for month in range(1, 13)]
    recalled = "TESCO STORES SALARY RECALLED"
    back = [(f"2025-{month:02d}-12", -290_000, recalled) for month in range(8, 13)]
    for rows, total in (([*SALARY, *sales], "36000"), ([*SALARY, *sales, *back], "24000")):
        found = derive(ledger(*rows), as_of=AS_OF).statement("C1").primary_source
        assert found.total_value == Decimal(total)
    once = ledger(*[(on, 150_000, "TESCO STORES SALARY") for on, _, _ in SALARY])
    twice = [once.assign(account_id=name, txn_id=name + once["txn_id"]) for name in ("A2", "A3")]
    numbers = {"account_id": ["A1", "A2", "A3"], "account_number": ["****1111", "****2222", "****2222"]}
    wealth = derive(
        pd.concat([ledger(*SALARY), *twice], ignore_index=True),
        accounts=pd.DataFrame({"customer_id": "C1"} | numbers),
        as_of=AS_OF,
    )
    assert sorted(wealth.sources("C1")["total_minor"]) == [2_400_000, 3_600_000]
    assert wealth.statement("C1").primary_source.total_value == Decimal(24000)


def test_a_statement_names_one_sum_of_what_is_not_established_though_a_part_went_back(ledger: Ledger) -> None:
    paid = [
        ("2025-07-08", 900_000, "FASTER PAYMENT VELD TRADING"),
        ("2025-07-10", -400_000, "RECALL FASTER PAYMENT VELD TRADING"),
    ]
    context = derive(ledger(*paid), as_of=AS_OF).statement("C1").context
    assert "credits whose nature is not established 5,000.00 GBP." in context
    assert "9,000.00" not in context
