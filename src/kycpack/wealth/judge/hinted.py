"""Types for which words are only a hint: a payment gets the type only if it also follows the pattern of that type.

STAFF or PENS in the middle of a text may be part of a name; an amount that a person can live on, month after month, is hardly chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from kycpack.wealth.prepare.coded import Codes, Mask
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon
from kycpack.wealth.prepare.parties import PERSON
from kycpack.wealth.prepare.signals import Signals, is_party
from kycpack.wealth.streams.cadence import CADENCES, PAYMENTS_A_YEAR
from kycpack.wealth.streams.grouping import Grouping

PAY_CADENCES = ("weekly", "fortnightly", "four_weekly", "semi_monthly", "monthly")
"""Calendars on which people are paid."""

# The usual pattern of payments whose words only hint at a type: cadences, and the smallest and largest sum in a year, in pounds.
_HINTED = (
    ("employment", PAY_CADENCES, 1_000, 150_000),
    ("pension", PAY_CADENCES, 100, 100_000),
    ("state_benefit", PAY_CADENCES, 100, 40_000),
    ("rental_income", ("weekly", "four_weekly", "monthly", "quarterly", "semi_annual"), 300, 60_000),
    ("investment_income", ("monthly", "quarterly", "semi_annual"), 1, 50_000),
)


def hinted_types(
    signals: Signals,
    grouping: Grouping,
    most: Callable[[list[bool] | npt.NDArray[np.bool_]], Mask],
    major: Codes,
    lexicon: Lexicon,
) -> Iterator[tuple[int, Mask]]:
    """Yield the code of each type that words can hint at, and the groups without a type that it fits.

    Args:
        signals: What the credits' codes, payers and words show.
        grouping: Groups.
        most: Returns the groups for which something holds for most credits.
        major: The value from `major_units`, for each group.
        lexicon: Names of types.
    """
    open_ = grouping.regular & (grouping.type_code == NO_TYPE) & ~most(is_party(signals, PERSON))
    for name, cadences, least, largest in _HINTED:
        hinted = open_ & most([one.nature.hint == name for one in signals.readings])
        a_year = grouping.groups.median * _payments_a_year(grouping, cadences)
        fits = hinted & (a_year >= least * major) & (a_year <= largest * major)
        yield lexicon.code(name), np.asarray(fits, dtype=np.bool_)


def _payments_a_year(grouping: Grouping, cadences: tuple[str, ...]) -> Codes:
    """Return how many payments a year each group's calendar has; 0 if it is not one of the given calendars."""
    by_code = np.zeros(len(CADENCES), dtype=np.int64)
    for cadence in cadences:
        by_code[CADENCES.index(cadence)] = PAYMENTS_A_YEAR[cadence]
    return by_code[grouping.cadences.code]
