"""Laws of the ledger: what must hold for any transactions whatever."""

from __future__ import annotations

from datetime import date
from typing import Any

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from kycpack.wealth import Wealth, derive
from kycpack.wealth.judge.coverage import DISPOSITIONS
from kycpack.wealth.judge.outlook import OUTLOOK_COLUMNS

AS_OF = "2025-12-31"
TEXTS = (
    "ACME LTD SALARY",
    "DWP 123 UC",
    "CASH DEPOSIT",
    "TRANSFER TO SAVINGS",
    "FROM CURRENT ACCOUNT",
    "SHOP REFUND",
    "SHOP",
    "J SMITH",
    "",
    "12345",
    "LOAN ADVANCE",
    "ДИВИДЕНДЫ ООО РОГА",
    "ACME LTD SALARY RECALLED",
    "ACME LTD",
    "SHOP LEEDS REFUND",
)


def rows_of(currencies: tuple[str, ...] = ("GBP", "EUR")) -> st.SearchStrategy[list[dict[str, Any]]]:
    row = st.fixed_dictionaries(
        {
            "customer_id": st.sampled_from(["C1", "C2"]),
            "account_id": st.sampled_from(["A1", "A2", "A3"]),
            "booked_on": st.dates(date(2025, 1, 1), date(2025, 12, 31)).map(pd.Timestamp),
            "amount_minor": st.sampled_from([100, 5000, -5000, 250_000, -250_000, 99, 1_000_000])
            | st.integers(-(10**9), 10**9),
            "currency": st.sampled_from(currencies),
            "description_raw": st.sampled_from(TEXTS),
            "status": st.sampled_from(["booked", "booked", "booked", "pending", "info", "odd", None]),
        }
    )
    return st.lists(row, max_size=40)


def frame_of(rows: list[dict[str, Any]]) -> pd.DataFrame:
    names = [
        "customer_id",
        "account_id",
        "booked_on",
        "amount_minor",
        "currency",
        "description_raw",
        "status",
    ]
    frame = pd.DataFrame(rows, columns=names)
    frame["txn_id"] = [f"T{number}" for number in range(len(rows))]
    return frame


def derived(frame: pd.DataFrame) -> Wealth:
    return derive(frame, as_of=AS_OF)


def without_ids(wealth: Wealth) -> pd.DataFrame:
    return wealth.streams.drop(columns=["description"])


@settings(max_examples=20)
@given(rows_of())
def test_dispositions_and_duplicates_add_up_to_all_booked_credits(rows: list[dict[str, Any]]) -> None:
    frame = frame_of(rows)
    frame = pd.concat([frame, frame.head(5)], ignore_index=True)
    wealth = derived(frame)
    status = frame["status"].fillna("booked")
    booked = frame[(status == "booked") & (frame["amount_minor"] > 0)]
    expected = booked.groupby(["customer_id", "currency"])["amount_minor"].sum().to_dict()
    ledger = wealth.coverage[wealth.coverage["disposition"] != "pending"]
    assert ledger.groupby(["customer_id", "currency"])["total_minor"].sum().to_dict() == expected
    assert len(wealth.credits) + int((wealth.set_aside["disposition"] == "duplicate").sum()) == len(booked)
    assert set(wealth.credits["disposition"]) <= set(DISPOSITIONS)


@settings(max_examples=20)
@given(rows_of())
def test_what_is_left_of_credits_is_a_range_within_what_was_paid_and_adds_up_by_stream(
    rows: list[dict[str, Any]],
) -> None:
    frame = frame_of(rows)
    wealth = derived(frame)
    found = wealth.credits
    assert (found["least_minor"] >= 0).all()
    assert (found["least_minor"] <= found["most_minor"]).all()
    assert (found["most_minor"] <= found["amount_minor"]).all()
    back = found["returned_minor"] + found["may_be_returned_minor"]
    assert back.sum() <= -frame["amount_minor"].clip(upper=0).sum()
    sums = found[found["disposition"] == "stream"].groupby("stream_id")
    for name, of_credits in (("total", "amount"), ("least_total", "least"), ("most_total", "most")):
        expected = sums[f"{of_credits}_minor"].sum().to_dict()
        assert (
            dict(zip(wealth.streams["stream_id"], wealth.streams[f"{name}_minor"], strict=True)) == expected
        )


@settings(max_examples=20)
@given(rows_of())
def test_every_row_is_counted_set_aside_or_rejected(rows: list[dict[str, Any]]) -> None:
    frame = frame_of(rows)
    wealth = derived(frame)
    status = frame["status"].fillna("booked")
    assert len(wealth.rejects) == int(
        (~status.isin(["booked", "pending"]) | (frame["amount_minor"] == 0)).sum()
    )


@settings(max_examples=20)
@given(rows_of(), st.randoms())
def test_the_order_of_rows_changes_nothing(rows: list[dict[str, Any]], random: Any) -> None:
    frame = frame_of(rows)
    order = list(range(len(frame)))
    random.shuffle(order)
    one, other = derived(frame), derived(frame.iloc[order].reset_index(drop=True))
    for name in ("credits", "streams", "coverage", "set_aside", "pairs", "flags", "flows"):
        assert_frame_equal(getattr(one, name), getattr(other, name))


@settings(max_examples=20)
@given(rows_of())
def test_a_second_fetch_of_the_same_rows_changes_nothing(rows: list[dict[str, Any]]) -> None:
    frame = frame_of(rows)
    one, other = derived(frame), derived(pd.concat([frame, frame], ignore_index=True))
    assert_frame_equal(one.credits, other.credits)
    assert_frame_equal(one.streams, other.streams)
    assert_frame_equal(one.pairs, other.pairs)


@settings(max_examples=20)
@given(rows_of(), st.integers(1, 6))
def test_unambiguous_own_transfers_leave_streams_alone(rows: list[dict[str, Any]], count: int) -> None:
    frame = frame_of(rows)
    moves = []
    for number in range(count):
        common = {
            "customer_id": "C1",
            "currency": "GBP",
            "booked_on": pd.Timestamp(2025, number + 1, 7),
            "status": "booked",
        }
        amount = 31_337_00 + number  # an amount that no generated row has
        text = "TRANSFER TO OWN ACCOUNT"
        moves.append(
            common
            | {"account_id": "A1", "amount_minor": -amount, "description_raw": text, "txn_id": f"M{number}-"}
        )
        moves.append(
            common
            | {"account_id": "A2", "amount_minor": amount, "description_raw": text, "txn_id": f"M{number}+"}
        )
    known = {int(row["amount_minor"]) for row in rows}
    if any(abs(move["amount_minor"]) in {abs(value) for value in known} for move in moves):
        return
    one, other = derived(frame), derived(pd.concat([frame, pd.DataFrame(moves)], ignore_index=True))
    # The end of the data may move, and with it the status and the outlook; what a stream is may not.
    moving = {"status", "confidence", "follows_stream_id", *OUTLOOK_COLUMNS}
    kept = [name for name in one.streams.columns if name not in moving]
    assert_frame_equal(one.streams[kept], other.streams[kept])


@given(st.lists(st.sampled_from(["A1", "A2"]), min_size=12, max_size=12))
@settings(max_examples=15)
def test_splitting_a_stream_over_accounts_leaves_its_total(accounts: list[str]) -> None:
    dates = pd.date_range("2025-01-31", periods=12, freq="ME")
    frame = pd.DataFrame(
        {
            "customer_id": "C1",
            "account_id": accounts,
            "txn_id": [f"T{number}" for number in range(12)],
            "booked_on": dates,
            "amount_minor": [200_000 + number for number in range(12)],
            "currency": "GBP",
            "description_raw": "ACME LTD SALARY",
        }
    )
    split, whole = derived(frame), derived(frame.assign(account_id="A1"))
    assert split.streams["total_minor"].tolist() == whole.streams["total_minor"].tolist() == [2_400_066]
    assert split.streams["stream_id"].tolist() == whole.streams["stream_id"].tolist()


@settings(max_examples=20)
@given(rows_of())
def test_every_stream_of_a_credit_is_among_the_streams(rows: list[dict[str, Any]]) -> None:
    wealth = derived(frame_of(rows))
    assert wealth.streams["stream_id"].is_unique
    named = wealth.credits["stream_id"].dropna()
    assert set(named) == set(wealth.streams["stream_id"])
    sums = wealth.credits.groupby("stream_id")["amount_minor"].agg(["sum", "size"])
    found = wealth.streams.set_index("stream_id").loc[sums.index]
    assert sums["sum"].tolist() == found["total_minor"].tolist()
    assert sums["size"].tolist() == found["count"].tolist()


@settings(max_examples=20)
@given(rows_of())
def test_amount_times_frequency_is_the_total_but_for_rounding(rows: list[dict[str, Any]]) -> None:
    wealth = derived(frame_of(rows))
    for customer_id in wealth.credits["customer_id"].unique():
        statement = wealth.statement(customer_id)
        primary = [statement.primary_source] if statement.primary_source else []
        for source in [*primary, *statement.additional_sources]:
            off = abs(source.amount * source.frequency - source.total_value)
            assert 2 * off * 100 <= source.frequency


WHAT_A_STREAM_IS = [
    "currency", "payer", "type", "evidence_level", "cadence", "cadence_score", "count", "total_minor", "least_total_minor",
    "amount_minor", "median_minor", "first_on", "last_on", "next_on", "status", "confidence",
]  # fmt: skip


def regular_rows(payers: list[tuple[str, int, int, int]]) -> list[dict[str, Any]]:
    """A year of payments every so many days by some payers, beside daily small debits that keep the feed busy."""
    everywhere = {"customer_id": "C1", "account_id": "A1", "currency": "GBP", "status": "booked"}
    days = pd.date_range("2025-01-01", "2025-12-30")
    rows = [
        everywhere | {"booked_on": day, "amount_minor": amount, "description_raw": text}
        for text, step, start, amount in payers
        for day in days[start::step]
    ]
    return rows + [
        everywhere | {"booked_on": day, "amount_minor": -101 - number, "description_raw": "CORNER BAKERY"}
        for number, day in enumerate(days[::3])
    ]


regular = st.lists(
    st.tuples(
        st.sampled_from(
            ["ACME LTD SALARY", "DWP UC", "ORBEN SUPPLIES", "MRS J SMITH", "FROM SAVINGS", "CASH DEPOSIT"]
        ),
        st.sampled_from([7, 14, 28, 30, 45]),
        st.integers(0, 6),
        st.integers(1_000, 400_000),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda payer: payer[0],
)


@settings(max_examples=15, deadline=None)
@given(regular, st.integers(0, 360), st.integers(600_000, 900_000))
def test_a_credit_of_somebody_else_changes_no_other_stream(
    payers: list[tuple[str, int, int, int]], day: int, amount: int
) -> None:
    frame = frame_of(regular_rows(payers))
    another = frame.iloc[[0]].assign(
        booked_on=pd.Timestamp(2025, 1, 1) + pd.Timedelta(days=day - day % 3),
        amount_minor=amount,
        description_raw="VELTHORPE ESTATES",
        txn_id="T-another",
    )
    one, other = derived(frame), derived(pd.concat([frame, another], ignore_index=True))
    assert_frame_equal(
        one.streams[["stream_id", *WHAT_A_STREAM_IS]], other.streams[["stream_id", *WHAT_A_STREAM_IS]]
    )


@settings(max_examples=15, deadline=None)
@given(regular, st.integers(0, 300), st.integers(0, 60))
def test_a_feed_in_two_fetches_is_the_same_feed(
    payers: list[tuple[str, int, int, int]], cut: int, overlap: int
) -> None:
    frame = frame_of(regular_rows(payers)).assign(evidence_id="E-01")
    day = (frame["booked_on"] - pd.Timestamp(2025, 1, 1)).dt.days
    early, late = frame[day < cut + overlap], frame[day >= cut].assign(evidence_id="E-02")
    one, other = derived(frame), derived(pd.concat([late, early], ignore_index=True))
    assert_frame_equal(one.streams, other.streams)
    columns = ["txn_id", "amount_minor", "disposition", "stream_id", "type"]
    assert_frame_equal(one.credits[columns], other.credits[columns])


@settings(max_examples=15, deadline=None)
@given(regular, st.sampled_from(["a", "Z", "0"]), st.sampled_from(["k", "9"]))
def test_other_ids_and_other_names_of_payers_change_only_ids_and_names(
    payers: list[tuple[str, int, int, int]], customer: str, account: str
) -> None:
    frame = frame_of(regular_rows(payers))
    renamed = frame.assign(
        customer_id=customer + frame["customer_id"],
        account_id=account + frame["account_id"],
        txn_id="x" + frame["txn_id"].str.zfill(8),
        description_raw=frame["description_raw"].str.replace("ORBEN SUPPLIES", "TARVICK SUPPLIES"),
    )
    one, other = derived(frame), derived(renamed)
    what = [name for name in WHAT_A_STREAM_IS if name != "payer"]
    order = ["total_minor", "first_on"]
    assert_frame_equal(
        one.streams.sort_values(order, ignore_index=True)[what],
        other.streams.sort_values(order, ignore_index=True)[what],
    )
