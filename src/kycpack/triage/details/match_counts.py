"""The number of screening matches that the results give has to be at least the number of those that they list, and some category of lists has to have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from kycpack.frames.listed_matches import names_matches
from kycpack.triage.case_file import Observation
from kycpack.triage.levels import HIT
from kycpack.triage.results.leaf_details import kind_of
from kycpack.triage.results.list_entries import entries_of
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
    """Yield the number of matches in a session's results if no other member of the screening has one, so that the list is not known.

    Args:
        seen: The observations of one session.
        vocabulary: How the members of the screening are read.
    """
    if any(_has_match(one, vocabulary) for one in seen):
        return
    for one in seen:
        if one.path == _COUNT and isinstance(one.value, Decimal) and one.value > 0:
            yield one


def _has_match(one: Observation, vocabulary: Vocabulary) -> bool:
    if not one.path.startswith("screening.") or one.path == _COUNT:
        return False
    kind = kind_of(one.path, vocabulary)
    said = vocabulary.judge(kind, one.value)[0] if kind else read_leaf(one, vocabulary)
    return said == HIT


def _is_match(place: str) -> bool:
    """Return whether an entry of a list, or a group, is a match: a member on the way to it is named after matches, and it is in no entry of another list."""
    steps = place.split(".")
    return any(map(names_matches, steps)) and not any(map(str.isdecimal, steps[:-1]))
