"""The number of screening matches that the results give has to be at least the number of those that they list, and no higher than what they name the lists of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from kycpack.frames.listed_matches import names_matches
from kycpack.triage.case_file import Observation
from kycpack.triage.levels import HIT
from kycpack.triage.paths import UNNAMED_MATCHES
from kycpack.triage.results.leaf_details import is_listed, kind_of
from kycpack.triage.results.list_entries import (
    counts,
    counts_category,
    entries_of,
    names_category,
    names_list,
)
from kycpack.triage.results.unlisted_leaves import read_leaf
from kycpack.triage.results.vocabulary import Vocabulary

_COUNT = "screening.matchCount"


def uncounted_matches(
    seen: Sequence[Observation], vocabulary: Vocabulary
) -> Iterator[tuple[Observation, str]]:
    """Yield the number of matches in a session's results if they list more.

    Args:
        seen: The observations of one session.
        vocabulary: How the members of a match are read.

    Yields:
        The observation, and a description such as `a match count that is lower than the number of matches listed (2)`.
    """
    listed = {
        place
        for one, place in zip(seen, entries_of(seen), strict=True)
        if _is_match(place) and read_leaf(one, vocabulary) == HIT
    }
    for one in seen:
        if one.path == _COUNT and isinstance(one.value, Decimal) and 0 <= one.value < len(listed):
            yield one, f"a match count that is lower than the number of matches listed ({len(listed)})"


def unnamed_matches(seen: Sequence[Observation], vocabulary: Vocabulary) -> Iterator[Observation]:
    """Yield of how many matches in a session's results the list is not named, if there are any; a value in place of their number is yielded as it is, as it says of none.

    A category with a match accounts for one, or for as many as it counts; a match that is listed accounts for one if a member of it names its list. It
    may be that of a category, so the higher number of the two counts.

    Args:
        seen: The observations of one session.
        vocabulary: How the members of the screening are read.
    """
    for counted in seen:
        total = counted.value
        if counted.path != _COUNT or total is None:
            continue
        left, note = total, ""
        if isinstance(total, Decimal):
            left = total - _accounted_for(seen, total, vocabulary)
            note = f"{left:,f} of {total:,f} {'match' if total == 1 else 'matches'}"
        if not isinstance(total, Decimal) or left > 0:
            yield Observation(UNNAMED_MATCHES, left, counted.evidence_ids, note)


def _accounted_for(seen: Sequence[Observation], total: Decimal, vocabulary: Vocabulary) -> Decimal:
    found: set[str] = set()
    named: set[str] = set()
    in_categories = Decimal(0)
    for one, place in zip(seen, entries_of(seen), strict=True):
        if place and names_list(one, place, vocabulary):
            named.add(place)
        if not _has_match(one, vocabulary):
            continue
        if place:
            found.add(place)
        elif isinstance(one.value, Decimal):
            in_categories += one.value if one.value <= total and counts_category(one) else 0
        elif names_category(one):
            in_categories += 1
    return max(in_categories, Decimal(len(found & named)))


def _has_match(one: Observation, vocabulary: Vocabulary) -> bool:
    """Return whether a member of the screening has a match and is a category or a match that is listed, and not the outcome or a number of all matches."""
    if not one.path.startswith("screening.") or counts(one):
        return False
    if kind := kind_of(one.path, vocabulary):
        return vocabulary.judge(kind, one.value)[0] == HIT
    return not is_listed(one.path, vocabulary) and read_leaf(one, vocabulary) == HIT


def _is_match(place: str) -> bool:
    """Return whether an entry of a list, or a group, is a match: a member on the way to it is named after matches, and it is in no entry of another list."""
    steps = place.split(".")
    return any(map(names_matches, steps)) and not any(map(str.isdecimal, steps[:-1]))
