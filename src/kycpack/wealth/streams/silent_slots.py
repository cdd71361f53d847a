"""Expected days within holes in the feed: it is not known whether a payment came, so they do not count against a stream."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kycpack.wealth.prepare.coded import Codes, bounds_of
from kycpack.wealth.prepare.feed_holes import FeedHoles
from kycpack.wealth.streams.cadence import IRREGULAR, Cadences, slot_calendar

_CEASED = 2


def without_silent_slots(
    cadences: Cadences,
    of_credit: Codes,
    account: Codes,
    day: Codes,
    ends: Codes,
    holes: FeedHoles,
    country: str,
) -> tuple[Cadences, Codes, Codes]:
    """Return cadences whose expected days leave out those within holes in the feed.

    Args:
        cadences: Cadence of each group.
        of_credit: Group of each credit.
        account: Account of each credit, as in the book.
        day: Booking day of each credit, days since 1970-01-01.
        ends: Last day with data in each group's accounts.
        holes: Holes in the feed.
        country: Country whose business days move the slots.

    Returns:
        The cadences; the number of expected days of each group that lie in holes between its payments; and the number of those that lie in
        holes after its last payment, 0 if two later ones were also missed.
    """
    within, after = np.zeros(len(cadences.code), dtype=np.int64), np.zeros(len(cadences.code), dtype=np.int64)
    touched = np.isin(account, holes.account[holes.sure])
    if not touched.any():
        return cadences, within, after
    first, last = bounds_of(of_credit, day, len(cadences.code))
    for group, one in sorted(set(zip(of_credit[touched].tolist(), account[touched].tolist(), strict=True))):
        if cadences.code[group] == IRREGULAR:
            continue
        paid = day[of_credit == group]
        for hole in np.flatnonzero(holes.sure & (holes.account == one)).tolist():
            start, end, broken = int(holes.start[hole]), int(holes.end[hole]), holes.broken[hole]
            between = start < last[group]
            if end <= first[group] or (between and cadences.expected[group] == cadences.filled[group]):
                continue
            from_, to = (start, end) if broken else (start + 1, end - 1)
            silent = len(slot_calendar(cadences, group, country, from_, to))
            silent = max(silent - int(((paid >= from_) & (paid <= to)).sum()), 0)
            if between:
                within[group] += silent
            else:
                later = slot_calendar(cadences, group, country, end, int(ends[group]))
                after[group] += silent if len(later) < _CEASED else 0
    within = np.minimum(within, np.maximum(cadences.expected - cadences.filled, 0))
    fewer = cadences.expected - within
    # The score is twice the weight of the filled slots, divided by payments and slots together.
    score = cadences.score * (cadences.days + cadences.expected) / np.maximum(cadences.days + fewer, 1)
    return replace(cadences, expected=fewer, score=np.where(within > 0, score, cadences.score)), within, after
