"""Names and addresses from specimen documents and tests, which are not those of a real person or home."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.case_file import Observation
from kycpack.triage.names.transliteration import words

NONE = "none"
_FILE = "names/specimens.yaml"
_REMARK = re.compile(r"[(\[{][^)\]}]{3,}[)\]}]")
_FIRST, _LAST = "document.holder.firstName", "document.holder.lastName"
_LINE, _CITY = "address.extractedAddress.addressLine1", "address.extractedAddress.city"


@dataclass(frozen=True, slots=True)
class _Specimens:
    """The content of the file."""

    names: frozenset[str]
    whole: frozenset[str]
    places: frozenset[str]
    lines: frozenset[str]


def specimens(seen: Sequence[Observation]) -> Iterator[tuple[Observation, str]]:
    """Yield the names and addresses in a session's results that come from specimens, forms or tests.

    Args:
        seen: The observations of one session.

    Yields:
        The observation, and a description such as `a name that stands on specimens and in tests`.
    """
    given = {
        one.path: one
        for one in seen
        if one.of_results and one.path in {_FIRST, _LAST, _LINE, _CITY} and isinstance(one.value, str)
    }
    first, last = (str(given[path].value) if path in given else "" for path in (_FIRST, _LAST))
    name = given.get(_LAST) or given.get(_FIRST)
    if name is not None and is_specimen(first, last):
        yield name, "a name that stands on specimens and in tests"
    for path in (_FIRST, _LAST):
        if path in given and any(map(str.isdigit, str(given[path].value))):
            yield given[path], "a name with a digit"
        elif path in given and _REMARK.search(str(given[path].value)):
            yield given[path], "a name with a remark in brackets"
    for path in (_LINE, _CITY):
        if path in given and is_placeholder_of_home(str(given[path].value)):
            yield given[path], "an address that stands in forms and in tests"


@lru_cache(maxsize=16_384)
def is_specimen(first: str, last: str) -> bool:
    """Return whether a name is one that specimens and tests use."""
    said = [word.text for word in words(f"{first} {last}")]
    return not _known().names.isdisjoint(said) or " ".join(said) in _known().whole


@lru_cache(maxsize=16_384)
def is_placeholder_of_home(line: str) -> bool:
    """Return whether the line or the town of an address is one that forms and tests use."""
    said = [word.text for word in words(line)]
    named = " ".join(word for word in said if not word.isdigit())
    return not _known().places.isdisjoint(said) or named in _known().lines


@cache
def _known() -> _Specimens:
    known: dict[str, Any] = asset_yaml(_FILE)
    return _Specimens(*(frozenset(known[name]) for name in ("names", "whole", "places", "lines")))
