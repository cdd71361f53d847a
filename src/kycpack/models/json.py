"""JSON without floats: numbers are read as exact decimals and written with their digits.

Bodies come from outside, so reading is strict where JSON is not: a name given twice, lone surrogates, absurdly long numbers
and very deep nesting are errors that name the reason. Where one odd value must not hide the rest, `parse_json_leniently`
reads what can be read and marks what cannot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import orjson

from kycpack.errors import InputError
from kycpack.models.broken_json import SLIP, RepeatedMember, UnreadableValue, read_broken_json

MAX_DIGITS = 40
"""Most digits of a number that is read; amounts and scores have far fewer."""


MAX_DEPTH = 64
"""Default for the deepest nesting of arrays and objects that is read."""


def parse_json(data: bytes | str, *, max_depth: int = MAX_DEPTH) -> Any:
    """Read a JSON document.

    Args:
        data: UTF-8 bytes, or text.
        max_depth: Deepest nesting of arrays and objects that is read.

    Returns:
        The document; numbers with a point or an exponent are `Decimal`, others `int`.

    Raises:
        InputError: The document is not JSON, or has a name twice in one object, a lone surrogate, a number with more than
            `MAX_DIGITS` digits, NaN, Infinity, or nesting deeper than `max_depth`. The message never quotes the document.
    """
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        document = _STRICT.decode(text)
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8", place=f"byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise InputError("not JSON", place=f"line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise InputError(f"nested deeper than {max_depth}") from None
    # A text with fewer opening brackets than that cannot be nested too deep.
    if text.count("{") + text.count("[") >= max_depth:
        _check_depth(document, max_depth - 1, max_depth)
    may_have_surrogates = "\\u" in text or isinstance(data, str)
    if may_have_surrogates and not all(map(_encodes, _strings(document))):
        raise InputError("a string has half a surrogate pair")
    return document


def parse_json_leniently(data: bytes) -> Any:
    """Read a JSON document in which single values may be unreadable; a byte order mark is skipped.

    Args:
        data: The document as bytes.

    Returns:
        The document as from `parse_json`; texts may contain unescaped line breaks and other control characters, and it may be
        UTF-16 or UTF-32. Numbers with too many digits, strings with half a surrogate pair or bytes that are not UTF-8, NaN,
        Infinity, values nested deeper than `MAX_DEPTH` and whatever is not JSON are `UnreadableValue` (see `read_broken_json`);
        a name given more than once is one `RepeatedMember`.

    Raises:
        InputError: The document is not JSON even so.
    """
    try:
        return parse_json(data)
    except InputError:
        text = _text(data)
    return _marked(read_broken_json(text, _lenient_number, MAX_DEPTH))


def _text(data: bytes) -> str:
    encoding = json.detect_encoding(data)
    try:
        return (
            data.decode("utf-8-sig", "surrogateescape")
            if encoding.startswith("utf-8")
            else data.decode(encoding)
        )
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8", place=f"byte {error.start}") from None


def without_odd_values(document: Any) -> Any:
    """Return a document from `parse_json_leniently` without the members that are unreadable or repeated.

    An item of a list that is unreadable, or in which the syntax is wrong, becomes an empty object, so that the others keep
    their positions.
    """
    odd = UnreadableValue | RepeatedMember
    if isinstance(document, dict):
        return {
            name: without_odd_values(member)
            for name, member in document.items()
            if not isinstance(member, odd)
        }
    if isinstance(document, list):
        return [
            {} if isinstance(item, odd) or _has_slip(item) else without_odd_values(item) for item in document
        ]
    return document


def _has_slip(value: Any) -> bool:
    if isinstance(value, dict):
        return isinstance(value.get(SLIP), UnreadableValue | RepeatedMember) or any(
            map(_has_slip, value.values())
        )
    return isinstance(value, list) and any(map(_has_slip, value))


def _lenient_number(text: str) -> Any:
    try:
        return _integer(text) if text.lstrip("-").isdigit() else _decimal(text)
    except InputError as error:
        return UnreadableValue(str(error))


def _marked(value: Any) -> Any:
    """Return a document without text that cannot be encoded: values become a mark, and in names the bad characters are replaced."""
    if isinstance(value, dict):
        return {name.encode(errors="replace").decode(): _marked(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_marked(member) for member in value]
    if isinstance(value, RepeatedMember):
        return RepeatedMember(tuple(map(_marked, value.values)))
    if isinstance(value, str) and not _encodes(value):
        return UnreadableValue("text that is not UTF-8")
    return value


def dump_json(document: Any) -> bytes:
    """Write a JSON document as compact UTF-8; a `Decimal` becomes a number with exactly the same digits.

    Raises:
        InputError: A value cannot be written as JSON: a set, a `Decimal` NaN, a lone surrogate.
    """
    return _dump(document, 0)


def canonical_json(document: Any) -> bytes:
    """Write a JSON document with sorted names, so that equal documents give equal bytes."""
    return _dump(document, orjson.OPT_SORT_KEYS)


def _dump(document: Any, option: int) -> bytes:
    try:
        return _write(document, option)
    except (orjson.JSONEncodeError, ValueError):
        document = _with_wide_integers(document)
    try:
        return _write(document, option)
    except (orjson.JSONEncodeError, ValueError) as error:
        raise InputError(f"no JSON form: {type(error.__cause__ or error).__name__}") from None


def _write(document: Any, option: int) -> bytes:
    return orjson.dumps(
        document,
        default=_plain,
        option=option | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS,
    )


def _with_wide_integers(value: Any) -> Any:
    """Return a document with integers of more than 64 bits, which orjson refuses, as `Decimal`."""
    if isinstance(value, Mapping):
        return {name: _with_wide_integers(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_with_wide_integers(member) for member in value]
    return Decimal(value) if isinstance(value, int) and value.bit_length() > 63 else value


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal) and value.is_finite():
        return orjson.Fragment(format(value, "f").encode())
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError


def _decimal(text: str) -> Decimal:
    value = Decimal(text)
    if len(text) > MAX_DIGITS or abs(value.adjusted()) > MAX_DIGITS:
        raise InputError(f"a number with more than {MAX_DIGITS} digits")
    return value


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise InputError(f"a number with more than {MAX_DIGITS} digits")
    return int(text)


def _refuse_constant(name: str) -> Any:
    raise InputError(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise InputError("an object has the same name twice")
    return document


_STRICT = json.JSONDecoder(
    parse_float=_decimal, parse_int=_integer, parse_constant=_refuse_constant, object_pairs_hook=_object
)


def _check_depth(value: Any, left: int, max_depth: int) -> None:
    members = value.values() if type(value) is dict else value if type(value) is list else ()
    if members and left == 0:
        raise InputError(f"nested deeper than {max_depth}")
    for member in members:
        kind = type(
            member
        )  # a page has tens of thousands of scalars; only containers are worth a function call
        if kind is dict or kind is list:
            _check_depth(member, left - 1, max_depth)


def _strings(document: Any) -> Iterator[str]:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from value
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
