"""Members named after data whose text describes how the document looks or what became of the data, as in `birthName: overprinted`."""

from __future__ import annotations

from typing import Any

from kycpack.triage.results.data_leaves import is_written_as_name, names_somebody
from kycpack.triage.results.leaf_names import name_words, steps_of
from kycpack.triage.results.vocabulary import Vocabulary, text_words

_FIRST_BEYOND_LATIN = 0x250


def describes_state(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text is no name, place or number but says in what state it is; somebody may be called Void or Blank, and is looked at.

    Under a name of a person or a place, a text in small letters alone is a description too: names are written with a capital.

    Args:
        path: Path of a leaf that reads as plain data.
        value: Its value.
        vocabulary: Its words for states.
    """
    said = text_words(value) if isinstance(value, str) else []
    if not isinstance(value, str) or vocabulary.is_placeholder(" ".join(said)):
        return False
    words = vocabulary.words
    if not words["state_words"].isdisjoint(said) and (
        words["state_words"] | words["words_of_states"]
    ).issuperset(said):
        return True
    own = name_words(steps_of(path)[1])
    is_naming = "place" in own or not words["naming_words"].isdisjoint(own[-1:])
    return (
        is_naming
        and names_somebody(path, vocabulary)
        and any(word.isalpha() and ord(word[0]) < _FIRST_BEYOND_LATIN for word in said)
        and not is_written_as_name(value)
    )
