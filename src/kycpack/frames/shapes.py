"""Shapes of documents: what stays the same from one document of a service to the next, so that only values are read.

The members of a document come in few shapes: the same names, in the same order, with the same blanks between them. A shape
is a regular expression of everything but the leaves; a text that it matches is JSON in which no name comes twice, and its
groups are the leaves.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from kycpack.frames.leaves import leaf_text
from kycpack.models.json import UnreadableValue

_STRING = r'"(?:[^"\\]|\\.)*+"'
_PIECES = re.compile(
    rf"(?P<name>{_STRING}\s*+:)|(?P<leaf>{_STRING}|[-0-9][-+.0-9eE]*+|true|false|null|\[\s*+\]|\{{\s*+\}})"
)
# Strings without escapes and numbers of a length that floats keep; a leaf of another form is read by the strict reader.
_LEAF = (
    r'("[^"\\\x00-\x1f]*+"|0|-?[1-9][0-9]{0,14}(?:\.[0-9]{1,16})?|-?0\.[0-9]{1,16}|true|false|null|\[\]|\{\})'
)
# Documents may be made so that each has a shape of its own; those are not remembered for ever.
_MOST_SEEN = 1024


class Outline(NamedTuple):
    """What a document is.

    Attributes:
        kind: Its kind, as in `string` or `object`.
        members: The kinds of its members by name, without those that are null or an empty object.
    """

    kind: str
    members: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape of a member, or of a document whose members are all objects.

    Attributes:
        pattern: Matches the text, one group a leaf.
        paths: The numbers of the leaves' paths.
        outline: What the document is, where it is one.
    """

    pattern: re.Pattern[str]
    paths: array[int]
    outline: Outline | None


class Shapes:
    """The shapes in which one member was seen, or the whole document, the last used first.

    A shape is learned when it is seen for the second time, since it takes longer to learn one than to read a document.

    Args:
        most: How many are learned.
    """

    __slots__ = ("_known", "_most", "_seen")

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: list[Shape] = []
        self._seen: set[tuple[int, ...]] = set()

    def match(self, text: str, start: int) -> tuple[Shape, re.Match[str]] | None:
        """Return the shape of the text from a place on, and the match that has its leaves; None if it is of no known shape."""
        for place, shape in enumerate(self._known):
            match = shape.pattern.match(text, start)
            if match is not None:
                if place:
                    self._known.insert(0, self._known.pop(place))
                return shape, match
        return None

    def learn(self, text: str, paths: Iterable[int], outline: Outline | None = None) -> None:
        """Take note of a shape.

        Args:
            text: What has the shape, and was read strictly.
            paths: The numbers of the paths of its leaves, in order.
            outline: What it is, where it is a whole document.
        """
        if len(self._known) >= self._most:
            return
        paths = tuple(paths)
        if paths in self._seen:
            self._known.insert(0, Shape(re.compile(_pattern(text)), array("i", paths), outline))
        elif len(self._seen) < _MOST_SEEN:
            self._seen.add(paths)


def _pattern(text: str) -> str:
    pattern, end = "", 0
    for piece in _PIECES.finditer(text):
        pattern += re.escape(text[end : piece.start()])
        pattern += _LEAF if piece["leaf"] else re.escape(piece["name"])
        end = piece.end()
    return pattern + re.escape(text[end:])


def token(leaf: object) -> str:
    """Return a leaf as it stands in a document, but for escapes: text in quotes, null as a word; `!` and why if it cannot be read."""
    if isinstance(leaf, UnreadableValue):
        return f"!{leaf.reason}"
    return f'"{leaf}"' if isinstance(leaf, str) else leaf_text(leaf) or "null"
