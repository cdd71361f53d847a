"""The monthly amounts of the streams, their trend, and the next expected payment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from kycpack.render.document_parts import Block, Cell, Paragraph, Subheading, TableColumn, resting_on, table
from kycpack.render.origin import Given, value_of
from kycpack.render.wording import DASH, is_absent, money_words, net_words, payer_name, range_words, text_of
from kycpack.wealth.judge.outlook import LEVEL
from kycpack.wealth.judge.outlook_words import (
    BY_MONTH,
    LAST_PAYMENTS,
    NEAR_DAYS,
    PERIOD_DAYS,
    PERIODS,
    TOO_SELDOM,
    TOO_SHORT,
    TREND_PERCENT,
    TREND_RULE,
    not_stated_words,
)

_COLUMNS = (
    TableColumn("Payer", 2.0),
    TableColumn("Per month, last 3 months", 2.2, right=True),
    TableColumn("Per month, last 12 months", 2.2, right=True),
    TableColumn("Trend", 1.4),
    TableColumn("Next expected", 1.8),
)
_RANGE = "An amount is a range if credits may be counted twice or may have been taken back."
_NET = "What was taken back is left out, and the amount as paid is beside it."
_OWN_WINDOWS = (
    "Each average is followed by its sum and the first and last day of the data for it, because whole pay periods begin on different days. A red flag or a "
    "total elsewhere counts over the days that are given there."
)
_WEEKS = (
    "What is paid every week, two weeks or four weeks is averaged over 13, 6 or 3 such periods, or 52, 26 or 13 of them for 12 months, and turned "
    "into months at 52 weeks a year; the days of data that hold their payments may be some more or fewer, and are given."
)
_BY_MONTH = (
    f"What is paid by calendar months is averaged over 3 or 12 of them, whose data begin {NEAR_DAYS} days earlier or later where a payment that a weekend "
    "or a holiday moved would otherwise be missing or be one too many."
)
_MONTHS = (3, 12)
_TOO_LITTLE = (TOO_SELDOM, TOO_SHORT)
_SINGLE = "; payments that were not expected, or are far from the median, may make the difference"
_NEEDED = ("monthly_3_minor", "monthly_12_minor", "next_on")


def outlook_blocks(streams: Sequence[dict[str, Any]], as_of: str) -> Iterator[Block]:
    """Yield the monthly amounts and next payments of continuing streams; nothing if no stream has enough history.

    Args:
        streams: Rows of frame `streams` of one customer, in the order in which they are shown.
        as_of: The instant of the review, ISO 8601: what was expected before it is said to have been expected, or not to be seen yet.
    """
    going_on = [row for row in streams if row["status"] != "ceased"]
    rows = [
        _row(row, pd.Timestamp(as_of[:10]))
        for row in going_on
        if not all(is_absent(row[name]) for name in _NEEDED)
    ]
    if not rows:
        return
    yield Subheading("Monthly amounts and next payments")
    yield Paragraph(
        "What came in during an average month up to the last day of the data, in whole pay periods. "
        f"{_OWN_WINDOWS} The trend is level if the two averages differ by at most {TREND_PERCENT}%; {TREND_RULE}. The next amount is the median of the last {LAST_PAYMENTS} days with a payment."
        + "".join(
            f" {words}"
            for words, (low, high) in {
                _RANGE: ("least_total", "most_total"),
                _NET: ("most_total", "total"),
            }.items()
            if any(row[f"{low}_minor"] < row[f"{high}_minor"] for row in going_on)
        )
        + "".join(
            f" {words}"
            for words, cadences in ((_WEEKS, PERIOD_DAYS), (_BY_MONTH, BY_MONTH))
            if any(row["cadence"] in cadences for row in going_on)
        ),
        origins=(Given("a limit that the toolkit sets"),),
    )
    yield table(_COLUMNS, rows)


def _row(row: dict[str, Any], today: pd.Timestamp) -> tuple[Cell, ...]:
    mine = value_of("streams", stream_id=row["stream_id"])
    months = (
        Cell(_a_month(row, f"monthly_{number}"), origins=(mine, Given("number and length of pay periods")))
        for number in _MONTHS
    )
    cells = (Cell(payer_name(row["payer"])), *months, Cell(_trend(row)), Cell(_next(row, today)))
    return resting_on(cells, mine)


def _trend(row: dict[str, Any]) -> str:
    """Return the trend, or why it is not stated although there is enough history."""
    why = row.get("trend_unknown")
    if is_absent(why) or why in _TOO_LITTLE:
        trend = text_of(row["trend"], DASH)
        if trend in {DASH, LEVEL}:
            return trend
        is_more = row["cadence"] != "irregular" and row["count"] > row["expected_count"]
        return f"{trend}{_SINGLE}" if is_more or row["odd_count"] else trend
    return f"Not stated: {not_stated_words(row)}"


def _next(row: dict[str, Any], today: pd.Timestamp) -> str:
    if is_absent(row["next_on"]):
        return DASH
    day = f"{text_of(row['next_on'])}{_not_seen(row, today)}"
    least = row["next_minor"]
    if is_absent(least):
        return day
    return f"{range_words(int(least), int(row.get('next_most_minor', least)), row['currency'])} on {day}"


def _not_seen(row: dict[str, Any], today: pd.Timestamp) -> str:
    """Return that a payment was expected before the review, or cannot have been seen because the data end before it."""
    if row["next_on"] >= today:
        return ""
    if row["next_on"] <= row["data_to_on"]:
        return ", was expected before the review"
    return f", not yet seen: the data end on {text_of(row['data_to_on'])}"


def _a_month(row: dict[str, Any], name: str) -> str:
    if is_absent(row[f"{name}_minor"]):
        return DASH
    most, least, paid = (int(row[f"{name}{part}_minor"]) for part in ("", "_least", "_paid"))
    whole = money_words(row[f"{name}_sum_minor"], row["currency"])
    up_to = "" if least == most else "up to "
    days = f"{text_of(row[f'{name}_from_on'])} to {text_of(row['data_to_on'])}"
    months = int(name.rpartition("_")[2])
    periods = PERIODS[months].get(row["cadence"])
    taken = f", counted as {periods} periods of {PERIOD_DAYS[row['cadence']]} days" if periods else ""
    seen = (pd.Timestamp(row["data_to_on"]) - pd.Timestamp(row[f"{name}_from_on"])).days + 1
    return f"{net_words(least, most, paid, row['currency'])} ({up_to}{whole}{taken}; {seen} days of data, {days})"
