"""Entries of lists in the results, and groups with the customer's name, that say of themselves that they are about sanctions or terrorism, as `results: [{"category": "sanctions"}]` does."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.listed_matches import names_matches, names_somebody
from kycpack.triage.case_file import Observation
from kycpack.triage.results.leaf_names import name_words, own_words
from kycpack.triage.results.list_entries import EntryMembers, list_entry_of
from kycpack.triage.results.vocabulary import Vocabulary, affirms, plain_word, text_words

_HOLDER = ("document.holder.firstName", "document.holder.lastName")
_COUNTED = frozenset({"is", "was", "match", "matches", "matched", "hit", "hits", "found", "count", "number", "of", "total", "any"})  # fmt: skip
_STATES = frozenset({"status", "state", "disposition"})
_NOBODY = frozenset({"no", "none", "false", "falsepositive", "cleared", "dismissed", "discounted"})
_CLASSES = frozenset({"type", "types", "category", "categories", "code", "codes", "topic", "topics", "tag", "tags", "class", "kind", "list", "lists"})  # fmt: skip
_FOUND = frozenset({"result", "results", "entry", "entries", "record", "records", "alert", "alerts"})
# SDN is also Sudan, and a firm or a place may have any name.
_OTHERWISE = frozenset({"country", "countries", "nationality", "nationalities", "citizenship", "jurisdiction", "iso", "occupation", "profession", "employer", "company", "address", "city", "street", "place"})  # fmt: skip
# Some providers write it in place of sanctions; in any other case it may be the beginning of a name.
_CODE = re.compile(r"\bSAN\b|^san$")


def sanctions_entries(seen: Sequence[Observation], vocabulary: Vocabulary) -> Iterator[EntryMembers]:
    """Yield the entries of lists and the groups with the customer's name, wherever they are, that name sanctions or terrorism and do not say that nobody was found; those of matches are trouble in any case.

    Args:
        seen: The observations of one session, without the leaves that are settled.
        vocabulary: Its words for sanctions, searches and their outcomes.

    Yields:
        The entry, with the members that name sanctions or terrorism, and those that name somebody.
    """
    entries: dict[str, list[Observation]] = defaultdict(list)
    for one in seen:
        if one.of_results and (place := _place_of(one.path)):
            entries[place].append(one)
    holder = {word for one in seen if one.path in _HOLDER for word in text_words(str(one.value))}
    for place, members in entries.items():
        named = [one for one in members if _names_somebody(one, place, vocabulary)]
        of_customer = any(holder and holder <= {*text_words(str(one.value))} for one in named)
        groups = [step for step in place.split(".") if step not in SECTIONS and not step.isdecimal()]
        is_of_search = _is_of_search(groups, vocabulary)
        is_found = of_customer or not is_of_search
        if not list_entry_of(place):
            is_found = of_customer and not is_of_search
        if any(map(names_matches, groups)) or not is_found:
            continue
        telling = [
            one
            for one in members
            if one not in named
            and _tells_of_sanctions(one, place, vocabulary)
            and not _is_cleared(one, members, vocabulary)
            # The lists of an entry that names nobody may be those that were searched.
            and (bool(named) or not _is_of_search(_below(one, place)[:-1], vocabulary))
        ]
        if telling:
            yield EntryMembers(place, (*telling, *named))


# Most sessions have the same leaves.
@lru_cache(maxsize=65_536)
def _place_of(path: str) -> str:
    """Return the list entry that a leaf is in, or its group if that is below screening or in a section of its own; empty for any other, since the sections describe the customer."""
    group = path.rpartition(".")[0]
    section, *below = group.split(".")
    may_find = bool(section) and (section not in SECTIONS or (section == "screening" and bool(below)))
    return list_entry_of(path) or (group if may_find else "")


def _below(one: Observation, place: str) -> list[str]:
    """Return the names of a member's path below its entry."""
    return [step for step in one.path.removeprefix(place).split(".") if step and not step.isdecimal()]


def _names_somebody(one: Observation, place: str, vocabulary: Vocabulary) -> bool:
    steps = _below(one, place)
    return (
        isinstance(one.value, str)
        and steps[:1] != []
        and (names_somebody(steps[-1]) or names_somebody(steps[0]))
        and not _names_sanctions(one.value, vocabulary)
    )


def _is_of_search(groups: Iterable[str], vocabulary: Vocabulary) -> bool:
    """Return whether a group is named after what was searched or was to be found, and not after what was found."""
    words = vocabulary.words
    searched = words["searched_words"] | words["dated_lists"] - {"data", "index"}
    return any(
        plain_word(step) in words["searched_groups"]
        or (not searched.isdisjoint(said := name_words(step)) and _FOUND.isdisjoint(said))
        for step in groups
    )


def _tells_of_sanctions(one: Observation, place: str, vocabulary: Vocabulary) -> bool:
    words, (*_, own) = vocabulary.words, _below(one, place) or [""]
    if not (words["searched_words"] | _OTHERWISE).isdisjoint(name_words(own)):
        return False
    if affirms(one.value) and _names_sanctions(own, vocabulary):
        return True
    if not isinstance(one.value, str):
        return False
    is_code = not _CLASSES.isdisjoint(name_words(own)) and _CODE.search(one.value) is not None
    # UN is the United Nations here.
    is_denied = not (words["not_found_texts"] - {"un"}).isdisjoint(text_words(one.value))
    return is_code or (_names_sanctions(one.value, vocabulary) and not is_denied)


def _names_sanctions(text: str, vocabulary: Vocabulary) -> bool:
    said = text_words(text)
    return any(
        vocabulary.has_stem(parts, "sanctions_stems")
        or not vocabulary.words["sanctions_lists"].isdisjoint(parts)
        for parts in (said, name_words(text))
    )


def _is_cleared(one: Observation, members: Sequence[Observation], vocabulary: Vocabulary) -> bool:
    """Return whether a member beside one that names sanctions, or in a group around it, says that nobody was found."""
    return any(
        one.path.startswith(f"{other.path.rpartition('.')[0]}.") and _says_none(other, vocabulary)
        for other in members
    )


def _says_none(one: Observation, vocabulary: Vocabulary) -> bool:
    own, words = {*own_words(one.path)}, vocabulary.words
    if not own:
        return False
    if isinstance(one.value, bool | Decimal):
        return one.value in (False, 0) and own <= _COUNTED
    is_verdict = isinstance(one.value, str) and own <= words["verdict_names"] | _COUNTED | _STATES
    none = words["fine_values"] | words["nothing_listed"] | words["nothing_found"] | words["done_words"]
    return is_verdict and plain_word(one.value) in none | _NOBODY
