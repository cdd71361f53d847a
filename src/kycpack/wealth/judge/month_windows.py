"""The last months of a stream, in whole periods of its calendar, so that level payments come to the same sum whenever the data ends."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kycpack.models.money import divided
from kycpack.wealth.prepare.coded import Codes, Mask

BY_MONTH = frozenset({"semi_monthly", "monthly", "quarterly", "semi_annual", "annual"})
"""The cadences that count in calendar months."""

PERIOD_DAYS = {"weekly": 7, "fortnightly": 14, "four_weekly": 28}
"""Days in one period of the cadences that count in weeks."""

PERIODS = {
    3: {"weekly": 13, "fortnightly": 6, "four_weekly": 3},
    12: {"weekly": 52, "fortnightly": 26, "four_weekly": 13},
}
"""By number of months: how many periods of the cadences in `PERIOD_DAYS` stand for them."""

SELDOM = frozenset({"semi_annual", "annual"})
"""The cadences without a whole period in three months."""

GOING_ON = frozenset({"early", "active", "late"})
"""The statuses of streams from which a payment is expected."""

NEAR_DAYS = 5
"""The days by which weekends and holidays move a payment at most."""


def starts_of_windows(
    stream: Codes, day: Codes, end: Codes, months: int, cadence: npt.NDArray[np.object_], going_on: Mask
) -> Codes:
    """Return the day before the last months of each stream, days since 1970-01-01.

    Paid on the last working day, three months may hold four payments, or two: a window with a payment at both of its ends begins later, and one
    with a payment at neither of them, but just before it, begins earlier. A window of weeks begins midway between two expected payments.

    Args:
        stream: Index of the stream of each payment.
        day: Booking day of each payment, days since 1970-01-01.
        end: Last day of the window of each stream.
        months: Length of the window, a key of `PERIODS`.
        cadence: Cadence of each stream, one of `CADENCES`.
        going_on: Which streams have a status of `GOING_ON`.
    """
    if not len(end):
        return end
    start = months_before(end, months)

    def has(since: Codes, until: Codes) -> Mask:
        found = np.zeros(len(end), dtype=np.bool_)
        found[stream[(day > since[stream]) & (day <= until[stream])]] = True
        return found

    at_start, at_end = has(start, start + NEAR_DAYS), has(end - NEAR_DAYS, end)
    before = has(start - NEAR_DAYS, start)
    by_month = np.isin(cadence, sorted(BY_MONTH))
    later = by_month & at_start & at_end
    earlier = by_month & going_on & before & ~at_start & ~at_end
    start = start + NEAR_DAYS * later - NEAR_DAYS * earlier
    last = np.full(len(end), np.iinfo(np.int64).min)
    np.maximum.at(last, stream, day)
    for name, period in PERIOD_DAYS.items():
        overdue = np.maximum((end - min(NEAR_DAYS, period // 2) - last) // period, 0)
        begins = last + (overdue - PERIODS[months][name]) * period + period // 2
        start = np.where(cadence == name, begins, start)
    return np.asarray(start, dtype=np.int64)


def a_month(total_minor: int, months: int, cadence: str) -> int:
    """Return what the sum of a window comes to in a month, rounded as in `divided`.

    Args:
        total_minor: Sum of the payments in the window, minor units.
        months: Length of the window, a key of `PERIODS`.
        cadence: One of `CADENCES`; the periods of one that counts in weeks are taken at 52 weeks a year.
    """
    if cadence in PERIOD_DAYS:
        total_minor, months = total_minor * PERIODS[12][cadence], 12 * PERIODS[months][cadence]
    return divided(total_minor, months)


def months_before(days: Codes, months: int) -> Codes:
    """Return the same days a number of months earlier, or the last day of a shorter month; days since 1970-01-01."""
    date = days.astype("datetime64[D]")
    month = date.astype("datetime64[M]")
    same = (month - months).astype("datetime64[D]") + (date - month.astype("datetime64[D]"))
    last = (month - months + 1).astype("datetime64[D]") - 1
    return np.asarray(np.minimum(same, last), dtype=np.int64)
