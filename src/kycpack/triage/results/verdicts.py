"""Verdicts that need more than their word: a bare match or yes of which nothing says whether it is good news (a match with an impostor is trouble, and one with a document is fine), a verdict in place of data, and a refusal by the provider beside the outcome of a section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Observation
from kycpack.triage.results.leaf_details import in_data_group
from kycpack.triage.results.trouble_words import is_known_group
from kycpack.triage.results.vocabulary import (
    Vocabulary,
    name_words,
    own_words,
    plain_word,
    steps_of,
    words_of,
)

_WORDS = words_of("verdicts")


def is_bare_match(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf reports a match and nothing in its path says that this is well.

    That is so in a group with an unknown name, as in `identity.lookalike.match: true`, and in a new section if no word names
    a detail that was compared, as in `vendor.result: match`.

    Args:
        path: Path of the leaf.
        value: Its value.
        vocabulary: Its words for a match, and for what is compared.
    """
    groups, name = steps_of(path)
    own = {*own_words(name)}
    said = plain_word(value) if isinstance(value, str) else ""
    is_listed = groups[:1] != [] and groups[0] in SECTIONS
    around = [part for step in groups[is_listed:] for part in own_words(step)]
    saying = (
        vocabulary["matching_words"]
        | vocabulary["good_words"]
        | vocabulary["verdict_names"]
        | vocabulary["check_words"]
    )
    # That a check was passed says that all is well, whatever it looked for.
    is_sure = value is True and own <= saying and not own <= vocabulary["verdict_names"]
    # Of a word for yes, such as `found`, each word of the path has to be known; `tattooFound` is so with any word for it.
    is_said = said in _said_of_findings(vocabulary) or (
        not own.isdisjoint(_WORDS["finding"])
        and said in (vocabulary["feature_seen"] | vocabulary.remarks.matching) - vocabulary["fine_values"]
    )
    # In `governmentDatabase.documentNumber` it is clear what was compared.
    said_of = [*(around if own.isdisjoint(_compared(vocabulary)) else ()), *(own - saying)]
    if (is_sure and not is_known_group(around, vocabulary)) or (
        is_said and not is_known_group(said_of, vocabulary)
    ):
        return True
    is_match = value is True and not vocabulary["matching_words"].isdisjoint(own)
    is_match = is_match or said in _said_of_matches(vocabulary)
    # In a database may be those who are wanted, also in a section that compares.
    is_open = not is_listed or not _WORDS["listing"].isdisjoint(around)
    return is_open and is_match and _compared(vocabulary).isdisjoint([*around, *own])


def is_verdict_in_place_of_data(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether the value of what is named like data, as in `gun.type: yes`, is a verdict. In a group of data it may be a name.

    Args:
        path: Path of the leaf.
        value: Its value.
        vocabulary: Its words for yes and for a match.
    """
    said = plain_word(value) if isinstance(value, str) else ""
    # One letter is a code, as F is under `gender`; only y is always a yes.
    is_code = len(said) == 1 and said != "y"
    verdicts = vocabulary["answers"] | vocabulary["feature_seen"] | _said_of_findings(vocabulary)
    own = {*own_words(steps_of(path)[1])}
    return (
        said in verdicts
        and not is_code
        and not own <= vocabulary["good_to_find"] | vocabulary["done_words"]
        and not in_data_group(path, vocabulary)
    )


@cache
def _said_of_findings(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the words that are well where something should be there or agree, and trouble where it should not."""
    return _said_of_matches(vocabulary) | _WORDS["seen"] | _WORDS["sure"]


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
    saying = (
        vocabulary["judging_words"]
        | vocabulary["verdict_names"]
        | vocabulary["check_words"]
        | vocabulary["matching_words"]
    )
    return frozenset(
        (vocabulary.listed_words | vocabulary["compared_words"]) - saying - _WORDS["of_comparing"]
    ) | {"similarity"}


def refusals(seen: Sequence[Observation]) -> Iterator[tuple[Observation, str]]:
    """Yield the decisions in a session's results that refuse the customer, apart from the outcomes of the service's own sections.

    Args:
        seen: The observations of one session.

    Yields:
        The observation, and its description.
    """
    for one in seen:
        if not one.of_results or not isinstance(one.value, str):
            continue
        said = plain_word(one.value)
        refuses = said in _WORDS["refused"] or (said == "red" and "answer" in name_words(one.path))
        if refuses and _is_decision(one.path):
            yield one, "a decision of the provider that refuses the customer"


@lru_cache(maxsize=16_384)
def _is_decision(path: str) -> bool:
    """Return whether a leaf is the decision on a section or on all of the results."""
    # A decision may be a list of one.
    steps = path.rstrip("0123456789.").split(".")
    own = steps[1:] if steps[0] in SECTIONS else steps
    if not own or (steps[0] in SECTIONS and own == ["outcome"]):
        return False
    words = [name_words(step) for step in own]
    said = {part for step in words for part in step}
    return all(words) and said <= _WORDS["decisions"] and not said.isdisjoint(_WORDS["decided"])
