"""JSON without floats: numbers are read as exact decimals and written with their digits.

Bodies come from outside, so reading is strict about what JSON leaves open: a name given twice, lone surrogates, numbers
nobody could mean and nesting deep enough to break a reader are errors that name the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import orjson

from kycpack.errors import InputError

MAX_DIGITS = 40
"""Digits of the longest number that is read; amounts and scores have far fewer."""


MAX_DEPTH = 64
"""Deepest nesting of arrays and objects that is read where nothing else is said."""


def parse_json(data: bytes | str, *, max_depth: int = MAX_DEPTH) -> Any:
    """Read a JSON document.

    Args:
        data: UTF-8 bytes, or text.
        max_depth: Deepest nesting of arrays and objects that is read.

    Returns:
        The document; numbers with a point or an exponent are `Decimal`, others `int`.

    Raises:
        InputError: It is not JSON, or has a name twice in one object, a lone surrogate, a number beyond
            `MAX_DIGITS` digits, NaN, Infinity, or nesting beyond `max_depth`. The message never quotes the document.
    """
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        document = json.loads(
            text,
            parse_float=_decimal,
            parse_int=_integer,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8", place=f"byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise InputError("not JSON", place=f"line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise InputError(f"nested deeper than {max_depth}") from None
    _check(document, max_depth, surrogates="\\u" in text or isinstance(data, str))
    return document


def dump_json(document: Any) -> bytes:
    """Write a JSON document as compact UTF-8; a `Decimal` becomes a number with exactly its digits.

    Raises:
        InputError: Something in it has no JSON form: a set, NaN as a decimal, a lone surrogate.
    """
    return _dump(document, 0)


def canonical_json(document: Any) -> bytes:
    """Write a JSON document with sorted names, so that equal documents give equal bytes."""
    return _dump(document, orjson.OPT_SORT_KEYS)


def _dump(document: Any, option: int) -> bytes:
    try:
        return orjson.dumps(
            document,
            default=_plain,
            option=option | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS,
        )
    except (orjson.JSONEncodeError, ValueError) as error:
        raise InputError(f"no JSON form: {type(error.__cause__ or error).__name__}") from None


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


def _check(document: Any, max_depth: int, *, surrogates: bool) -> None:
    for value, depth in _walk(document):
        if depth > max_depth:
            raise InputError(f"nested deeper than {max_depth}")
        if surrogates and isinstance(value, str) and not _encodes(value):
            raise InputError("a string has half a surrogate pair")


def _walk(document: Any) -> Iterator[tuple[Any, int]]:
    waiting: list[tuple[Any, int]] = [(document, 1)]
    while waiting:
        value, depth = waiting.pop()
        yield value, depth
        if isinstance(value, dict):
            for name, member in value.items():
                yield name, depth
                waiting.append((member, depth + 1))
        elif isinstance(value, list):
            waiting.extend((member, depth + 1) for member in value)


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
