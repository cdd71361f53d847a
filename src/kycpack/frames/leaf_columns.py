"""Leaves of many documents in columns: each path once, each leaf a number, a kind and a text.

Bodies are parsed by orjson, which is fast and takes the last of two members with one name; so names and strings are counted
against the quotes of the body, and a body in which something could have been lost is read again, strictly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa

from kycpack.frames.leaves import join, leaf_score, leaf_text
from kycpack.frames.members import kind_of
from kycpack.models.json import parse_json

KINDS = ("string", "boolean", "number", "null", "list", "object")
_NUMBER_OF_KIND = {kind: number for number, kind in enumerate(KINDS)}
_DEEPEST = 60
_HAS_MEMBERS = frozenset((dict, list))
_LONGEST_FLOAT = 16
_LARGEST_FLOAT = 2.0**53


class Node:
    """A place in the tree of paths: its path, its number, and the places below it."""

    __slots__ = ("children", "number", "numbers", "path", "shape")

    def __init__(self, path: str, number: int) -> None:
        self.path = path
        self.number = number
        self.children: dict[str, Node] = {}
        # The names that the last object without objects in it had here, and their numbers.
        self.shape: tuple[str, ...] | None = None
        self.numbers: list[int] = []


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


@dataclass(slots=True)
class LeafColumns:
    """Leaves while they are being gathered."""

    paths: list[str] = field(default_factory=list)
    _root: Node = field(default_factory=lambda: Node("", -1))
    _path: list[int] = field(default_factory=list)
    _text: list[Any] = field(default_factory=list)
    _other: list[tuple[int, str, float | None]] = field(default_factory=list)
    _counts: list[int] = field(default_factory=list)
    _names: int = 0
    _too_deep: bool = False
    _guess: bool = True

    def __len__(self) -> int:
        return len(self._path)

    def add(self, body: bytes) -> Any:
        """Read a body and add its leaves, when it is an object.

        Returns:
            The document.

        Raises:
            InputError: The body is not JSON, as strictly as `parse_json` sees it.
        """
        try:
            document = orjson.loads(body)
        except orjson.JSONDecodeError:
            document = parse_json(body)
        if not isinstance(document, dict):
            return parse_json(body)
        start = len(self._path)
        kinds = self._walk_document(document, start, guess=True)
        if not _HAS_MEMBERS.isdisjoint(kinds):
            # A leaf was guessed where there are members; or it is an object or a list without any.
            kinds = self._walk_document(document, start, guess=False)
        if self._is_doubtful(start, kinds, body):
            # First emptied, since a body that is refused must leave nothing behind.
            del self._path[start:], self._text[start:]
            document = parse_json(body)
            kinds = self._walk_document(document, start, guess=False)
        if kinds.count(str) != len(kinds):
            self._note_others(start, kinds)
        self._counts.append(len(kinds))
        return document

    def _is_doubtful(self, start: int, kinds: list[type], body: bytes) -> bool:
        """Tell whether the body may say more than what orjson made of it."""
        if self._too_deep or body.count(b'"') != 2 * (self._names + kinds.count(str)):
            return True
        return float in kinds and not all(
            _is_exact(value) for value in self._text[start:] if isinstance(value, float)
        )

    def _note_others(self, start: int, kinds: list[type]) -> None:
        """Put the text of leaves that are none in their place."""
        for row, kind in enumerate(kinds, start):
            if kind is not str:
                value = self._text[row]
                self._other.append((row, kind_of(value), leaf_score(value)))
                self._text[row] = leaf_text(value)

    def take(self) -> Leaves:
        """Return what was gathered, and start anew; numbers of paths stay."""
        kind = np.zeros(len(self._path), dtype=np.int8)
        score = np.full(len(self._path), np.nan)
        for row, name, number in self._other:
            kind[row] = _NUMBER_OF_KIND[name]
            if number is not None:
                score[row] = number
        taken = Leaves(
            paths=self.paths,
            path=np.array(self._path, dtype=np.int32),
            kind=kind,
            text=pa.array(self._text, pa.string()),
            score=score,
            counts=np.array(self._counts, dtype=np.int64),
        )
        self._path, self._text, self._other, self._counts = [], [], [], []
        return taken

    def _walk_document(self, document: dict[str, Any], start: int, *, guess: bool) -> list[type]:
        """Add the leaves of a document after `start` and return their types."""
        del self._path[start:], self._text[start:]
        self._names, self._too_deep, self._guess = 0, False, guess
        if document:
            self._walk(document, self._root, 1)
        return list(map(type, self._text[start:]))

    def _walk(self, members: dict[str, Any], node: Node, depth: int) -> None:
        self._names += len(members)
        if depth > _DEEPEST:
            self._too_deep = True
        if node.shape == tuple(members) and self._guess:
            # The same names as before, when all of them were leaves: taken for leaves, and looked at afterwards.
            self._path.extend(node.numbers)
            self._text.extend(members.values())
            return
        children, path, text = node.children, self._path, self._text
        flat = True
        for name, value in members.items():
            child = children.get(name) or self._grow(node, name)
            kind = type(value)
            if kind not in _HAS_MEMBERS:
                path.append(child.number)
                text.append(value)
                continue
            flat = False
            if kind is dict and value:
                self._walk(value, child, depth + 1)
            else:
                self._add_list(child, value, depth)
        if flat:
            node.shape = tuple(members)
            node.numbers = [children[name].number for name in members]

    def _add_list(self, node: Node, value: Any, depth: int) -> None:
        """Add a list, or an object or a list without members, which is a leaf."""
        if depth > _DEEPEST:
            self._too_deep = True
        if not value:
            self._path.append(node.number)
            self._text.append(value)
            return
        for position, item in enumerate(value):
            child = node.children.get(str(position)) or self._grow(node, str(position))
            if isinstance(item, dict) and item:
                self._walk(item, child, depth + 2)
            elif isinstance(item, list | dict):
                self._add_list(child, item, depth + 1)
            else:
                self._path.append(child.number)
                self._text.append(item)

    def _grow(self, node: Node, name: str) -> Node:
        child = node.children[name] = Node(join(node.path, name), len(self.paths))
        self.paths.append(child.path)
        return child


def _is_exact(value: float) -> bool:
    """Tell whether a float surely stands for the number that was written."""
    text = repr(value)
    return (
        math.isfinite(value)
        and abs(value) < _LARGEST_FLOAT
        and len(text) <= _LONGEST_FLOAT
        and "e" not in text
    )
