"""Leaves of many documents in columns: each path once, each leaf a number, a kind and a text.

A document is read strictly; where that cannot be done, leniently, so that one odd value does not hide the others.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kycpack.frames.answer_fields import kind_of
from kycpack.frames.json_leaves import leaf_text, leaves
from kycpack.models.json import UnreadableValue

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


class Outline(NamedTuple):
    """What a document is.

    Attributes:
        kind: Its kind, as in `string` or `object`.
        members: The kinds of its members by name, without those that are null or an empty object.
    """

    kind: str
    members: Mapping[str, str]


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
    _numbers: dict[str, int] = field(default_factory=dict)
    _path: array[int] = field(default_factory=lambda: array("i"))
    _tokens: list[str] = field(default_factory=list)
    _counts: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._path)

    def add(self, document: Any) -> Outline:
        """Add the leaves of a document, when it is an object.

        Args:
            document: From `parse_json_leniently`.

        Returns:
            What the document is.
        """
        start = len(self._path)
        if not isinstance(document, dict):
            return Outline(kind_of(document), {})
        if document:
            self._add_leaves(document)
        self._counts.append(len(self._path) - start)
        members = {
            name: kind_of(value) for name, value in document.items() if value is not None and value != {}
        }
        return Outline("object", members)

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

    def _add_leaves(self, document: dict[str, Any]) -> None:
        numbers, places, tokens = self._numbers, self._path, self._tokens
        for path, leaf in leaves(document):
            number = numbers.get(path)
            if number is None:
                number = numbers[path] = len(self.paths)
                self.paths.append(path)
            places.append(number)
            tokens.append(f'"{leaf}"' if type(leaf) is str else _token(leaf))


def _token(leaf: object) -> str:
    """Return a leaf as it stands in a document: text (which is in quotes) apart, null as a word; `!` and why if it cannot be read."""
    if isinstance(leaf, UnreadableValue):
        return f"!{leaf.reason}"
    return leaf_text(leaf) or "null"
