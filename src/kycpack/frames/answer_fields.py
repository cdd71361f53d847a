"""Reads members of a document in which any member may be missing, null or of an unexpected type."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

from kycpack.errors import InputError
from kycpack.frames.gaps import GapCode, Gaps
from kycpack.frames.labels import spoken
from kycpack.models.broken_json import RepeatedMember, UnreadableValue
from kycpack.models.money import known_currency, to_minor

Value = TypeVar("Value")

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T.*)?", re.DOTALL)
_INT64 = 2**63
_KINDS: dict[type, str] = {
    type(None): "null", bool: "boolean", str: "string", list: "list", dict: "object", UnreadableValue: "unreadable",
}  # fmt: skip
_KIND_WORDS = {
    "null": "it has no value", "boolean": "it is yes or no", "string": "it is a text of another form", "number": "it is a number",
    "list": "it is a list", "object": "it is an object", "unreadable": "it cannot be read",
}  # fmt: skip
_BODY = "the body"


@dataclass(frozen=True, slots=True)
class AnswerFields:
    """The members of one document; a member that cannot be read becomes a gap.

    Args:
        document: The parsed body, of any type.
        gaps: Collects the gaps.
        area: Area of the gaps.
        subject: The id that the gaps are about.
        evidence_id: Id of the evidence entry with the document.
    """

    document: Any
    gaps: Gaps
    area: str
    subject: str
    evidence_id: str

    def get(self, path: str, read: Callable[[Any], Value]) -> Value | None:
        """Return a member, None if it is absent, null or of an unexpected type; the last is a gap.

        Args:
            path: Names joined by dots.
            read: Turns the raw value into a typed one, or raises InputError or ValueError.
        """
        value = self.document
        names = path.split(".")
        for depth, name in enumerate(names):
            if value is None:
                return None
            if not isinstance(value, dict):
                self.wrong_type(".".join(names[:depth]) or _BODY, value)
                return None
            value = value.get(name)
        return self._read(path, value, read)

    def get_root(self, read: Callable[[Any], Value]) -> Value | None:
        """Return the document itself as a typed value; None, and a gap, if it has an unexpected type."""
        return self._read(_BODY, self.document, read)

    def _read(self, path: str, value: Any, read: Callable[[Any], Value]) -> Value | None:
        if value is None:
            return None
        try:
            return read(value)
        except (ValueError, InputError):
            self.wrong_type(path, value, is_question=read is boolean)
            return None

    def wrong_type(self, path: str, value: object, *, is_question: bool = False) -> None:
        """Record a member with an unexpected value; the gap names its type and never its value.

        Args:
            path: Names joined by dots.
            value: The value.
            is_question: Whether yes or no was expected; the name of such a member, such as `confirmed`, is no noun.
        """
        name = path if path == _BODY else f"the {spoken(path.rpartition('.')[2])}"
        if is_question:
            name = f"the answer to “{' '.join(map(spoken, path.split('.')[-2:]))}”"
        self.missing("wrong_type", f"{name} {not_expected(kind_of(value))}")

    def missing(self, code: GapCode, message: str) -> None:
        """Record something that is missing."""
        self.gaps.add(self.area, code, message, subject=self.subject, evidence_id=self.evidence_id)


def kind_of(value: object) -> str:
    """Return the JSON type of a value: string, boolean, number, null, list, object; unreadable if it could not be read."""
    if isinstance(value, RepeatedMember):
        kinds = [kind_of(one) for one in value.values]
        return "object" if "object" in kinds else kinds[0]
    return kind_of_type(type(value))


def not_expected(kind: str) -> str:
    """Return the words for a value of an unexpected JSON type or form, to follow its name.

    Args:
        kind: The JSON type, as `kind_of` returns it.
    """
    return f"is not what was expected: {_KIND_WORDS[kind]}"


def kind_of_type(type_: type) -> str:
    """Return the JSON type of values of a Python type."""
    return _KINDS.get(type_, "number")


def text(value: Any) -> str:
    """Read text.

    Raises:
        InputError: It is not text.
    """
    if not isinstance(value, str):
        raise InputError("not text")
    return value


def label(value: Any) -> str:
    """Read an id or a code as text: a string or a whole number.

    Raises:
        InputError: It is not an id or a code.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise InputError("not an id or a code")
    return value


def currency(value: Any) -> str:
    """Read an ISO 4217 code, in capitals or small letters.

    Raises:
        InputError: It is not the code of a currency.
    """
    code = text(value).strip().upper()
    if not known_currency(code):
        raise InputError("not an ISO 4217 currency code")
    return code


def boolean(value: Any) -> bool:
    """Read true or false.

    Raises:
        InputError: It is neither true nor false.
    """
    if not isinstance(value, bool):
        raise InputError("neither true nor false")
    return value


def whole(value: Any) -> int:
    """Read a whole number of 64 bits.

    Raises:
        InputError: It is not a whole number of 64 bits.
    """
    is_number = isinstance(value, int | Decimal) and not isinstance(value, bool)
    if not is_number or value != int(value) or not -_INT64 <= value < _INT64:
        raise InputError("not a whole number of 64 bits")
    return int(value)


def number(value: Any) -> float:
    """Read a number that is not money, such as a score.

    Raises:
        InputError: It is not a number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise InputError("not a number")
    return float(value)


def minor(value: Any, currency: str) -> int:
    """Read an exact decimal as minor units of its currency.

    Raises:
        InputError: It is not an exact decimal, has more decimals than the currency, or does not fit in 64 bits.
    """
    found = to_minor(value, currency)
    if not -_INT64 <= found < _INT64:
        raise InputError("does not fit in 64 bits")
    return found


def date(value: Any) -> dt.datetime:
    """Read a date without a time zone; for a timestamp, its date part.

    Raises:
        InputError: It is not a date.
    """
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise InputError("not a date")
    return dt.datetime.fromisoformat(value[:10])


def instant(value: Any) -> dt.datetime:
    """Read a timestamp; without an offset it is taken as UTC, as the interface says.

    Raises:
        InputError: It is not a timestamp.
    """
    if not isinstance(value, str) or len(value) <= len("2026-05-25"):
        raise InputError("not a timestamp")
    moment = dt.datetime.fromisoformat(value)
    try:
        return moment.replace(tzinfo=dt.UTC) if moment.tzinfo is None else moment.astimezone(dt.UTC)
    except OverflowError:
        raise InputError("not a timestamp") from None


def labels(value: Any) -> str:
    """Read a list of words, or one string of them, as words joined by a space.

    Raises:
        InputError: It is not a list of words.
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise InputError("not a list of words")
    return " ".join(value)


def items(value: Any) -> list[Any]:
    """Read a list that is the whole document, is under `items`, or is the only list of an envelope.

    Raises:
        InputError: It is not a list.
    """
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        lists = [value["items"]] if isinstance(value.get("items"), list) else []
        lists = lists or [member for member in value.values() if isinstance(member, list)]
        if len(lists) == 1:
            return list(lists[0])
    raise InputError("not a list")
