"""What is said to have come first did come first: of one day, only times and running balances show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wealth.flag_parts import Ledger, lives_of, movement, pay

from kycpack.wealth import derive
from kycpack.wealth.judge.flags import FINDERS
from kycpack.wealth.judge.red_flags.movements import Movement
from kycpack.wealth.prepare.intake import take_in
from kycpack.wealth.prepare.order_in_day import turns_of
from kycpack.wealth.thresholds import DEFAULT_THRESHOLDS

IN, OUT = "Meridian Trade FZE", "Aurelia Holdings SA"
DAYS = ("2025-07-29", "2025-08-20", "2025-10-10", "2025-11-12")
SUMS = (1_323_700, 2_128_500, 2_154_000, 1_740_000)
AS_OF = "2025-12-31"


def moved(*, out_first: bool, kept: int = 600) -> list[tuple[str, int, str]]:
    """Payments in and out on the same days, in the order in which they were booked, each out a little below the one in."""
    rows = []
    for day, amount in zip(DAYS, SUMS, strict=True):
        both = [(day, amount, f"{IN} {amount}"), (day, kept - amount, f"{OUT} INV")]
        rows += both[::-1] if out_first else both
    return rows


def with_balances(frame: pd.DataFrame, opening: int = 5_000_000) -> pd.DataFrame:
    return frame.assign(balance_after_minor=opening + frame["amount_minor"].cumsum())


def in_order(rows: Sequence[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return sorted(rows, key=lambda row: str(row[0]))


def messages(frame: pd.DataFrame) -> dict[str, str]:
    flags = derive(frame, as_of=AS_OF).flags
    return dict(zip(flags["code"], flags["message"], strict=True))


@pytest.mark.parametrize("kept", [600, 0])
def test_what_came_in_first_on_the_day_did_not_come_back(ledger: Ledger, kept: int) -> None:
    """Also where the day ends at the balance at which it began: then the days around it show where that was."""
    said = messages(with_balances(ledger(*in_order([*pay(), *moved(out_first=False, kept=kept)]))))
    assert not any("came back" in one for one in said.values())
    assert said["pass_through"].startswith("Money moved on: 4 credits in")
    assert "which came first" not in said["pass_through"]


def test_what_went_out_first_on_the_day_came_back(ledger: Ledger) -> None:
    said = messages(with_balances(ledger(*in_order([*pay(), *moved(out_first=True)]))))
    assert said["cycle"].startswith("Money sent to one party that came back from another: 4 payments")
    assert "which came first" not in said["cycle"]
    assert said["pass_through"].startswith("Like sums in and out: 4 credits in")
    assert said["pass_through"].endswith(
        "in 4 pairs of same-day payments the money went out before it came in"
    )


@pytest.mark.parametrize("out_first", [True, False])
def test_without_times_or_balances_no_order_is_claimed(ledger: Ledger, *, out_first: bool) -> None:
    said = messages(ledger(*in_order([*pay(), *moved(out_first=out_first)])))
    not_known = "for 4 pairs of same-day payments the data does not show which came first"
    assert said["cycle"].startswith("Like sums to one party and from another: 4 payments")
    assert said["pass_through"].startswith("Like sums in and out: 4 credits in")
    assert said["cycle"].endswith(not_known)
    assert said["pass_through"].endswith(not_known)


def test_of_two_accounts_balances_show_no_order(ledger: Ledger) -> None:
    rows = [
        (*row, {"account_id": "A2" if row[1] < 0 else "A1", "balance_after_minor": number})
        for number, row in enumerate(moved(out_first=False))
    ]
    frame = ledger(*in_order([*((*row, {"balance_after_minor": None}) for row in pay()), *rows]))
    assert messages(frame)["pass_through"].startswith("Like sums in and out")


@pytest.mark.parametrize("out_first", [True, False])
def test_times_of_booking_show_the_order(ledger: Ledger, *, out_first: bool) -> None:
    rows = [
        (f"{day}T{9 + number % 2:02d}:15:00", *rest)
        for number, (day, *rest) in enumerate(moved(out_first=out_first))
    ]
    said = messages(ledger(*in_order([*pay(), *rows])))
    assert ("cycle" in said) is out_first
    assert said["pass_through"].startswith("Like sums" if out_first else "Money moved on")
    at_once = "each on the same day as the money it moved on (the rule looks at up to 10 days), between"
    assert (at_once in said["pass_through"]) is not out_first


def test_money_of_another_day_is_said_to_be_moved_on_and_the_rest_is_left_open(ledger: Ledger) -> None:
    (_, amount, text), *others = moved(out_first=False)
    rows = [("2025-07-28", amount, text), *others]
    said = messages(ledger(*in_order([*pay(), *rows])))["pass_through"]
    assert said.startswith("Money moved on: 4 credits in")
    assert (
        "each on the same day as the money it moved on or the day after (the rule looks at up to 10 days)"
        in said
    )
    assert said.endswith("for 3 pairs of same-day payments the data does not show which came first")


@pytest.mark.parametrize("out_first", [True, False])
def test_a_purchase_is_given_back_only_after_it_was_paid(ledger: Ledger, *, out_first: bool) -> None:
    rows = [
        (day, sign * amount, "Norfolk Instruments Ltd")
        for day, amount in zip(DAYS, SUMS, strict=True)
        for sign in ((-1, 1) if out_first else (1, -1))
    ]
    said = messages(with_balances(ledger(*in_order([*pay(), *rows]))))
    assert ("purchases_cancelled" in said) is out_first


@pytest.mark.parametrize("out_first", [True, False])
def test_a_loan_is_repaid_only_after_it_was_paid_out(ledger: Ledger, *, out_first: bool) -> None:
    both = [
        ("2025-07-29", 900_000, "SANTANDER CONSUMER LOAN PAYOUT", {"counterparty_name": "Santander Loans"}),
        ("2025-07-29", -890_000, "SANTANDER LOAN REPAYMENT", {"counterparty_name": "Santander Loans"}),
    ]
    said = messages(with_balances(ledger(*in_order([*pay(), *(both[::-1] if out_first else both)]))))
    assert ("loan_repaid" in said) is not out_first


def test_a_day_without_balances_hides_where_the_next_one_began(ledger: Ledger) -> None:
    """Equal sums in and out end where they began; if the balance is not known before and after, either may be the first."""
    rows = [("2025-07-28", -100, "SHOP"), *moved(out_first=False, kept=0)[:2], ("2025-07-30", -100, "SHOP")]
    for hidden, known in (((0,), 2), ((3,), 2), ((0, 3), 0)):
        frame = with_balances(ledger(*rows))
        frame["balance_after_minor"] = frame["balance_after_minor"].astype("Int64")
        frame.loc[list(hidden), "balance_after_minor"] = pd.NA
        book = take_in(frame, date(2025, 12, 31))
        found = turns_of(book, book.counted, np.ones(len(book), dtype=np.bool_))
        assert np.count_nonzero(found) == known


@given(
    st.lists(st.lists(st.integers(-400, 400).filter(bool), min_size=1, max_size=6), min_size=1, max_size=5),
    st.randoms(use_true_random=False),
)
def test_places_of_a_day_are_the_true_ones_whatever_the_order_of_rows(
    days: list[list[int]], random: Random
) -> None:
    """Where a place is given, it is the place in which the payment was booked; a second payment equal in all may stand for it."""
    rows, balance = [], 1_000
    for day, amounts in enumerate(days, start=1):
        for turn, amount in enumerate(amounts, start=1):
            balance += amount
            rows.append((f"2025-03-{day:02d}", amount, balance, turn))
    random.shuffle(rows)
    frame = pd.DataFrame(
        {
            "customer_id": "C1",
            "account_id": "A1",
            "txn_id": [f"T{number}" for number in range(len(rows))],
            "booked_on": [row[0] for row in rows],
            "amount_minor": [row[1] for row in rows],
            "currency": "GBP",
            "description_raw": "X",
            "balance_after_minor": [row[2] for row in rows],
        }
    )
    book = take_in(frame, date(2025, 12, 31))
    found = turns_of(book, book.counted, np.ones(len(book), dtype=np.bool_))
    for turn, row in zip(found.tolist(), rows, strict=True):
        assert turn in {0, row[3]}


NOT_KNOWN = "for {} of same-day payments the data does not show which came first"


def _card_takings_drawn(*, same_day: bool) -> list[Movement]:
    takings = [
        movement(10_000 + 2 * number, 200_000, "ACME LTD", is_credit=True)._replace(
            kind="payment_processor", stranger=False
        )
        for number in range(8)
    ]
    drawn = [movement(one.day + (not same_day), 190_000, "CRAY HALL", is_credit=False) for one in takings]
    return [*takings, *drawn]


def _collected(*, same_day: bool) -> list[Movement]:
    given = [movement(10_000 + 10 * n, 30_000, f"GIVER{n} HALL", is_credit=True) for n in range(30)]
    cash = [
        movement(10_000 + 10 * n, 60_000, "", is_credit=True)._replace(cash=True, stranger=False)
        for n in range(30)
    ]
    sent = [
        movement(10_000 + 10 * n + (not same_day), 90_000, f"PAYEE{n} ORG", is_credit=False)._replace(
            abroad=True, stranger=False
        )
        for n in range(30)
    ]
    return [*given, *cash, *sent]


def _rushed(*, same_day: bool) -> list[Movement]:
    saved = movement(10_000, 2_000_000, "", is_credit=True)._replace(own=True, is_open=False, stranger=False)
    sent = [
        movement(10_000 + (not same_day), 1_900_000 // 8 + number, "CRAY HALL", is_credit=False)
        for number in range(8)
    ]
    return [saved, *sent]


def _home(*, same_day: bool) -> list[Movement]:
    given = [movement(10_000, 2_000_000, f"GIVER{n} HALL", is_credit=True) for n in range(8)]
    home = movement(10_000 + (not same_day), 16_000_000, "CRAY LAW", is_credit=False)._replace(
        property=True, stranger=False
    )
    return [*given, home]


def _given_back(*, same_day: bool) -> list[Movement]:
    into = movement(10_000, 5_000_000, "ACME LTD", is_credit=True)._replace(returned=True, stranger=False)
    first = movement(10_000 + (not same_day), 2_000_000, "ACME LTD", is_credit=False)
    return [into, first, movement(10_002, 3_000_000, "ACME LTD", is_credit=False)]


@pytest.mark.parametrize(
    ("finder", "story", "pairs"),
    [
        ("takings_drawn", _card_takings_drawn, "8 pairs"),
        ("collected_for_a_cause", _collected, "60 pairs"),
        ("savings_rushed_away", _rushed, "8 pairs"),
        ("home_from_strangers", _home, "8 pairs"),
        ("large_unexplained", _given_back, "1 pair"),
    ],
)
def test_a_flag_that_claims_an_order_says_where_one_day_does_not_show_it(
    finder: str, story: Callable[..., list[Movement]], pairs: str
) -> None:
    (found,) = (one.find for one in FINDERS if one.find.__name__ == finder)
    for same_day in (True, False):
        rows = sorted(story(same_day=same_day), key=lambda one: (one.day, not one.is_credit))
        said = [flag.message for flag in found(lives_of([rows], DEFAULT_THRESHOLDS).at(0))]
        assert said
        assert said[-1].endswith(NOT_KNOWN.format(pairs)) == same_day
        assert ("came first" in said[-1]) == same_day


def test_matching_sums_of_days_beside_each_other_are_said_to_be_so(ledger: Ledger) -> None:
    said = messages(ledger(*in_order([*pay(), *moved(out_first=False)])))["answering_sums"]
    assert (
        "each payment nearly equal to what came in within a day of it, before or after (the rule looks at up to 92 days), "
        "with sums that differ from payment to payment, between"
    ) in said


@pytest.mark.parametrize("more", [-1_00, 1_00])
def test_where_more_went_to_an_exchange_than_came_in_part_of_it_is_called_other_money(
    ledger: Ledger, more: int
) -> None:
    gifts = [(f"2025-{month:02d}-11", 40_000, f"GIFT {month}") for month in range(3, 9)]
    sent = [(f"2025-{month:02d}-14", -40_000 - more, "COINBASE UK") for month in range(3, 9)]
    said = messages(ledger(*in_order([*pay(), *gifts, *sent])))["sent_to_exchange"]
    assert "each within 5 days of the money it moved on" in said
    assert said.endswith("; part of what went out was other money") is (more > 0)
