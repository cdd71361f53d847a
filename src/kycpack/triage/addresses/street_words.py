"""The street that a house number belongs to: its words as they read, and whether two addresses number the same one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from kycpack.triage.likeness import NUMBER_ROLE, ORDER

_DIRECTIONS = frozenset(
    {"north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest"}
)


class Street(NamedTuple):
    """The words that a house number belongs to.

    Attributes:
        words: The words, as they read; without commas they may include what follows the street.
        core: The words without the kind of street at the end, or at the beginning, such as Avenue.
        number_last: Whether the number stands after the words.
    """

    words: tuple[str, ...]
    core: tuple[str, ...] = ()
    number_last: bool = False


NO_STREET = Street(())


def street_of(before: Sequence[str], after: Sequence[str], kinds: frozenset[str]) -> Street:
    """Return the street of a house number.

    Args:
        before: The words before the number in its part of the address.
        after: The words after it.
        kinds: Words for kinds of streets.
    """
    number_last = not after or (kinds.isdisjoint(after) and not kinds.isdisjoint(before))
    words = tuple(before if number_last else _up_to_kind(after, kinds))
    if words and words[-1] in kinds:
        return Street(words, words[:-1], number_last)
    return Street(words, words[1:] if words and words[0] in kinds else words, number_last)


def _up_to_kind(words: Sequence[str], kinds: frozenset[str]) -> Sequence[str]:
    """Return the words up to the last kind of street, and a direction after it; all if the kind comes first, as in rue Monge."""
    end = max((place for place, word in enumerate(words) if word in kinds), default=0) + 1
    while end < len(words) and words[end] in _DIRECTIONS:
        end += 1
    return words if end == 1 else words[:end]


def difference_of_streets(
    one: tuple[Street, Collection[str]],
    other: tuple[Street, Collection[str]],
    alike: Callable[[str, str], bool],
) -> str:
    """Return how two addresses with the same words may still number two streets.

    Args:
        one: The street, and all words of the address.
        other: Those of the other address.
        alike: Whether two words are the same word, perhaps in another spelling.

    Returns:
        `ORDER` if the words of the street are in another order, `NUMBER_ROLE` if the number is with other words; otherwise empty.
    """
    (street, words), (peer, other_words) = one, other
    if not street.words or not peer.words or _are_alike(street.words, peer.words, alike):
        return ""
    moved = _lacking(street.words, peer.words, alike), _lacking(peer.words, street.words, alike)
    if not any(moved):
        return "" if _are_alike(street.core, peer.core, alike) else ORDER
    shorter, longer = sorted((street, peer), key=lambda found: len(found.words))
    size = len(shorter.words)
    if _are_alike(longer.words[:size], shorter.words, alike):
        return ""
    if longer.number_last and _are_alike(longer.words[-size:], shorter.words, alike):
        return ""
    elsewhere = len(_lacking(moved[0], other_words, alike)) < len(moved[0])
    elsewhere = elsewhere or len(_lacking(moved[1], words, alike)) < len(moved[1])
    return NUMBER_ROLE if elsewhere else ""


def _are_alike(one: Sequence[str], other: Sequence[str], alike: Callable[[str, str], bool]) -> bool:
    return len(one) == len(other) and all(map(alike, one, other))


def _lacking(
    words: Sequence[str], others: Collection[str], alike: Callable[[str, str], bool]
) -> Sequence[str]:
    return [word for word in words if not any(alike(word, other) for other in others)]
