"""A time without any transaction is a hole in the feed where the account is busy, and no gap in pay."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from kycpack.wealth import Wealth, derive

Ledger = Callable[..., pd.DataFrame]
AS_OF = "2025-12-31"


def history(ledger: Ledger, left_out: tuple[str, str] | None, *, busy: bool = True) -> pd.DataFrame:
    """A year of monthly pay, with spending every third day on a busy account, and nothing at all in the time that is left out."""
    rows: list[tuple[object, ...]] = [
        (f"2025-{month:02d}-25", 240_000, "ACME LTD SALARY") for month in range(1, 13)
    ]
    if busy:
        rows += [
            (str(day.date()), -2_000 - number, "GROCER")
            for number, day in enumerate(pd.date_range("2025-01-01", "2025-12-30", freq="3D"))
        ]
    rows.sort(key=lambda row: str(row[0]))
    frame = ledger(*rows)
    frame = frame.assign(balance_after_minor=1_000_000 + frame["amount_minor"].cumsum())
    if left_out is None:
        return frame
    return frame[~frame["booked_on"].between(*left_out)].reset_index(drop=True)


def only(wealth: Wealth) -> pd.Series:
    return wealth.streams.iloc[0]


def test_a_month_without_any_transaction_on_a_busy_account_is_a_hole_and_no_missed_pay(
    ledger: Ledger,
) -> None:
    frame = history(ledger, ("2025-05-20", "2025-06-28")).drop(columns="balance_after_minor")
    wealth = derive(frame, as_of=AS_OF)
    assert wealth.feed_holes["verdict"].tolist() == ["hole"]
    stream = only(wealth)
    assert (stream["filled_count"], stream["expected_count"], stream["silent_count"]) == (10, 10, 2)
    assert "10 of 10 expected payments were seen, 2 more in a hole in the feed" in stream["description"]
    assert stream["cadence_score"] > only(derive(history(ledger, None), as_of=AS_OF))["cadence_score"] - 0.01
    assert "hole in the feed" in wealth.explain(stream["stream_id"])
    assert "in a hole in the feed" in (wealth.statement("C1").additional_sources[0].description or "")


def test_balances_that_do_not_join_show_a_hole_on_a_quiet_account_too(ledger: Ledger) -> None:
    wealth = derive(history(ledger, ("2025-05-20", "2025-07-05"), busy=False), as_of=AS_OF)
    assert wealth.feed_holes["verdict"].tolist() == ["hole"]
    assert "do not join" in wealth.feed_holes["reason"].iloc[0]


def test_balances_that_join_show_that_nothing_happened(ledger: Ledger) -> None:
    frame = history(ledger, None)
    kept = frame[~frame["booked_on"].between("2025-05-20", "2025-06-28")].reset_index(drop=True)
    kept = kept.assign(balance_after_minor=1_000_000 + kept["amount_minor"].cumsum())
    wealth = derive(kept, as_of=AS_OF)
    assert wealth.feed_holes.empty
    assert only(wealth)["expected_count"] == 12


def test_a_silent_time_on_a_quiet_account_is_possibly_a_hole(ledger: Ledger) -> None:
    frame = history(ledger, ("2025-05-20", "2025-07-05"), busy=False).drop(columns="balance_after_minor")
    wealth = derive(frame, as_of=AS_OF)
    assert wealth.feed_holes["verdict"].tolist() == ["possible"]
    assert only(wealth)["expected_count"] == 12
    assert "there may be a hole in the feed of account" in wealth.explain(only(wealth)["stream_id"])


def test_an_account_that_moves_once_or_twice_a_month_is_silent_between_its_days(ledger: Ledger) -> None:
    days = [f"2025-{month:02d}-{day:02d}" for month in range(1, 13) for day in (5, 6)]
    saved = ledger(*((day, 10_000 + 5 * number, "INTEREST") for number, day in enumerate(days)))
    assert derive(saved, as_of=AS_OF).feed_holes.empty
    without_june = saved[~saved["booked_on"].between("2025-06-01", "2025-06-30")]
    assert len(derive(without_june.reset_index(drop=True), as_of=AS_OF).feed_holes) == 1


def test_a_stream_is_not_ceased_by_a_hole_and_is_by_an_end(ledger: Ledger) -> None:
    frame = history(ledger, ("2025-10-20", "2025-12-27")).drop(columns="balance_after_minor")
    assert only(derive(frame, as_of=AS_OF))["status"] == "unknown"
    pay = frame["description_raw"] == "ACME LTD SALARY"
    gone = history(ledger, ("2025-03-20", "2025-04-27")).drop(columns="balance_after_minor")
    gone = gone[~((gone["description_raw"] == "ACME LTD SALARY") & (gone["booked_on"] > "2025-04-01"))]
    assert pay.sum() == 9
    frame = pd.concat(
        [
            ledger(
                ("2024-11-25", 240_000, "ACME LTD SALARY", {"txn_id": "X1"}),
                ("2024-12-25", 240_000, "ACME LTD SALARY", {"txn_id": "X2"}),
            ),
            gone,
        ]
    )
    assert only(derive(frame, as_of=AS_OF))["status"] == "ceased"


@pytest.mark.parametrize(
    ("holder", "joint"),
    [
        ("A Smith & B Smith", 1),
        ("Mr A Smith and Mrs B Jones", 1),
        ("Frau Anna Weber und Herr Jan Weber", 1),
        ("SMITH, JOHN", 0),
        ("SMITH & SONS LTD", 0),
        ("Alexandra Sanderson", 0),
        (None, 0),
    ],
)
def test_a_joint_account_is_said_to_be_one(ledger: Ledger, holder: str | None, joint: int) -> None:
    accounts = pd.DataFrame({"customer_id": ["C1"], "account_id": ["A1"], "holder_name": [holder]})
    wealth = derive(history(ledger, None), accounts=accounts, as_of=AS_OF)
    assert len(wealth.joint_accounts("C1")) == joint
    said = wealth.explain(only(wealth)["stream_id"])
    assert ("is a joint account" in said) == bool(joint)


@pytest.mark.parametrize("zone", ["Europe/London", "UTC", None])
def test_the_banks_day_is_kept(ledger: Ledger, zone: str | None) -> None:
    """Half an hour after midnight on 1 July in London is still 30 June in UTC."""
    moment = pd.Timestamp("2025-07-01 00:30", tz="Europe/London")
    frame = ledger(("2025-07-01", 240_000, "ACME LTD SALARY"))
    given = moment.isoformat() if zone is None else pd.Series([moment]).dt.tz_convert(zone)
    for shape in (
        given,
        given if zone is None else [str(given.iloc[0])],
        [moment.tz_convert("UTC").isoformat()],
    ):
        wealth = derive(frame.assign(booked_on=shape), as_of=AS_OF)
        assert str(wealth.credits["booked_on"].iloc[0].date()) == "2025-07-01"
    whole = derive(frame.assign(booked_on="2025-07-01T00:00:00Z"), as_of=AS_OF)
    assert str(whole.credits["booked_on"].iloc[0].date()) == "2025-07-01"


@pytest.mark.parametrize(
    "left_out", [("2025-06-25", "2025-06-25"), ("2025-06-20", "2025-06-29"), ("2025-06-10", "2025-07-04")]
)
def test_balances_that_do_not_join_are_a_hole_however_short(
    ledger: Ledger, left_out: tuple[str, str]
) -> None:
    wealth = derive(history(ledger, left_out), as_of=AS_OF)
    assert wealth.feed_holes["verdict"].tolist() == ["hole"]
    stream = only(wealth)
    assert (stream["filled_count"], stream["expected_count"], stream["silent_count"]) == (11, 11, 1)
    told = str(wealth.explain(stream["stream_id"]))
    assert "do not join): payments expected in that time may have arrived" in told
    assert "No payment came for" not in told


def test_pay_that_is_missing_on_a_day_of_spending_lies_in_the_hole(ledger: Ledger) -> None:
    frame = history(ledger, None)
    pay = frame.index[frame["booked_on"].eq("2025-06-25") & (frame["amount_minor"] > 0)]
    frame.loc[frame.index[pay[0] - 1], "booked_on"] = "2025-06-25"
    wealth = derive(frame.drop(pay).reset_index(drop=True), as_of=AS_OF)
    assert wealth.feed_holes["from_on"].dt.date.astype(str).tolist() == ["2025-06-25"]
    assert only(wealth)["silent_count"] == 1


def test_a_short_hole_away_from_payday_is_no_excuse_for_missing_pay(ledger: Ledger) -> None:
    frame = history(ledger, None)
    frame = frame[~(frame["booked_on"].eq("2025-06-25") & (frame["amount_minor"] > 0))]
    frame = frame.assign(balance_after_minor=1_000_000 + frame["amount_minor"].cumsum())
    frame = frame[~frame["booked_on"].between("2025-06-08", "2025-06-11")].reset_index(drop=True)
    wealth = derive(frame, as_of=AS_OF)
    assert wealth.feed_holes["verdict"].tolist() == ["hole"]
    stream = only(wealth)
    assert (stream["expected_count"], stream["silent_count"]) == (12, 0)
    assert "No payment came for" in str(wealth.explain(stream["stream_id"]))


def test_a_short_hole_between_two_payments_on_time_is_not_said_of_the_stream(ledger: Ledger) -> None:
    wealth = derive(history(ledger, ("2025-06-08", "2025-06-11")), as_of=AS_OF)
    assert wealth.feed_holes["verdict"].tolist() == ["hole"]
    assert "hole" not in str(wealth.explain(only(wealth)["stream_id"]))


def test_balances_given_for_the_end_of_the_day_join_from_day_to_day(ledger: Ledger) -> None:
    frame = history(ledger, None)
    spent = frame[frame["amount_minor"] < 0]
    frame = pd.concat([frame, spent.assign(amount_minor=-700, txn_id=spent["txn_id"] + "b")])
    frame = frame.sort_values("booked_on", kind="stable").reset_index(drop=True)
    whole = 1_000_000 + frame["amount_minor"].cumsum()
    frame = frame.assign(balance_after_minor=whole.groupby(frame["booked_on"]).transform("last"))
    assert derive(frame, as_of=AS_OF).feed_holes.empty
