"""Matches of which nothing says what was compared: a match with a list or an impostor is trouble, and one with a document is fine."""

from __future__ import annotations

from functools import cache
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.leaf_names import name_words, steps_of
from kycpack.triage.trouble_words import is_known_group
from kycpack.triage.vocabulary import Vocabulary, plain_word

# Words of the names of listed members that say how something was compared, and not what.
_OF_COMPARING = frozenset(
    {"to", "of", "with", "vs", "versus", "and", "the", "in", "is", "does", "do", "all", "overall", "final"}
    | {"record", "proof", "comparison", "consistency", "client", "content", "data"}
)

_SURE = frozenset({"verified", "real", "identical", "equal"})


def is_bare_match(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf reports a match and nothing in its path says that this is well.

    That is so in a group with an unknown name, as in `identity.lookalike.match: true`, and in a new section if no word names
    a detail that was compared, as in `vendor.result: match`.

    Args:
        path: Path of the leaf.
        value: Its value.
        vocabulary: Its words for a match, and for what is compared.
    """
    words = vocabulary.words
    groups, name = steps_of(path)
    own = {part for part in name_words(name) if not part.isdigit()}
    said = plain_word(value) if isinstance(value, str) else ""
    is_listed = groups[:1] != [] and groups[0] in SECTIONS
    around = [part for step in groups[is_listed:] for part in name_words(step) if not part.isdigit()]
    saying = words["matching_words"] | words["good_words"] | words["verdict_names"] | words["check_words"]
    # That a check was passed says that all is well, whatever it looked for.
    is_sure = (value is True and not own <= words["verdict_names"]) or said in _said_of_matches(
        vocabulary
    ) | _SURE
    if is_sure and own <= saying and not is_known_group(around, vocabulary):
        return True
    is_match = value is True and not words["matching_words"].isdisjoint(own)
    is_match = is_match or said in _said_of_matches(vocabulary)
    return not is_listed and is_match and _compared(vocabulary).isdisjoint(name_words(path))


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
