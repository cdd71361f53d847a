"""Free text under the name of data: how the document looks or what became of the data, as in `birthName: overprinted` and `birthName: legible`, and facts about a person that nothing judges, as in `occupation: baker`.

The noun of a name shows that it is data, and the text of a fact has to read as such: a verdict, trouble or a prominent public function there is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from kycpack.triage.results.data_groups import words_of_text
from kycpack.triage.results.data_leaves import (
    FIRST_BEYOND_LATIN,
    MARK,
    NAMES,
    is_known_or_name,
    is_written_as_name,
    names_somebody,
)
from kycpack.triage.results.further_people import is_of_second_person
from kycpack.triage.results.leaf_details import READINGS, detail_of, in_data_group, named
from kycpack.triage.results.trouble_words import holds_data, in_claiming_group, in_trouble_group
from kycpack.triage.results.vocabulary import (
    Vocabulary,
    name_words,
    plain_word,
    steps_of,
    text_words,
    words_around,
    words_of,
)

_LONGEST_TEXT = 8
_WORDS = words_of("described_states")
# Only these marks are in the name of work or of a firm.
_PLAIN = re.compile(r"[\w\s.,'\u2019&()/+-]+")
_WHO = ("er", "eer", "or", "ist", "ian", "man", "woman")
_SHORTEST_WHO = 5

# No name has these, and a template or a masked name does.
_NOT_OF_NAMES = re.compile(r"[?*%{}\[\]|=~^#@]")


def stands_for_data(path: str, value: Any, vocabulary: Vocabulary, *, is_fine: bool) -> bool:
    """Return whether a text says of data of the person, the document or the address that it is in order, where the data itself should be.

    Args:
        path: Path of a leaf that reads as fine or as plain data.
        value: Its value.
        vocabulary: Its words for verdicts and states.
        is_fine: Whether it reads as fine. Of a detail that is compared, such as the date of birth on the chip, that may be the verdict of the comparison.
    """
    if not _takes_place_of_data(path, value, vocabulary):
        return False
    is_compared = is_fine and _may_be_compared(path, vocabulary)
    states = (
        vocabulary["state_words"] | vocabulary["states_in_order"] if is_compared else _in_order(vocabulary)
    )
    return _consists_of(value, states, vocabulary)


def reports_trouble_for_data(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text is a word for trouble, as the verdict of a check is, where data of the person, the document or the address should be.

    Args:
        path: Path of a leaf that reads as plain data.
        value: Its value.
        vocabulary: Its words for trouble.
    """
    return _takes_place_of_data(path, value, vocabulary) and _consists_of(
        value, _of_trouble(vocabulary), vocabulary
    )


def is_judged_as_data(path: str, text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text among data, of one person alone, is in doubt only because its words are those of a verdict or a state."""
    return (
        stands_for_data(path, text, vocabulary, is_fine=False)
        or reports_trouble_for_data(path, text, vocabulary)
        or describes_state(path, text, vocabulary)
    ) and not (in_claiming_group(path, vocabulary) or is_of_second_person(path))


def _takes_place_of_data(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text stands where data should be and is not written as a name that people and places have."""
    said = text_words(value) if isinstance(value, str) else []
    own = [part for part in name_words(named(path)[1]) if not part.isdigit()]
    names_data = (
        not (vocabulary["naming_words"] | _WORDS["data"] | NAMES).isdisjoint(own[-1:])
        or names_fact(own, vocabulary)
        # As in `dateOfIssue`.
        or (len(own) == 3 and own[1] == "of" and own[0] in {"date", "place"})
        or (own == ["state"] and path.startswith("address."))
    )
    is_name = (
        is_written_as_name(str(value))
        and _WORDS["no_names"].isdisjoint([*own[:1], *own[-1:]])
        and vocabulary["names_like_states"].issuperset(said)
    )
    if not _WORDS["coloured"].isdisjoint(own[-1:]):
        is_name = said == ["green"]
    return (
        names_data
        and not is_name
        and not vocabulary.is_placeholder(" ".join(said))
        and (
            in_data_group(path, vocabulary)
            or holds_data(path, vocabulary)
            or _is_bare_data(path, own, vocabulary)
        )
    )


def _is_bare_data(path: str, own: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is named after data of the document that nothing is compared with, in its section itself or in groups that judge nothing; that an address or a telephone number is verified may be what a register says."""
    judging = (
        vocabulary["judging_words"]
        | vocabulary["check_words"]
        | vocabulary["good_words"]
        | vocabulary["matching_words"]
    )
    return (
        path.startswith("document.")
        and not detail_of(path, vocabulary)
        and (vocabulary["data_names"] | vocabulary["data_words"] | _WORDS["data"]).issuperset(own)
        and (judging | vocabulary["denied_words"] | vocabulary["asserting_groups"]).isdisjoint(
            words_around(path)
        )
        and not in_trouble_group(path, vocabulary)
    )


def _may_be_compared(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is named after a detail that two readings of the document have, and is in one of them, or after a telephone number or an address of mail, which is verified."""
    if in_data_group(path, vocabulary):
        return False
    is_reading = not READINGS.isdisjoint(words_around(path)) and bool(detail_of(path, vocabulary))
    return is_reading or not vocabulary["contact_words"].isdisjoint(name_words(path))


def _consists_of(text: str, states: frozenset[str], vocabulary: Vocabulary) -> bool:
    """Return whether a text is one of some words, or has one of them and beside it only words that describe a state."""
    said = text_words(text)
    beside = vocabulary["words_of_states"] | vocabulary["remark_words"] | vocabulary["likely_words"]
    return plain_word(text) in states or (not states.isdisjoint(said) and (states | beside).issuperset(said))


@cache
def _of_trouble(vocabulary: Vocabulary) -> frozenset[str]:
    found = vocabulary["trouble_values"] | vocabulary.kinds["check"].trouble
    # A word for yes or no in another language may be a name, as Tak is.
    return frozenset(word for word in found if isinstance(word, str)) - vocabulary["answers"]


@cache
def _in_order(vocabulary: Vocabulary) -> frozenset[str]:
    remarks = vocabulary.remarks
    return remarks.good.union(
        remarks.matching,
        *(
            vocabulary[name]
            for name in (
                "states_in_order",
                "good_words",
                "more_good",
                "matching_words",
                "done_words",
                "done_alone",
                "feature_seen",
                "fine_values",
                "well_values",
            )
        ),
    )


def describes_state(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text is no name, place or number but says in what state it is; somebody may be called Void or Blank, and is looked at.

    Under a name of a person or a place, a text in small letters alone is a description too: names are written with a capital. So are several words for states and
    what stands beside them, a text with a word of remarks or that begins with a denial, and a mark such as `XXXX`, `????` or `B***`.

    Args:
        path: Path of a leaf that reads as plain data.
        value: Its value.
        vocabulary: Its words for states.
    """
    if not isinstance(value, str):
        return False
    said = text_words(value)
    own = name_words(steps_of(path)[1])
    is_naming = "place" in own or not vocabulary["naming_words"].isdisjoint(own[-1:])
    names_one = is_naming and names_somebody(path, vocabulary)
    names_further = is_naming and _names_further(path, own, vocabulary)
    is_number = value.isdecimal() and (names_further or not NAMES.isdisjoint(own[-1:]))
    if (names_one or names_further) and (MARK.fullmatch(value.strip()) or is_number):
        return True
    if vocabulary.is_placeholder(" ".join(said)):
        return False
    describes = (vocabulary["state_words"] | vocabulary["words_of_states"]).issuperset(said)
    if describes and not vocabulary["state_words"].isdisjoint(said):
        return True
    has_remark = not vocabulary["remark_words"].isdisjoint(said)
    if is_naming and (said[0] in _WORDS["denying"] or (names_further and has_remark)):
        return True
    is_latin = any(word.isalpha() and ord(word[0]) < FIRST_BEYOND_LATIN for word in said)
    return names_one and (
        (describes and len(said) > 1)
        or has_remark
        or _NOT_OF_NAMES.search(value) is not None
        or (is_latin and not is_written_as_name(value))
    )


def _names_further(path: str, own: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether a leaf of the document is named after a further name or a place of a person, in a group of data or in none."""
    return (
        path.startswith("document.")
        and not _WORDS["of_persons"].isdisjoint(own[:-1])
        and (holds_data(path, vocabulary) or _is_bare_data(path, own, vocabulary))
    )


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
