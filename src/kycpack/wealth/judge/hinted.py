"""Types for which words are only a hint: a payment gets the type only if it also follows the pattern of that type.

STAFF or PENS in the middle of a text may be part of a name; an amount that a person can live on, month after month, is hardly chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from kycpack.wealth.judge.usual_sums import most_a_year, sums_a_year
from kycpack.wealth.prepare.coded import Codes, Mask
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon
from kycpack.wealth.prepare.parties import PERSON
from kycpack.wealth.prepare.signals import Signals, is_party
from kycpack.wealth.streams.cadence import CADENCES
from kycpack.wealth.streams.grouping import Grouping

_PAY_CADENCES = ("weekly", "fortnightly", "four_weekly", "semi_monthly", "monthly")
# The usual pattern of payments whose words only hint at a type: cadences, and the smallest sum in a year, in pounds.
_HINTED = (
    ("employment", _PAY_CADENCES, 1_000),
    ("pension", _PAY_CADENCES, 100),
    ("state_benefit", _PAY_CADENCES, 100),
    ("rental_income", ("weekly", "four_weekly", "monthly", "quarterly", "semi_annual"), 300),
    ("investment_income", ("monthly", "quarterly", "semi_annual"), 1),
)


def like_pay_days(grouping: Grouping) -> Mask:
    """Return the groups on a calendar on which people are paid."""
    return np.isin(grouping.cadences.code, [CADENCES.index(name) for name in _PAY_CADENCES])


def hinted_types(
    book: Book,
    signals: Signals,
    grouping: Grouping,
    most: Callable[[list[bool] | npt.NDArray[np.bool_]], Mask],
    major: Codes,
    lexicon: Lexicon,
) -> Iterator[tuple[int, Mask]]:
    """Yield the code of each type that words can hint at, and the groups without a type that it fits.

    Args:
        book: Transactions.
        signals: What the credits' codes, payers and words show.
        grouping: Groups.
        most: Returns the groups for which something holds for most credits.
        major: The value from `major_units`, for each group.
        lexicon: Names of types.
    """
    open_ = grouping.regular & (grouping.type_code == NO_TYPE) & ~most(is_party(signals, PERSON))
    cadence, a_year = grouping.cadences.code, sums_a_year(grouping)
    for name, cadences, least in _HINTED:
        code = lexicon.code(name)
        hinted = open_ & most([one.nature.hint == name for one in signals.readings])
        hinted &= np.isin(cadence, [CADENCES.index(one) for one in cadences])
        largest = most_a_year(book, grouping.currency, lexicon, np.full_like(cadence, code), cadence)
        fits = hinted & (a_year >= least * major) & (a_year <= largest)
        yield code, np.asarray(fits, dtype=np.bool_)
