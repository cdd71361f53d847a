"""What the path of a leaf says about trouble: that there is trouble, that a check looked for it, or that a document is forged."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Observation
from kycpack.triage.leaf_details import in_data_group, is_listed
from kycpack.triage.leaf_names import name_words, steps_of
from kycpack.triage.vocabulary import Vocabulary, affirms, plain_word

_SLIGHT = Decimal("0.05")
_PROBABILITIES = frozenset({"probability", "probabilities", "likelihood", "likelihoods"})


def turns_meaning(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether any word in a path may reverse its meaning."""
    return not vocabulary.words["turning_words"].isdisjoint(name_words(path))


def looks_for_trouble(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf is about a search for trouble, so that finding nothing is good."""
    searches = vocabulary.words["searches_for_trouble"]
    return path.startswith("screening.") or not searches.isdisjoint(name_words(path))


def in_trouble_group(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a group around a leaf is named after trouble, as in `fraudReport`, and not after the check for it, as in `fraudCheck`."""
    groups = [name_words(step) for step in path.split(".")[:-1]]
    return any(
        parts
        and parts[-1] not in vocabulary.words["check_words"]
        and vocabulary.has_stem(parts, "trouble_names")
        for parts in groups
    )


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
    steps = [name_words(step) for step in path.split(".")[1:]] or [name_words(path)]
    around = {part for step in steps for part in step}
    return (
        not path.startswith("screening.")
        and not turns_meaning(path, vocabulary)
        and around.isdisjoint(vocabulary.words["better_if_low"])
        and not any(vocabulary.has_stem(step, "trouble_names") for step in steps)
        and not around.isdisjoint(vocabulary.words["better_if_high"] | vocabulary.remarks.subjects)
    )


def is_better_if_low(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a lower score is better, by the words of its path: a score of trouble, or an age."""
    steps = path.split(".")
    around = {part for step in steps if step not in SECTIONS for part in name_words(step)}
    low = vocabulary.words["better_if_low"] | vocabulary.words["denied_words"] | {"age"}
    return not path.startswith("screening.") and (
        not around.isdisjoint(low)
        or any(vocabulary.has_stem(name_words(step), "trouble_names") for step in steps)
    )


def is_slight_probability(path: str, value: Any) -> bool:
    """Return whether a number is a probability of at most one in twenty."""
    return (
        isinstance(value, Decimal)
        and 0 <= value <= _SLIGHT
        and not _PROBABILITIES.isdisjoint(name_words(path))
    )


def may_read_as_forged(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf can say that a document is forged: not if it is listed as data, unless its name says so."""
    is_data = in_data_group(path, vocabulary) and is_listed(path, vocabulary)
    return not is_data or _is_named_forgery(path, vocabulary)


def reads_as_forged(seen: Observation, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf says that a document is forged, stolen or altered."""
    if isinstance(seen.value, str):
        if in_data_group(seen.path, vocabulary) and is_listed(seen.path, vocabulary):
            return False
        said = plain_word(seen.value)
        if said.startswith(("not", "no", "un")):
            return False
        if any(said.startswith(stem) for stem in vocabulary.words["forgery"]):
            return True
        if said not in vocabulary.words["trouble_values"] and not affirms(seen.value):
            return False
    if is_slight_probability(seen.path, seen.value):
        return False
    return _is_named_forgery(seen.path, vocabulary) and (isinstance(seen.value, str) or affirms(seen.value))


@lru_cache(maxsize=65_536)
def _is_named_forgery(path: str, vocabulary: Vocabulary) -> bool:
    return vocabulary.has_stem(name_words(steps_of(path)[1]), "forgery")
