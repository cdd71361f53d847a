"""What a stream comes to in a month, which way it goes and what is expected next, recomputed from its own credits."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from kycpack.wealth import derive
from kycpack.wealth.judge.wording import TREND_PERCENT

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def rounded(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


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
            continue
        within = mine[mine["booked_on"] > start]["amount_minor"]
        equivalents[length] = rounded(Decimal(int(within.sum())) / length)
        assert said == equivalents[length]
    if len(equivalents) == 2:
        short, long = equivalents[3], equivalents[12]
        level = abs(short - long) * 100 <= TREND_PERCENT * long
        assert stream["trend"] == ("level" if level else "rising" if short > long else "falling")
    else:
        assert pd.isna(stream["trend"])
    if pd.notna(stream["next_on"]):
        assert stream["next_on"] > mine["booked_on"].iloc[-1]
        assert stream["next_minor"] == mine["amount_minor"].iloc[-3:].median()
    else:
        assert pd.isna(stream["next_minor"])
