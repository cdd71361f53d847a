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
from kycpack.triage.levels import HIT
from kycpack.triage.results.list_entries import EntryMembers, list_entry_of
from kycpack.triage.results.unlisted_leaves import read_leaf
from kycpack.triage.results.vocabulary import (
    Vocabulary,
    affirms,
    name_words,
    own_words,
    plain_word,
    text_words,
    words_of,
)

_HOLDER = ("document.holder.firstName", "document.holder.lastName")
_WORDS = words_of("sanctions_entries")
# Some providers write it in place of sanctions; in any other case it may be the beginning of a name.
_CODE = re.compile(r"\bSAN\b|^san$")


def sanctions_entries(seen: Sequence[Observation], vocabulary: Vocabulary) -> Iterator[EntryMembers]:
    """Yield the entries of lists and the groups with the customer's name, wherever they are, that name sanctions or terrorism and do not say that nobody was found; matches below screening are trouble in any case.

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
        is_of_search, is_match = _is_of_search(groups, vocabulary), any(map(names_matches, groups))
        is_found = of_customer or not is_of_search
        if not list_entry_of(place):
            is_found = of_customer and not is_of_search
        if (is_match and place.startswith("screening.")) or not (is_found or is_match):
            continue
        telling = [
            one
            for one in members
            if one not in named
            and _tells_of_sanctions(one, place, vocabulary)
            and not _is_cleared(one, members, vocabulary)
            and (bool(named) or is_match or not _names_search(one, groups, members, vocabulary))
            # The lists of an entry that names nobody may be those that were searched.
            and (bool(named) or not _is_of_search(_below(one, place)[:-1], vocabulary))
        ]
        if telling or (is_match and _is_of_sanctions(groups, named, members, vocabulary)):
            yield EntryMembers(place, (*telling, *named))


def _is_of_sanctions(
    groups: Iterable[str],
    named: Sequence[Observation],
    members: Sequence[Observation],
    vocabulary: Vocabulary,
) -> bool:
    """Return whether a match of somebody is in a group named after sanctions, and no member of it says that nobody was found."""
    return any(_names_sanctions(step, vocabulary) for step in groups) and any(
        not _is_cleared(one, members, vocabulary) for one in named
    )


def _names_search(
    one: Observation, groups: Sequence[str], members: Sequence[Observation], vocabulary: Vocabulary
) -> bool:
    """Return whether a text in a log or a list of products only names a search for sanctions, or says that it was made, as `sanctions screening completed` does, and nothing in its entry is trouble."""
    if not isinstance(one.value, str) or _WORDS["logs"].isdisjoint(
        name_words(groups[-1] if groups else "")[-1:]
    ):
        return False
    searches = vocabulary["check_words"] - _WORDS["found"] | _WORDS["searches"]
    said = [
        word
        for word in {*text_words(one.value), *name_words(one.value)}
        if not _names_sanctions(word, vocabulary)
    ]
    known = searches | vocabulary["done_words"] | vocabulary.remarks.neutral | _WORDS["beside"]
    return (
        not searches.isdisjoint(said)
        and known.issuperset(said)
        and all(read_leaf(other, vocabulary) != HIT for other in members)
    )


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
    searched = vocabulary["searched_words"] | {"searches"} | vocabulary["dated_lists"] - {"data", "index"}
    return any(
        plain_word(step) in vocabulary["searched_groups"]
        or (not searched.isdisjoint(said := name_words(step)) and _WORDS["found"].isdisjoint(said))
        for step in groups
    )


def _tells_of_sanctions(one: Observation, place: str, vocabulary: Vocabulary) -> bool:
    *_, own = _below(one, place) or [""]
    if not (vocabulary["searched_words"] | _WORDS["otherwise"]).isdisjoint(name_words(own)):
        return False
    if affirms(one.value) and _names_sanctions(own, vocabulary):
        return True
    if not isinstance(one.value, str):
        return False
    is_code = not _WORDS["classes"].isdisjoint(name_words(own)) and _CODE.search(one.value) is not None
    # UN is the United Nations here.
    is_denied = not (vocabulary["not_found_texts"] - {"un"}).isdisjoint(text_words(one.value))
    return is_code or (_names_sanctions(one.value, vocabulary) and not is_denied)


def _names_sanctions(text: str, vocabulary: Vocabulary) -> bool:
    said = text_words(text)
    return any(
        vocabulary.has_stem(parts, "sanctions_stems") or not vocabulary["sanctions_lists"].isdisjoint(parts)
        for parts in (said, name_words(text))
    )


def _is_cleared(one: Observation, members: Sequence[Observation], vocabulary: Vocabulary) -> bool:
    """Return whether a member beside one that names sanctions, or in a group around it, says that nobody was found; that a search is done says so only if no member counts what it found."""
    around = [other for other in members if one.path.startswith(f"{other.path.rpartition('.')[0]}.")]
    is_found = any(affirms(other.value) and counts(other) for other in around)
    return any(_says_none(other, vocabulary, is_found=is_found) for other in around)


def counts(one: Observation) -> bool:
    """Return whether a member only says that something was found, or how much, as `totalHits` does, and not on which list."""
    own = own_words(one.path)
    return bool(own) and _WORDS["counted"].issuperset(own)


def _says_none(one: Observation, vocabulary: Vocabulary, *, is_found: bool) -> bool:
    own = {*own_words(one.path)}
    if not own:
        return False
    if isinstance(one.value, bool | Decimal):
        return one.value in (False, 0) and own <= _WORDS["counted"]
    is_verdict = (
        isinstance(one.value, str)
        and own <= vocabulary["verdict_names"] | _WORDS["counted"] | _WORDS["states"]
    )
    none = (
        vocabulary["fine_values"]
        | vocabulary["nothing_listed"]
        | vocabulary["nothing_found"]
        | _WORDS["nobody"]
    )
    return is_verdict and plain_word(one.value) in (none if is_found else none | vocabulary["done_words"])
