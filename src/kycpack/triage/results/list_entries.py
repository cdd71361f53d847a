"""Entries of lists in the results, and single matches: which members are of one entry, which list they name, whether they say that they are about sanctions or terrorism, as `results: [{"category": "sanctions"}]` does, and whether the number of matches is at least that of the matches listed, and no higher than what they name the lists of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.frames.labels import spoken
from kycpack.frames.listed_matches import names_matches, names_one_match, names_somebody
from kycpack.triage.case_file import Observation
from kycpack.triage.levels import HIT
from kycpack.triage.paths import UNNAMED_MATCHES
from kycpack.triage.results.leaf_details import is_listed, kind_of
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

_COUNT = "screening.matchCount"

_STEP = re.compile(r"(?<!\\)\.")
_ENTRY = re.compile(r"(.*?(?<!\\)\.[0-9]+)(?:\.|$)", re.DOTALL)

_WORDS = words_of("list_entries")

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
    holder = {
        word
        for one in seen
        if one.path in ("document.holder.firstName", "document.holder.lastName")
        for word in text_words(str(one.value))
    }
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
    return any(
        vocabulary.has_stem(parts, "sanctions_stems") or not vocabulary["sanctions_lists"].isdisjoint(parts)
        for parts in (text_words(text), name_words(text))
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


@dataclass(frozen=True, slots=True)
class EntryMembers:
    """The members of an entry that decided a rule, in place of a single value.

    Args:
        place: Path of the entry, as in `screening.matches.0`, or of a match in no list, as in `screening.match`.
        members: The observations.
    """

    place: str
    members: tuple[Observation, ...]

    def named(self) -> list[tuple[str, Any]]:
        """Return each member's name below the entry, in words, with its value."""
        return [(_name(one.path.removeprefix(self.place)), one.value) for one in self.members]


def entries_of(found: Sequence[Observation | None]) -> tuple[str, ...]:
    """Return for each observation the path of the match or the outermost list entry that it lies in; empty if it lies in none.

    Args:
        found: Everything that a rule found in a session, since a match that is in no list shows by a member that names who was found.
    """
    return _entries_of(tuple(seen.path if seen is not None and seen.of_results else "" for seen in found))


# Most sessions have the same leaves.
@lru_cache(maxsize=256)
def _entries_of(paths: tuple[str, ...]) -> tuple[str, ...]:
    single = {place for path in paths for place, member in _below_matches(path) if names_somebody(member)}
    return tuple(_entry_of(path, single) for path in paths)


def list_entry_of(path: str) -> str:
    """Return the path of the outermost list entry that a leaf lies in; empty if it lies in none."""
    listed = _ENTRY.match(path)
    return listed[1] if listed else ""


def _entry_of(path: str, single: Collection[str]) -> str:
    groups = [place for place, _ in _below_matches(path)]
    if match := next((place for place in groups if place in single), ""):
        return match
    if listed := list_entry_of(path):
        return listed
    return groups[0] if groups and names_one_match(groups[0].rpartition(".")[2]) else ""


def _below_matches(path: str) -> Iterator[tuple[str, str]]:
    """Yield the groups of a path from the first that is named after matches, before any list, each with the name of its next member."""
    steps = _STEP.split(path)
    if not path or (steps[0] in SECTIONS and steps[0] != "screening"):
        return
    first = next((at for at, step in enumerate(steps[:-1]) if names_matches(step)), len(steps))
    if any(map(str.isdecimal, steps[:first])):
        return
    for at in range(first, len(steps) - 1):
        if steps[at + 1].isdecimal():
            return
        yield ".".join(steps[: at + 1]), steps[at + 1]


def in_one(place: str, members: Sequence[Observation]) -> Observation:
    """Return the observations in one entry as one observation.

    Args:
        place: Path of the entry.
        members: The observations, several; the path of the first stands for all.
    """
    ids = tuple(sorted({id_ for one in members for id_ in one.evidence_ids}))
    return Observation(members[0].path, EntryMembers(place, tuple(members)), ids, of_results=True)


def _name(below: str) -> str:
    return " ".join(spoken(step) for step in below.split(".") if step and not step.isdecimal())


def names_list(one: Observation, place: str, vocabulary: Vocabulary) -> bool:
    """Return whether a member of a match, or a group around the match, names the list that it is on."""
    around = name_words(place)
    if not _WORDS["kinds"].isdisjoint(around) or vocabulary.has_stem(around, "sanctions_stems"):
        return True
    said = plain_word(one.value.strip()) if isinstance(one.value, str) else ""
    is_name = said != "" and said not in _WORDS["no_name"]
    return is_name and not _WORDS["lists"].isdisjoint(name_words(one.path.removeprefix(place)))


def _counts_category(one: Observation) -> bool:
    """Return whether a number is of a known category, or called a count; any other may be a class or a score."""
    own = one.path.rpartition(".")[2]
    return plain_word(own) in _WORDS["counted_categories"] or not _WORDS["counts"].isdisjoint(
        own_words(own)[-1:]
    )


def _names_category(one: Observation) -> bool:
    """Return whether the name of a member, or of a group around it, may be that of a list; words for a decision or for how exact a match is are none."""
    if plain_word(one.path.rpartition(".")[2]) in _WORDS["counted_categories"]:
        return True
    own = own_words(one.path)
    return bool(own) and not _WORDS["names_no_list"].issuperset(own)


def uncounted_matches(
    seen: Sequence[Observation], vocabulary: Vocabulary
) -> Iterator[tuple[Observation, str]]:
    """Yield the number of matches in a session's results if they list more.

    Args:
        seen: The observations of one session.
        vocabulary: How the members of a match are read.

    Yields:
        The observation, and a description such as `a match count that is lower than the number of matches listed (2)`.
    """
    listed = {
        place
        for one, place in zip(seen, entries_of(seen), strict=True)
        if _is_match(place) and read_leaf(one, vocabulary) == HIT
    }
    for one in seen:
        if one.path == _COUNT and isinstance(one.value, Decimal) and 0 <= one.value < len(listed):
            yield one, f"a match count that is lower than the number of matches listed ({len(listed)})"


def unnamed_matches(seen: Sequence[Observation], vocabulary: Vocabulary) -> Iterator[Observation]:
    """Yield of how many matches in a session's results the list is not named, if there are any; a value in place of their number is yielded as it is, as it says of none.

    A category with a match accounts for one, or for as many as it counts; a match that is listed accounts for one if a member of it names its list. It
    may be that of a category, so the higher number of the two counts.

    Args:
        seen: The observations of one session.
        vocabulary: How the members of the screening are read.
    """
    for counted in seen:
        total = counted.value
        if counted.path != _COUNT or total is None:
            continue
        left, note = total, ""
        if isinstance(total, Decimal):
            left = total - _accounted_for(seen, total, vocabulary)
            note = f"{left:,f} of {total:,f} {'match' if total == 1 else 'matches'}"
        if not isinstance(total, Decimal) or left > 0:
            yield Observation(UNNAMED_MATCHES, left, counted.evidence_ids, note)


def _accounted_for(seen: Sequence[Observation], total: Decimal, vocabulary: Vocabulary) -> Decimal:
    found: set[str] = set()
    named: set[str] = set()
    in_categories = Decimal(0)
    for one, place in zip(seen, entries_of(seen), strict=True):
        if place and names_list(one, place, vocabulary):
            named.add(place)
        if not _has_match(one, vocabulary):
            continue
        if place:
            found.add(place)
        elif isinstance(one.value, Decimal):
            in_categories += one.value if one.value <= total and _counts_category(one) else 0
        elif _names_category(one):
            in_categories += 1
    return max(in_categories, Decimal(len(found & named)))


def _has_match(one: Observation, vocabulary: Vocabulary) -> bool:
    """Return whether a member of the screening has a match and is a category or a match that is listed, and not the outcome or a number of all matches."""
    if not one.path.startswith("screening.") or counts(one):
        return False
    if kind := kind_of(one.path, vocabulary):
        return vocabulary.judge(kind, one.value)[0] == HIT
    return not is_listed(one.path, vocabulary) and read_leaf(one, vocabulary) == HIT


def _is_match(place: str) -> bool:
    """Return whether an entry of a list, or a group, is a match: a member on the way to it is named after matches, and it is in no entry of another list."""
    steps = place.split(".")
    return any(map(names_matches, steps)) and not any(map(str.isdecimal, steps[:-1]))
