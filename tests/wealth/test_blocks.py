"""Many customers at once: the same answers as each alone, without anything that grows as customers times something."""

from __future__ import annotations

import time
import tracemalloc
from functools import reduce
from operator import add

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from kycpack.errors import FrameError
from kycpack.wealth import blocks, derive
from kycpack.wealth.match.refunds import take_from_last
from kycpack.wealth.prepare.payers import join_spellings

AS_OF = "2025-12-31"
FRAMES = (
    "credits",
    "streams",
    "coverage",
    "set_aside",
    "pairs",
    "rejects",
    "balance_breaks",
    "feed_holes",
    "flows",
    "flags",
)


def one_off_payers(customers: int, payers: int) -> pd.DataFrame:
    """Every payer of every customer has a name of its own, made of letters."""
    size = customers * payers
    number = np.arange(size)
    letters = np.array(list("bcdfghjklmnpqrstvwxz"), dtype=object)
    name = reduce(add, (letters[number // 20**place % 20] for place in range(5)))
    return pd.DataFrame(
        {
            "customer_id": [f"C{one:05d}" for one in number // payers],
            "account_id": [f"A{one:05d}" for one in number // payers],
            "txn_id": [f"T{one}" for one in number],
            "booked_on": pd.to_datetime("2025-01-01") + pd.to_timedelta(number % 300, unit="D"),
            "amount_minor": 1_000 + number % 7_919,
            "currency": "GBP",
            "description_raw": [f"{text[::-1]} {text}" for text in name],
        }
    )


def test_blocks_give_what_all_customers_at_once_give(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = one_off_payers(40, 9).sample(frac=1, random_state=1).reset_index(drop=True)
    frame.loc[::50, "amount_minor"] = 0
    accounts = frame[["customer_id", "account_id"]].drop_duplicates().assign(account_number="12345678")
    whole = derive(frame, accounts=accounts, as_of=AS_OF)
    monkeypatch.setattr(blocks, "ROWS_OF_A_BLOCK", 30)
    assert sum(1 for _ in blocks.blocks_of_customers(frame)) > 5
    parts = derive(frame, accounts=accounts, as_of=AS_OF)
    for name in FRAMES:
        assert_frame_equal(getattr(whole, name), getattr(parts, name))
    assert len(parts.cadences.code) == len(parts.streams)


def test_an_error_names_the_row_of_the_input_whatever_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = one_off_payers(6, 5).iloc[::-1].astype({"amount_minor": object})
    frame.loc[frame.index[7], "amount_minor"] = "ten"
    monkeypatch.setattr(blocks, "ROWS_OF_A_BLOCK", 10)
    with pytest.raises(FrameError, match=r"transactions\.amount_minor, row 7:"):
        derive(frame, as_of=AS_OF)


def _peak_of(customers: int) -> int:
    frame = one_off_payers(customers, 20)
    tracemalloc.start()
    derive(frame, as_of=AS_OF)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def test_payers_that_pay_once_do_not_multiply_with_customers() -> None:
    derive(one_off_payers(200, 20), as_of=AS_OF)  # what is loaded once, and kept of texts, counts for nobody
    # Four times the customers take four times as much, or a little more. A number for each customer and payer would make it 6.3 times.
    assert _peak_of(200) < 5.5 * _peak_of(50)


def test_refunds_of_one_party_take_time_as_their_number() -> None:
    size = 20_000
    frame = pd.DataFrame(
        {
            "customer_id": "C1",
            "account_id": "A1",
            "txn_id": [f"T{number}" for number in range(2 * size)],
            "booked_on": pd.to_datetime("2025-01-01") + pd.to_timedelta(np.arange(2 * size) % 50, unit="D"),
            "amount_minor": np.where(np.arange(2 * size) < size, -1_000, 999 + np.arange(2 * size) % 3),
            "currency": "GBP",
            "description_raw": "BOOK SHOP",
        }
    )
    began = time.process_time()
    derive(frame, as_of=AS_OF)
    assert time.process_time() - began < 15


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(1, 9))),
)
def test_a_refund_takes_from_the_last_debit_that_has_enough_left(
    amounts: list[int], asked: list[tuple[int, int, int]]
) -> None:
    pool, left = np.array(amounts, dtype=np.int64), list(amounts)
    for first, last, amount in asked:
        fits = [at for at in range(first, min(last, len(left))) if left[at] >= amount]
        expected = fits[-1] if fits else -1
        taken = take_from_last(pool[first:last], amount)
        assert (first + taken if taken >= 0 else -1) == expected
        if expected >= 0:
            left[expected] -= amount
        assert pool.tolist() == left


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("northwind haulage", "northwind haulag", True),
        ("northwind haulage", "northwimd haulage", True),
        ("northwind haulage", "nortwind haulage", True),
        ("northwind haulage north", "northwind haulage", True),
        ("northwind", "northwind haulage", False),
        ("northwind haulage", "southwind haulage", False),
    ],
)
def test_a_letter_lost_or_changed_is_the_same_payer(one: str, other: str, same: bool) -> None:  # noqa: FBT001 - a table
    keys = sorted(["", one, other])
    key = np.array([keys.index(one), keys.index(other)], dtype=np.int64)
    joined = join_spellings(np.zeros(2, dtype=np.int64), key, keys, [1, 2], np.array([20_000, 20_030]), "")
    assert bool(joined[0] == joined[1]) is same
