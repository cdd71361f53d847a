"""Unlisted leaves in groups of data, such as a chip or a device.

A text, a number or a capability there is plain data, unless its name or its words need a review.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from functools import cache
from typing import Any

from kycpack.triage.addresses.places import without_places
from kycpack.triage.results.data_leaves import (
    DATE,
    NAMES,
    are_known,
    is_impossible,
    is_known_or_name,
    is_written_as_name,
)
from kycpack.triage.results.leaf_details import is_new_contact
from kycpack.triage.results.neutral_facts import is_date_of_machine, is_possible_day
from kycpack.triage.results.trouble_words import (
    holds_data,
    in_claiming_group,
    in_trouble_group,
    is_known_group,
)
from kycpack.triage.results.vocabulary import (
    Vocabulary,
    name_words,
    plain_word,
    text_words,
    words_around,
    words_of,
)

_LONGEST_TEXT = 6
_LONGEST_LINE = 30
_CLOCK = re.compile(r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]+)?")
_NUMBER = re.compile(r"(-?[0-9]{1,3}(?:\.[0-9]+)?) ?%?")
_WORDS = words_of("data_groups")
_ZONE = re.compile(r"[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_]+){1,2}|UTC|GMT")
# The name of a program and its version, as in `biom 5.0`.
_VERSION = re.compile(r"[A-Za-z][A-Za-z0-9-]* v?[0-9]+(?:[.-][0-9]+)+")
LINK = re.compile(r"https?://[^\s<>\"]+")
_BOUND = (["not", "after"], ["not", "before"])


def is_plain_in_data_group(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is in a group of data and is plain data.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its lists of groups, names and words.
    """
    return holds_data(path, vocabulary) and is_plain_data(path, own, value, vocabulary)


def is_link(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is a link to a schema, a page or a picture of the provider, and its words look for no trouble."""
    return (
        isinstance(value, str)
        and LINK.fullmatch(value) is not None
        and not (_WORDS["linked"] | vocabulary["picture_words"]).isdisjoint(own[-1:])
        and claims_nothing(
            path, [part for part in own if part not in _WORDS["linked"]] or ["link"], vocabulary
        )
    )


def leads_to_unknown(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is a link that may lead to evidence of trouble: a group around it is named after something nobody knows, as in `gun.url`, or it or the link names what looks for trouble."""
    if not isinstance(value, str) or LINK.fullmatch(value) is None:
        return False
    around, said = words_around(path), text_words(value)
    return (
        not is_known_group({*around} - _WORDS["linked"], vocabulary)
        or not vocabulary.trouble_sought.isdisjoint([*around, *said])
        or vocabulary.has_stem(said, "trouble_names")
    )


def claims_nothing(path: str, own: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether the name of a leaf outside screening has known words alone that are no verdict, and nothing around it is about trouble."""
    return (
        bool(own)
        and is_known_group(own, vocabulary)
        and _is_free(own, _wrong_of_names(vocabulary), vocabulary)
        and vocabulary["searches_for_trouble"].isdisjoint(name_words(path))
        and not path.startswith("screening.")
        and not (in_trouble_group(path, vocabulary) or in_claiming_group(path, vocabulary))
    )


def is_plain_data(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether the name and value of a leaf, in a group of data or one with a verdict, need no review.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its lists of names and words.
    """
    if value is None or not own:
        return value is None
    if isinstance(value, bool):
        return _is_capability(own, vocabulary)
    if isinstance(value, Decimal):
        return _is_measure(path, own, value, vocabulary)
    return isinstance(value, str) and _is_plain_text(path, own, value, vocabulary)


def needs_review(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text, other than a URL, contains a word that needs a review wherever it occurs."""
    return "://" not in text and (
        not vocabulary["words_for_a_look"].isdisjoint(without_places(words_of_text(text)))
        or any(phrase in text.casefold() for phrase in vocabulary["phrases_for_a_look"])
    )


def _is_plain_text(path: str, own: list[str], text: str, vocabulary: Vocabulary) -> bool:  # noqa: PLR0911 - one return for each form
    """Return whether a text is a date, a number, a name, a code or known words, none of which needs a review."""
    if DATE.fullmatch(text) or _CLOCK.fullmatch(text.strip()):
        # A recent date may itself be the trouble, as with a phone that was wiped yesterday; new contacts have a rule of their own.
        if is_date_of_machine(path, own, vocabulary) and is_possible_day(text):
            return _is_free(own, _wrong_of_texts(vocabulary), vocabulary)
        return own in _BOUND or is_new_contact(path, vocabulary)
    if number := _NUMBER.fullmatch(text.strip()):
        return _is_measure(path, own, Decimal(number[1]), vocabulary)
    if _VERSION.fullmatch(text) and not _WORDS["of_versions"].isdisjoint(name_words(path.rpartition(".")[0])):
        said = words_of_text(text)
        return not (needs_review(text, vocabulary) or vocabulary.has_stem(said, "trouble_names"))
    names_place = own[-1] in vocabulary["naming_words"] and (own[-1] in NAMES or is_written_as_name(text))
    if (
        "<<" in text
        or not _is_free(own, _wrong_of_names(vocabulary), vocabulary)
        or vocabulary.is_placeholder(text)
        or plain_word(text) in vocabulary["trouble_values"]
        or plain_word(text) in vocabulary["answers"]
        or not _has_listed_form(own, text, vocabulary)
        or own[-1] == "by"
    ):
        return False
    said = words_of_text(text)
    wrong = vocabulary["verdict_words"] if names_place else _wrong_of_texts(vocabulary)
    if not wrong.isdisjoint(said) or (
        own[-1] in {"name", "names"} and not vocabulary["words_of_others"].isdisjoint(said)
    ):
        return False
    if names_place:
        return len(said) <= _LONGEST_LINE
    is_long = own[-1] in vocabulary["long_texts"] and is_written_as_name(text)
    return (
        not needs_review(text, vocabulary)
        and not vocabulary.has_stem(said, "trouble_names")
        and len(text_words(text)) <= (_LONGEST_LINE if is_long else _LONGEST_TEXT)
        and (is_long or all(is_known_or_name(token, vocabulary) for token in text.split()))
    )


def _is_free(own: list[str], wrong: frozenset[str], vocabulary: Vocabulary) -> bool:
    return wrong.isdisjoint(own) and not vocabulary.has_stem(own, "trouble_names")


def _has_listed_form(own: list[str], text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text is one of those listed for its name, apart from names of makers and time zones."""
    return (
        vocabulary.forms.get(own[-1], "") != "words"
        or own[-1] in vocabulary["maker_names"]
        or (own[-1] in _WORDS["zones"] and _ZONE.fullmatch(text) is not None)
        or are_known(text_words(text), vocabulary, with_codes=own[-1] not in vocabulary["spelt_names"])
    )


def words_of_text(text: str) -> list[str]:
    """Return the words of a text, and the parts of joined words, as in `HeadlessChrome`."""
    parts = [part for token in text.split() if token.isascii() for part in name_words(token)]
    return [*text_words(text), *(part for part in parts if not part.isdigit())]


def _is_measure(path: str, own: list[str], value: Decimal, vocabulary: Vocabulary) -> bool:
    """Return whether a number is a measurement: every word of its name is known, and one of them names the quantity or the unit."""
    measures = vocabulary["measure_words"]
    around = {*name_words(path.rpartition(".")[0])}
    is_timed = not around.isdisjoint(vocabulary["timed_groups"])
    named = [part for part in own if part not in _WORDS["counts"]]
    if named[-2:] == ["per", "second"]:
        named = [*named[:-2], "fps"]
    # The level of a standard, or of something measured, as in `batteryLevel`.
    if not around.isdisjoint(_WORDS["standards"]) or not measures.isdisjoint(named):
        named = [part for part in named if part not in _WORDS["levels"]]
    wrong = vocabulary["denied_words"] if is_timed else _wrong_of_names(vocabulary)
    return (
        (value >= 0 or {*own} <= _WORDS["places"])
        and _is_free(named, wrong, vocabulary)
        and (
            is_timed
            or (not named and "level" in own)
            or (_known_of_numbers(vocabulary).issuperset(named) and not measures.isdisjoint(named))
        )
        and not is_impossible(path, named or own, value, vocabulary)
    )


def _is_capability(own: Collection[str], vocabulary: Vocabulary) -> bool:
    """Return whether a name is a capability or a feature of a device, for which neither yes nor no is trouble."""
    return not vocabulary["capability_words"].isdisjoint(own) and (
        vocabulary["capability_words"] | vocabulary["plain_words"] | _WORDS["able"]
    ).issuperset(own)


@cache
def _wrong_of_names(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the words of names whose values are verdicts."""
    return (
        _wrong_of_dates(vocabulary)
        | vocabulary["judging_words"]
        | vocabulary["good_words"]
        | vocabulary["matching_words"]
        | vocabulary["feature_states"]
    ) - vocabulary["holding_groups"]


@cache
def _wrong_of_dates(vocabulary: Vocabulary) -> frozenset[str]:
    return (
        vocabulary["denied_words"]
        | vocabulary["turning_words"]
        | vocabulary["verdict_words"]
        | vocabulary["words_for_a_look"]
    )


@cache
def _wrong_of_texts(vocabulary: Vocabulary) -> frozenset[str]:
    return _wrong_of_dates(vocabulary) | vocabulary["trouble_values"]


@cache
def _known_of_numbers(vocabulary: Vocabulary) -> frozenset[str]:
    return (
        vocabulary["measure_words"]
        | vocabulary["holding_groups"]
        | vocabulary["data_names"]
        | vocabulary["data_words"]
    )
