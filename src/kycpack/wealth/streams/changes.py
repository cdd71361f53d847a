"""Corrections to the calendar of a stream: a new pay day or cadence, and expected days within holes in the feed.

A payer who changes the pay day or the cadence stays one stream, with the calendar that applies now: a weekly Friday becomes a Monday, fortnightly pay becomes
four-weekly, a pay day moves from the 28th to the 15th. Of an expected day within a hole it is not known whether a payment came, so it does not count against the stream.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kycpack.wealth.prepare.coded import Codes, Mask, bounds_of, distinct_of
from kycpack.wealth.prepare.feed_holes import FeedHoles
from kycpack.wealth.streams.cadence import IRREGULAR, Cadences, classify_cadences, slot_calendar
from kycpack.wealth.streams.calendars import Days

_FEWEST_OF_A_PART = 3
_FEWEST_WHERE_CADENCE_CHANGES = 4
_SURE = 0.9
_WELL_EXPLAINED = 0.95
_LEAST_GAIN = 0.05
_MOST_DAYS = 800  # two years of daily payments; a longer list is not pay
_CEASED = 2


@dataclass(frozen=True, eq=False)
class Changes:
    """Where each group's calendar changed, one element per group.

    Args:
        on: Day number of the first payment on the new calendar; -1 if nothing changed.
        earlier: Index into `CADENCES` of the earlier calendar; irregular if nothing changed.
    """

    on: Days
    earlier: Codes


def find_changes(cadences: Cadences, groups: Codes, days: Days, country: str) -> tuple[Cadences, Changes]:
    """Return the cadences, with the current calendar for each group whose calendar changed, and where it changed.

    Args:
        cadences: Cadence of each group as a whole.
        groups: Shape (payments,): the group of each payment.
        days: Shape (payments,): day numbers.
        country: Country whose business days move the slots.

    Returns:
        The cadences, with expected and filled slots counted over both calendars; and the changes.
    """
    changes = Changes(np.full(len(cadences.code), -1), np.full(len(cadences.code), IRREGULAR))
    doubtful = (cadences.days >= 2 * _FEWEST_OF_A_PART) & (cadences.days <= _MOST_DAYS)
    doubtful &= (cadences.code == IRREGULAR) | (cadences.score < _WELL_EXPLAINED) | cadences.overtaken
    group, day, places = _splits(np.flatnonzero(doubtful), groups, days)
    if not len(places):
        return cadences, changes
    begins = np.searchsorted(group, places[:, 0], side="left")
    ends = np.searchsorted(group, places[:, 0], side="right")
    before = _of_parts(day, begins, places[:, 1], country)
    # Most beginnings are no series, whatever comes after them.
    sure = np.flatnonzero(_is_sure(before))
    before, places, ends = before.of(sure), places[sure], ends[sure]
    after = _of_parts(day, places[:, 1], ends, country)
    gain = _gain(cadences.of(places[:, 0]), before, after)
    cadences = cadences.of(np.arange(len(cadences.code)))
    for at in np.lexsort((-gain, places[:, 0])).tolist():
        owner = int(places[at, 0])
        if gain[at] <= 0 or changes.on[owner] >= 0:
            continue
        changes.on[owner] = day[places[at, 1]]
        changes.earlier[owner] = before.code[at]
        for name in ("code", "runner_up", "score", "margin", "ambiguous", "phase", "second_phase",
                     "month_phase", "roll", "following", "overtaken"):  # fmt: skip
            getattr(cadences, name)[owner] = getattr(after, name)[at]
        for name in ("expected", "filled", "near"):
            getattr(cadences, name)[owner] = getattr(before, name)[at] + getattr(after, name)[at]
    return cadences, changes


def _of_parts(day: Days, begins: Codes, ends: Codes, country: str) -> Cadences:
    """Return the cadences of parts of a list of days, each from the first to before the last of two places."""
    sizes = ends - begins
    part = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(part)) + np.repeat(begins - np.cumsum(sizes) + sizes, sizes)
    return classify_cadences(part, day[place], len(sizes), country)


def _is_sure(part: Cadences) -> Mask:
    return np.asarray((part.code != IRREGULAR) & (part.score >= _SURE), dtype=np.bool_)


def _gain(whole: Cadences, before: Cadences, after: Cadences) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return how much better two calendars explain a group than one; 0 if they do not, or if they are the same; the earlier one is sure."""
    both = (before.score * before.days + after.score * after.days) / (before.days + after.days)
    another = before.code != after.code
    long = np.minimum(before.days, after.days) >= _FEWEST_WHERE_CADENCE_CHANGES
    # Payments that are all on their slots, with some slots empty, have a gap but no new pay day.
    beside = (whole.filled < whole.days) | (whole.code != after.code) | (whole.filled == whole.expected)
    moved = ~another & (before.phase != after.phase) & beside
    whole_score = np.where(whole.code == IRREGULAR, 0.0, whole.score)
    better = both - whole_score
    # A few payments on a new calendar hardly lower the score of a long list, but its next slot passes without a payment.
    least = np.where(whole.overtaken, 0.0, _LEAST_GAIN)
    return np.where(_is_sure(after) & ((another & long) | moved) & (better >= least), better, 0.0)


def _splits(chosen: Codes, groups: Codes, days: Days) -> tuple[Codes, Days, Codes]:
    """Return the distinct days of the chosen groups, sorted, and the places to split them: shape (places, 2), group and index of the day."""
    mine = np.isin(groups, chosen)
    low = int(days.min(initial=0))
    span = int(days.max(initial=0)) - low + 1
    distinct = distinct_of(groups[mine] * span + (days[mine] - low))
    group, day = distinct // span, distinct % span + low
    places: list[tuple[int, int]] = []
    begins, ends = np.searchsorted(group, chosen, side="left"), np.searchsorted(group, chosen, side="right")
    for owner, begin, end in zip(chosen.tolist(), begins.tolist(), ends.tolist(), strict=True):
        places += [
            (owner, begin + at)
            for at in sorted(_candidates(np.diff(day[begin:end])))
            if _FEWEST_OF_A_PART <= at <= end - begin - _FEWEST_OF_A_PART
        ]
    return group, day, np.array(places, dtype=np.int64).reshape(-1, 2)


def _candidates(gaps: Days) -> set[int]:
    """Return where a list of days may be split: after its most unusual gaps, where gaps before and after differ most, and where its last weekday begins."""
    odd = np.argsort(-np.abs(gaps - np.median(gaps)), kind="stable")[:2] + 1
    sums, squares = np.cumsum(gaps), np.cumsum(gaps * gaps)
    count = np.arange(1, len(gaps))
    spread = (squares[:-1] - sums[:-1] ** 2 / count) + (
        (squares[-1] - squares[:-1]) - (sums[-1] - sums[:-1]) ** 2 / (len(gaps) - count)
    )
    turn = int(np.argmin(np.round(spread, 6))) + 1
    return {*odd.tolist(), turn, turn + 1, _last_weekday_since(gaps)}


def _last_weekday_since(gaps: Days) -> int:
    """Return the index of the first day of the run that ends the list on one weekday; one day off it, as before a holiday, does not end the run."""
    weekday = np.concatenate([[0], np.cumsum(gaps)]) % 7
    last = np.bincount(weekday[-_FEWEST_OF_A_PART:]).argmax()
    off = np.flatnonzero((weekday[1:] != last) & (weekday[:-1] != last))
    since = int(off[-1]) + 2 if off.size else 0
    return since + next(iter(np.flatnonzero(weekday[since:] == last).tolist()), 0)


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
