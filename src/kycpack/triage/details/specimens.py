"""Names, addresses and authorities from specimen documents, templates and tests, which are not those of a real person, home or state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from kycpack.assets import asset_yaml
from kycpack.triage.case_file import Observation
from kycpack.triage.names.transliteration import words
from kycpack.triage.results.issuing_authorities import is_of_no_state, names_authority
from kycpack.triage.results.leaf_names import group_words, own_words
from kycpack.triage.results.place_names import FILE, without_places
from kycpack.triage.results.vocabulary import Vocabulary

NONE = "none"
_REMARK = re.compile(r"[(\[{][^)\]}]{3,}[)\]}]")
_FIRST, _LAST = "document.holder.firstName", "document.holder.lastName"
# What is left of a template that was not filled in, and what programs write for nothing: `Null` is a name that people have.
_TEMPLATE = re.compile(
    r"(?<![0-9])%(?:\(\w+\))?[sd]\b|\$\{[^}]*\}|\{\{?\s*[\w.]+\s*\}?\}|<[A-Za-z_ ]+>|(?<!\w)__[A-Za-z]\w*__(?!\w)|\[object Object\]"
)
# In place of a name or a place, what is left of one in further languages of templates, and an error of a spreadsheet.
_MARK = re.compile(
    r"<+[\w -]+>+|\[[\w -]+\]|%[\w-]+%|__[A-Za-z_]+__|\$[A-Za-z_]+|#(?:NAME|REF|VALUE|NULL|N/A)[?!]?",
    re.ASCII,
)
_NOTHING = frozenset({"null", "(null)", "undefined", "nil", "nan", "NaN"})
_OF_NAMES = frozenset({"name", "names", "surname", "surnames"})
_WHOSE = _OF_NAMES | {
    "birth", "maiden", "mother", "mothers", "father", "fathers", "parent", "parents", "previous", "former", "first", "given", "last", "family", "middle", "full", "legal", "other",
    "holder", "person", "at", "of", "s",
}  # fmt: skip
_PLACES = frozenset({"place", "office", "city", "town"})
_LINE, _CITY = "address.extractedAddress.addressLine1", "address.extractedAddress.city"


@dataclass(frozen=True, slots=True)
class _Specimens:
    """The content of the file."""

    names: frozenset[str]
    whole: frozenset[str]
    places: frozenset[str]
    lines: frozenset[str]
    unnamed: frozenset[str]
    remarks: frozenset[str]


def specimens(seen: Sequence[Observation], vocabulary: Vocabulary) -> Iterator[tuple[Observation, str]]:
    """Yield the names, addresses and authorities in a session's results that come from specimens, templates, forms or tests.

    Args:
        seen: The observations of one session.
        vocabulary: Says which members name an authority.

    Yields:
        The observation, and a description such as `a name that stands on specimens and in tests`.
    """
    texts = [one for one in seen if one.of_results and isinstance(one.value, str)]
    given = {one.path: one for one in texts if one.path in {_FIRST, _LAST, _LINE, _CITY}}
    first, last = (str(given[path].value) if path in given else "" for path in (_FIRST, _LAST))
    name = given.get(_LAST) or given.get(_FIRST)
    if name is not None and is_specimen(first, last):
        yield name, "a name that stands on specimens and in tests"
    for path in (_FIRST, _LAST):
        if path in given and any(map(str.isdigit, str(given[path].value))):
            yield given[path], "a name with a digit"
        elif path in given and _REMARK.search(_TEMPLATE.sub("", str(given[path].value))):
            yield given[path], "a name with a remark in brackets"
    for path in (_LINE, _CITY):
        if path in given and is_placeholder_of_home(str(given[path].value)):
            yield given[path], "an address that stands in forms and in tests"
    for one in texts:
        if wrong := _in_place_of_data(one.path, one.value, vocabulary):
            yield one, wrong


@lru_cache(maxsize=65_536)
def _in_place_of_data(path: str, text: str, vocabulary: Vocabulary) -> str:
    """Return what a text is that stands in place of a name, a place or an authority, or is left of a template; empty for anything else."""
    if "://" not in text and _TEMPLATE.search(text):
        return "what is left of a template"
    own = own_words(path)
    is_listed, is_authority = path in {_FIRST, _LAST}, names_authority(path, vocabulary)
    is_name = is_listed or _names_person(path)
    if not (is_name or is_authority or path == _CITY or not _PLACES.isdisjoint([*own[:1], *own[-1:]])):
        return ""
    said = [word.text for word in words(text)]
    wrong = (
        (_MARK.fullmatch(text.strip()) is not None, "what is left of a template"),
        (len(own) > 1 and said == own, "the name of the member in place of its value"),
        (text.strip() in _NOTHING, "a word that programs write for nothing"),
        (any(f" {one} " in f" {' '.join(said)} " for one in _known().remarks), "a remark in place of data"),
        (is_name and not _known().unnamed.isdisjoint(said), "a word that stands for an unknown name"),
        (is_name and not is_listed and is_specimen(text, ""), "a name that stands on specimens and in tests"),
        (is_authority and is_of_no_state(text), "an authority of no state"),
    )
    return next((said_of_it for is_wrong, said_of_it in wrong if is_wrong), "")


def _names_person(path: str) -> bool:
    """Return whether a leaf outside screening is a further name of a person, such as that at birth or the mother's."""
    own = own_words(path)
    whole = {*own, *(group_words(path) if len(own) == 1 else ())}
    return (
        not path.startswith("screening.")
        and not _OF_NAMES.isdisjoint(own)
        and len(whole) > 1
        and whole <= _WHOSE
    )


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
    return not _known().places.isdisjoint(without_places(said)) or named in _known().lines


@cache
def _known() -> _Specimens:
    known: dict[str, Any] = asset_yaml(FILE)
    return _Specimens(
        *(frozenset(known[name]) for name in ("names", "whole", "places", "lines", "unnamed", "remarks"))
    )
