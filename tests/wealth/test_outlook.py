"""What a stream comes to in a month, which way it goes and what is expected next, recomputed from its own credits."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kycpack.wealth import derive
from kycpack.wealth.judge.outlook_words import TREND_PERCENT

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def rounded(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))


@settings(max_examples=25, deadline=None)
@given(
    amounts=st.lists(st.integers(90_000, 400_000), min_size=14, max_size=14),
    day=st.integers(1, 28),
    months=st.integers(3, 14),
)
def test_each_figure_of_the_outlook_is_that_of_the_credits(
    ledger: Ledger, amounts: list[int], day: int, months: int
) -> None:
    dates = [pd.Timestamp(2024, 11, day) + pd.DateOffset(months=month) for month in range(14)][-months:]
    paid = [
        (str(one.date()), amount, "HARTMOOR DESIGN LTD SALARY")
        for one, amount in zip(dates, amounts, strict=False)
    ]
    busy = [
        (str(one.date()), -1_000 - number, "CORNER BAKERY")
        for number, one in enumerate(pd.date_range(dates[0], "2025-12-29", freq="5D"))
    ]
    frame = ledger(*paid, *busy)
    wealth = derive(frame, as_of=AS_OF)
    stream = wealth.streams.iloc[0]
    mine = wealth.credits[wealth.credits["stream_id"] == stream["stream_id"]].sort_values("booked_on")
    ends = pd.to_datetime(frame["booked_on"]).max()
    begins = pd.to_datetime(frame["booked_on"]).min()
    assert stream["data_to_on"] == ends
    assert stream["latest_minor"] == mine["amount_minor"].iloc[-1]
    equivalents = {}
    for length in (3, 12):
        start = ends - pd.DateOffset(months=length)
        said = stream[f"monthly_{length}_minor"]
        if begins > start + pd.Timedelta(days=1):
            assert pd.isna(said)
            assert pd.isna(stream[f"monthly_{length}_from_on"])
            continue
        within = mine[mine["booked_on"] > start]["amount_minor"]
        assert stream[f"monthly_{length}_from_on"] == start + pd.Timedelta(days=1)
        assert stream[f"monthly_{length}_sum_minor"] == within.sum()
        equivalents[length] = rounded(Decimal(int(within.sum())) / length)
        assert said == equivalents[length]
    if len(equivalents) == 2:
        short, long = equivalents[3], equivalents[12]
        last, usual = (
            float(mine[inside]["amount_minor"].median())
            for inside in (
                mine["booked_on"] >= stream["monthly_3_from_on"],
                (mine["booked_on"] < stream["monthly_3_from_on"])
                & (mine["booked_on"] >= stream["monthly_12_from_on"]),
            )
        )
        expected = stream["next_minor"]
        trend = "rising" if short > long else "falling"
        sign = 1 if trend == "rising" else -1
        agrees = pd.isna(expected) or sign * (expected - usual) >= -1
        if abs(short - long) * 100 <= TREND_PERCENT * long:
            assert stream["trend"] == "level"
        elif pd.isna(stream["trend"]):
            # A monthly stream may have one payment more or fewer in the time, and medians are rounded.
            assert stream["trend_unknown"] == "not_shown"
            assert not (agrees and 100 * sign * (last - usual) > TREND_PERCENT * usual + 200)
        else:
            assert stream["trend"] == trend
            assert agrees
            assert 100 * sign * (last - usual) > TREND_PERCENT * usual - 200
    else:
        assert pd.isna(stream["trend"])
    if pd.notna(stream["next_on"]):
        assert stream["next_on"] > mine["booked_on"].iloc[-1]
        assert stream["next_minor"] == mine["amount_minor"].iloc[-3:].median()
    else:
        assert pd.isna(stream["next_minor"])


@pytest.mark.parametrize(
    ("word", "most", "least", "paid", "said"),
    [
        (
            "ACME LTD OVERPAYMENT RETURNED",
            200_000,
            200_000,
            220_000,
            (
                "In the last 3 months, 1 Oct 2025 to 31 Dec 2025: 2,000.00 GBP a month (6,000.00 GBP in 3 payments, without 600.00 GBP that was taken back, "
                "divided by 3); 2,200.00 GBP a month as paid."
            ),
        ),
        (
            "ACME LTD",
            220_000,
            200_000,
            220_000,
            (
                "In the last 3 months, 1 Oct 2025 to 31 Dec 2025: between 2,000.00 GBP and 2,200.00 GBP a month (between 6,000.00 GBP and 6,600.00 GBP in "
                "3 payments, some of which may have been taken back, divided by 3)."
            ),
        ),
    ],
)
def test_a_month_is_net_of_what_was_taken_back_and_both_sums_are_said(
    ledger: Ledger, word: str, most: int, least: int, paid: int, said: str
) -> None:
    pay = [
        (f"2025-{month:02d}-28", 260_000 if month == 11 else 200_000, "ACME LTD SALARY")
        for month in range(1, 13)
    ]
    edges = ("2024-12-20", -1_000, "CORNER BAKERY"), ("2025-12-31", -1_000, "CORNER BAKERY")
    wealth = derive(ledger(*pay, ("2025-12-02", -60_000, word), *edges), as_of="2026-01-05")
    (stream,) = wealth.streams.to_dict("records")
    shown = [stream[f"monthly_3_{name}minor"] for name in ("", "least_", "paid_")]
    assert shown == [most, least, paid]
    assert said in wealth.explain(stream["stream_id"])


def test_a_trend_that_depends_on_what_may_be_counted_twice_is_not_known(ledger: Ledger) -> None:
    """Pay is level; from July on a second account, which may be the first one again, lists it too."""
    pay = [(f"2025-{month:02d}-15", 200_000, "ACME LTD SALARY") for month in range(1, 13)]
    again = [(*row, {"account_id": "A2"}) for row in pay if row[0] > "2025-07"]
    shop = [(str(day.date()), -1_000, "CORNER BAKERY") for day in pd.date_range("2024-12-01", "2025-12-31")]
    accounts = pd.DataFrame(
        {"customer_id": "C1", "account_id": ["A1", "A2"], "account_number": ["****4411", "XXXX4411"]}
    )
    level = derive(ledger(*pay, *shop), as_of="2026-01-05").streams.iloc[0]
    assert level["trend"] == "level"
    stream = derive(ledger(*pay, *again, *shop), accounts=accounts, as_of="2026-01-05").streams.iloc[0]
    assert (stream["monthly_3_least_minor"], stream["monthly_3_minor"]) == (200_000, 400_000)
    assert pd.isna(stream["trend"])


def test_a_source_that_began_in_the_last_twelve_months_has_no_trend(ledger: Ledger) -> None:
    days = pd.date_range("2024-01-10", "2025-12-31", freq="MS")
    spent = [(day.date(), -1_000, "RENT OF A ROOM") for day in days]
    paid = [(day.date(), 250_000, "ACME LTD SALARY") for day in days]
    for first, trend, why in ((14, None, "began"), (8, "level", None)):
        streams = derive(ledger(*spent, *paid[first:]), as_of="2025-12-31").streams
        (stream,) = streams[streams["payer"].str.contains("ACME")].to_dict("records")
        assert (trend is None) == pd.isna(stream["trend"])
        assert (stream["trend"], stream["trend_unknown"]) == (trend, why) or trend is None
        assert why is None or stream["trend_unknown"] == why


@pytest.mark.parametrize(
    ("amounts", "step", "trend"),
    [
        ([440_000] * 6 + [960_000] + [440_000] * 9, 1, None),  # one high month before
        ([440_000] * 14 + [960_000] + [440_000], 1, None),  # one high month at the end
        ([440_000] * 11 + [520_000] * 5, 1, "rising"),
        ([440_000] * 13 + [360_000] * 3, 1, "falling"),
        ([75_000] * 5 + [120_000], 3, None),  # one dividend
        ([75_000] * 5 + [50_000], 3, None),
    ],
)
def test_one_payment_or_one_unusual_month_makes_no_trend(
    ledger: Ledger, amounts: list[int], step: int, trend: str | None
) -> None:
    days = [pd.Timestamp("2025-12-15") - pd.DateOffset(months=step * back) for back in range(len(amounts))]
    paid = [
        (str(day.date()), amount, "HARTMOOR DESIGN LTD SALARY" if step == 1 else "FENMOOR TRUST DIV")
        for day, amount in zip(reversed(days), amounts, strict=True)
    ]
    shop = [
        (str(day.date()), -1_000, "CORNER BAKERY") for day in pd.date_range("2024-08-01", AS_OF, freq="5D")
    ]
    wealth = derive(ledger(*paid, *shop), as_of=AS_OF)
    (stream,) = wealth.streams.to_dict("records")
    assert (None if pd.isna(stream["trend"]) else stream["trend"]) == trend
    if trend is None:
        assert stream["trend_unknown"] == "not_shown"
        why = "Trend: not stated, because one payment or one unusual month makes the difference."
        assert why in wealth.explain(stream["stream_id"])


def test_a_trend_is_not_stated_against_the_next_amount(ledger: Ledger) -> None:
    """Fewer payments came in, but the next one is expected to be larger than those before."""
    days = [str(day.date()) for day in pd.date_range("2025-01-03", "2025-12-26", freq="7D")]
    paid = [(day, 50_000, "HARTMOOR DESIGN LTD SALARY") for day in days[:39]]
    late = [(day, 60_000, "HARTMOOR DESIGN LTD SALARY") for day in days[-4:]]
    shop = [
        (str(day.date()), -1_000, "CORNER BAKERY") for day in pd.date_range("2024-08-01", AS_OF, freq="5D")
    ]
    wealth = derive(ledger(*paid, *late, *shop), as_of=AS_OF)
    (stream,) = wealth.streams.to_dict("records")
    assert stream["monthly_3_minor"] < stream["monthly_12_minor"]
    assert stream["next_minor"] == 60_000
    assert pd.isna(stream["trend"])
