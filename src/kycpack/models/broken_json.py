"""What can be read of a text that is nearly JSON: a comma, a brace or a quote is missing, or a value is not one of JSON.

A slip in one place must not hide the rest. Whatever is wrong leaves a mark where it is, so nothing that was read here looks whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kycpack.errors import InputError

SLIP = "unreadable part"
"""Name of the member that marks an object in which the syntax is wrong."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|"|[{}\[\]:,]|[^\s\x00"{}\[\]:,]+', re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)
_CONSTANTS = {"true": True, "false": False, "null": None}
_CLOSED_BY = {"}": "{", "]": "["}


@dataclass(frozen=True, slots=True)
class Marks:
    """How the reader makes what plain JSON types cannot hold.

    Args:
        number: Reads the text of a number.
        unreadable: Makes the mark of something unreadable; its argument says why.
        members: Makes an object of its names and values, in which a name may be repeated.
    """

    number: Callable[[str], Any]
    unreadable: Callable[[str], Any]
    members: Callable[[list[tuple[str, Any]]], Any]


def read_broken_json(text: str, marks: Marks, max_depth: int) -> Any:
    """Read an object or a list whose syntax is wrong in places.

    Args:
        text: The document.
        marks: Makes numbers, marks and objects.
        max_depth: Deepest nesting of arrays and objects that is read.

    Returns:
        The document. A value that is not one of JSON is a mark. An object with anything else wrong in it has a mark under the
        name `SLIP`, and a list has one more item.

    Raises:
        InputError: The text does not begin as an object or a list, nothing in it can be read, or it is nested too deep.
    """
    reader = _Reader(text, marks, max_depth)
    for token in _TOKEN.finditer(text):
        reader.take(token[0], token.start())
    return reader.finish()


@dataclass(slots=True)
class _Container:
    """An object or a list that is being read."""

    bracket: str
    pairs: list[tuple[str, Any]] = field(default_factory=list)
    name: str | None = None
    has_colon: bool = False
    needs_comma: bool = False
    has_slip: bool = False

    def add(self, value: Any) -> None:
        self.pairs.append((self.name or "", value))
        self.name, self.has_colon, self.needs_comma = None, False, True

    def awaits_name(self) -> bool:
        return self.bracket == "{" and not self.has_colon


class _Reader:
    def __init__(self, text: str, marks: Marks, max_depth: int) -> None:
        self._text = text
        self._marks = marks
        self._max_depth = max_depth
        self._open: list[_Container] = []
        self._root: _Container | None = None

    def take(self, piece: str, position: int) -> None:
        if not self._open and (self._root is not None or piece not in ("{", "[")):
            self._slip(position)
        elif piece in _CLOSED_BY:
            self._close(piece, position)
        elif piece == ",":
            self._expect(self._open[-1].needs_comma, position)
            self._open[-1].needs_comma = False
        elif piece == ":":
            self._expect(self._open[-1].name is not None and not self._open[-1].has_colon, position)
            self._open[-1].has_colon = self._open[-1].name is not None
        else:
            self._begin_value(piece, position)

    def finish(self) -> Any:
        if self._root is None:
            raise InputError("not JSON", place="line 1, column 1")
        if self._open:
            self._slip(len(self._text))
        while len(self._open) > 1:
            self._end_container()
        if len(self._root.pairs) == self._root.has_slip:
            raise InputError("not JSON", place="line 1, column 2")
        return self._value(self._root)

    def _begin_value(self, piece: str, position: int) -> None:
        if self._open:
            self._expect(not self._open[-1].needs_comma, position)
            self._open[-1].needs_comma = False
        if piece in ("{", "["):
            if len(self._open) == self._max_depth:
                raise InputError(f"nested deeper than {self._max_depth}")
            self._open.append(_Container(piece))
            self._root = self._root or self._open[0]
            return
        value, here = _scalar(piece, self._marks), self._open[-1]
        if not here.awaits_name():
            here.add(value)
            return
        self._expect(here.name is None and isinstance(value, str), position)
        here.name = value if isinstance(value, str) else None

    def _close(self, piece: str, position: int) -> None:
        if self._open[-1].bracket != _CLOSED_BY[piece]:
            self._slip(position)
        elif len(self._open) > 1:
            self._end_container()
        else:
            self._open.clear()

    def _end_container(self) -> None:
        ended = self._open.pop()
        self._open[-1].add(self._value(ended))

    def _value(self, ended: _Container) -> Any:
        if ended.name is not None:
            ended.add(self._marks.unreadable("no value"))
        return (
            self._marks.members(ended.pairs) if ended.bracket == "{" else [value for _, value in ended.pairs]
        )

    def _expect(self, is_right: bool, position: int) -> None:  # noqa: FBT001 - what is expected, as in an assertion
        if not is_right:
            self._slip(position)

    def _slip(self, position: int) -> None:
        where = self._open[-1] if self._open else self._root
        if where is None:
            raise InputError("not JSON", place="line 1, column 1")
        if not where.has_slip:
            line = self._text.count("\n", 0, position) + 1
            column = position - self._text.rfind("\n", 0, position)
            where.pairs.append((SLIP, self._marks.unreadable(f"not JSON at line {line}, column {column}")))
            where.has_slip = True


def _scalar(piece: str, marks: Marks) -> Any:
    if piece in _CONSTANTS:
        return _CONSTANTS[piece]
    if _NUMBER.fullmatch(piece):
        return marks.number(piece)
    if piece.startswith('"'):
        try:
            return json.loads(piece, strict=False)
        except json.JSONDecodeError:
            return marks.unreadable("text with a wrong escape or without an end")
    return marks.unreadable("not a value of JSON")
