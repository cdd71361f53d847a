"""Streams: what one payer paid one customer in one currency, described as a series; and the order in which streams are shown.

A sum far beyond what a payer usually pays is apart: who pays it does not show what it is for.

Cash has no payer: among credits that name none, and only there, amounts separate credits. A series of cash consists of equal amounts on calendar slots; a
payment on one of its open slots with a similar amount (a month with a bonus) belongs to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt
import pandas as pd

from kycpack.wealth.prepare.clues import EVIDENCE_LEVELS
from kycpack.wealth.prepare.coded import Codes, Mask, bounds_of, distinct_of, first_of_each, sorted_by
from kycpack.wealth.prepare.lexicon import NO_TYPE
from kycpack.wealth.streams.cadence import IRREGULAR, Cadences, classify_cadences, slot_calendar
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
_FEWEST_OF_A_SERIES = 3
_SURE_SERIES = 0.9
_SMALLEST_RATIO, _LARGEST_RATIO = 0.4, 3.0
_BEYOND_SERIES_DAYS = 35
_ROUNDS = 2  # a series may begin or end with two months of a different amount
_FEWEST_BESIDE_STRAYS = 6
_MOST_STRAYS = 0.2
_BESIDE_DAYS = 3


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


def nameless_series(group: Codes, day: Codes, amount: Codes, country: str) -> tuple[Codes, list[str]]:
    """Return the regular series in groups without a payer.

    Args:
        group: Group number of each credit.
        day: Booking day of each credit, days since 1970-01-01.
        amount: Minor units of each credit.
        country: Country whose business days move the slots.

    Returns:
        For each credit the number of its series, from 1, or 0 if it is in none; and the names of the series.
    """
    series = np.zeros(len(group), dtype=np.int64)
    if not len(group):
        return series, []
    code, values = pd.factorize(amount)
    cells, begins, where, counts = np.unique(
        group * len(values) + code, return_index=True, return_inverse=True, return_counts=True
    )
    often = np.flatnonzero(counts >= _FEWEST_OF_A_SERIES)
    cell_of = np.asarray(np.searchsorted(often, where), dtype=np.int64)
    member, index, cadences = _without_strays(np.isin(where, often), cell_of, day, len(often), country)
    on_days = np.bincount(index, minlength=len(often))
    regular = np.flatnonzero(
        (cadences.code != IRREGULAR) & (cadences.score >= _SURE_SERIES) & (cadences.days == on_days)
    )
    value_of = values[cells % len(values)].astype(np.int64)
    amounts = sorted({int(value) for value in value_of[often[regular]]})
    number_of_cell = np.zeros(len(cells), dtype=np.int64)
    number_of_cell[often[regular]] = np.searchsorted(amounts, value_of[often[regular]]) + 1
    series = np.where(member, number_of_cell[where], 0)
    in_order = np.argsort(group, kind="stable")
    bounds = np.searchsorted(group[in_order], np.arange(int(group.max()) + 2))
    # The larger series comes first, because it has more slots as evidence; of two as large, the one that begins first.
    for one in sorted(regular.tolist(), key=lambda one: (-int(counts[often[one]]), int(begins[often[one]]))):
        owner, value = int(cells[often[one]]) // len(values), int(value_of[often[one]])
        number = int(number_of_cell[often[one]])
        mine = in_order[bounds[owner] : bounds[owner + 1]]
        for _ in range(_ROUNDS):
            taken = day[mine[series[mine] == number]]
            first, last = int(taken.min()) - _BEYOND_SERIES_DAYS, int(taken.max()) + _BEYOND_SERIES_DAYS
            open_slots = np.setdiff1d(slot_calendar(cadences, one, country, first, last), taken)
            free = mine[(series[mine] == 0) & np.isin(day[mine], open_slots)]
            series[_of_the_same_order(free, day, amount, value)] = number
    return series, [f"amount:{value}" for value in amounts]


def _without_strays(
    member: Mask, cell: Codes, day: Codes, size: int, country: str
) -> tuple[Mask, Codes, Cadences]:
    """Return which credits form series of equal amounts, the series of each of them, and the cadences of the series.

    A deposit of the same amount from another source, off the slots that all the others keep to, is left out.
    """
    at = np.flatnonzero(member)
    cadences = classify_cadences(cell[at], day[at], size, country)
    unsure = (cadences.code != IRREGULAR) & (cadences.filled >= _FEWEST_BESIDE_STRAYS)
    unsure &= cadences.days > cadences.filled
    kept = member.copy()
    for one in np.flatnonzero(unsure).tolist():
        mine = at[cell[at] == one]
        slots = slot_calendar(cadences, one, country, int(day[mine].min()), int(day[mine].max()))
        strays = mine[np.abs(day[mine][:, None] - slots[None, :]).min(axis=1) > _BESIDE_DAYS]
        if len(strays) <= _MOST_STRAYS * len(mine):
            kept[strays] = False
    left = distinct_of(cell[member & ~kept])
    of_left = np.flatnonzero(kept & np.isin(cell, left))
    group = np.searchsorted(left, cell[of_left])
    cadences.put(left, classify_cadences(group, day[of_left], len(left), country))
    return kept, cell[kept], cadences


def _of_the_same_order(free: Codes, day: Codes, amount: Codes, value: int) -> Codes:
    """Return, for each day, the credit with the amount nearest to that of the series, if one has a similar amount."""
    ratio = amount[free] / value
    free = free[(ratio >= _SMALLEST_RATIO) & (ratio <= _LARGEST_RATIO)]
    # A bonus is more than usual, so larger amounts come before smaller ones.
    alike = np.abs(np.log(amount[free] / value))
    return free[first_of_each(day[free], amount[free], alike, amount[free] < value)]
