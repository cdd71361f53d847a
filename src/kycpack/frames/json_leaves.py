"""The leaves of a document of unknown structure: every value, with its path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any

from kycpack.frames.answer_fields import kind_of
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
    found: list[tuple[str, Any]] = []
    _gather(document, "", found)
    return found


def _gather(value: Any, path: str, found: list[tuple[str, Any]]) -> None:
    if type(value) is RepeatedMember:
        for number, member in enumerate(value.values, start=1):
            _gather(member, path if number == 1 else f"{path}\\{number}", found)
        return
    if type(value) not in _WITH_MEMBERS or not value:
        found.append((path, value))
        return
    start = f"{path}." if path else ""
    for name, member in value.items() if type(value) is dict else _numbered(value):
        below = start + (name if name.isalnum() else _written(name))
        if type(member) in _WITH_MEMBERS:
            _gather(member, below, found)
        else:
            found.append((below, member))


def _numbered(members: list[Any]) -> Iterator[tuple[str, Any]]:
    return ((str(position), member) for position, member in enumerate(members))


@lru_cache(maxsize=16_384)
def _written(name: str) -> str:
    if not name:
        return "\\_"
    return name.replace("\\", "\\\\").replace(".", "\\.") if "." in name or "\\" in name else name


def leaf_text(value: Any) -> str | None:
    """Return a leaf as text: strings as they are, numbers with their digits, true and false; None for null."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, UnreadableValue):
        return value.reason
    kind = kind_of(value)
    if kind == "boolean":
        return "true" if value else "false"
    if kind == "number":
        return format(value, "f") if isinstance(value, Decimal) else str(value)
    return "[]" if kind == "list" else "{}"
