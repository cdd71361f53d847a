"""The payments of a stream that are unlike the others: far from its median, or on days that its calendar does not expect."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kycpack.models.dates import day_words
from kycpack.models.listed import counted, listed
from kycpack.models.money import format_minor
from kycpack.wealth.judge.red_flags.flag import to_date
from kycpack.wealth.prepare.coded import Codes

FAR = 3
"""An amount is far from the median if it is more than so many times the median, or less than the median divided by it."""

_FEWEST = 3  # of fewer payments none is usual
_MOST_SHARE = 4  # if more than one payment in so many is far from the median, the amounts have no usual size
_MOST_NAMED = 3

Odd = tuple[int, int]
"""Day, in days since 1970-01-01, and minor units of a payment."""


def odd_payments(stream: Codes, day: Codes, amount: Codes, median: Codes) -> dict[int, list[Odd]]:
    """Return the payments that are far from the median of their stream, by the index of the stream, in order of day and amount.

    Args:
        stream: Index of the stream of each payment.
        day: Booking day of each payment, days since 1970-01-01.
        amount: Amount of each payment, minor units.
        median: Median of each stream, minor units.
    """
    usual = np.maximum(median[stream], 1).astype(np.float64)
    enough = np.bincount(stream, minlength=len(median))[stream] >= _FEWEST
    far = enough & ((amount > FAR * usual) | (FAR * amount.astype(np.float64) < usual))
    found: dict[int, list[Odd]] = defaultdict(list)
    for one, when, minor in sorted(
        zip(stream[far].tolist(), day[far].tolist(), amount[far].tolist(), strict=True)
    ):
        found[one].append((when, minor))
    return found


def odd_words(odd: Sequence[Odd], count: int, currency: str) -> str | None:
    """Return what is said of the payments of a stream that are far from its median; None if there are none.

    Args:
        odd: As returned by `odd_payments`.
        count: Number of all payments of the stream, without those that may be counted twice.
        currency: ISO 4217.
    """
    if not odd:
        return None
    amounts = [minor for _, minor in odd]
    ends = f"{format_minor(min(amounts), currency)} to {format_minor(max(amounts), currency)}"
    days = f"{day_words(to_date(odd[0][0]))} to {day_words(to_date(odd[-1][0]))}"
    whole = f"{format_minor(sum(amounts), currency)} in all"
    if len(odd) <= _MOST_NAMED:
        each = [f"{format_minor(minor, currency)} on {day_words(to_date(day))}" for day, minor in odd]
        return f"far from the median: {listed(each)}"
    if len(odd) * _MOST_SHARE > count:
        return f"the amounts have no usual size: {len(odd)} are far from the median, {ends}, {whole}"
    return f"far from the median: {len(odd)} payments of {ends}, {whole}, from {days}"


def expected_words(row: Mapping[str, Any], anchor: str) -> list[str]:
    """Return how many of the expected payments were seen, how many of them on another day than expected, and how many, without what may be counted twice, that were not expected; nothing for an irregular stream.

    Args:
        row: A row of frame `streams`.
        anchor: The slots in words; empty if irregular.
    """
    if not anchor:
        return []
    unseen = f", {row['silent_count']} more in a hole in the feed" if row["silent_count"] else ""
    near = f" ({row['near_count']} of them early or late)" if row["near_count"] else ""
    # What was expected after the last payment of a stream that has ceased is not among them.
    until = f" up to {day_words(pd.Timestamp(row['last_on']).date())}" if row["status"] == "ceased" else ""
    said = [
        f"{row['filled_count']} of {row['expected_count']} expected payments{until} were seen{near}{unseen}"
    ]
    more = int(row["count"]) - int(row["may_be_twice_count"]) - int(row["filled_count"])
    # Before a change of the calendar other days were expected.
    if more > 0 and pd.isna(row["calendar_changed_on"]):
        said.append(
            counted(
                more,
                "further payment came that was not expected",
                "further payments came that were not expected",
            )
        )
    return said
