"""Names of nearly the same words that name different people: parent and child, another tone in Vietnamese, and words beside a name that are no part of it.

A name with a mark of descent, as in Khalid bin Omar, names the person before the mark and a parent after it. If given names
follow each other, the second is often the father's in Arabic and in India, so Khalid Omar Haddad and Omar Khalid Haddad are two people.
In Vietnamese another tone or vowel makes another name, such as Hoa and Hoà, unless one name leaves the diacritics out.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from kycpack.assets import asset_yaml
from kycpack.triage.likeness import ALIAS, DECEASED, NOT_A_NAME, SECOND_PERSON
from kycpack.triage.names.name_words import Custom, compare_words
from kycpack.triage.names.romanisation import INDIAN, INDONESIAN, traditions, traditions_of
from kycpack.triage.names.transliteration import Word, name_lexicon

_KINDS = {"deceased": DECEASED, "second_person": SECOND_PERSON, "alias": ALIAS, "no_name": NOT_A_NAME}
_SHORTEST = 3
_DESCENT = r"(?:[sdw]/o|a/[lp]|(?:son|daughter|wife|widow)\s+of)(?!\w)"  # a/l is anak lelaki in Malay
# At the beginning these words do not name the person's own parent, but somebody who is related to the person.
_RELATED_TO = re.compile(rf"^\W*(?:the\s+)?{_DESCENT}", re.IGNORECASE)
MARK_OF_DESCENT = re.compile(rf"(?<!\w){_DESCENT}", re.IGNORECASE)
_FOR_ANOTHER = re.compile(r"(?<!\w)(?:c/o|p/p|a/c|p\.p\.)(?!\w)", re.IGNORECASE)
_JOINING_SIGN = re.compile(r"(?<=\w)\W*\s*[&+;]\s*(?=\w)|(?<=\w)\s+/\s+(?=\w)")

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
    if len(order) < 3:
        return 0
    moved = [place for place, found in enumerate(order) if place != found]
    return moved[1] if len(moved) == 2 and moved[1] - moved[0] == 1 else 0


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


class _Known(NamedTuple):
    kinds: dict[str, str]
    joining: frozenset[str]
    at_birth: frozenset[str]


@cache
def _known() -> _Known:
    known: dict[str, list[str]] = asset_yaml("names/further_words.yaml")
    kinds = {word: kind for group, kind in _KINDS.items() for word in known[group]}
    return _Known(kinds, frozenset(known["joining"]), frozenset(known["at_birth"]))


def is_of_birth(word: Word) -> bool:
    """Return whether a word introduces the name at birth, as `née` does."""
    return word.text in _known().at_birth


def kinds_beside(one: tuple[str, Sequence[Word]], other: tuple[str, Sequence[Word]]) -> frozenset[str]:
    """Return the kinds of likeness, from `likeness.KINDS`, that words of only one name stand for; empty if they may all be names.

    Args:
        one: A name as it was written, and its words.
        other: The other name.
    """
    found = _kinds(*one, other[1]) | _kinds(*other, one[1]) | _by_text(one[0], other[0])
    # Such as `of` in `Estate of`.
    return found - {NOT_A_NAME} or found


def _by_text(one: str, other: str) -> frozenset[str]:
    signs = (_RELATED_TO, _FOR_ANOTHER, _JOINING_SIGN)
    differ = any(bool(sign.search(one)) != bool(sign.search(other)) for sign in signs)
    return frozenset({SECOND_PERSON}) if differ else frozenset()


def _kinds(text: str, words: Sequence[Word], others: Sequence[Word]) -> frozenset[str]:
    known = _known()
    further = Counter(word.text for word in words) - Counter(word.text for word in others)
    # Written in lower case among words that have capitals, a word is not a name, apart from particles.
    capitals = any(word.raw[:1].isupper() for word in words if word.text not in further)
    found: set[str] = set()
    for place, word in enumerate(words):
        if word.text not in further or word.text in known.at_birth:
            continue
        if word.text in known.joining and 0 < place < len(words) - 1:
            found.add(SECOND_PERSON)
        elif word.text in known.kinds:
            found.add(known.kinds[word.text])
        elif any(map(str.isdigit, word.text)) or (capitals and _is_in_lower_case(word, text)):
            found.add(NOT_A_NAME)
    return frozenset(found)


def _is_in_lower_case(word: Word, text: str) -> bool:
    """Return whether a word that is no part of a compound is written in lower case."""
    return (
        not (word.is_particle or word.foreign)
        and len(word.raw) >= _SHORTEST
        and word.raw.islower()
        and re.search(rf"(?:^|[\s(\[,]){re.escape(word.raw)}(?:$|[\s)\],.])", text) is not None
    )


def marks_differ(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Return whether two Vietnamese names of the same letters have different diacritics, so that they are two names.

    If only one of the names has diacritics, or one leaves out those of several words, the names are not shown to differ.

    Args:
        one: The words of a name.
        other: The same words, apart from diacritics.
    """
    families = traditions()["vietnamese"].families
    if one[0].text not in families and one[-1].text not in families:
        return False
    pairs = [(_marks(left), _marks(right)) for left, right in zip(_sorted(one), _sorted(other), strict=True)]
    if not any(marks for marks, _ in pairs) or not any(marks for _, marks in pairs):
        return False
    unlike = [(marks, others) for marks, others in pairs if marks != others]
    return any(marks and others for marks, others in unlike) or len(unlike) == 1


def _sorted(words: Sequence[Word]) -> list[Word]:
    return sorted(words, key=lambda word: word.text)


def _marks(word: Word) -> tuple[str, ...]:
    """Return the diacritics in a word, wherever they are: a tone may be placed on either of two vowels."""
    letters = unicodedata.normalize("NFD", word.raw.lower())
    return tuple(sorted(letter for letter in letters if unicodedata.combining(letter) or letter == "\u0111"))
