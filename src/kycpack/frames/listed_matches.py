"""Counts the screening matches that a results document lists, in whatever member a provider lists them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.models.broken_json import RepeatedMember

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_MATCHES = frozenset({"match", "matches", "hit", "hits"})
_LISTING = frozenset({"detail", "details", "list", "data", "record", "records", "entry", "entries", "result", "results", "item", "items"})  # fmt: skip
_OF_SEARCH = frozenset({"results", "entities", "persons", "people", "candidates", "alerts", "records", "entries", "profiles"})  # fmt: skip
_NAMING = frozenset({"name", "names", "entity", "person", "individual", "subject", "caption", "title", "profile", "alias", "aliases"})  # fmt: skip


def count_listed(document: Mapping[str, Any]) -> int:
    """Return how many matches a results document lists with what was found, below screening or in a section of its own.

    Args:
        document: The parsed document.
    """
    return sum(
        _count_below(name, value, in_screening=name == "screening")
        for name, value in document.items()
        if name == "screening" or name not in SECTIONS
    )


def _count_below(name: str, value: Any, *, in_screening: bool) -> int:
    own = _words(name)
    if names_matches(name) or (in_screening and own and _OF_SEARCH.issuperset(own)):
        return _count(value)
    if not isinstance(value, dict):
        return sum(_count_below("", one, in_screening=in_screening) for one in _inner(value))
    return sum(_count_below(member, one, in_screening=in_screening) for member, one in value.items())


def names_matches(member: str) -> bool:
    """Return whether a member is named after a match or matches, as in `hits`, `watchlistMatch` and `matchDetails`."""
    own = _words(member)
    return own[-1:] != [] and (
        own[-1] in _MATCHES or (own[-1] in _LISTING and not _MATCHES.isdisjoint(own[:-1]))
    )


def names_one_match(member: str) -> bool:
    """Return whether a member is named after one match, and not after several that it may hold."""
    return names_matches(member) and {"matches", "hits"}.isdisjoint(_words(member))


def names_somebody(member: str) -> bool:
    """Return whether a member of a match names who was found, as in `fullName` and `entity`."""
    return not _NAMING.isdisjoint(_words(member))


def _words(member: str) -> list[str]:
    return [word.casefold() for word in _WORDS.findall(member)]


def _count(value: Any) -> int:
    """Return the matches in a member named after them: an entry is a text or an object that names somebody; a number alone counts them and lists none."""
    if isinstance(value, dict):
        return 1 if any(map(names_somebody, value)) else sum(map(_count, _groups(value.values())))
    return sum(
        1 if isinstance(one, dict) or (isinstance(one, str) and one.strip()) else _count(one)
        for one in _inner(value)
    )


def _groups(values: Any) -> Iterator[Any]:
    return (one for one in values if isinstance(one, dict | list | RepeatedMember))


def _inner(value: Any) -> tuple[Any, ...]:
    if isinstance(value, RepeatedMember):
        return value.values
    return tuple(value) if isinstance(value, list) else ()
