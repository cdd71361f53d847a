"""Words beside a name that are no part of it: the person has died, somebody else is named, or the words are no name at all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from kycpack.assets import asset_yaml
from kycpack.triage.likeness import ALIAS, DECEASED, NOT_A_NAME, SECOND_PERSON
from kycpack.triage.names.transliteration import Word

_FILE = "names/further_words.yaml"
_KINDS = {"deceased": DECEASED, "second_person": SECOND_PERSON, "alias": ALIAS, "no_name": NOT_A_NAME}
_SHORTEST = 3
_DESCENT = r"(?:[sdw]/o|a/[lp]|(?:son|daughter|wife|widow)\s+of)(?!\w)"  # a/l is anak lelaki in Malay
# At the beginning these words do not name the person's own parent, but somebody who is related to the person.
_RELATED_TO = re.compile(rf"^\W*(?:the\s+)?{_DESCENT}", re.IGNORECASE)
MARK_OF_DESCENT = re.compile(rf"(?<!\w){_DESCENT}", re.IGNORECASE)
_FOR_ANOTHER = re.compile(r"(?<!\w)(?:c/o|p/p|a/c|p\.p\.)(?!\w)", re.IGNORECASE)
_JOINING_SIGN = re.compile(r"(?<=\w)\W*\s*[&+;]\s*(?=\w)|(?<=\w)\s+/\s+(?=\w)")


class _Known(NamedTuple):
    kinds: dict[str, str]
    joining: frozenset[str]
    at_birth: frozenset[str]


@cache
def _known() -> _Known:
    known: dict[str, list[str]] = asset_yaml(_FILE)
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
    if word.is_particle or word.foreign or len(word.raw) < _SHORTEST or not word.raw.islower():
        return False
    return re.search(rf"(?:^|[\s(\[,]){re.escape(word.raw)}(?:$|[\s)\],.])", text) is not None
