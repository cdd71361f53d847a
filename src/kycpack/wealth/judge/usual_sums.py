"""What payments of each type add up to in a year, and which of them come on the days and in the sums of pay or rent.

A word that the sender chose is believed as far as sum and rhythm fit it: nobody is paid a pension of 3,000 pounds a week, and no estate
is paid out month after month. However often the word is repeated, it stays one piece of evidence.

Words that are only a hint give a type only to payments that also follow its pattern: STAFF or PENS in the middle of a text may be part of a name; an amount that
a person can live on, month after month, is hardly chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from kycpack.wealth.match.exchange_rates import ABOVE_ALL, threshold_bounds
from kycpack.wealth.match.sides import OwnParties
from kycpack.wealth.prepare.coded import Codes, Mask, joint_code, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.lexicon import NO_TYPE, Lexicon
from kycpack.wealth.prepare.parties import PERSON
from kycpack.wealth.prepare.plain_text import to_words
from kycpack.wealth.prepare.signals import Signals, is_party
from kycpack.wealth.streams.cadence import CADENCES, PAYMENTS_A_YEAR
from kycpack.wealth.streams.grouping import Grouping
from kycpack.wealth.streams.streams import AMOUNT_CLASSES

_LEAST_RENT, _MOST_RENT = 250, 5_000  # pounds, as `major_units` has them elsewhere
_FEWEST_RENTS = 6
_RENT_DAYS = (1, 2, 3, 4, 5)
_RENT_ON_TIME = 0.8
_FEWEST_AT_ONCE = 3
_SHORTEST_RENT_DAYS = 5  # a week, less the holidays before which a tenant pays early


def like_rent(book: Book, rows: Codes, grouping: Grouping, major: Codes) -> Mask:
    """Return the monthly groups of one round amount that are paid around the first of the month."""
    groups = grouping.groups
    fixed = groups.amount_class == AMOUNT_CLASSES.index("fixed")
    sized = (groups.median >= _LEAST_RENT * major) & (groups.median <= _MOST_RENT * major)
    round_ = groups.median % (5 * major) == 0
    monthly = grouping.cadences.code == CADENCES.index("monthly")
    often = groups.count >= _FEWEST_RENTS
    candidate = np.asarray(fixed & sized & round_ & monthly & often, dtype=np.bool_)
    if not candidate.any():
        return candidate
    mine = np.flatnonzero((grouping.group >= 0) & pick(candidate, grouping.group, missing=False))
    days = book.day[rows[mine]].astype("datetime64[D]")
    of_month = (days - days.astype("datetime64[M]")).astype(np.int64) + 1
    on_time = np.bincount(grouping.group[mine], weights=np.isin(of_month, _RENT_DAYS), minlength=len(groups))
    return np.asarray(candidate & (on_time >= _RENT_ON_TIME * groups.count), dtype=np.bool_)


def same_surname(book: Book, grouping: Grouping, parties: OwnParties) -> Mask:
    """Return the groups whose payer has the last name of the customer, or of a holder of the customer's accounts."""
    same = np.zeros(len(grouping.type_code), dtype=np.bool_)
    people = np.flatnonzero(grouping.person & (grouping.groups.count >= _FEWEST_RENTS))
    texts = to_words([str(grouping.payer[index]) for index in people.tolist()])
    for index, text in zip(people.tolist(), texts, strict=True):
        names = parties.names.get(str(book.customer.distinct[grouping.customer[index]]), ())
        same[index] = any(not last.isdisjoint(text.split()) for _, last in names)
    return same


def rents_at_once(signals: Signals, grouping: Grouping) -> Mask:
    """Return the credits of groups of one text, three times or more and more often than by the week: a home is let once for a time, so RENT FLAT 2 is a word.

    Args:
        signals: Texts of the credits.
        grouping: Groups by payer.
    """
    groups = grouping.groups
    often = groups.last - groups.first < _SHORTEST_RENT_DAYS * (groups.count - 1)
    often &= groups.count >= _FEWEST_AT_ONCE
    mine = np.flatnonzero((grouping.group >= 0) & pick(often, grouping.group, missing=False))
    group = grouping.group[mine]
    same = joint_code(group, signals.description.codes[mine])
    most = np.zeros(len(groups), dtype=np.int64)
    np.maximum.at(most, group, np.bincount(same, minlength=1)[same])
    return pick(np.asarray(often & (2 * most > groups.count), dtype=np.bool_), grouping.group, missing=False)


BORNE_OUT = 3
"""How many times as much a word supports if the payer's own name says that it pays such things."""

_MOST_TENANTS = 2
_OF_A_WORD = 0.5  # amounts and dates alone support half of what a word for rent supports
_THOUSAND = Decimal(1_000)
BY_THE_WEEK = tuple(CADENCES.index(name) for name in ("weekly", "fortnightly"))
"""Indices into `CADENCES`."""
_PAY_CADENCES = ("weekly", "fortnightly", "four_weekly", "semi_monthly", "monthly")
# The usual pattern of payments whose words only hint at a type: cadences, and the smallest sum in a year, in pounds.
_HINTED = (
    ("employment", _PAY_CADENCES, 1_000),
    ("pension", _PAY_CADENCES, 100),
    ("state_benefit", _PAY_CADENCES, 100),
    ("rental_income", ("weekly", "four_weekly", "monthly", "quarterly", "semi_annual"), 300),
    ("investment_income", ("monthly", "quarterly", "semi_annual"), 1),
)


@dataclass(frozen=True)
class _Most:
    """The most that a word supports, in pounds a year.

    Args:
        by_the_month: For payments every four weeks or less often.
        by_the_week: For payments every week or two.
    """

    by_the_month: int
    by_the_week: int


_MOST = {
    "employment": _Most(150_000, 100_000),
    "self_employment": _Most(150_000, 100_000),
    "pension": _Most(100_000, 30_000),
    "state_benefit": _Most(40_000, 40_000),
    "rental_income": _Most(60_000, 40_000),
    "investment_income": _Most(100_000, 0),
    "interest": _Most(100_000, 1_000),
    "savings": _Most(100_000, 10_000),
    "settlement": _Most(100_000, 30_000),
    "loan": _Most(10_000, 10_000),
    "asset_sale": _Most(20_000, 20_000),
    "gambling": _Most(10_000, 10_000),
    "tax_refund": _Most(40_000, 0),
    "inheritance": _Most(0, 0),
    "property_sale": _Most(0, 0),
    "business_sale": _Most(0, 0),
}


def sums_a_year(grouping: Grouping) -> Codes:
    """Return what each group's median payment adds up to in a year, minor units; 0 for groups without a calendar."""
    a_year = np.array([PAYMENTS_A_YEAR.get(name, 0) for name in CADENCES], dtype=np.int64)
    return np.asarray(grouping.groups.median * a_year[grouping.cadences.code], dtype=np.int64)


def usual_rents(book: Book, grouping: Grouping, alike: Mask, lexicon: Lexicon) -> Mask:
    """Return which groups may be rents, although no word says so: those of one or two tenants, at sums that are usual for them together.

    Args:
        book: Transactions.
        grouping: Groups by payer.
        alike: Groups of persons who pay as tenants do, by amount and day.
        lexicon: Names of types.
    """
    owner = grouping.customer * len(book.currency.distinct) + grouping.currency
    _, of_owner = np.unique(owner, return_inverse=True)
    tenants = np.bincount(of_owner, weights=alike)
    a_year = np.bincount(of_owner, weights=np.where(alike, sums_a_year(grouping), 0))
    rent = np.full(len(owner), lexicon.code("rental_income"))
    most = _OF_A_WORD * most_a_year(book, grouping.currency, lexicon, rent, grouping.cadences.code)
    return np.asarray(
        alike & (tenants[of_owner] <= _MOST_TENANTS) & (a_year[of_owner] <= most), dtype=np.bool_
    )


def most_a_year(
    book: Book, currency: Codes, lexicon: Lexicon, type_code: Codes, cadence: Codes
) -> npt.NDArray[np.float64]:
    """Return the most that a word for each type supports in a year, minor units; infinite without a limit or a rate.

    Args:
        book: Transactions.
        currency: Code of the book's currencies for each payment.
        lexicon: Names of types.
        type_code: Type of each payment.
        cadence: Index into `CADENCES` for each payment.
    """
    most = np.full((2, len(lexicon.types) + 1), np.inf)
    for name, limit in _MOST.items():
        most[:, lexicon.code(name)] = limit.by_the_month, limit.by_the_week
    highest = [threshold_bounds(_THOUSAND, "GBP", code)[1] for code in book.currency.distinct]
    pound = np.array([np.inf if one == ABOVE_ALL else one / int(_THOUSAND) for one in highest])
    limits = most[np.isin(cadence, BY_THE_WEEK).astype(np.int64), type_code]
    return np.where(limits > 0, limits * pick(pound, currency, np.inf), 0)


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
        yield code, np.asarray(hinted & (a_year >= least * major) & (a_year <= largest), dtype=np.bool_)
