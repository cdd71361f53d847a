"""Business days: the days on which banks make payments, and where a nominal pay day moves if it is not one of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache

import holidays
import numpy as np
import numpy.typing as npt

from kycpack.models.bank_country import read_country

Days = npt.NDArray[np.int64]

ROLLS = ("preceding", "following", "none")

# Payments in the United Kingdom follow the bank holidays of England and Wales, wherever in it the customer lives.
_DEFAULT_SUBDIVISION = {"GB": "ENG"}
_EPOCH = date(1970, 1, 1)

_MARGIN_DAYS = 800  # more than a year of margin, so that slots near the ends of the data and the next annual slot are included


@dataclass(frozen=True, eq=False)
class BusinessCalendar:
    """The days of one country over a range, as day numbers since 1970-01-01.

    Args:
        country: ISO 3166-1 alpha-2 code, with a region after a hyphen where it matters, as in `GB-SCT`.
        first: Day number of the first element of the tables.
        slots: Shape (3, days): the day to which a nominal day moves, one row for each of `ROLLS`.
        business: Shape (days,): whether banks are open.
    """

    country: str
    first: int
    slots: Days
    business: npt.NDArray[np.bool_]

    def rolled(self, days: Days, roll: Days) -> Days:
        """Return the days to which nominal days move; `roll` is an index into `ROLLS`, broadcast against `days`."""
        return self.slots[roll, days - self.first]


def business_calendar(country: str, first_day: int, last_day: int) -> BusinessCalendar:
    """Return the calendar that covers a range of days with a margin on both sides.

    Args:
        country: ISO 3166-1 alpha-2 code, or with a region, as in `GB-NIR`, `DE-BY`, `US-CA`.
        first_day: First day of the data, days since 1970-01-01.
        last_day: Last day of the data, days since 1970-01-01.

    Raises:
        InputError: The country or region is not known.

    Source: public holidays from the library `holidays`.
    """
    first_year = np.datetime64(first_day - _MARGIN_DAYS, "D").astype("datetime64[Y]").astype(int) + 1970
    last_year = np.datetime64(last_day + _MARGIN_DAYS, "D").astype("datetime64[Y]").astype(int) + 1970
    return _calendar(read_country(country), int(first_year), int(last_year))


@lru_cache(maxsize=32)
def _calendar(country: str, first_year: int, last_year: int) -> BusinessCalendar:
    code, _, region = country.partition("-")
    closed = holidays.country_holidays(
        code,
        subdiv=region or _DEFAULT_SUBDIVISION.get(code),
        years=range(first_year, last_year + 1),
    )
    first = (date(first_year, 1, 1) - _EPOCH).days
    count = (date(last_year, 12, 31) - _EPOCH).days - first + 1
    days = np.arange(first, first + count, dtype=np.int64)
    weekdays = (days + 3) % 7  # 1970-01-01 was a Thursday
    business = ~np.isin(weekdays, sorted(closed.weekend))
    holiday = np.fromiter(((day - _EPOCH).days - first for day in closed), dtype=np.int64)
    business[holiday[(holiday >= 0) & (holiday < count)]] = False
    preceding = np.maximum.accumulate(np.where(business, days, first))
    following = np.minimum.accumulate(np.where(business, days, first + count - 1)[::-1])[::-1]
    return BusinessCalendar(country, first, np.stack([preceding, following, days]), business)


def month_index(days: Days) -> Days:
    """Return days since 1970-01-01 as months since January 1970."""
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


def month_start(months: Days) -> Days:
    """Return months since January 1970 as the day number of their first day."""
    high = int(months.max(initial=0))
    low = int(months.min(initial=high))
    every = np.arange(low, high + 1)  # there are few months, and many payments in each
    return every.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)[months - low]


def to_day_number(day: date) -> int:
    """Return a date as days since 1970-01-01."""
    return (day - _EPOCH).days


def to_date(day_number: int) -> date:
    """Return the date of a day number."""
    return date.fromordinal(_EPOCH.toordinal() + int(day_number))
