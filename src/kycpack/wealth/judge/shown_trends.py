"""Whether the payments of a stream show a trend themselves, so that no single payment or unusual month makes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kycpack.wealth.judge.outlook_words import FEWEST_COMPARED, FEWEST_MORE, TREND_PERCENT
from kycpack.wealth.prepare.coded import Codes, Mask
from kycpack.wealth.streams.streams import grouped_median

_QUARTERS_BEFORE = 3  # the 9 months before the last 3


class Payments(NamedTuple):
    """Payments in order of stream and day: the index of their stream, their day, and their amount in minor units."""

    stream: Codes
    day: Codes
    amount: Codes


def shown_by_payments(payments: Payments, starts: Sequence[Codes], expected: Codes) -> tuple[Mask, Mask]:
    """Return which streams the payments show to be falling, and which to be rising.

    The sums of the days with a payment in the last 3 months have a median that differs by more than `TREND_PERCENT` from that of the months before, with at
    least `FEWEST_COMPARED` such days in each; or there are at least `FEWEST_MORE` such days more, or fewer, than in 3 of the months before.

    Args:
        payments: The payments, without those that may be counted twice.
        starts: The day before the last 3 months of each stream, and that before the last 12, days since 1970-01-01.
        expected: The next amount of each stream, minor units, which must not contradict a trend; -1 if none is expected.
    """
    short, long = starts
    stream, day, amount = payments
    begins = np.flatnonzero((np.diff(stream, prepend=-1) != 0) | (np.diff(day, prepend=-1) != 0))
    sums = np.add.reduceat(amount, begins) if len(begins) else amount
    stream, day = stream[begins], day[begins]
    is_last = day > short[stream]
    counts, medians = [], []
    for within in (is_last, ~is_last & (day > long[stream])):
        count = np.bincount(stream[within], minlength=len(short))
        counts.append(count)
        medians.append(grouped_median(stream[within], sums[within], count))
    (last, before), (median, usual) = counts, medians
    compared = (last >= FEWEST_COMPARED) & (before >= FEWEST_COMPARED)
    shown = []
    for sign in (-1, 1):
        by_amount = compared & (100 * sign * (median - usual) > TREND_PERCENT * usual)
        more = sign * (_QUARTERS_BEFORE * last - before)
        by_number = (more >= FEWEST_MORE * _QUARTERS_BEFORE) & (100 * more > TREND_PERCENT * before)
        agrees = (expected < 0) | (before == 0) | (sign * (expected - usual) >= 0)
        shown.append((by_amount | by_number) & agrees)
    return shown[0], shown[1]
