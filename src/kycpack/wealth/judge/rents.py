"""Payments of persons that look like a tenant's rent, by amount and day."""

from __future__ import annotations

import numpy as np

from kycpack.wealth.match.sides import OwnParties
from kycpack.wealth.prepare.coded import Codes, Mask, joint_code, pick
from kycpack.wealth.prepare.intake import Book
from kycpack.wealth.prepare.plain_text import to_words
from kycpack.wealth.prepare.signals import Signals
from kycpack.wealth.streams.cadence import CADENCES
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
