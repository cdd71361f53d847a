"""Whether a member of the screening names the list of a match, or counts the matches of a category."""

from __future__ import annotations

from kycpack.triage.case_file import Observation
from kycpack.triage.results.vocabulary import Vocabulary, name_words, own_words, plain_word, words_of

_WORDS = words_of("named_lists")


def names_list(one: Observation, place: str, vocabulary: Vocabulary) -> bool:
    """Return whether a member of a match, or a group around the match, names the list that it is on."""
    around = name_words(place)
    if not _WORDS["kinds"].isdisjoint(around) or vocabulary.has_stem(around, "sanctions_stems"):
        return True
    said = plain_word(one.value.strip()) if isinstance(one.value, str) else ""
    is_name = said != "" and said not in _WORDS["no_name"]
    return is_name and not _WORDS["lists"].isdisjoint(name_words(one.path.removeprefix(place)))


def counts_category(one: Observation) -> bool:
    """Return whether a number is of a known category, or called a count; any other may be a class or a score."""
    own = one.path.rpartition(".")[2]
    return plain_word(own) in _WORDS["counted_categories"] or not _WORDS["counts"].isdisjoint(
        own_words(own)[-1:]
    )


def names_category(one: Observation) -> bool:
    """Return whether the name of a member, or of a group around it, may be that of a list; words for a decision or for how exact a match is are none."""
    if plain_word(one.path.rpartition(".")[2]) in _WORDS["counted_categories"]:
        return True
    own = own_words(one.path)
    return bool(own) and not _WORDS["names_no_list"].issuperset(own)
