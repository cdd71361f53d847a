"""Matches in a new section of which nothing says what was compared: a match with a list is trouble, and one with a document is fine."""

from __future__ import annotations

from functools import cache
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.leaf_names import name_words
from kycpack.triage.vocabulary import Vocabulary, plain_word

# Words of the names of listed members that say how something was compared, and not what.
_OF_COMPARING = frozenset(
    {"to", "of", "with", "vs", "versus", "and", "the", "in", "is", "does", "do", "all", "overall", "final"}
    | {"record", "proof", "comparison", "consistency", "client", "content", "data"}
)


def is_bare_match(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf of a new section reports a match and no word of its path names a detail that was compared, as in `vendor.result: match`.

    Args:
        path: Path of the leaf.
        value: Its value.
        vocabulary: Its words for a match, and for what is compared.
    """
    if path.partition(".")[0] in SECTIONS:
        return False
    parts = name_words(path)
    if value is True:
        is_match = not vocabulary.words["matching_words"].isdisjoint(name_words(path.rpartition(".")[2]))
    else:
        is_match = isinstance(value, str) and plain_word(value) in _said_of_matches(vocabulary)
    return is_match and _compared(vocabulary).isdisjoint(parts)


@cache
def _said_of_matches(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the words that are well where something is compared, and trouble where somebody is looked for."""
    found = vocabulary.kinds["match"].trouble
    return frozenset(word for word in vocabulary.kinds["check"].fine & found if isinstance(word, str)) | (
        vocabulary.remarks.matching & found
    )


@cache
def _compared(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the words that name a detail of a person, a document or an address."""
    words = vocabulary.words
    saying = words["judging_words"] | words["verdict_names"] | words["check_words"] | words["matching_words"]
    return frozenset((vocabulary.listed_words | words["compared_words"]) - saying - _OF_COMPARING) | {
        "similarity"
    }
