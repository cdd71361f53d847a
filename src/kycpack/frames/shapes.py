"""Shapes of documents: what stays the same from one document of a service to the next, so that only values are read.

The members of a document come in few shapes: the same names, in the same order, with the same blanks between them. A shape
is a regular expression of everything but the leaves; a text that it matches is JSON in which no name comes twice, and its
groups are the leaves.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass

from kycpack.frames.leaves import leaf_text

_STRING = r'"(?:[^"\\]|\\.)*+"'
_PIECES = re.compile(
    rf"(?P<name>{_STRING}\s*+:)|(?P<leaf>{_STRING}|[-0-9][-+.0-9eE]*+|true|false|null|\[\s*+\]|\{{\s*+\}})"
)
# Strings without escapes and numbers of a length that floats keep; a leaf of another form is read by the strict reader.
_LEAF = (
    r'("[^"\\\x00-\x1f]*+"|0|-?[1-9][0-9]{0,14}(?:\.[0-9]{1,16})?|-?0\.[0-9]{1,16}|true|false|null|\[\]|\{\})'
)
_MOST = 16


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape of a member.

    Attributes:
        pattern: Matches the member's text, one group a leaf.
        paths: The numbers of the leaves' paths.
    """

    pattern: re.Pattern[str]
    paths: array[int]


class Shapes:
    """The shapes in which one member was seen, the last used first.

    A shape is learned when it is seen for the second time, since it takes longer to learn one than to read a document.
    """

    __slots__ = ("_known", "_seen")

    def __init__(self) -> None:
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

    def learn(self, text: str, paths: tuple[int, ...]) -> None:
        """Take note of the shape of a member.

        Args:
            text: The member, which the strict reader has accepted.
            paths: The numbers of the paths of its leaves, in order.
        """
        if len(self._known) >= _MOST:
            return
        if paths in self._seen:
            self._known.insert(0, Shape(re.compile(_pattern(text)), array("i", paths)))
        else:
            self._seen.add(paths)


def _pattern(text: str) -> str:
    pattern, end = "", 0
    for piece in _PIECES.finditer(text):
        pattern += re.escape(text[end : piece.start()])
        pattern += _LEAF if piece["leaf"] else re.escape(piece["name"])
        end = piece.end()
    return pattern + re.escape(text[end:])


def token(leaf: object) -> str:
    """Return a leaf as it stands in a document, but for escapes: text in quotes, null as a word."""
    return f'"{leaf}"' if isinstance(leaf, str) else leaf_text(leaf) or "null"
