"""Parent and child: names with the same words that name different people first.

A name with a mark of descent, as in Khalid bin Omar, names the person before the mark and a parent after it. If given names
follow each other, the second is often the father's in Arabic and in India, so Khalid Omar Haddad and Omar Khalid Haddad are two people.
"""

from __future__ import annotations

from collections.abc import Sequence

from kycpack.triage.names.name_lexicon import name_lexicon
from kycpack.triage.names.name_words import Custom, compare_words
from kycpack.triage.names.romanisation import INDIAN, INDONESIAN, traditions_of
from kycpack.triage.names.transliteration import Word

_FEWEST_GIVEN_AND_FAMILY, _NEIGHBOURS = 3, 2
_NAME_AND_PARENT, _LONG_NAME = 2, 7
_OF_ONE_NAME = frozenset({INDIAN, INDONESIAN})


def names_a_parent(one: Sequence[Word], other: Sequence[Word], custom: Custom) -> bool:
    """Return whether the person named before a mark of descent in one name is not the person in the other.

    Args:
        one: The words of a name.
        other: The words of the other name.
        custom: How words are compared.
    """
    return _parent_of(one, other, custom) or _parent_of(other, one, custom)


def _parent_of(one: Sequence[Word], other: Sequence[Word], custom: Custom) -> bool:
    own = _own(one)
    # A name that parent and child share is the family name, such as Khan.
    parents = {word.text for word in one[len(own) :]}
    own = [word for word in own if word.text not in parents]
    if not own or _starts_with_mark(other):
        return False
    theirs = _own(other) or other
    return all(compare_words(mine, word, custom) is None for mine in own for word in theirs)


def _own(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words before the first mark of descent; empty if there is no mark."""
    marks = name_lexicon().marks_of_descent
    return next((words[:place] for place, word in enumerate(words) if word.text in marks), ())


def _starts_with_mark(words: Sequence[Word]) -> bool:
    return words[0].text in name_lexicon().marks_of_descent


def swaps_neighbours(order: Sequence[int]) -> int:
    """Return where two neighbouring words are swapped while all others stay in place, which moving the family name cannot cause.

    The two are given names at the beginning, such as a person's and the father's, or family names at the end, as in Spain.

    Args:
        order: For each word of one name, without particles, its position in the other name.

    Returns:
        The position of the second of the two words; 0 if no two neighbours are swapped.
    """
    if len(order) < _FEWEST_GIVEN_AND_FAMILY:
        return 0
    moved = [place for place, found in enumerate(order) if place != found]
    return moved[1] if len(moved) == _NEIGHBOURS and moved[1] - moved[0] == 1 else 0


def is_mononym_with_parent(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Return whether one is a single name, and the other is the same name with a mark of descent and a parent's name.

    In India and Indonesia, where many people have only one name, the parent's name may follow without a mark.

    A name that many people have, which is listed in `spellings.yaml`, `short_forms.yaml` or `known.yaml`, is not enough by itself unless it
    is a long one.
    """
    single, longer = sorted((one, other), key=len)
    if len(single) != 1 or len(longer) == 1:
        return False
    name = single[0].text
    marked = [word.text for word in _own(longer)] == [name]
    by_custom = traditions_of(single) & _OF_ONE_NAME
    followed = len(longer) == _NAME_AND_PARENT and longer[0].text == name and bool(by_custom)
    known = name in name_lexicon().known
    long = len(name) >= _LONG_NAME
    return (marked and (not known or (long and bool(by_custom)))) or (followed and long and not known)
