"""What is said twice is counted once, and what only may be is named."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date

import numpy as np
import pandas as pd
import pytest

from kycpack.wealth import derive
from kycpack.wealth.prepare.duplicates import compare_numbers, link_pending
from kycpack.wealth.prepare.intake import take_in

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def pay(account: str, text: str = "ACME LTD SALARY") -> list[tuple[object, ...]]:
    return [(f"2025-{month:02d}-28", 100_000, text, {"account_id": account}) for month in range(1, 13)]


def accounts(*numbers: str, **more: object) -> pd.DataFrame:
    ids = [f"A{number + 1}" for number in range(len(numbers))]
    return pd.DataFrame({"customer_id": "C1", "account_id": ids, "account_number": numbers, **more})


def test_pay_split_over_two_accounts_is_counted_whole(ledger: Ledger) -> None:
    frame = ledger(*pay("A1"), *pay("A2"))
    wealth = derive(frame, accounts=accounts("11112222", "11113333"), as_of=AS_OF)
    assert wealth.set_aside.empty
    stream = wealth.streams.iloc[0]
    assert (stream["total_minor"], stream["least_total_minor"]) == (2_400_000, 2_400_000)
    assert wealth.credits["may_repeat_txn_id"].isna().all()


@pytest.mark.parametrize("given", [None, accounts("****2222", "****2222")])
def test_accounts_that_may_be_one_are_named_and_the_total_is_a_range(
    ledger: Ledger, given: pd.DataFrame | None
) -> None:
    wealth = derive(ledger(*pay("A1"), *pay("A2")), accounts=given, as_of=AS_OF)
    assert wealth.set_aside.empty
    stream = wealth.streams.iloc[0]
    assert (stream["least_total_minor"], stream["total_minor"]) == (1_200_000, 2_400_000)
    assert stream["confidence"] != "high"
    named = wealth.credits["may_repeat_txn_id"].dropna()
    assert len(named) == 12
    assert set(named) <= set(wealth.credits["txn_id"])
    assert stream["description"].endswith("; 12,000.00 GBP of it may be counted twice")


def test_a_single_credit_that_two_accounts_show_may_be_counted_twice(ledger: Ledger) -> None:
    sale = [
        ("2025-05-19", 18_000_000, "DENHOLM CONVEYANCING HOUSE SALE", {"account_id": account})
        for account in ("A1", "A2")
    ]
    wealth = derive(ledger(*pay("A1"), *pay("A2"), *sale), as_of=AS_OF)
    told = wealth.sources("C1").set_index("count").loc[1, "description"]
    assert ["twice" in words for words in told] == [False, True]


@pytest.mark.parametrize(
    ("first", "second", "earlier", "may_be_one"),
    [(3, 3, 0, True), (4, 4, 0, False), (0, 12, 0, True), (12, 0, 0, True), (3, 3, 12, True)],
)
def test_accounts_may_be_one_where_four_in_five_of_the_quieter_ones_rows_are_in_both(
    ledger: Ledger,
    first: int,
    second: int,
    earlier: int,
    may_be_one: bool,  # noqa: FBT001
) -> None:
    """Twelve salaries are in both; what only the first had before the second begins says nothing."""
    own = [
        *[
            (f"2025-{7 + number // 4:02d}-{3 + number % 4:02d}", -1_100 - number, "GROCER", "A1")
            for number in range(first)
        ],
        *[
            (f"2025-{7 + number // 4:02d}-{3 + number % 4:02d}", -7_100 - number, "TRAM", "A2")
            for number in range(second)
        ],
        *[(f"2024-{1 + number:02d}-03", -3_100 - number, "BOOKS", "A1") for number in range(earlier)],
    ]
    rows = [
        (day, amount, text, {"account_id": account, "txn_id": f"own{number}"})
        for number, (day, amount, text, account) in enumerate(own)
    ]
    wealth = derive(ledger(*pay("A1"), *pay("A2"), *rows), as_of=AS_OF)
    assert wealth.credits["may_repeat_txn_id"].notna().any() == may_be_one


def test_one_account_linked_twice_is_counted_once_however_it_is_spelled(ledger: Ledger) -> None:
    frame = ledger(*pay("A1"), *pay("A2", "Acme Limited, salary payment"))
    wealth = derive(frame, accounts=accounts("12-34-56 12345678", "GB12 ABCD 1234 5612 3456 78"), as_of=AS_OF)
    assert len(wealth.credits) == 12
    assert wealth.streams["total_minor"].tolist() == [1_200_000]
    assert (wealth.set_aside["disposition"] == "duplicate").sum() == 12


@pytest.mark.parametrize(
    ("later", "number", "may_be_twice"),
    [(1, "12345678", 12), (3, "12345678", 12), (4, "12345678", 0), (1, "87654321", 0)],
)
def test_two_links_to_one_account_that_book_on_different_days_may_count_a_payment_twice(
    ledger: Ledger, later: int, number: str, may_be_twice: int
) -> None:
    again = [
        (str((pd.Timestamp(str(day)) + pd.Timedelta(days=later)).date()), *rest)
        for day, *rest in pay("A2", "Acme Limited, salary payment")
    ]
    frame = ledger(*pay("A1"), *again)
    wealth = derive(frame, accounts=accounts("12345678", number), as_of="2026-01-31")
    assert (wealth.credits["may_be_twice_minor"] > 0).sum() == may_be_twice
    least, most = wealth.streams["least_total_minor"].sum(), wealth.streams["most_total_minor"].sum()
    assert (least, most) == (2_400_000 - 100_000 * may_be_twice, 2_400_000)


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        (("12345678", ""), ("12345678", ""), "same"),
        (("12345678", "112233"), ("12345678", "112234"), "different"),
        (("****5678", ""), ("****5678", ""), "unclear"),
        (("****5678", ""), ("****5679", ""), "different"),
        (("****5678", ""), ("12345678", ""), "unclear"),
        (("5678", ""), ("5678", ""), "unclear"),
        (("12345678", ""), ("GB29NWBK60161312345678", ""), "same"),
    ],
)
def test_account_numbers_are_compared_by_what_can_be_seen(
    one: tuple[str, str], other: tuple[str, str], verdict: str
) -> None:
    assert compare_numbers(one, other) == compare_numbers(other, one) == verdict


def test_a_pending_row_names_its_booked_twin(ledger: Ledger) -> None:
    frame = ledger(
        ("2025-03-03", 100_000, "ACME", {"status": "pending"}),
        ("2025-03-03", 100_000, "BOOK SHOP", {"status": "pending"}),
        ("2025-03-05", 100_000, "ACME LTD SALARY", {"status": "booked"}),
    )
    aside = derive(frame, as_of=AS_OF).set_aside.set_index("txn_id")
    assert aside.loc["T0000", "kept_txn_id"] == "T0002"
    assert pd.isna(aside.loc["T0001", "kept_txn_id"])


def history(ids: str, months: range = range(1, 13), evidence: str | None = None) -> list[tuple[object, ...]]:
    """Some months of an account with six kinds of payments, some of them twice on one day, under ids of one fetch."""
    rows: list[tuple[object, ...]] = []
    for month in months:
        kinds = [
            (28, 230_000, "BRIGHTSIDE CARE LTD SALARY"),
            (1, -80_000, "FENWICK LETTINGS"),
            (3, -1_299, "STREAMBOX"),
            (5, -4_000, "CASH MACHINE"),
            (5, -4_000, "CASH MACHINE"),
            (12, -3_350 - month, "GREENGROCER"),
            (19, 2_500, "R HOLLIS"),
        ]
        for number, (day, amount, text) in enumerate(kinds):
            more = {"txn_id": f"{ids}{month:02d}{number}"} | ({"evidence_id": evidence} if evidence else {})
            rows.append((f"2025-{month:02d}-{day:02d}", amount, text, more))
    return rows


def same_but_ids(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    columns = ["booked_on", "amount_minor", "disposition", "type", "stream_id"]
    return one[columns].astype(str).equals(other[columns].astype(str))


@pytest.mark.parametrize("again", [range(1, 13), range(5, 13), range(4, 9)])
@pytest.mark.parametrize("evidence", [(None, None), ("E-02", "E-11")])
def test_a_history_that_was_fetched_again_under_new_ids_is_counted_once(
    ledger: Ledger, again: range, evidence: tuple[str | None, str | None]
) -> None:
    once = derive(ledger(*history("a", evidence=evidence[0])), as_of=AS_OF)
    frame = ledger(*history("x", again, evidence[1]), *history("a", evidence=evidence[0]))
    wealth = derive(frame, as_of=AS_OF)
    assert same_but_ids(wealth.credits, once.credits)
    assert wealth.streams["total_minor"].tolist() == once.streams["total_minor"].tolist()
    assert wealth.credits["txn_id"].str.startswith("a").all()
    set_aside = wealth.set_aside[wealth.set_aside["disposition"] == "duplicate"]
    assert len(set_aside) == 2 * len(again)


def test_a_third_fetch_is_no_other_than_a_second(ledger: Ledger) -> None:
    frame = ledger(*history("a"), *history("b"), *history("c"))
    once = derive(ledger(*history("a")), as_of=AS_OF)
    assert same_but_ids(derive(frame, as_of=AS_OF).credits, once.credits)


def salary_twice() -> list[tuple[object, ...]]:
    return [
        (f"2025-{month:02d}-28", 100_000, "ACME LTD SALARY", {"txn_id": f"{fetch}{month:02d}"})
        for month in range(1, 13)
        for fetch in "ab"
    ]


def test_an_account_in_which_nothing_is_there_once_was_fetched_twice(ledger: Ledger) -> None:
    wealth = derive(ledger(*salary_twice()), as_of=AS_OF)
    assert wealth.streams["total_minor"].tolist() == [1_200_000]
    assert (wealth.set_aside["disposition"] == "duplicate").sum() == 12


def test_an_account_in_which_nearly_all_is_there_twice_is_shown_as_a_range(ledger: Ledger) -> None:
    frame = ledger(*salary_twice(), ("2025-06-10", -5_000, "GROCER"), ("2025-09-10", -7_000, "GROCER"))
    wealth = derive(frame, as_of=AS_OF)
    stream = wealth.streams.iloc[0]
    assert (stream["least_total_minor"], stream["total_minor"]) == (1_200_000, 2_400_000)
    assert stream["confidence"] != "high"
    assert len(wealth.credits["may_repeat_txn_id"].dropna()) == 12


def test_payments_that_happen_twice_on_some_days_are_two(ledger: Ledger) -> None:
    rows = [
        *history("a"),
        ("2025-04-28", 230_000, "BRIGHTSIDE CARE LTD SALARY", {"txn_id": "bonus"}),
        ("2025-06-19", 2_500, "R HOLLIS", {"txn_id": "again"}),
        *[
            (f"2025-07-{day:02d}", -280, "TRAM", {"txn_id": f"t{day}{way}"})
            for day in range(7, 12)
            for way in "ab"
        ],
    ]
    wealth = derive(ledger(*rows), as_of=AS_OF)
    assert wealth.set_aside.empty
    assert wealth.credits["may_repeat_txn_id"].isna().all()


def test_very_many_equal_pending_rows_are_linked_in_time_that_grows_with_them() -> None:
    def seconds(count: int) -> float:
        rows = [
            {
                "customer_id": "C1",
                "account_id": "A1",
                "txn_id": f"{status}{number}",
                "booked_on": "2025-03-03",
                "amount_minor": 1_000,
                "currency": "GBP",
                "description_raw": "ACME",
                "status": status,
            }
            for number in range(count)
            for status in ("pending", "booked")
        ]
        book = take_in(pd.DataFrame(rows), date(2025, 12, 31))
        kept = np.full(len(book), -1)
        began = time.process_time()
        link_pending(book, np.zeros(len(book), dtype=np.bool_), kept)
        spent = time.process_time() - began
        assert sorted(kept[book.pending].tolist()) == np.flatnonzero(book.counted).tolist()
        return spent

    seconds(100)
    assert min(seconds(4_000) for _ in range(2)) <= 8 * max(min(seconds(1_000) for _ in range(3)), 0.02)
