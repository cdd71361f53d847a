"""What can be read of a text that is not quite JSON: a comma, a brace or a quote is missing, a value is none, or a name is given twice.

A slip in one place must not hide the rest. Whatever is wrong leaves a mark where it is, so nothing that was read here looks whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from kycpack.errors import InputError

SLIP = "unreadable part"
"""Name of the member that marks an object in which the syntax is wrong."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|"|//[^\n]*|[{}\[\]:,]|[^\s\x00"{}\[\]:,]+', re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)
_CONSTANTS = {"true": True, "false": False, "null": None}
_COMMENTS = ("/*", "//")
_CLOSED_BY = {"}": "{", "]": "["}
_NO_NUMBERS = frozenset({"NaN", "Infinity", "-Infinity"})


@dataclass(frozen=True, slots=True)
class UnreadableValue:
    """A value of a document that could not be read.

    Args:
        reason: Why not, as in `a number with more than 40 digits`.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class RepeatedMember:
    """The values of a name that an object has more than once.

    Args:
        values: Every value, in order.
    """

    values: tuple[Any, ...]


def read_broken_json(text: str, read_number: Callable[[str], Any], max_depth: int) -> Any:
    """Read an object or a list that is not quite JSON.

    Args:
        text: The document.
        read_number: Returns a number from its text.
        max_depth: Deepest nesting of arrays and objects that is read.

    Returns:
        The document. A value that is none, or is nested deeper, is an `UnreadableValue`; a name given more than once is one
        `RepeatedMember`. An object with anything else wrong in it has an `UnreadableValue` under the name `SLIP`, and a list has one more item.

    Raises:
        InputError: The text does not begin as an object or a list, nothing in it can be read, or what is nested too deep has no end.
    """
    reader = _Reader(text, read_number, max_depth)
    for piece, position in _tokens(text):
        reader.take(piece, position)
    return reader.finish()


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Yield the tokens of a text with their positions; a comment is one, up to its end if it has one."""
    position, last_end = 0, text.rfind("*/")
    while token := _TOKEN.search(text, position):
        position = token.end()
        # Before the last end there is one, so no text is searched twice.
        if token[0].startswith("/*") and token.start() + 2 <= last_end:
            position = text.index("*/", token.start() + 2) + 2
        yield token[0], token.start()


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
    def __init__(self, text: str, read_number: Callable[[str], Any], max_depth: int) -> None:
        self._text = text
        self._read_number = read_number
        self._max_depth = max_depth
        self._too_deep = f"nested deeper than {max_depth}"
        self._open: list[_Container] = []
        self._root: _Container | None = None
        self._comment_at: int | None = None

    def take(self, piece: str, position: int) -> None:
        if piece.startswith(_COMMENTS):
            self._take_comment(position)
        elif not self._open and (self._root is not None or piece not in ("{", "[")):
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
        if len(self._open) > self._max_depth:
            raise InputError(self._too_deep)
        if self._open:
            self._slip(len(self._text))
        while len(self._open) > 1:
            self._end_container()
        if self._root.has_slip and len(self._root.pairs) == 1:
            raise InputError("not JSON", place="line 1, column 2")
        return _value(self._root)

    def _take_comment(self, position: int) -> None:
        """Mark a comment, which JSON does not have; one before the document is marked where the document begins."""
        if self._root is not None:
            self._slip(position)
        elif self._comment_at is None:
            self._comment_at = position

    def _begin_value(self, piece: str, position: int) -> None:
        here = self._open[-1] if self._open else None
        if here is not None:
            self._expect(not here.needs_comma, position)
            here.needs_comma = False
        if piece in ("{", "["):
            self._expect(here is None or not here.awaits_name(), position)
            self._open.append(_Container(piece))
            self._root = self._root or self._open[0]
            if self._comment_at is not None and len(self._open) == 1:
                self._slip(self._comment_at)
            return
        value, here = self._scalar(piece), self._open[-1]
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
        is_too_deep = len(self._open) >= self._max_depth
        self._open[-1].add(UnreadableValue(self._too_deep) if is_too_deep else _value(ended))

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
            where.pairs.append((SLIP, UnreadableValue(f"not JSON at line {line}, column {column}")))
            where.has_slip = True

    def _scalar(self, piece: str) -> Any:
        if piece in _CONSTANTS:
            return _CONSTANTS[piece]
        if _NUMBER.fullmatch(piece):
            return self._read_number(piece)
        if not piece.startswith('"'):
            return UnreadableValue(
                f"{piece} is not a number" if piece in _NO_NUMBERS else "not a value of JSON"
            )
        try:
            return json.loads(piece, strict=False)
        except json.JSONDecodeError:
            return UnreadableValue("text with a wrong escape or without an end")


def _value(ended: _Container) -> Any:
    if ended.name is not None:
        ended.add(UnreadableValue("no value"))
    return _every_member(ended.pairs) if ended.bracket == "{" else [value for _, value in ended.pairs]


def _every_member(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for name, value in pairs:
        if name not in document:
            document[name] = value
        else:
            known = document[name]
            values = known.values if isinstance(known, RepeatedMember) else (known,)
            document[name] = RepeatedMember((*values, value))
    return document
