"""The leaves of a document nobody fully knows: every value, with the path that leads to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from kycpack.frames.answer_fields import kind_of
from kycpack.models.json import RepeatedMember, UnreadableValue

AGAIN = re.compile(r"(?<!\\)\\[0-9]+(?=\.|$)")
"""The mark of a name that an object gives again."""


def leaves(document: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    r"""Go through the leaves of a document in its own order.

    An empty object or list is a leaf, so that it is not lost. Dots join names: a dot in a name is written `\.`, a
    backslash `\\`, and a name without letters `\_`. A name that an object gives again is followed by `\2`, `\3` and so on.

    Args:
        document: What JSON can hold.
        path: Where the document stands; empty for the root.
    """
    if isinstance(document, dict) and document:
        for name, value in document.items():
            yield from leaves(value, join(path, name))
    elif isinstance(document, list) and document:
        for position, value in enumerate(document):
            yield from leaves(value, join(path, str(position)))
    elif isinstance(document, RepeatedMember):
        for number, value in enumerate(document.values, start=1):
            yield from leaves(value, path if number == 1 else f"{path}\\{number}")
    else:
        yield path, document


def join(path: str, name: str) -> str:
    """Return the path of a member."""
    if not name:
        name = "\\_"
    elif "." in name or "\\" in name:
        name = name.replace("\\", "\\\\").replace(".", "\\.")
    return f"{path}.{name}" if path else name


def leaf_text(value: Any) -> str | None:
    """Return a leaf as text: strings raw, numbers with their digits, true and false; None for null."""
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
