"""Sums far beyond what a payer usually pays: who pays them does not show what they are for."""

from __future__ import annotations

import numpy as np

from kycpack.wealth.prepare.coded import Codes, Mask, bounds_of, sorted_by
from kycpack.wealth.prepare.lexicon import NO_TYPE

_TIMES_USUAL = 6
_FEWEST_USUAL = 3
_SHORTEST_SPAN_DAYS = 91  # a few weeks of pay are not projected to a year
_YEAR_DAYS = 365
_PARTS_OF_A_YEAR = 2


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
