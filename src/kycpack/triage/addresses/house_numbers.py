"""The numbers of an address: the street that each belongs to, whether two addresses number the same one, ranges of houses, and floors with doors."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from kycpack.triage.likeness import NUMBER_ROLE, ORDER

_RANGE = re.compile(r"(?<![\w/.-])(\d{1,4}[a-z]?) ?[-\u2013] ?(\d{1,4}[a-z]?)(?![\w/-])", re.IGNORECASE)
# As in Spain: 2º A is the second floor, door A.
_FLOOR_AND_DOOR = re.compile(
    r"(?:,\s*|(?<=\d)\s+)(\d{1,2})\s?[\u00ba\u00b0]\s?(?:([A-Za-z]|\d{1,2})|(izq|izda|izqda|izquierda|esq|esquerdo)|(dcha|dch|dta|dto|derecha|direito))?\.?(?=\s*(?:,|$))",
    re.IGNORECASE,
)

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


def with_ranges(line: str) -> str:
    """Return a line in which each range of numbers, as in `12-14`, reads as one number, `12t14`."""
    return _RANGE.sub(_range, line)


def is_in_range(number: str, numbers: str) -> bool:
    """Return whether a number of a house lies in a range of numbers as it is read, such as `12t14`."""
    first, is_range, last = numbers.partition("t")
    digits = [re.sub(r"\D", "", one) for one in (first, number, last)]
    return bool(is_range) and all(digits) and int(digits[0]) <= int(digits[1]) <= int(digits[2])


def with_floor_and_door(line: str) -> str:
    """Return a line in which `2º A` says floor and flat."""
    return _FLOOR_AND_DOOR.sub(_floor_and_door, line)


def _range(found: re.Match[str]) -> str:
    first, last = (int(re.sub(r"\D", "", number)) for number in found.groups())
    return f"{found[1]}t{found[2]}" if first < last else found[0]


def _floor_and_door(found: re.Match[str]) -> str:
    floor, door, left, right = found.groups()
    door = door or ("i" if left else "d" if right else "")
    return f", floor {floor}{f' flat {door}' if door else ''}"
