"""Texts below screening that say that somebody was found."""

from __future__ import annotations

from typing import Any

from kycpack.triage.results.leaf_names import name_words
from kycpack.triage.results.vocabulary import Vocabulary, plain_word, text_words


def says_found(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text below screening says that somebody was found, as in `positively identified`, or names a crime in an entry that was found."""
    words = vocabulary.words
    said = text_words(value) if isinstance(value, str) else []
    if not words["not_found_texts"].isdisjoint(said):
        return False
    if is_of_entry(path, vocabulary) and vocabulary.has_stem(said, "trouble_names_of_screening"):
        return True
    names_list = words["register_names"] | words["data_names_of_sources"]
    return not words["found_texts"].isdisjoint(said) and names_list.isdisjoint({*own[-1:], *said})


def is_of_entry(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf below screening is in an entry of a list, and not of a list of what was searched, as in `results.0.categories`."""
    words = vocabulary.words
    *groups, _ = path.rstrip("0123456789.").split(".")
    around = [part for step in groups[1:] for part in name_words(step)]
    searched = words["register_names"] | words["dated_lists"] | words["searched_words"]
    return (
        any(step.isdigit() for step in groups)
        and searched.isdisjoint(around)
        and not any(plain_word(step) in words["searched_groups"] for step in groups)
    )
