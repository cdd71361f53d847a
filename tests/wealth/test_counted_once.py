"""Copies of one payment are no payments, and a month without data is no fall in income."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pytest
from tests.wealth.flag_parts import Ledger

from kycpack.models.dates import day_words
from kycpack.models.wealth import SourceOfWealth
from kycpack.wealth import Wealth, derive
from kycpack.wealth.judge.open_questions import _not_known
from kycpack.wealth.thresholds import Thresholds

AS_OF = "2026-01-05"
Row = tuple[object, ...]


def salary(amounts: Sequence[int] = (200_000,) * 14) -> list[Row]:
    days = [str(day.date()) for day in pd.date_range("2024-11-01", periods=len(amounts), freq="MS")]
    return [
        (f"{day[:8]}15", amount, "ACME LTD SALARY", {"txn_id": f"P{number}", "bank_code": "PMNT-RCDT-SALA"})
        for number, (day, amount) in enumerate(zip(days, amounts, strict=True))
    ]


def shopping() -> list[Row]:
    days = pd.date_range("2024-11-20", "2025-12-30", freq="2D")
    return [(str(day.date()), -1_000 - number, "CORNER BAKERY") for number, day in enumerate(days)]


def without(frame: pd.DataFrame, month: str) -> pd.DataFrame:
    return frame[~frame["booked_on"].str.startswith(month)].reset_index(drop=True)


def linked_again(ledger: Ledger, rows: Sequence[Row], since: str = "2025-01") -> Wealth:
    """Derive from an account and a second link that may be to the same account: the visible digits agree."""
    frame = ledger(*rows).sort_values("booked_on", kind="stable")
    again = frame[frame["booked_on"] > since]
    again = again.assign(account_id="A2", txn_id="R" + again["txn_id"])
    accounts = pd.DataFrame(
        {"customer_id": "C1", "account_id": ["A1", "A2"], "account_number": ["****4411", "XXXX4411"]}
    )
    return derive(pd.concat([frame, again], ignore_index=True), accounts=accounts, as_of=AS_OF)


def pay_of(wealth: Wealth) -> pd.Series:
    (place,) = wealth.streams.index[wealth.streams["payer"].str.startswith("ACME")]
    return wealth.streams.loc[place]


def test_copies_are_no_payments_that_were_not_expected(ledger: Ledger) -> None:
    wealth = linked_again(ledger, [*salary(), *shopping()])
    stream = pay_of(wealth)
    assert (stream["count"], stream["may_be_twice_count"]) == (26, 12)
    assert stream["description"].startswith("14 to 26 credits from ACME")
    assert "14 of 14 expected payments were seen, last on" in stream["description"]
    assert "not expected" not in stream["description"]
    told = wealth.explain(stream["stream_id"])
    assert "One stream: 14 to 26 credits in 2 accounts" in told
    assert "on average" not in told
    primary = wealth.statement("C1").primary_source
    assert primary is not None
    assert "14 to 26 payments observed from" in (primary.context or "")


def test_the_next_payment_is_a_range_and_a_trend_says_why_it_is_not_stated(ledger: Ledger) -> None:
    wealth = linked_again(ledger, [*salary(), *shopping()], since="2025-07")
    stream = pay_of(wealth)
    assert (stream["next_minor"], stream["next_most_minor"]) == (200_000, 400_000)
    assert pd.isna(stream["trend"])
    assert stream["trend_unknown"] == "twice"
    assert "Trend: not stated, because it depends on what may be counted twice." in wealth.explain(
        stream["stream_id"]
    )


def test_copies_make_no_payment_odd_and_are_not_odd_themselves(ledger: Ledger) -> None:
    amounts = [200_000] * 13 + [800_000]
    once = derive(ledger(*salary(amounts), *shopping()), as_of=AS_OF)
    twice = linked_again(ledger, [*salary(amounts), *shopping()])
    assert pay_of(once)["odd_count"] == pay_of(twice)["odd_count"] == 1
    said = "far from the median: 8,000.00 GBP on 15 Dec 2025"
    assert said in pay_of(once)["odd_words"]
    assert said in pay_of(twice)["odd_words"]


def test_a_red_flag_and_a_question_say_which_part_of_their_sum_may_be_counted_twice(ledger: Ledger) -> None:
    days = pd.date_range("2025-01-15", periods=10, freq="28D")
    odd = [
        (str(day.date()), 4_000_000 + n, "CALDER HOUSING LLP", {"txn_id": f"H{n}"})
        for n, day in enumerate(days)
    ]
    once = derive(ledger(*odd, *shopping()), as_of=AS_OF).flags.iloc[0]
    wealth = linked_again(ledger, [*odd, *shopping()], since="2025-06")
    (flag,) = wealth.flags[wealth.flags["code"] == once["code"]].to_dict("records")
    count = flag["facts"]["twice"]
    sum_ = f"{flag['facts']['twice_minor'] / 100:,.2f} GBP"
    others = f"{(flag['facts']['credits_minor'] - flag['facts']['twice_minor']) / 100:,.2f} GBP"
    said = f"; {count} of the credits, {sum_} in all, may be counted twice: the others come to {others}"
    assert flag["message"].endswith(said)
    assert count == sum(day >= pd.Timestamp("2025-06-01") for day in days)
    assert "twice" not in once["message"]
    assert "twice" not in once["facts"]
    whole = int(wealth.credits["amount_minor"].sum())
    least = whole - int(wealth.credits["may_be_twice_minor"].sum())
    sums = f"{least / 100:,.2f} to {whole / 100:,.2f} GBP"
    stated = wealth.statement("C1").wire()["context"]
    assert f"not eligible as the main source: credits whose nature is not established {sums}." in stated
    assert [one.message for one in _not_known(wealth.credits, wealth.streams, Thresholds())] == [
        f"The source of none of the credits is established: {sums} in all. The largest have to be explained."
    ]


def statement(wealth: Wealth, *, once: bool) -> SourceOfWealth:
    """Return what a provider would state that counts each payment of the pay once, or as often as it is listed."""
    stated = wealth.statement("C1")
    assert stated.primary_source is not None
    if not once:
        return stated
    source = stated.primary_source.model_copy(
        update={"frequency": 14, "total_value": stated.primary_source.total_value * 14 / 26}
    )
    return stated.model_copy(update={"primary_source": source})


@pytest.mark.parametrize("once", [True, False])
def test_figures_that_agree_because_both_sides_count_twice_are_not_equal(
    ledger: Ledger, *, once: bool
) -> None:
    wealth = linked_again(ledger, [*salary(), *shopping()])
    compared = wealth.reconcile("C1", statement(wealth, once=once))
    row = compared[compared["our_source_id"] == pay_of(wealth)["stream_id"]].iloc[0]
    assert row["verdict"] == ("explained" if once else "unexplained")
    said = "12 of our payments, 24,000.00 in all, may be counted twice: without them ours are 14 payments, 28,000.00 in all"
    assert said in row["explanation"]
    assert row["explanation"].startswith("not settled") is not once


@pytest.mark.parametrize("balances", ["none", "join", "do not join"])
@pytest.mark.parametrize("month", ["2025-10", "2025-11", "2025-05"])
def test_a_month_without_any_transaction_makes_no_trend(ledger: Ledger, month: str, balances: str) -> None:
    frame = ledger(*salary(), *shopping()).sort_values("booked_on", kind="stable")
    if balances == "do not join":
        frame = frame.assign(balance_after_minor=500_000 + frame["amount_minor"].cumsum())
    frame = without(frame, month)
    if balances == "join":
        frame = frame.assign(balance_after_minor=500_000 + frame["amount_minor"].cumsum())
    wealth = derive(frame, as_of=AS_OF)
    stream = pay_of(wealth)
    assert pd.isna(stream["trend"])
    assert stream["trend_unknown"] == "silence"
    told = wealth.explain(stream["stream_id"])
    gap = (*wealth.quiet_times.itertuples(), *wealth.feed_holes.itertuples())[0]
    days = f"{day_words(gap.from_on)} and {day_words(gap.to_on)}"
    assert f"not stated, because an account that receives it shows no transaction between {days}" in told
    assert len(wealth.quiet_times) == (balances == "join")
    assert len(wealth.feed_holes) == (balances != "join")


def test_pay_that_breaks_off_in_a_month_without_any_transaction_says_so(ledger: Ledger) -> None:
    paid = [row for row in salary() if row[0] < "2025-10"]
    whole = ledger(*paid, *shopping()).sort_values("booked_on", kind="stable")
    for frame, said in ((without(whole, "2025-10"), True), (whole, False)):
        stream = pay_of(derive(frame, as_of=AS_OF))
        assert stream["status"] == "ceased"
        assert ("it may be missing from the data), nor any later one" in stream["description"]) == said
        assert pd.notna(stream["silent_from_on"]) == said


def test_a_feed_that_ends_before_that_of_another_account_makes_no_trend(ledger: Ledger) -> None:
    other = [
        (str(day.date()), -700, "TEA ROOM", {"account_id": "A2"})
        for day in pd.date_range("2024-11-20", "2025-12-30", freq="3D")
    ]
    frame = ledger(*salary(), *shopping())
    frame = frame[frame["booked_on"] < "2025-11-01"]
    frame = pd.concat(
        [frame, ledger(*other).assign(txn_id=lambda some: "B" + some["txn_id"])], ignore_index=True
    )
    stream = pay_of(derive(frame, as_of=AS_OF))
    assert pd.isna(stream["trend"])
    assert stream["trend_unknown"] == "silence"


def test_a_missed_payment_on_a_busy_account_is_still_a_fall(ledger: Ledger) -> None:
    rows = [row for row in salary() if row[0] not in {"2025-10-15", "2025-11-15"}]
    stream = pay_of(derive(ledger(*rows, *shopping()), as_of=AS_OF))
    assert stream["trend"] == "falling"
    assert pd.isna(stream["trend_unknown"])


@pytest.mark.parametrize("length", [2, 9, 14])
def test_there_is_a_trend_or_the_reason_why_there_is_none(ledger: Ledger, length: int) -> None:
    streams = derive(ledger(*salary()[-length:], *shopping()[-30 * length :]), as_of=AS_OF).streams
    assert (streams["trend"].isna() != streams["trend_unknown"].isna()).all()
