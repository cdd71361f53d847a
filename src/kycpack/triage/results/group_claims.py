"""Groups whose members together say that something is fine: a record was found where one should be, details match or are repeated, checks are named, or a label names a member and a value answers it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Nested, Observation
from kycpack.triage.countries import country_name
from kycpack.triage.levels import CLEAR
from kycpack.triage.results.data_groups import claims_nothing, needs_review
from kycpack.triage.results.described_states import stands_for_data
from kycpack.triage.results.identity_documents import letters_of
from kycpack.triage.results.leaf_details import MATCHED, in_data_group, is_listed, says_match
from kycpack.triage.results.scores import good_scores
from kycpack.triage.results.trouble_words import (
    is_good_to_miss,
    is_known_group,
    names_checks_made,
    turns_meaning,
)
from kycpack.triage.results.unlisted_leaves import read_leaf
from kycpack.triage.results.vocabulary import (
    LeafGroup,
    Vocabulary,
    last_group,
    name_words,
    own_words,
    plain_word,
    text_words,
    words_of,
)

_WORDS = words_of("group_claims")
_SHORTEST_ECHO = 4
_TOKENS = re.compile(r"\w+")
# The name of a member; a text of any other form describes something.
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z0-9]+)*")
_LONGEST_NAME = 60
_LONGEST_ENGINE = 3
_COUNTRIES = {
    "nationality": "document.holder.nationality",
    "issuing_country": "document.document.issuingCountry",
}
_WORD = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)?")


def found_records(group: LeafGroup) -> Iterator[str]:
    """Yield what says that a record was found, and where, if nothing around it names trouble that was looked for."""
    around = [part for part in name_words(group.path) if not part.isdigit()]
    named = [
        one for one in group.members if isinstance(one.value, str) and _names_register(one, group.vocabulary)
    ]
    finds = [
        one
        for one in group.members
        if one.value is True and own_words(one.path) and _WORDS["found"].issuperset(own_words(one.path))
    ]
    # A register lists what its name says, so with an unknown word nobody knows what was found; a bureau may have any name.
    registers = [one for one in named if not _WORDS["bureaus"].issuperset(own_words(one.path))]
    said = [*around, *(word for one in registers for word in text_words(one.value))]
    if (
        finds
        and not _WORDS["should_list"].isdisjoint(around)
        and is_known_group(said, group.vocabulary)
        and not _names_trouble(group)
    ):
        yield from (one.path for one in (*finds, *named))


def _names_register(seen: Observation, vocabulary: Vocabulary) -> bool:
    own = {*own_words(seen.path)}
    return bool(own) and own <= vocabulary["register_names"] | _WORDS["bureaus"] | {
        "name",
        "type",
        "kind",
        "title",
    }


def matched_details(group: LeafGroup) -> Iterator[str]:
    """Yield an entry that names a detail and says that it matches, as `{"fieldName": "LastName", "status": "match"}` does."""
    verdicts, labels = [], []
    for one in group.members:
        own = {*own_words(one.path)}
        if not own or not isinstance(one.value, str):
            continue
        if own <= group.vocabulary["verdict_names"] and plain_word(one.value) in MATCHED:
            verdicts.append(one)
        elif own <= _WORDS["of_compared"] and {*name_words(one.value)} <= group.vocabulary.compared_words:
            labels.append(one)
    if matched := _all_matched(group.members, group.vocabulary):
        verdicts = labels = matched
    if verdicts and labels and not _names_trouble(group):
        yield from {one.path for one in (*verdicts, *labels)}


def _all_matched(members: Sequence[Observation], vocabulary: Vocabulary) -> list[Observation]:
    """Return the members of a comparison if each is the name of a detail and says that it matches, as in `comparison: {"name": "match"}`."""
    details = (vocabulary["compared_words"] | _WORDS["details"]) - vocabulary["verdict_names"] - {"record"}
    for one in members:
        own = {*own_words(one.path)}
        if (
            not own
            or not own <= details
            or not isinstance(one.value, str)
            or not says_match(one.path, one.value, vocabulary)
            or stands_for_data(one.path, one.value, vocabulary, is_fine=True)
        ):
            return []
    return [*members]


def named_checks(group: LeafGroup) -> Iterator[str]:
    """Yield the items of a list that names the checks that were made, as `checksPerformed` does."""
    vocabulary = group.vocabulary
    if not names_checks_made(own_words(group.path), vocabulary) or group.path.startswith("screening"):
        return
    yield from (
        one.path
        for one in group.members
        if not own_words(one.path)
        and isinstance(one.value, str)
        and {*text_words(one.value)} <= vocabulary.compared_words | vocabulary["check_words"]
        and vocabulary.may_name_check(one.value)
    )


def named_engines(group: LeafGroup) -> Iterator[str]:
    """Yield what a provider's engine is called, beside its version and nothing else, as in `engines: [{"name": "forgery-detector", "version": "3.1.4"}]`."""
    by_name = {" ".join(own_words(one.path)): one for one in group.members}
    name, version = by_name.get("name"), by_name.get("version")
    if (
        _WORDS["engines"].isdisjoint(name_words(last_group(f"{group.path}."))[-1:])
        or {*by_name} - {"name", "version", "id", "vendor"}
        or name is None
        or version is None
        or not isinstance(name.value, str)
    ):
        return
    said = text_words(name.value)
    if (
        0 < len(said) <= _LONGEST_ENGINE
        and said[-1] in _WORDS["engine_words"]
        and any(map(str.isdigit, str(version.value)))
    ):
        yield name.path


def translations(group: LeafGroup) -> Iterator[str]:
    """Yield one word in several languages, as in `nationalityLabels: {"en": "British", "de": "britisch"}`, if the English one is of no other country than the listed one."""
    last = name_words(last_group(f"{group.path}."))
    languages = group.vocabulary["detail_languages"]
    by_name = {one.path.rpartition(".")[2].casefold(): one for one in group.members}
    english = by_name.get("en", by_name.get("eng"))
    detail = group.vocabulary.details.get("".join(last[:-1]), "")
    if last[-1:] not in (["labels"], ["names"], ["translations"]) or detail not in _COUNTRIES:
        return
    if not languages.issuperset(by_name) or english is None or not isinstance(english.value, str):
        return
    known = country_name(str(group.listed.get(_COUNTRIES[detail], "")))
    texts = [one.value for one in group.members if isinstance(one.value, str)]
    # A word for the people of a country, as `British`, is in no list of countries.
    if (
        known is not None
        and country_name(english.value) in {known, None}
        and len(texts) == len(group.members)
        and all(_WORD.fullmatch(text) and not needs_review(text, group.vocabulary) for text in texts)
        and not any(group.vocabulary.has_stem(text_words(text), "trouble_names") for text in texts)
    ):
        yield from (one.path for one in group.members)


def echoes(group: LeafGroup) -> Iterator[str]:
    """Yield what repeats the value of a listed member of its own section, under a name of known words that claim nothing."""
    yield from _in_plural(group.members, group.listed)
    for one in group.members:
        section, own = one.path.partition(".")[0], own_words(one.path)
        letters = letters_of(one.value) if isinstance(one.value, str) else ""
        if (
            section in SECTIONS
            and len(letters) >= _SHORTEST_ECHO
            and claims_nothing(one.path, own, group.vocabulary)
            and not turns_meaning(one.path, group.vocabulary)
            and group.vocabulary["details_of_others"].isdisjoint(name_words(one.path))
            and any(
                isinstance(value, str) and (letters_of(value) == letters or _is_part(one.value, value))
                for path, value in group.listed.items()
                if path.startswith(f"{section}.")
                and is_listed(path, group.vocabulary)
                and in_data_group(path, group.vocabulary)
            )
        ):
            yield one.path


def _is_part(text: str, whole: str) -> bool:
    """Return whether a text is some of the words of another one, in their order, as `High Street` is of `1 High Street`."""
    part, said = (_TOKENS.findall(one.casefold()) for one in (text, whole))
    return len(part) > 1 and any(said[at : at + len(part)] == part for at in range(len(said)))


def empty_counts(group: LeafGroup) -> Iterator[str]:
    """Yield a count of 0 in a screening beside the empty list of what it counts, as in `{"candidates": [], "candidateCount": 0}`, if it names what is found: lists and queries are what was searched."""
    vocabulary = group.vocabulary
    finds = (
        (vocabulary["found_words"] | _WORDS["candidates"])
        - vocabulary["data_names_of_sources"]
        - vocabulary["searched_words"]
    )
    empty = {" ".join(own_words(one.path)) for one in group.members if isinstance(one.value, Nested)}
    for one in group.members:
        own = own_words(one.path)
        is_none = one.value == 0 and isinstance(one.value, Decimal) and own[-1:] == ["count"]
        if is_none and one.path.startswith("screening.") and finds.issuperset(own[:-1]):
            thing = " ".join(own[:-1])
            if not empty.isdisjoint({thing, f"{thing}s", f"{thing.removesuffix('y')}ies"}):
                yield one.path


def _in_plural(members: Sequence[Observation], listed: Mapping[str, Any]) -> Iterator[str]:
    """Yield the items of a list that is named as the plural of a listed member beside it, as in `holder.nationalities`, if each is that member's value."""
    groups = {one.path.rpartition(".")[0] for one in members if one.path.rpartition(".")[2].isdigit()}
    for group in groups:
        ones = (f"{group.removesuffix('ies')}y", group.removesuffix("s"))
        value = next((listed[one] for one in ones if one != group and one in listed), None)
        if value is not None and all(one.value == value for one in members):
            yield from (one.path for one in members)


def _names_trouble(group: LeafGroup) -> bool:
    """Return whether a group, or a text in it or in a group around it, names trouble or a search for it, or may turn the meaning round."""
    inside = f"{group.path}.x"
    if (
        group.path.startswith("screening")
        or is_good_to_miss(inside, group.vocabulary)
        or turns_meaning(inside, group.vocabulary)
    ):
        return True
    texts = [one.value for one in group.around if isinstance(one.value, str)]
    return any(
        not group.vocabulary.trouble_sought.isdisjoint(text_words(text))
        or group.vocabulary.has_stem(text_words(text), "trouble_names")
        or needs_review(text, group.vocabulary)
        for text in texts
    )


def labelled_entries(group: LeafGroup) -> Iterator[str]:
    """Yield the label and the value of an entry, if a member with that name and value would be clear."""
    parent, _, place = group.path.rpartition(".")
    labels = [one for one in group.members if _is_label(one)]
    values = [one for one in group.members if _is_value(one) or _is_score(one, group.vocabulary)]
    names = group.vocabulary["verdict_names"]
    verdicts = [one for one in group.members if own_words(one.path) and names.issuperset(own_words(one.path))]
    if not place.isdigit() or group.path.startswith("screening.") or len(labels) != 1 or len(values) != 1:
        return
    (label,), (value,) = labels, values
    named = f"{parent}.{label.value}"
    if _is_score(value, group.vocabulary):
        scored = {named: [value._replace(path=f"{named}.{own_words(value.path)[-1]}")]}
        if any(good_scores(replace(group, path=named, groups=scored, passed=False))):
            yield from (label.path, value.path)
        return
    if any(one.path != value.path for one in verdicts):
        return
    if read_leaf(value._replace(path=named), group.vocabulary) == CLEAR:
        yield from (label.path, value.path)


def _is_value(seen: Observation) -> bool:
    own = own_words(seen.path)
    affirms = seen.value is True or (
        isinstance(seen.value, str) and seen.value.strip().casefold() in _WORDS["yes"]
    )
    return len(own) == 1 and (own[0] in _WORDS["values"] or (own[0] in _WORDS["results"] and affirms))


def _is_score(seen: Observation, vocabulary: Vocabulary) -> bool:
    own = own_words(seen.path)
    return len(own) == 1 and isinstance(seen.value, Decimal) and own[0] in vocabulary["score_words"]


def _is_label(seen: Observation) -> bool:
    own = own_words(seen.path)
    return (
        bool(own)
        and _WORDS["labels"].issuperset(own)
        and isinstance(seen.value, str)
        and len(seen.value) <= _LONGEST_NAME
        and _NAME.fullmatch(seen.value) is not None
    )
