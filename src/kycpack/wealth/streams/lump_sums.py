"""Sums far beyond what a payer usually pays: who pays them does not show what they are for."""

from __future__ import annotations

import numpy as np

from kycpack.wealth.prepare.coded import Codes, Mask, bounds_of, pick
from kycpack.wealth.prepare.lexicon import NO_TYPE

_TIMES_USUAL = 6
_FEWEST_USUAL = 3
_SHORTEST_SPAN_DAYS = 91  # a few weeks of pay are not projected to a year
_YEAR_DAYS = 365
_PARTS_OF_A_YEAR = 2


def lump_sums(group: Codes, day: Codes, amount: Codes, type_code: Codes, usual_type: Codes) -> Mask:
    """Return the credits of at least half of what the payer otherwise pays in a year, unless their own code, words or payer show the same nature.

    Args:
        group: Group of each credit, by payer.
        day: Booking day of each credit, days since 1970-01-01.
        amount: Amount of each credit, minor units.
        type_code: Type of each credit by its own code, words and payer.
        usual_type: Type of each group; `NO_TYPE` for groups without one, which have no lump sums.
    """
    typed = pick(usual_type, group, NO_TYPE)
    none = np.zeros(len(group), dtype=np.bool_)
    mine = np.flatnonzero(typed != NO_TYPE)
    if not mine.size:
        return none
    order = mine[np.lexsort((amount[mine], group[mine]))]
    owners, first, count = np.unique(group[order], return_index=True, return_counts=True)
    size = int(owners[-1]) + 1
    median = np.zeros(size, dtype=np.int64)
    median[owners] = amount[order[first + (count - 1) // 2]]
    beyond = none.copy()
    beyond[mine] = amount[mine] >= _TIMES_USUAL * median[group[mine]]
    if not beyond.any():
        return none
    usual = mine[~beyond[mine]]
    total = np.zeros(size, dtype=np.int64)
    np.add.at(total, group[usual], amount[usual])
    low, high = bounds_of(group[usual], day[usual], size)
    often = np.bincount(group[usual], minlength=size) >= _FEWEST_USUAL
    lumps = np.flatnonzero(beyond & (type_code != typed))
    owner = group[lumps]
    span = np.maximum(high[owner] - low[owner] + 1, _SHORTEST_SPAN_DAYS)
    large = often[owner] & (_PARTS_OF_A_YEAR * amount[lumps] >= total[owner] * _YEAR_DAYS // span)
    none[lumps[large]] = True
    return none
