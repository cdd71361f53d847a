"""Payments of persons that look like a tenant's rent, by amount and day."""

from __future__ import annotations

import numpy as np

from kycpack.wealth.match.sides import OwnParties
from kycpack.wealth.prepare.coded import Codes, Mask, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.plain_text import to_words
from kycpack.wealth.streams.cadence import CADENCES
from kycpack.wealth.streams.grouping import Grouping
from kycpack.wealth.streams.streams import AMOUNT_CLASSES

_LEAST_RENT, _MOST_RENT = 250, 5_000  # pounds, as `major_units` has them elsewhere
_FEWEST_RENTS = 6
_RENT_DAYS = (1, 2, 3, 4, 5)
_RENT_ON_TIME = 0.8


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
