"""Streams: what one payer paid one customer in one currency, described as a series; and the order in which streams are shown.

A sum far beyond what a payer usually pays is apart: who pays it does not show what it is for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.prepare.clues import EVIDENCE_LEVELS
from kycpack.wealth.prepare.coded import Codes, Mask, bounds_of, first_of_each, sorted_by
from kycpack.wealth.prepare.lexicon import NO_TYPE
from kycpack.wealth.streams.cadence import IRREGULAR, Cadences
from kycpack.wealth.streams.calendars import Days

Floats = npt.NDArray[np.float64]

CONFIDENCES = ("low", "medium", "high")
STATUSES = ("early", "active", "late", "ceased", "unknown")
AMOUNT_CLASSES = ("fixed", "stable", "variable", "erratic")

_FEWEST_FOR_ACTIVE = 4
_GRACE_DAYS = 5
_TYPE_AGREEMENT = 0.6
_TYPE_COVER = 0.5
_IRREGULAR_SILENCE_DAYS = 95
_TIMES_USUAL = 6
_FEWEST_USUAL = 3
_SHORTEST_SPAN_DAYS = 91  # a few weeks of pay are not projected to a year
_YEAR_DAYS = 365
_PARTS_OF_A_YEAR = 2


@dataclass(frozen=True, eq=False)
class Groups:
    """Credits of one customer, currency and payer, one element per group; credits are sorted by group.

    Args:
        of_credit: Group of each credit.
        count: Number of credits.
        total: Sum of the credits, minor units.
        median: Median credit, minor units; for an even number the mean of the middle two, rounded half-up.
        first: Day of the first credit, days since 1970-01-01.
        last: Day of the last credit, days since 1970-01-01.
        amount_class: Index into `AMOUNT_CLASSES`.
    """

    of_credit: Codes
    count: Codes
    total: Codes
    median: Codes
    first: Days
    last: Days
    amount_class: Codes

    def __len__(self) -> int:
        return len(self.count)


def summarise(of_credit: Codes, day: Days, amount: Codes, size: int) -> Groups:
    """Return counts, sums and spreads of groups of credits.

    Args:
        of_credit: Group of each credit, 0 .. size - 1.
        day: Booking day of each credit.
        amount: Minor units of each credit.
        size: Number of groups; each has at least one credit.
    """
    count = np.bincount(of_credit, minlength=size)
    total = np.zeros(size, dtype=np.int64)
    np.add.at(total, of_credit, amount)
    first, last = bounds_of(of_credit, day, size)
    median = grouped_median(of_credit, amount, count)
    deviation = grouped_median(of_credit, np.abs(amount - median[of_credit]), count)
    low, high = bounds_of(of_credit, amount, size)
    spread = deviation / np.maximum(median, 1)
    amount_class = np.select([low == high, spread <= 0.1, spread <= 0.4], [0, 1, 2], 3)
    return Groups(of_credit, count, total, median, first, last, amount_class)


def grouped_median(group: Codes, value: Codes, count: Codes) -> Codes:
    """Return the median of each group; for an even number the mean of the middle two, rounded half-up."""
    if not len(group):
        return np.zeros(len(count), dtype=np.int64)
    order = sorted_by(group, value)
    start = np.cumsum(count) - count
    last = len(value) - 1
    lower, upper = (value[order][np.minimum(start + place, last)] for place in ((count - 1) // 2, count // 2))
    # Halved before it is added, so that large amounts do not overflow.
    return cast("Codes", lower + (upper - lower + 1) // 2)


def types_of_groups(
    of_credit: Codes, type_code: Codes, evidence: Codes, size: int, types: int
) -> tuple[Codes, Codes]:
    """Return type and evidence level of the groups whose credits agree.

    Args:
        of_credit: Group of each credit.
        type_code: Type of each credit, `NO_TYPE` if it has none.
        evidence: Index into `EVIDENCE_LEVELS` of each credit.
        size: Number of groups.
        types: Number of types.

    Returns:
        Type codes, `NO_TYPE` if too few credits have a type or they disagree, and evidence levels. Codes outvote words.
    """
    result = np.full(size, NO_TYPE, dtype=np.int64)
    level = np.zeros(size, dtype=np.int64)
    count = np.bincount(of_credit, minlength=size)
    for wanted in range(len(EVIDENCE_LEVELS) - 1, 0, -1):
        mine = (type_code != NO_TYPE) & (evidence == wanted) & (level[of_credit] == 0)
        if not mine.any():
            continue
        cells, votes = np.unique(of_credit[mine] * types + type_code[mine], return_counts=True)
        owner, typed = cells // types, np.bincount(of_credit[mine], minlength=size)
        best = first_of_each(owner, cells, -votes)
        agreed = best[
            (votes[best] >= _TYPE_AGREEMENT * typed[owner[best]])
            & (votes[best] >= _TYPE_COVER * count[owner[best]])
        ]
        result[owner[agreed]] = cells[agreed] % types
        level[owner[agreed]] = wanted
    return result, level


def statuses(
    cadences: Cadences, groups: Groups, end_of_accounts: Days, end_of_customer: Days, silent: Codes
) -> Codes:
    """Return the status of each group compared with the end of the data, as an index into `STATUSES`.

    Args:
        cadences: Cadence of each group.
        groups: Groups.
        end_of_accounts: Last day with any transaction in the accounts that the group was paid into.
        end_of_customer: Last day with any transaction in any of the customer's accounts.
        silent: Number of expected days after the last payment that lie in holes in the feed, where hardly any later one was missed.

    Returns:
        `late` after one missed slot, `ceased` after two; `unknown` if the account's data ends before the customer's does (so that
        the end of the data could be mistaken for the end of pay), if the missed slots lie in a hole in the feed, and for irregular groups without a payment for a quarter.
    """
    at_accounts = _missed(cadences, groups, end_of_accounts)
    at_customer = _missed(cadences, groups, end_of_customer)
    regular = cadences.code != IRREGULAR
    status = np.select(
        [
            ~regular & (end_of_customer - groups.last > _IRREGULAR_SILENCE_DAYS),
            ~regular,
            ((silent > 0) & (at_accounts > 0)) | ((at_accounts == 0) & (at_customer > 0)),
            at_accounts >= 2,
            at_accounts == 1,
            cadences.days < _FEWEST_FOR_ACTIVE,
        ],
        [STATUSES.index(name) for name in ("unknown", "active", "unknown", "ceased", "late", "early")],
        STATUSES.index("active"),
    )
    return status.astype(np.int64)


def _missed(cadences: Cadences, groups: Groups, end: Days) -> Codes:
    due = cadences.following
    overdue = (due >= 0) & (due + _GRACE_DAYS < end[:, None]) & (due > groups.last[:, None])
    return np.asarray(overdue.sum(axis=1), dtype=np.int64)


def largest_first(streams: pd.DataFrame) -> pd.DataFrame:
    """Return streams by customer and currency, the largest first in each; the currency with the most credits comes first.

    Args:
        streams: Rows of frame `streams`.
    """
    credits_ = streams.groupby(["customer_id", "currency"], observed=True)["count"].transform("sum")
    return (
        streams.assign(credits_in_currency=credits_)
        .sort_values(
            ["customer_id", "credits_in_currency", "currency", "total_minor", "stream_id"],
            ascending=[True, False, True, False, True],
            kind="stable",
        )
        .drop(columns="credits_in_currency")
    )


def lump_sums(
    group: Codes, day: Codes, amount: Codes, type_code: Codes, usual_type: Codes, pension: int
) -> Mask:
    """Return the credits of at least half of what the payer otherwise pays in a year, unless their own code, words or payer show the same nature.

    A pension has no bonus: what is paid of it at retirement is not what is paid each month, whatever both are called.

    Args:
        group: Group of each credit, by payer; each group has a credit.
        day: Booking day of each credit, days since 1970-01-01.
        amount: Amount of each credit, minor units.
        type_code: Type of each credit by its own code, words and payer.
        usual_type: Type of each group; `NO_TYPE` for groups without one, which have no lump sums.
        pension: Code of pensions.
    """
    typed, size = usual_type[group], len(usual_type)
    count = np.bincount(group, minlength=size)
    median = amount[sorted_by(group, amount)][np.cumsum(count) - count + (count - 1) // 2]
    beyond: Mask = (typed != NO_TYPE) & (amount >= _TIMES_USUAL * median[group])
    if not beyond.any():
        return beyond
    usual = group[~beyond]
    total = np.zeros(size, dtype=np.int64)
    np.add.at(total, usual, amount[~beyond])
    low, high = bounds_of(usual, day[~beyond], size)
    often = np.bincount(usual, minlength=size) >= _FEWEST_USUAL
    in_a_year = total * _YEAR_DAYS // np.maximum(high - low + 1, _SHORTEST_SPAN_DAYS)
    large = _PARTS_OF_A_YEAR * amount >= in_a_year[group]
    beyond &= ((type_code != typed) | (typed == pension)) & often[group] & large
    return beyond
