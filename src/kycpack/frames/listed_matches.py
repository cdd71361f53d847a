"""Counts the screening matches that a results document lists, in whatever member a provider lists them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from kycpack.frames.answer_members import SECTIONS
from kycpack.models.broken_json import RepeatedMember

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_MATCHES = frozenset({"match", "matches", "hit", "hits"})
_LISTING = frozenset({"detail", "details", "list", "data", "record", "records", "entry", "entries", "result", "results", "item", "items"})  # fmt: skip
_OF_SEARCH = frozenset({"results", "entities", "persons", "people", "candidates", "alerts", "records", "entries", "profiles"})  # fmt: skip
_NAMING = frozenset({"name", "names", "entity", "person", "individual", "subject", "caption", "title", "profile", "alias", "aliases"})  # fmt: skip
_NAMED_OTHERS = frozenset({"list", "source", "provider", "vendor", "database", "dataset", "category", "search", "searched", "screened", "query", "queried"})  # fmt: skip
_OUTCOMES = frozenset(
    {"outcome", "result", "verdict", "searched", "checked", "screened", "edition", "updated"}
)
_OF_SCREENING = frozenset({"screening", "screenings", "sanction", "sanctions", "watchlist", "watchlists", "pep", "peps", "aml", "adverse", "terror", "terrorism", "ofac"})  # fmt: skip
_NO_MATCH = re.compile(
    r"\s*(?:(?:no|not|none|nothing)\b.*|nil|clear|n/?a|[-.]*)\s*", re.IGNORECASE | re.DOTALL
)
_GROUPS = (dict, list, RepeatedMember)


def count_listed(document: Mapping[str, Any]) -> int:
    """Return how many matches a results document lists with what was found, below screening or in a section of its own.

    Args:
        document: The parsed document.
    """
    return sum(
        _count_below(name, value, in_screening=name == "screening")
        for name, value in document.items()
        if name == "screening" or (name not in SECTIONS and _is_about_screening(name))
    )


def _is_about_screening(section: str) -> bool:
    """Return whether a section is about lists of persons: one of matches, hits or results alone may be; one of faces or addresses is not."""
    own = _words(section)
    return not _OF_SCREENING.isdisjoint(own) or (_MATCHES | _LISTING | _OF_SEARCH).issuperset(own)


def _count_below(name: str, value: Any, *, in_screening: bool) -> int:
    own = _words(name)
    if names_matches(name):
        return _count(value)
    if in_screening and own and _OF_SEARCH.issuperset(own):
        return _count(value, of_search=True)
    members = value.items() if isinstance(value, dict) else (("", one) for one in _inner(value))
    return sum(
        _count_below(member, one, in_screening=in_screening)
        for member, one in members
        if isinstance(one, _GROUPS)
    )


@lru_cache(maxsize=4096)
def names_matches(member: str) -> bool:
    """Return whether a member is named after a match or matches, as in `hits`, `watchlistMatch` and `matchDetails`."""
    own = _words(member)
    return own != () and (own[-1] in _MATCHES or (own[-1] in _LISTING and not _MATCHES.isdisjoint(own[:-1])))


def names_one_match(member: str) -> bool:
    """Return whether a member is named after one match, and not after several that it may hold."""
    return names_matches(member) and {"matches", "hits"}.isdisjoint(_words(member))


def names_somebody(member: str) -> bool:
    """Return whether a member of a match names who was found, as in `fullName` and `entity`, and not a list or what was searched for."""
    own = _words(member)
    return not _NAMING.isdisjoint(own) and _NAMED_OTHERS.isdisjoint(own)


# The documents of a provider have few different names.
@lru_cache(maxsize=4096)
def _words(member: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in _WORDS.findall(member))


def _count(value: Any, *, of_search: bool = False) -> int:
    """Return the matches in a member named after them: an entry is a text or an object that names somebody; a number alone counts them and lists none.

    Args:
        value: The member's value.
        of_search: Whether it is named after the results of a search, which may as well be its outcome for each list.
    """
    if isinstance(value, dict):
        if any(map(names_somebody, value)):
            return 0 if of_search and any(map(_tells_outcome, value)) else 1
        return sum(_count(one, of_search=of_search) for one in value.values() if isinstance(one, _GROUPS))
    return sum(
        1
        if not of_search
        and (isinstance(one, dict) or (isinstance(one, str) and not _NO_MATCH.fullmatch(one)))
        else _count(one, of_search=of_search)
        for one in _inner(value)
    )


def _tells_outcome(member: str) -> bool:
    return not _OUTCOMES.isdisjoint(_words(member)[-1:])


def _inner(value: Any) -> tuple[Any, ...]:
    if isinstance(value, RepeatedMember):
        return value.values
    return tuple(value) if isinstance(value, list) else ()
