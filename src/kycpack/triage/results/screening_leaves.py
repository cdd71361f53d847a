"""Leaves below screening: the provider's own machines and request, the lists that were searched, and texts that say that somebody was found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from kycpack.triage.case_file import Observation
from kycpack.triage.results.data_groups import LINK, needs_review
from kycpack.triage.results.data_leaves import DATE
from kycpack.triage.results.neutral_facts import is_possible_day
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

_WORDS = words_of("screening_leaves")
_MACHINES = _WORDS["makers"] | {
    "request",
    "response",
    "metadata",
    "meta",
    "links",
    "link",
    "client",
    "server",
    "timing",
    "timings",
}
_MEASURED = _WORDS["units"] | {
    "duration",
    "latency",
    "elapsed",
    "response",
    "processing",
    "size",
    "took",
    "total",
    "in",
    "time",
}
_LINKED = _WORDS["links"] | {"report", "api", "provider", "request", "documentation", "docs", "schema"}
_OF_OWN = (_MACHINES - {"link"}) | {"self", "report", "documentation", "docs", "schema"}
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_SEARCH_TERMS = (
    ["search", "terms"],
    ["searched", "names"],
    ["searched", "terms"],
    ["names", "searched"],
    ["terms"],
    ["query", "terms"],
)
_HOLDER = ("document.holder.firstName", "document.holder.lastName")
# A list of persons has more entries than a screening has matches.
_SHORTEST_LIST = 100


def is_of_screening_machine(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf of the screening gives a link to its own report, a threshold, or a name, time or measure of the provider's machines.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its words for searches, findings and trouble.
    """
    section, *steps = path.split(".")
    groups, said = steps[:-1], {*own}
    around = {part for step in groups for part in name_words(step)}
    if section != "screening" or not own or not around <= _MACHINES:
        return False
    if isinstance(value, Decimal):
        of_threshold = own[-1] == "threshold" and said <= _WORDS["of_threshold"] and value > 0
        of_machine = bool(groups) and own[-1] in _WORDS["units"] and said <= _MEASURED and value >= 0
        return of_threshold or of_machine
    if isinstance(value, str) and LINK.fullmatch(value):
        # A bare link may be to an entry that was found.
        is_own = not (said | around).isdisjoint(_OF_OWN)
        return is_own and own[-1] in _WORDS["links"] and said <= _LINKED and _says_nothing(value, vocabulary)
    if not isinstance(value, str) or not groups:
        return False
    if DATE.fullmatch(value):
        return (
            own[-1] in _WORDS["when"] and said <= _WORDS["deeds"] | _WORDS["when"] and is_possible_day(value)
        )
    return (
        own[-1] in _WORDS["tokens"]
        and said <= _WORDS["tokens"] | _MACHINES
        # Anybody may have a name; only a machine has one here.
        and (own[-1] != "name" or not around.isdisjoint(_WORDS["makers"]))
        and (any(map(str.isdigit, value)) or not around.isdisjoint(_WORDS["makers"]))
        and _TOKEN.fullmatch(value) is not None
        and _says_nothing(value, vocabulary)
    )


def _says_nothing(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether no word of a text tells of trouble, of a search for it or of somebody who was found."""
    wrong = vocabulary.trouble_sought | vocabulary["found_texts"]
    wrong |= vocabulary["trouble_values"] | vocabulary["verdict_words"] | vocabulary["answers"]
    return not needs_review(text, vocabulary) and all(
        (wrong - _WORDS["of_makers"]).isdisjoint(said)
        and not vocabulary.has_stem(said, "trouble_names")
        and not vocabulary.has_stem(said, "trouble_names_of_screening")
        for said in (text_words(text), name_words(text))
    )


def searched_lists(group: LeafGroup) -> Iterator[str]:
    """Yield what an item in a list of sources says, if it names a list with its size or edition and says nothing else."""
    vocabulary = group.vocabulary
    *around, lists, place = group.path.split(".") if group.path.count(".") > 1 else ("", "", "")
    if (
        around[:1] != ["screening"]
        or not place.isdigit()
        or group.listed.get("screening.matchCount") != 0
        or not {*name_words(lists)} <= vocabulary["data_names_of_sources"]
        or not {plain_word(step) for step in around[1:]} <= vocabulary["data_groups_of_screening"]
    ):
        return
    kinds = {_kind(one, vocabulary) for one in group.members}
    holder = {*text_words(" ".join(str(group.listed.get(path, "")) for path in _HOLDER))}
    if holder and any(
        isinstance(one.value, str) and holder <= {*text_words(one.value)} for one in group.members
    ):
        # An entry with the customer's name is no list.
        return
    has_groups = any(path.startswith(f"{group.path}.") for path in group.groups)
    if "" not in kinds and "name" in kinds and len(kinds) > 1 and not has_groups:
        yield from (one.path for one in group.members)


def searched_names(group: LeafGroup) -> Iterator[str]:
    """Yield the terms of the search that are the holder's name, as in `searchTerms: ["Ada Byron"]`; one of another form may be a name that was found."""
    holder = [word for path in _HOLDER for word in text_words(str(group.listed.get(path, "")))]
    for one in group.members:
        listed = name_words(last_group(one.path))
        if (
            one.path.startswith("screening.")
            and one.path.rpartition(".")[2].isdigit()
            and one.path.count(".") == 2
            and listed in _SEARCH_TERMS
            and isinstance(one.value, str)
            and bool(holder)
            and sorted(text_words(one.value)) == sorted(holder)
        ):
            yield one.path


def _kind(one: Observation, vocabulary: Vocabulary) -> str:
    """Return whether a member is the name of a list, or its size or edition; empty for any other."""
    own, value = {*own_words(one.path)}, one.value
    if not own:
        return ""
    if isinstance(value, Decimal):
        is_size = own <= _WORDS["sizes"] and value >= _SHORTEST_LIST and value == value.to_integral_value()
        return "size" if is_size else ""
    if not isinstance(value, str):
        return ""
    if (
        own & (_WORDS["editions"] | _WORDS["searched"]) - {"at", "on", "last", "as", "of"}
        and own <= _WORDS["editions"] | _WORDS["searched"]
    ):
        return "edition" if DATE.fullmatch(value) else ""
    is_name = own <= _WORDS["names"] and vocabulary.may_name_check(value, of_register=True)
    return "name" if is_name and vocabulary["answers"].isdisjoint(text_words(value)) else ""


def says_found(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text below screening says that somebody was found, as in `positively identified`, or names a crime in an entry that was found."""
    if value is True and own == ["found"]:
        return not vocabulary.trouble_sought.isdisjoint(name_words(last_group(path)))
    said = text_words(value) if isinstance(value, str) else []
    if len(said) == 1 and not vocabulary["trouble_names_of_screening"].isdisjoint(said):
        return True
    if not vocabulary["not_found_texts"].isdisjoint(said):
        return False
    if is_of_entry(path, vocabulary) and vocabulary.has_stem(said, "trouble_names_of_screening"):
        return True
    names_list = vocabulary["register_names"] | vocabulary["data_names_of_sources"]
    return not vocabulary["found_texts"].isdisjoint(said) and names_list.isdisjoint({*own[-1:], *said})


def is_of_entry(path: str, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf below screening is in an entry of a list, and not of a list of what was searched, as in `results.0.categories`."""
    *groups, _ = path.rstrip("0123456789.").split(".")
    around = [part for step in groups[1:] for part in name_words(step)]
    searched = vocabulary["register_names"] | vocabulary["dated_lists"] | vocabulary["searched_words"]
    return (
        any(step.isdigit() for step in groups)
        and searched.isdisjoint(around)
        and not any(plain_word(step) in vocabulary["searched_groups"] for step in groups)
    )
