"""Regular series among credits that name no payer, such as cash: the only place where amounts separate credits.

Cash has no payer. A series of cash consists of equal amounts on calendar slots; a payment on one of its open slots with
a similar amount (a month with a bonus) belongs to it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from kycpack.wealth.prepare.coded import Codes, Mask, distinct_of, first_of_each
from kycpack.wealth.streams.cadence import IRREGULAR, Cadences, classify_cadences, slot_calendar

_FEWEST = 3
_SURE = 0.9
_SMALLEST_RATIO, _LARGEST_RATIO = 0.4, 3.0
_BEYOND_DAYS = 35
_ROUNDS = 2  # a series may begin or end with two months of a different amount
_FEWEST_BESIDE_STRAYS = 6
_MOST_STRAYS = 0.2
_BESIDE_DAYS = 3


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
    often = np.flatnonzero(counts >= _FEWEST)
    cell_of = np.asarray(np.searchsorted(often, where), dtype=np.int64)
    member, index, cadences = _without_strays(np.isin(where, often), cell_of, day, len(often), country)
    on_days = np.bincount(index, minlength=len(often))
    regular = np.flatnonzero(
        (cadences.code != IRREGULAR) & (cadences.score >= _SURE) & (cadences.days == on_days)
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
            first, last = int(taken.min()) - _BEYOND_DAYS, int(taken.max()) + _BEYOND_DAYS
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
