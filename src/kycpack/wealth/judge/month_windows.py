"""The last months of a stream: a payment near the first day of that time belongs to the month before, or to the one after."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.coded import Codes, Mask

BY_MONTH = frozenset({"semi_monthly", "monthly", "quarterly", "semi_annual", "annual"})
"""The cadences that count in calendar months."""

GOING_ON = frozenset({"early", "active", "late"})
"""The statuses of streams from which a payment is expected."""

_NEAR_DAYS = 5  # weekends and holidays move a payment by no more


def starts_of_windows(
    stream: Codes, day: Codes, end: Codes, months: int, by_month: Mask, going_on: Mask
) -> Codes:
    """Return the day before the last months of each stream, days since 1970-01-01.

    Paid on the last working day, three months may hold four payments, or two: a window with a payment at both of its ends begins later, and one
    with a payment at neither of them, but just before it, begins earlier.

    Args:
        stream: Index of the stream of each payment.
        day: Booking day of each payment, days since 1970-01-01.
        end: Last day of the window of each stream.
        months: Length of the window.
        by_month: Which streams have a cadence of `BY_MONTH`.
        going_on: Which streams have a status of `GOING_ON`.
    """
    if not len(end):
        return end
    start = months_before(end, months)

    def has(since: Codes, until: Codes) -> Mask:
        found = np.zeros(len(end), dtype=np.bool_)
        found[stream[(day > since[stream]) & (day <= until[stream])]] = True
        return found

    at_start, at_end = has(start, start + _NEAR_DAYS), has(end - _NEAR_DAYS, end)
    before = has(start - _NEAR_DAYS, start)
    later = by_month & at_start & at_end
    earlier = by_month & going_on & before & ~at_start & ~at_end
    return np.asarray(start + _NEAR_DAYS * later - _NEAR_DAYS * earlier, dtype=np.int64)


def months_before(days: Codes, months: int) -> Codes:
    """Return the same days a number of months earlier, or the last day of a shorter month; days since 1970-01-01."""
    distinct, where = np.unique(days, return_inverse=True)
    moved = pd.DatetimeIndex(distinct.astype("datetime64[D]").astype("datetime64[s]")) - pd.DateOffset(
        months=months
    )
    return np.asarray(moved.to_numpy().astype("datetime64[D]").astype(np.int64)[where], dtype=np.int64)
