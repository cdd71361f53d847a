"""What a provider says of a person in free text and nothing judges, such as `occupation` and `employer`.

The noun of the name shows that it is data, and the text has to read as such: a verdict, trouble or a prominent public function there is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from kycpack.triage.results.data_groups import words_of_text
from kycpack.triage.results.data_leaves import MARK, is_known_or_name, is_written_as_name
from kycpack.triage.results.leaf_details import in_data_group
from kycpack.triage.results.trouble_words import holds_data, in_trouble_group
from kycpack.triage.results.vocabulary import Vocabulary, plain_word, text_words, words_around, words_of

_LONGEST_TEXT = 8
_WORDS = words_of("personal_facts")
# Only these marks are in the name of work or of a firm.
_PLAIN = re.compile(r"[\w\s.,'\u2019&()/+-]+")
_WHO = ("er", "eer", "or", "ist", "ian", "man", "woman")
_SHORTEST_WHO = 5


def is_fact_of_person(path: str, own: Sequence[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf outside screening is a fact of a person in free text that reads as one.

    Args:
        path: Path of the leaf. A group around it holds data, or there is none but its section.
        own: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its names of facts, and its words for work, verdicts and trouble.
    """
    judging = (
        vocabulary["judging_words"]
        | vocabulary["check_words"]
        | vocabulary["denied_words"]
        | vocabulary["matching_words"]
    )
    return (
        isinstance(value, str)
        and not path.startswith("screening.")
        and names_fact(own, vocabulary)
        and (in_data_group(path, vocabulary) or holds_data(path, vocabulary) or not words_around(path))
        and judging.isdisjoint(words_around(path))
        and not in_trouble_group(path, vocabulary)
        and _is_told(value, vocabulary)
    )


def names_fact(own: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Return whether the words of a name are those of a fact of a person, whoever the person is said to be."""
    return any(
        "".join(own[at:]) in vocabulary["facts_of_person"] and _WORDS["whose"].issuperset(own[:at])
        for at in range(len(own))
    )


def _is_told(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text is the name of work, a firm, a school or a belief, and has no word of anything else."""
    said = words_of_text(text.replace("_", " "))
    ordinary = vocabulary["ordinary_in_work"]
    rest = [word for word in said if word not in ordinary or _names_who(word)]
    functions = vocabulary["public_functions"]
    return (
        bool(rest)
        and len(text_words(text)) <= _LONGEST_TEXT
        and _PLAIN.fullmatch(text) is not None
        and MARK.fullmatch(text.strip()) is None
        and not vocabulary.is_placeholder(text)
        and plain_word(text) not in vocabulary["answers"]
        and (_wrong(vocabulary) - ordinary).isdisjoint(rest)
        and not any(phrase in text.casefold() for phrase in vocabulary["phrases_for_a_look"])
        and (functions - {"general"}).isdisjoint(rest)
        and vocabulary["trouble_in_work"].isdisjoint(said)
        and rest[-1] != "general"
        and not vocabulary.has_stem(said, "trouble_names")
        and all(_is_of_work(token, vocabulary) for token in text.replace("_", " ").replace("/", " ").split())
    )


def _is_of_work(token: str, vocabulary: Vocabulary) -> bool:
    """Return whether a part of a text is written as a name, or is a word of work."""
    said = text_words(token)
    return all(
        word in vocabulary["work_words"] or word in vocabulary["ordinary_in_work"] or _names_who(word)
        for word in said
    ) or (is_written_as_name(token) and is_known_or_name(token, vocabulary))


def _names_who(word: str) -> bool:
    return len(word) >= _SHORTEST_WHO and word.endswith(_WHO) and word not in _WORDS["nobody"]


@cache
def _wrong(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the words that no fact of a person has: those of a verdict, of trouble, of doubt and of how something looks."""
    wrong = frozenset().union(
        *(
            vocabulary[name]
            for name in (
                *("verdict_words", "denied_words", "turning_words", "trouble_values", "words_for_a_look"),
                *("likely_words", "state_words", "good_words", "matching_words", "states_in_order"),
            )
        )
    )
    return wrong - vocabulary["names_like_states"] - vocabulary["work_words"]
