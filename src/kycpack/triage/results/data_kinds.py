"""Kinds of plain data that both a name and the form of its value show: tokens, spans of time, counts, terms of a search, preferences, dates under a known name, and values written in another form than the usual one.

A name alone or a form alone shows nothing: a token may be called `duplicateOf`, and a type may be `photocopy`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any

from kycpack.frames.json_leaves import leaves
from kycpack.triage.case_file import NESTED, Observation
from kycpack.triage.countries import is_country
from kycpack.triage.results.data_groups import claims_nothing, needs_review
from kycpack.triage.results.data_leaves import DATE, are_known
from kycpack.triage.results.leaf_details import detail_of, moment_of
from kycpack.triage.results.neutral_facts import is_possible_day
from kycpack.triage.results.result_dates import dates_of
from kycpack.triage.results.trouble_words import (
    in_claiming_group,
    in_trouble_group,
    is_known_group,
    is_unknown_reference,
)
from kycpack.triage.results.vocabulary import (
    Vocabulary,
    group_words,
    name_words,
    own_words,
    steps_of,
    text_words,
    words_around,
    words_of,
)

_LONGEST_ANSWER = 4_000
_NUMBER = re.compile(r"(0|[1-9][0-9]{0,8}|[0-9]\.[0-9]{1,6})(?: (hits?|match(?:es)?))?")
# A tick is a yes; nobody knows whether a cross is a no or a failure.
_BOOLEANS = {
    "true": True,
    "false": False,
    "yes": True,
    "no": False,
    "\u2713": True,
    "\u2714": True,
    "\u2705": True,
}
_LISTED = ("ids", "uuids", "guids", "urls", "hashes", "fonts")
_EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_WORDS = words_of("data_kinds")
_SLUG = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+")

# A UUID, a digest, or a provider's id with its prefix, as `req_1109df0b`.
_TOKEN = re.compile(
    r"(?:[A-Za-z]+[0-9]*:)?[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4,})*|[A-Za-z]{2,8}[_-](?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{6,}"
)
_HEX = re.compile(r"(?:(?:sha|md)[0-9]+:)?[0-9a-fA-F-]+")
_KEY = re.compile(r"(?=.*[0-9])[A-Za-z0-9._:/+=-]+")
_SPAN = re.compile(
    r"[1-9][0-9]{0,4} ?(?:ms|milliseconds|s|secs?|seconds?|min|mins|minutes?|h|hours?|days?|weeks?|months?|years?)"
)
_LONGEST_TERM = 4
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[A-Z]{2})?")
_SIGNATURE = re.compile(r"(?=[^0-9]*[0-9])[A-Za-z0-9+/_.-]{24,}={0,2}")


def is_of_kind(path: str, own: Sequence[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf outside screening is data of one of these kinds, and nothing around it speaks of trouble.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its words for trouble, and its names of details and dates.
    """
    named = own or own_words(steps_of(path)[1])
    return (
        not path.startswith("screening.")
        and bool(named)
        and not in_trouble_group(path, vocabulary)
        and not in_claiming_group(path, vocabulary)
        and (
            _is_token(path, named, value, vocabulary)
            or _is_preference(path, named, value)
            or _is_dated_or_compared(path, value, vocabulary)
        )
    )


def is_extent(path: str, own: Sequence[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf outside screening says how much was searched or sent, or over how long, and not what was found; its group may be a search for trouble.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its stems for trouble, and its groups of findings.
    """
    return (
        not path.startswith("screening.")
        and bool(own)
        and not in_trouble_group(path, vocabulary)
        and vocabulary["finding_groups"].isdisjoint(group_words(path))
        and (_is_span(own, value) or _is_count(own, value))
    )


def is_of_request(path: str, own: Sequence[str], value: Any) -> bool:
    """Return whether a leaf below screening is a term that the request searched for, as in `adverseMediaSearch.keywords: ["fraud"]`, or how many lists it searched, as in `sanctionsListsSearched: 4`.

    Args:
        path: Path of the leaf; one in an entry of a list is of somebody who was found.
        own: The words of its name, without numbers.
        value: Its value.
    """
    *around, listed = path.split(".")[:-1] or [""]
    if not path.startswith("screening.") or any(step.isdigit() for step in (*around, listed)):
        return False
    if isinstance(value, Decimal):
        is_number = value >= 1 and value == value.to_integral_value()
        is_of_lists = (
            not _WORDS["lists"].isdisjoint(own[-2:-1])
            and {*own[:-1]} <= _WORDS["lists"] | _WORDS["kinds_of_lists"]
        )
        return is_number and (
            (is_of_lists and own[-1] in _WORDS["searching"])
            or ([*own] == ["sources"] and name_words(listed)[-1:] == ["search"])
        )
    if name_words(listed) == ["languages"] and isinstance(value, str) and _LANGUAGE.fullmatch(value):
        return True
    return (
        path.rpartition(".")[2].isdigit()
        and isinstance(value, str)
        and not _WORDS["terms"].isdisjoint(name_words(listed)[-1:])
        and {*name_words(listed)} <= _WORDS["terms"] | {"search", "key", "words", "query", "entity"}
        and not _WORDS["requests"].isdisjoint(name_words(around[-1])[-1:] if around else [])
        and 0 < len(text_words(value)) <= _LONGEST_TERM
        and not any(map(str.isdigit, value))
    )


def _is_token(path: str, named: Sequence[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a value is an opaque token under the name of an id, a digest or a file; the id of what a search found is not."""
    if not isinstance(value, str):
        return False
    around = [*group_words(path), *named]
    is_file = not _WORDS["files"].isdisjoint(around) and is_known_group(around, vocabulary)
    is_named = not _WORDS["token_names"].isdisjoint(named[-1:])
    if not _WORDS["signatures"].isdisjoint(named[-1:]) and _SIGNATURE.fullmatch(value):
        return not vocabulary.has_stem(around, "trouble_names")
    if not ((is_named or is_file) and _TOKEN.fullmatch(value)) and not (
        is_named and _KEY.fullmatch(value) and is_known_group({*named} - _WORDS["token_names"], vocabulary)
    ):
        return False
    wrong = (
        vocabulary["denied_words"]
        | vocabulary["searches_for_trouble"]
        | vocabulary["words_for_a_look"]
        | _WORDS["of_customer"]
    )
    return (
        wrong.isdisjoint(around)
        and not vocabulary.has_stem(around, "trouble_names")
        and not vocabulary.has_stem(named, "troubled_dates")
        and not is_unknown_reference(path, vocabulary)
        and (_HEX.fullmatch(value) is not None or _says_nothing(value, vocabulary))
    )


def _says_nothing(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether no word in a key is one of a verdict or of trouble."""
    said = text_words(text)
    return (
        (vocabulary["verdict_words"] | vocabulary["trouble_values"] | vocabulary.trouble_sought).isdisjoint(
            said
        )
        and not vocabulary.has_stem(said, "trouble_names")
        and not needs_review(text, vocabulary)
    )


def _is_span(named: Collection[str], value: Any) -> bool:
    """Return whether a leaf says over how long something was searched or is kept, as in `window: 24 months` or `lookbackDays: 730`."""
    said = {*named}
    if isinstance(value, Decimal):
        is_number = value >= 1 and value == value.to_integral_value()
        return (
            is_number
            and bool(said & _WORDS["units"])
            and bool(said & _WORDS["spans"])
            and said <= _WORDS["spans"] | _WORDS["units"]
        )
    return isinstance(value, str) and _SPAN.fullmatch(value.strip()) is not None and said <= _WORDS["spans"]


def _is_count(named: Collection[str], value: Any) -> bool:
    """Return whether a number says how many things were searched, as in `facesCompared`, or sent, as in `imagesReceived`."""
    said = {*named}
    return (
        isinstance(value, Decimal)
        and value >= 1
        and value == value.to_integral_value()
        and any(
            said <= things | deeds and not said.isdisjoint(things) and not said.isdisjoint(deeds)
            for things, deeds in (
                (_WORDS["searched"], _WORDS["searching"]),
                (_WORDS["files_sent"], _WORDS["sent"]),
            )
        )
    )


def _is_preference(path: str, named: Collection[str], value: Any) -> bool:
    """Return whether a leaf says whether the customer wants something that no check needs, as in `consent.marketing`."""
    return (
        isinstance(value, bool)
        and {*named} <= _WORDS["preferences"]
        and not _WORDS["consents"].isdisjoint(group_words(path))
    )


def _is_dated_or_compared(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf gives a date whose meaning is known, or a detail that is compared, in the form that such a value has."""
    if not isinstance(value, str):
        return False
    detail = detail_of(path, vocabulary)
    if detail in {"born_on", "expires_on"}:
        return bool(dates_of(value)) and is_possible_day(value)
    if detail == "document_number":
        return _KEY.fullmatch(value) is not None
    if detail in {"nationality", "issuing_country"}:
        return is_country(value)
    return (
        bool(moment_of(path, vocabulary))
        and DATE.fullmatch(value) is not None
        and is_possible_day(value)
        and is_known_group(words_around(path), vocabulary)
        and vocabulary["searches_for_trouble"].isdisjoint(name_words(path))
    )


def inner_leaves(path: str, text: str) -> list[Observation]:
    """Return the leaves of a JSON object inside a text; empty for any other text.

    Args:
        path: Path of the text.
        text: The text.
    """
    if not text.lstrip().startswith("{") or len(text) > _LONGEST_ANSWER:
        return []
    try:
        answer = json.loads(text, parse_float=Decimal, parse_int=Decimal, object_pairs_hook=_members)
    except (ValueError, RecursionError):
        return []
    return [
        Observation(f"{path}.{name}", NESTED if value in ({}, []) else value)
        for name, value in leaves(answer)
    ]


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name is given twice")
    return made


def in_usual_form(seen: Observation) -> Observation | None:
    """Return a leaf whose text is a number or a boolean with that value, `0 hits` as that of a member `hits`; None for any other leaf."""
    text = seen.value.strip().casefold() if isinstance(seen.value, str) else ""
    if text in _BOOLEANS:
        return seen._replace(value=_BOOLEANS[text])
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    path = f"{seen.path}.{found[2]}" if found[2] else seen.path
    return seen._replace(path=path, value=Decimal(found[1]))


def with_name_of_list(seen: Observation) -> Observation:
    """Return an item without a name in a list of ids, links or fonts under the name that it has by itself, as in `photoIds.0.photoId`; any other leaf as it is."""
    group, _, name = seen.path.rpartition(".")
    listed = group.rpartition(".")[2]
    last = name_words(listed)[-1:]
    if not name.isdigit() or not last or last[0] not in _LISTED:
        return seen
    ending = "es" if listed.casefold().endswith("hashes") else "s"
    return seen._replace(path=f"{seen.path}.{listed[: -len(ending)]}")


def is_written_plainly(path: str, own: list[str], value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a text outside screening is an e-mail address under such a name, or an id in known words, as `uk-standard` is.

    Args:
        path: Path of the leaf.
        own: The words of its name, without numbers.
        value: Its value.
        vocabulary: Its words of names and of plain data.
    """
    if not isinstance(value, str) or not own or not claims_nothing(path, own, vocabulary):
        return False
    if {*own} <= _WORDS["of_email"]:
        return _EMAIL.fullmatch(value) is not None
    if own[-1] != "id" or _SLUG.fullmatch(value) is None:
        return False
    said = text_words(value)
    return are_known(said, vocabulary) and vocabulary["verdict_words"].isdisjoint(said)


def is_unknown_camera(path: str, value: Any, vocabulary: Vocabulary) -> bool:
    """Return whether a leaf names the camera that took the pictures, and its name has a word nobody knows: it may be a program in place of one.

    Args:
        path: Path of the leaf.
        value: Its value.
        vocabulary: Its words for cameras, and those known as plain data.
    """
    groups, name = steps_of(path)
    cameras, names = vocabulary["camera_words"], vocabulary["camera_names"]
    own = name_words(name)
    around = name_words(groups[-1]) if groups else []
    named = not cameras.isdisjoint(own) or not own
    is_name = (named and cameras.union(names).issuperset(own)) or (
        not cameras.isdisjoint(around) and names.issuperset(own)
    )
    return is_name and isinstance(value, str) and not are_known(text_words(value), vocabulary)
