"""Facts of a provider's own work that carry no verdict: the dates of its data and machines, and how many neutral things it counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.triage.case_file import Observation
from kycpack.triage.results.result_dates import dates_of
from kycpack.triage.results.trouble_words import is_known_group, turns_meaning
from kycpack.triage.results.vocabulary import (
    LeafGroup,
    Vocabulary,
    group_words,
    last_group,
    name_words,
    own_words,
    steps_of,
    text_words,
    words_around,
    words_of,
)

_WORDS = words_of("neutral_facts")
_HELD = "held"
_HIGHEST = _WORDS["highest_of"] | {
    "highest",
    "max",
    "maximum",
    "top",
    "best",
    "closest",
    "strongest",
    "match",
}


def is_possible_day(text: str) -> bool:
    """Return whether a text that has the form of a date is a day of the calendar, and of a time in which people keep records."""
    return any(1900 <= day.year <= 2200 for day in dates_of(text))


def is_not_borne(path: str, name: str, text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text says that the document does not have a detail of its holder, as a licence has no sex."""
    said = " ".join(text.replace("_", " ").split())
    return (
        path.startswith("document.holder.")
        and path.count(".") == 2
        and name in _WORDS["may_lack"]
        and said.casefold() in _WORDS["not_borne"]
        and vocabulary.is_placeholder(said)
    )


def is_date_of_machine(path: str, own: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether a date is in a group about the provider's storage, machines or bills, under a name that speaks of no trouble.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        vocabulary: Its groups of machines, and its words and stems for trouble.
    """
    groups, _ = steps_of(path)
    return (
        bool(groups)
        and groups[0] not in SECTIONS
        and not vocabulary["machine_groups"].isdisjoint(name_words(groups[-1])[-1:])
        and vocabulary["searches_for_trouble"].isdisjoint(name_words(path))
        and not vocabulary.has_stem(own, "troubled_dates")
    )


def is_of_channel(path: str, own: list[str], value: Any) -> bool:
    """Return whether a leaf names the known means by which something was sent or read, as in `submittedVia: mobile_web`.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        value: Its value.
    """
    return (
        len(own) > 1
        and own[-1] in _WORDS["means"]
        and _WORDS["sent"].issuperset(own[:-1])
        and not path.startswith("screening.")
        and isinstance(value, str)
        and bool(value.strip())
        and _WORDS["channels"].issuperset(text_words(value))
    )


def is_count_of_files(parts: list[str], value: Any) -> bool:
    """Return whether a leaf says how many pictures, pages or files there are, as in `imageCount` or `images`."""
    is_named = parts[-1] == "count" and not _WORDS["counted_things"].isdisjoint(parts[-2:-1])
    return (
        isinstance(value, Decimal)
        and value > (0 if {"frame", "frames"}.isdisjoint(parts) else 1)
        and value == value.to_integral_value()
        and (
            is_named or (len(parts) == 1 and parts[0] in _WORDS["counted_things"] and parts[0].endswith("s"))
        )
    )


def is_time_of_machine(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a number says how long a machine of the provider took or had to wait, as in `queue.waitMs`."""
    groups, _ = steps_of(path)
    machines = _WORDS["of_work"] | vocabulary["machine_groups"]
    return (
        isinstance(value, Decimal)
        and value >= 0
        and len(groups) == 1
        and groups[0] not in SECTIONS
        and bool(own)
        and own[-1] in _WORDS["times"]
        and not machines.isdisjoint(name_words(groups[0])[-1:])
        and vocabulary["denied_words"].isdisjoint(own)
        and not vocabulary.has_stem(own, "troubled_dates")
        and not vocabulary.has_stem(own, "trouble_names")
    )


def names_lists_searched(path: str, own: list[str], vocabulary: Vocabulary) -> bool:
    """Return whether a leaf stands for the lists in a group about what was searched, as `screening.coverage.lists` does."""
    last = group_words(path)
    return (
        bool(last)
        and vocabulary["searched_words"].issuperset(last)
        and vocabulary["data_names_of_sources"].issuperset(own)
    )


def neutral_counts(group: LeafGroup) -> Iterator[str]:
    """Yield how many neutral things there are or were dealt with, as in `rulesEvaluated: 37`, if no other count in the group says another number of them."""
    around = words_around(f"{group.path}.x")
    if (
        group.path.partition(".")[0] == "screening"
        or not is_known_group(around, group.vocabulary)
        or not group.vocabulary["searches_for_trouble"].isdisjoint(around)
        or any(group.vocabulary.has_stem([part], "trouble_names") for part in around)
        or turns_meaning(f"{group.path}.x", group.vocabulary)
    ):
        return
    counts: dict[str, list[Observation]] = defaultdict(list)
    for one in group.members:
        if isinstance(one.value, Decimal) and (thing := _counted(one.path, around, group.vocabulary)):
            counts[thing].append(one)
    for thing, counted in counts.items():
        numbers = {one.value for one in counted}
        # How many were passed is good only beside how many there were.
        of_all = any(_WORDS["passed"].isdisjoint(own_words(one.path)) for one in counted)
        is_one = thing == _HELD or (len(numbers) == 1 and of_all)
        if is_one and all(each >= 1 and each == each.to_integral_value() for each in numbers):
            yield from (one.path for one in counted)


def _counted(path: str, around: Sequence[str], vocabulary: Vocabulary) -> str:
    """Return the thing that a name counts, in one form for one and many; empty if it counts nothing neutral."""
    said = {*own_words(path)}
    if not _WORDS["of_credit"].isdisjoint(around) and said & vocabulary["credit_things"]:
        return _HELD if said <= vocabulary["credit_things"] | _WORDS["states"] | _WORDS["counts"] else ""
    if not vocabulary["machine_groups"].isdisjoint(around[-1:]) and said & vocabulary["machine_things"]:
        return (
            _HELD
            if said <= vocabulary["machine_things"] | vocabulary["counting_deeds"] | _WORDS["counts"]
            else ""
        )
    things, deeds = (
        said & vocabulary["counted_things"],
        said & (vocabulary["counting_deeds"] | _WORDS["passed"]),
    )
    rest = said - things - deeds - _WORDS["counts"]
    if path.startswith("address.") and said & _WORDS["registers"]:
        things, deeds, rest = (
            things | (said & _WORDS["registers"]),
            deeds | (rest & _WORDS["matched"]),
            rest - _WORDS["registers"] - _WORDS["matched"],
        )
    is_counted = bool(things) and bool(deeds or said & _WORDS["counts"]) and not rest
    return " ".join(sorted(thing.removesuffix("s") for thing in things)) if is_counted else ""


def is_empty_category(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether the screening counts no match of a category, as in `screening.counts.terrorism: 0`, or that its highest score is 0; what was searched is no category.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its words of searches, and of what is searched.
    """
    if not path.startswith("screening.") or value != 0 or not isinstance(value, Decimal):
        return False
    if len(own) > 1 and own[-1] in _WORDS["found_ones"] and {*own[:-1]} <= _WORDS["qualities"]:
        return True
    if len(own) > 1 and _HIGHEST.issuperset(own):
        return not _WORDS["highest_of"].isdisjoint(own) and not turns_meaning(path, vocabulary)
    troubles = vocabulary.trouble_sought | vocabulary["denied_words"]
    plain = [
        part
        for part in own
        if part not in troubles
        and part not in vocabulary["found_words"]
        and not vocabulary.has_stem([part], "trouble_names")
    ]
    searched = (
        vocabulary["data_names_of_sources"]
        | vocabulary["searched_words"]
        | vocabulary["done_words"]
        | vocabulary["check_words"]
        | vocabulary["data_names"]
        | vocabulary["data_words"]
        | vocabulary["searches_of_anything"]
        | vocabulary["counted_things"]
        | vocabulary["counting_deeds"]
        | vocabulary["data_groups_of_screening"]
        | vocabulary["searched_groups"]
        | vocabulary.remarks.subjects
    )
    named = name_words(last_group(path))
    return (
        bool(own)
        and bool(named)
        and path.count(".") > 1
        and _WORDS["categories"].issuperset(named)
        and not any(
            {part, part.removesuffix("s"), f"{part.removesuffix('ies')}y"} & searched or part.endswith("ed")
            for part in plain
        )
        and not turns_meaning(path, vocabulary)
    )
