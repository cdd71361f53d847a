"""Parent and child: names of the same words in which another person is named first.

A name with a mark of descent, as in Khalid bin Omar, names the person before the mark and a parent after it. Where given names
follow each other, the second is often the father's, so Khalid Omar Haddad and Omar Khalid Haddad are two people.
"""

from __future__ import annotations

from collections.abc import Sequence

from kycpack.triage.name_lexicon import name_lexicon
from kycpack.triage.name_words import Custom, compare_words
from kycpack.triage.transliteration import Word

_FEWEST_GIVEN_AND_FAMILY = 3


def names_a_parent(one: Sequence[Word], other: Sequence[Word], custom: Custom) -> bool:
    """Tell whether the person named before a mark of descent in one name is not the person of the other.

    Args:
        one: The words of a name.
        other: Those of the other name.
        custom: How words are compared.
    """
    return _parent_of(one, other, custom) or _parent_of(other, one, custom)


def _parent_of(one: Sequence[Word], other: Sequence[Word], custom: Custom) -> bool:
    own = _own(one)
    if not own or _starts_with_mark(other):
        return False
    theirs = _own(other) or other
    return all(compare_words(mine, word, custom) is None for mine in own for word in theirs)


def _own(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words before the first mark of descent; none where there is no mark."""
    marks = name_lexicon().marks_of_descent
    return next((words[:place] for place, word in enumerate(words) if word.text in marks), ())


def _starts_with_mark(words: Sequence[Word]) -> bool:
    return words[0].text in name_lexicon().marks_of_descent


def swaps_given_names(order: Sequence[int]) -> bool:
    """Tell whether two given names changed places while what follows them stayed: no change that moving the family name makes.

    Args:
        order: The place in one name of each word of the other, without particles.
    """
    return len(order) >= _FEWEST_GIVEN_AND_FAMILY and list(order) == [1, 0, *range(2, len(order))]


def is_mononym_with_parent(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Tell whether one is a single name, and the other the same name with a mark of descent and a parent's name.

    A name that many people bear, which `spellings.yaml`, `short_forms.yaml` or `known.yaml` know, says too little alone.
    """
    single, longer = sorted((one, other), key=len)
    return (
        len(single) == 1
        and [word.text for word in _own(longer)] == [single[0].text]
        and single[0].text not in name_lexicon().known
    )
