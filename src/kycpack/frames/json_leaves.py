"""The leaves of a document of unknown structure: every value, with its path."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any

from kycpack.models.broken_json import RepeatedMember, UnreadableValue

_WITH_MEMBERS = frozenset({dict, list, RepeatedMember})
AGAIN = re.compile(r"(?<!\\)\\[0-9]+(?=\.|$)")
"""The mark of a repeated name in an object."""


def leaves(document: Any) -> list[tuple[str, Any]]:
    r"""Return the leaves of a document in its own order, each with its path.

    An empty object or list is a leaf, so that it is not lost. Dots join names: a dot in a name is written `\.`, a
    backslash `\\`, and a name without letters `\_`. A repeated name in an object is followed by `\2`, `\3` and so on.

    Args:
        document: A parsed JSON document.
    """
    return list(zip(*paths_and_values(document), strict=True))


def paths_and_values(document: Any) -> tuple[tuple[str, ...], list[Any]]:
    """Return the leaves of a document as `leaves` does, but their paths and values apart.

    Args:
        document: A parsed JSON document. For those of the same structure, the paths are the same object.
    """
    if type(document) not in _WITH_MEMBERS:
        return ("",), [document]
    values: list[Any] = []
    members: list[Any] = []
    _gather(document, values, members)
    places, paths = _leaf_paths(tuple(map(type, values)), tuple(members))
    return paths, [values[place] for place in places]


def _gather(value: Any, values: list[Any], members: list[Any]) -> None:
    """Add an object or list and every value in it to `values`, and to `members` its names, or how many values it has."""
    values.append(value)
    inner: Iterable[Any]
    if type(value) is dict:
        members.append(tuple(value))
        inner = value.values()
    else:
        inner = value if type(value) is list else value.values
        members.append(len(inner))
    for one in inner:
        if type(one) in _WITH_MEMBERS:
            _gather(one, values, members)
        else:
            values.append(one)


# The documents of a provider have few different structures.
@lru_cache(maxsize=32)
def _leaf_paths(
    types: tuple[type, ...], members: tuple[tuple[str, ...] | int, ...]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return which of the values that `_gather` added are leaves, and their paths."""
    places, paths = zip(*_walk(enumerate(types), iter(members), ""), strict=True)
    return places, paths


def _walk(types: Iterator[tuple[int, type]], members: Iterator[Any], path: str) -> Iterator[tuple[int, str]]:
    place, kind = next(types)
    inner = next(members) if kind in _WITH_MEMBERS else ()
    if not inner:
        yield place, path
    elif kind is RepeatedMember:
        for number in range(1, inner + 1):
            yield from _walk(types, members, path if number == 1 else f"{path}\\{number}")
    else:
        start = f"{path}." if path else ""
        for name in inner if kind is dict else map(str, range(inner)):
            written = name.replace("\\", "\\\\").replace(".", "\\.") or "\\_"
            yield from _walk(types, members, start + written)


def leaf_text(value: Any) -> str | None:
    """Return a leaf as text: strings as they are, numbers with their digits, true and false; None for null."""
    kind = type(value)
    if value is None or kind is str:
        return value  # type: ignore[no-any-return]
    if kind is bool:
        return "true" if value else "false"
    if kind is UnreadableValue:
        return str(value.reason)
    if kind is list or kind is dict:
        return "[]" if kind is list else "{}"
    return format(value, "f") if kind is Decimal else str(value)
