"""What the path of a leaf says about trouble: that there is trouble, that a check looked for it, that a document is forged, or that there is only data."""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Observation
from kycpack.triage.results.leaf_details import in_data_group, is_listed, named
from kycpack.triage.results.negated_names import (
    affirms_denial,
    denies_genuineness,
    is_denial,
    leaves_open,
    refuses_denial,
    turns_good_round,
)
from kycpack.triage.results.result_dates import dates_of
from kycpack.triage.results.vocabulary import (
    Vocabulary,
    affirms,
    group_words,
    name_words,
    names_finding,
    plain_word,
    steps_of,
    text_words,
    words_of,
)

# The parts of a name in letters of any alphabet.
_PARTS = re.compile(r"[A-Z]?[^\W\d_A-Z]+")
_FEW_WORDS, _LONGEST_COUNTRY = 8, 3
_SLIGHT, _HALF = Decimal("0.05"), Decimal("0.5")
_OF_GROUPS = (
    "data_words",
    "data_names",
    "data_names_of_sources",
    "data_texts",
    "holding_groups",
    "judging_words",
    "group_words",
    "check_words",
    "plain_words",
    "good_words",
    "more_good",
    "done_words",
    "security_features",
    "feature_words",
    "label_names",
    "score_words",
    "measure_words",
    "connection_words",
    "searched_words",
    "timed_groups",
    "capability_words",
    "searches_for_trouble",
    "acts_of_person",
    "picture_measures",
)
_WORDS = words_of("trouble_words")


@lru_cache(maxsize=65_536)
def turns_meaning(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether any word in a path may reverse its meaning, or begins with one and goes on with trouble, as in `nofraud`."""
    parts = name_words(path)
    if not vocabulary["turning_words"].isdisjoint(parts) or turns_good_round(parts, vocabulary):
        return True
    turning, stems = tuple(vocabulary["turning_words"]), tuple(vocabulary["trouble_names"])
    return any(
        part.startswith(turning)
        and part not in vocabulary["good_words"]
        and any(part.startswith(each) and part.removeprefix(each).startswith(stems) for each in turning)
        for part in parts
    )


@lru_cache(maxsize=65_536)
def says_how_trouble_ended(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a name says that trouble was blocked, denied or closed, as in `attackBlocked`: a denial of that leaves the trouble."""
    own = name_words(steps_of(path)[1])
    ends = vocabulary["ends_of_trouble"]
    if ends.isdisjoint(own):
        return False
    # In `attack.blocked` the group says what was blocked.
    of_group = {*own} <= ends | vocabulary["plain_words"]
    rest = [part for part in ([*group_words(path), *own] if of_group else own) if part not in ends]
    return vocabulary.has_stem(rest, "trouble_names") or any(
        part in vocabulary["denied_words"]
        or part in vocabulary.trouble_sought
        or (path.startswith("screening.") and names_finding(part))
        for part in rest
    )


def looks_for_trouble(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is about a search for trouble, so that finding nothing is good."""
    searches = vocabulary["searches_for_trouble"]
    return path.startswith("screening.") or not searches.isdisjoint(name_words(path))


@lru_cache(maxsize=65_536)
def is_good_to_miss(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is about a search that names the trouble it looks for; a mere register may list what should be there."""
    parts = [part for part in name_words(path) if not names_finding(part)]
    return (
        path.startswith("screening.")
        or not vocabulary.trouble_sought.isdisjoint(parts)
        or vocabulary.has_stem(parts, "trouble_names")
    )


def finds_nothing(path: str, own: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether an empty list or group is what a search found that names no trouble it looks for, as in `companySearch.items`."""
    return (
        bool(own)
        and (_WORDS["results"] | vocabulary["found_words"]).issuperset(own)
        and looks_for_trouble(path, vocabulary)
        and not is_good_to_miss(path, vocabulary)
    )


def names_checks_made(own: Collection[str], vocabulary: Vocabulary) -> bool:
    """Return whether the words of a name are those of a list of the checks that were made, as in `checksPerformed`."""
    done, checks = vocabulary["done_words"], vocabulary["check_words"]
    return not done.isdisjoint(own) and not checks.isdisjoint(own) and (done | checks).issuperset(own)


def is_plural_of_trouble(part: str, vocabulary: Vocabulary) -> bool:
    """Return whether a word is one for several troubles, as in `arrears`, and not for lists or registers of them."""
    is_plural = part.endswith("s") and not part.endswith("lists")
    return is_plural and part in vocabulary.trouble_sought - vocabulary.remarks.subjects


def names_no_list(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text cannot be the name of a list that was searched: it says that there is none, as `none` does, that it could not be searched, or what was found there; `NO` may be a country."""
    said = plain_word(text)
    if len(said) <= _LONGEST_COUNTRY and text.isupper():
        return False
    found = vocabulary["found_texts"] - vocabulary["register_topics"] - {"designated", "proscribed"}
    return (
        said in vocabulary["not_found_texts"] | {"empty", "unknown"}
        or vocabulary.is_placeholder(text)
        or ": " in text
        or not (found | vocabulary["failed_searches"]).isdisjoint(text_words(text))
    )


def in_trouble_group(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a group around a leaf is named after trouble, as in `fraudReport`, and not after the check for it, as in `fraudCheck`."""
    groups = [name_words(step) for step in path.split(".")[:-1]]
    return any(
        parts and parts[-1] not in vocabulary["check_words"] and vocabulary.has_stem(parts, "trouble_names")
        for parts in groups
    )


def holds_data(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether the nearest known group around a leaf holds data, and no group around it is named after trouble."""
    groups = [name_words(step) for step in steps_of(path)[0]]
    if path.startswith("screening.") or in_trouble_group(path, vocabulary):
        return False
    # A section has data only in groups of its own.
    known = groups[1:] if path.partition(".")[0] in SECTIONS else groups
    nearest = False
    for parts in known:
        own = [part for part in parts if not part.isdigit()]
        if not vocabulary["judging_words"].isdisjoint(own) or not vocabulary["denied_words"].isdisjoint(own):
            nearest = False
        elif own and own[-1] in vocabulary["holding_groups"]:
            nearest = True
    return nearest


@lru_cache(maxsize=65_536)
def in_claiming_group(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a group around a leaf says something itself, so that what is in it is no mere data: a group of findings, one named by a verdict, or one named in several words, one of them unknown."""
    steps = [name_words(step) for step in path.split(".")[:-1] if not step.isdigit()]
    return any(
        not vocabulary["finding_groups"].isdisjoint(parts[-1:])
        or not (vocabulary["verdict_words"] & vocabulary["denied_words"]).isdisjoint(parts)
        or (len(parts) > 1 and not _known_of_groups(vocabulary).issuperset(parts))
        for parts in ([part for part in step if not part.isdigit()] for step in steps)
    )


@lru_cache(maxsize=65_536)
def is_unknown_reference(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is the number of something nobody has listed, or of something that a search for trouble finds, as in `policeReference`."""
    groups, name = steps_of(path)
    *own, last = [part for part in name_words(name) if not part.isdigit()] or [""]
    around = [part for step in groups[-1:] if step not in SECTIONS for part in name_words(step)]
    # The id of a matching profile is that of another customer.
    is_of_finding = not vocabulary.trouble_sought.isdisjoint([*own, *around]) or any(map(names_finding, own))
    return (last in _WORDS["references"] and not _known_of_groups(vocabulary).issuperset(own)) or (
        last in _WORDS["references"] | _WORDS["ids"] and is_of_finding
    )


def is_known_group(parts: Collection[str], vocabulary: Vocabulary) -> bool:
    """Return whether the name of a group has only words that claim nothing, or that say that it is a search."""
    return (_known_of_groups(vocabulary) | vocabulary["good_to_find"]).issuperset(parts)


@cache
def _known_of_groups(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the words of which a group's name claims nothing."""
    known = vocabulary.compared_words.union(*(vocabulary[name] for name in _OF_GROUPS))
    return (known - vocabulary["denied_words"]) | vocabulary["neutral_groups"]


def speaks_of_trouble(path: str, own: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether the name of a leaf or a group around it is about trouble, and not about the search for it.

    Args:
        path: Path of the leaf.
        own: The words of its name.
        vocabulary: The vocabulary with the stems for trouble.
    """
    return vocabulary.has_stem(own, "trouble_names") or (
        not looks_for_trouble(path, vocabulary) and in_trouble_group(path, vocabulary)
    )


def is_better_if_high(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a higher score is better, by the words of its path."""
    steps = [name_words(step) for step in path.split(".") if step not in SECTIONS] or [name_words(path)]
    around = {part for step in steps for part in step}
    return (
        not path.startswith("screening.")
        and not turns_meaning(path, vocabulary)
        and around.isdisjoint(vocabulary["better_if_low"])
        and not any(vocabulary.has_stem(step, "trouble_names") for step in steps)
        and not around.isdisjoint(
            vocabulary["better_if_high"]
            # That something is a score does not say which end is good.
            | (vocabulary.remarks.subjects - vocabulary["score_words"] - vocabulary["threshold_words"])
        )
    )


def is_better_if_low(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a lower score is better, by the words of its path: a score of trouble, or an age."""
    steps = path.split(".")
    around = {part for step in steps if step not in SECTIONS for part in name_words(step)}
    low = vocabulary["better_if_low"] | vocabulary["denied_words"] | {"age"}
    return not path.startswith("screening.") and (
        not around.isdisjoint(low)
        or any(vocabulary.has_stem(name_words(step), "trouble_names") for step in steps)
    )


def is_slight_probability(path: str, value: Any) -> bool:
    """Return whether a number is a probability of at most one in twenty."""
    return (
        isinstance(value, Decimal)
        and 0 <= value <= _SLIGHT
        and not _WORDS["probabilities"].isdisjoint(name_words(path))
    )


def is_moderate_fraud_score(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a number is a score of fraud that is less than half of its scale, be it 1 or 100; such a score alone reports no fraud."""
    parts = name_words(steps_of(path)[1])
    return (
        isinstance(value, Decimal)
        and "fraud" in parts
        and not vocabulary["score_words"].isdisjoint(parts)
        and (0 < value < _HALF or 1 < value < _HALF * 100)
    )


def may_read_as_forged(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf can say that a document is forged: not if it is listed as data, unless its name says so."""
    is_data = in_data_group(path, vocabulary) and is_listed(path, vocabulary)
    return not is_data or _is_named_forgery(path, vocabulary)


def reads_as_forged(seen: Observation, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf says that a document is forged, stolen or altered."""
    path, value = seen.path, seen.value
    is_text = isinstance(value, str)
    if is_text and in_data_group(path, vocabulary) and is_listed(path, vocabulary):
        return False
    is_named = _is_named_forgery(path, vocabulary)
    if denies_genuineness(path, value, vocabulary) or (is_named and refuses_denial(path, value, vocabulary)):
        return True
    if is_text:
        said = plain_word(value)
        if is_denial(value, vocabulary):
            return False
        if any(said.startswith(stem) for stem in vocabulary["forgery"]):
            return True
        wrong = vocabulary["trouble_values"] | vocabulary["likely_words"]
        if said not in wrong and not affirms(value):
            return _dates_forgery(path, value, vocabulary)
    is_harmless = (
        affirms_denial(path, value, vocabulary)
        or leaves_open(path, value, vocabulary)
        or is_slight_probability(path, value)
        or is_moderate_fraud_score(path, value, vocabulary)
    )
    return is_named and not is_harmless and (is_text or affirms(value))


def _dates_forgery(path: str, text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf gives the date on which a document was stolen or forged, as in `stolenOn`, and not that of the check for it."""
    checked = (
        vocabulary["check_words"]
        | vocabulary["done_words"]
        | vocabulary["register_names"]
        | vocabulary["turning_words"]
    )
    return (
        bool(dates_of(text))
        and _is_named_forgery(path, vocabulary)
        and checked.isdisjoint(name_words(steps_of(path)[1]))
    )


def tells_of_forgery(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a code or a few words tell of a forged, stolen or altered document, and do not deny it or name the check for it."""
    said = text_words(text)
    stems = (*vocabulary["forgery"], *vocabulary["forged_texts"])
    return (
        len(said) <= _FEW_WORDS
        and any(word.startswith(stems) for word in said)
        and vocabulary["not_found_texts"].isdisjoint(said)
        and (vocabulary["check_words"] | vocabulary["register_names"]).isdisjoint(said)
    )


@lru_cache(maxsize=65_536)
def _is_named_forgery(path: str, vocabulary: Vocabulary) -> bool:
    name = named(path)[1]
    abroad = tuple(vocabulary["forged_texts"])
    return vocabulary.has_stem(name_words(name), "forgery") or any(
        part.casefold().startswith(abroad) for part in _PARTS.findall(name)
    )
