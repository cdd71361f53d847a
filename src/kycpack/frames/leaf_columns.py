"""Leaves of many documents in columns: each path once, each leaf a number, a kind and a text.

A member of a document that has a shape that was seen before is read by that shape; any other, strictly; and where that cannot be
done, leniently, so that one odd value does not hide the others.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kycpack.errors import InputError
from kycpack.frames.leaves import join, leaves
from kycpack.frames.members import kind_of
from kycpack.frames.shapes import Outline, Shapes, token
from kycpack.models.json import MAX_DEPTH, parse_json, parse_json_leniently

KINDS = ("string", "boolean", "number", "null", "list", "object", "unreadable")
_FIRST = {
    '"': "string",
    "t": "boolean",
    "f": "boolean",
    "n": "null",
    "[": "list",
    "{": "object",
    "!": "unreadable",
}
_KIND_BY_FIRST = np.full(256, KINDS.index("number"), dtype=np.int8)
for _character, _kind in _FIRST.items():
    _KIND_BY_FIRST[ord(_character)] = KINDS.index(_kind)
_OPENING = re.compile(r"[ \t\n\r]*+\{")
_NAME = re.compile(r'[ \t\n\r]*+("[^"\\\x00-\x1f]*+")[ \t\n\r]*+:[ \t\n\r]*+')
_NEXT = re.compile(r"[ \t\n\r]*+(?:(,)|\}[ \t\n\r]*+\Z)")
# One member has few shapes, and documents have as many as their members' shapes can be put together.
_MOST_OF_MEMBER, _MOST_OF_DOCUMENT = 16, 4
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Leaves:
    """Leaves of some documents, as parallel columns.

    Attributes:
        paths: Paths by number.
        path: The number of each leaf's path.
        kind: The number of its kind in `KINDS`.
        text: The leaf as text, null for null.
        score: The leaf where it is a number, else NaN.
        counts: How many leaves each document has, in order.
    """

    paths: list[str]
    path: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int8]
    text: pa.Array
    score: npt.NDArray[np.float64]
    counts: npt.NDArray[np.int64]


class _OtherFormError(Exception):
    """The document is not of the form that is read member by member."""


@dataclass(slots=True)
class LeafColumns:
    """Leaves while they are being gathered."""

    paths: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)
    _shapes: dict[str, Shapes] = field(default_factory=dict)
    _documents: Shapes = field(default_factory=lambda: Shapes(_MOST_OF_DOCUMENT))
    _path: array[int] = field(default_factory=lambda: array("i"))
    _tokens: list[str] = field(default_factory=list)
    _counts: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._path)

    def add(self, body: bytes) -> Outline:
        """Read a body and add its leaves, when it is an object.

        Returns:
            What the document is.

        Raises:
            InputError: The body is not JSON, even as leniently as `parse_json_leniently` sees it.
        """
        start = len(self._path)
        try:
            outline = self._add_document(body.decode())
        except (_OtherFormError, InputError, ValueError, RecursionError):
            # First emptied, since a body that is refused must leave nothing behind.
            del self._path[start:], self._tokens[start:]
            document = parse_json_leniently(body)
            if not isinstance(document, dict):
                return Outline(kind_of(document), {})
            for name, value in document.items():
                self._add_leaves(name, value)
            outline = _outline(document)
        self._counts.append(len(self._path) - start)
        return outline

    def take(self) -> Leaves:
        """Return what was gathered, and start anew; numbers of paths stay."""
        tokens = pa.array(self._tokens, pa.string())
        starts = np.frombuffer(tokens.buffers()[1], dtype=np.int32)[: len(tokens)]
        kind = _KIND_BY_FIRST[np.frombuffer(tokens.buffers()[2] or b"", dtype=np.uint8)[starts]]
        is_string, is_number, is_null = (kind == KINDS.index(name) for name in ("string", "number", "null"))
        bare = pc.binary_slice(tokens.cast(pa.binary()), 1, -1).cast(pa.string())
        text = pc.if_else(is_string, bare, tokens)
        unreadable = kind == KINDS.index("unreadable")
        if unreadable.any():
            text = pc.if_else(unreadable, pc.utf8_slice_codeunits(tokens, 1), text)
        score = np.full(len(tokens), np.nan)
        score[is_number] = tokens.filter(is_number).cast(pa.float64())
        taken = Leaves(
            paths=self.paths,
            path=np.frombuffer(self._path, dtype=np.int32),
            kind=kind,
            text=pc.if_else(is_null, pa.scalar(None, pa.string()), text),
            score=score,
            counts=np.array(self._counts, dtype=np.int64),
        )
        self._path, self._tokens, self._counts = array("i"), [], []
        return taken

    def _add_document(self, text: str) -> Outline:
        known = self._documents.match(text, 0)
        if known is not None:
            shape, match = known
            if shape.outline is not None and match.end() == len(text):
                self._path.extend(shape.paths)
                self._tokens.extend(match.groups())
                return shape.outline
        return self._add_members(text)

    def _add_members(self, text: str) -> Outline:
        opening = _OPENING.match(text)
        if opening is None:
            raise _OtherFormError
        first = len(self._path)
        names: set[str] = set()
        members: dict[str, str] = {}
        place = opening.end()
        while True:
            found = _NAME.match(text, place)
            if found is None or found[1] in names:
                raise _OtherFormError
            names.add(found[1])
            name, start = found[1][1:-1], found.end()
            place = self._add_member(name, text, start)
            kind = _FIRST.get(text[start], "number")
            if kind != "null" and text[start:place] != "{}":
                members[name] = kind
            follows = _NEXT.match(text, place)
            if follows is None:
                raise _OtherFormError
            place = follows.end()
            if follows[1] is None:
                break
        outline = Outline("object", members)
        if len(members) == len(names) and set(members.values()) == {"object"}:
            self._documents.learn(text, self._path[first:], outline)
        return outline

    def _add_member(self, name: str, text: str, start: int) -> int:
        """Add the leaves of the member whose value starts at a place, and return where it ends."""
        shapes = self._shapes.get(name) or self._shapes.setdefault(name, Shapes(_MOST_OF_MEMBER))
        known = shapes.match(text, start)
        if known is not None:
            shape, match = known
            self._path.extend(shape.paths)
            self._tokens.extend(match.groups())
            return match.end()
        _, end = _DECODER.raw_decode(text, start)
        value = parse_json(text[start:end].encode(), max_depth=MAX_DEPTH - 1)
        if value == {}:
            raise _OtherFormError
        first = len(self._path)
        self._add_leaves(name, value)
        shapes.learn(text[start:end], self._path[first:])
        return end

    def _add_leaves(self, name: str, value: object) -> None:
        for path, leaf in leaves(value, join("", name)):
            number = self._numbers.get(path)
            if number is None:
                number = self._numbers[path] = len(self.paths)
                self.paths.append(path)
            self._path.append(number)
            self._tokens.append(token(leaf))


def _outline(document: Mapping[str, object]) -> Outline:
    members = {name: kind_of(value) for name, value in document.items() if value is not None and value != {}}
    return Outline("object", members)
