"""Reads requests: the body within a size limit, JSON, the request's model, the query, and amounts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import parse_qsl

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request

from kycpack.errors import InputError
from kycpack.models.json import parse_json
from kycpack.models.money import to_minor
from kycpack.service.problems import RefusedError, invalid_request

LARGEST_BODY = 1 << 20
"""Largest body that is read, in bytes; the interface states no limit."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,40}")
_UNPRINTABLE = re.compile(r"[\x00\ud800-\udfff]")


async def read_body(request: Request, largest: int = LARGEST_BODY) -> bytes:
    """Return a request's body.

    Raises:
        RefusedError: 413 if it is larger than `largest` bytes; 400 if it ended early.
    """
    parts: list[bytes] = []
    size = 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > largest:
                raise RefusedError(413, "request_too_large", f"The body is larger than {largest} bytes")
            parts.append(part)
    except ClientDisconnect:
        raise invalid_request("the body ended early") from None
    return b"".join(parts)


def read_model(model: type[BaseModel], body: bytes, content_type: str, *, required: bool) -> Any:
    """Return a body as its model; if it is not required, an absent body is an empty object.

    Raises:
        RefusedError: 400 with the names of the fields, or 415.
    """
    if not body and not required:
        return check(model, {})
    if content_type.partition(";")[0].strip().lower() not in {"application/json", ""}:
        raise RefusedError(415, "unsupported_media_type", "The body must be application/json")
    try:
        document = parse_json(body)
    except InputError as error:
        raise invalid_request(str(error)) from None
    return check(model, document)


def check(model: type[BaseModel], document: Any) -> Any:
    """Return a document as a model; only names on the wire are accepted.

    Raises:
        RefusedError: 400; the message names the first field that does not fit, without its value.
    """
    try:
        return model.model_validate(document, by_alias=True, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        # A name that is in no model is the caller's own text, and could be anything.
        place = ".".join(
            str(part) if _NAME.fullmatch(str(part)) or isinstance(part, int) else "(a member)"
            for part in first["loc"]
        )
        what = _said(first["type"], first["msg"], first.get("ctx", {}))
        raise invalid_request(f"{place}: {what}" if place else what) from None


def _said(kind: str, message: str, limits: Mapping[str, Any]) -> str:
    """Return what is wrong in terms of JSON: the library's own messages name Python types."""
    if kind in _SAID:
        return _SAID[kind]
    for name, words in _LIMITS.items():
        if name in limits:
            return f"{words} {_plain(limits[name])}"
    return message.removeprefix("Value error, ").removeprefix("Assertion failed, ")


def _plain(limit: Any) -> str:
    # The library gives decimal limits in Python's notation.
    return re.sub(r"^Decimal\('([^']*)'\)$", r"\1", str(limit))


_SAID = {
    "extra_forbidden": "unknown field",
    "missing": "is required",
    "string_type": "expected text",
    "bool_type": "expected true or false",
    "int_type": "expected an integer",
    "int_from_float": "expected an integer",
    "model_type": "expected an object",
    "model_attributes_type": "expected an object",
    "dict_type": "expected an object",
    "list_type": "expected an array",
    "decimal_type": "expected a number",
    "string_too_short": "must not be empty",
}
_LIMITS = {
    "gt": "must be greater than",
    "ge": "must be at least",
    "lt": "must be less than",
    "le": "must be at most",
    "max_length": "is longer than",
    "min_length": "has fewer entries than",
    "expected": "expected one of:",
    "pattern": "does not match",
}


def read_pairs(raw: bytes, what: str, *, most: int) -> list[tuple[str, str]]:
    """Return the names and values of a query or a form, in order.

    Raises:
        RefusedError: 400: it cannot be parsed, or there are more than `most`.
    """
    try:
        return parse_qsl(raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=most)
    except ValueError:  # includes UnicodeDecodeError
        raise invalid_request(f"the {what} cannot be parsed") from None


def read_query(raw: bytes, known: Collection[str]) -> dict[str, str]:
    """Return the parameters of a query.

    Raises:
        RefusedError: 400: a parameter is unknown, appears twice, or is not text.
    """
    pairs = read_pairs(raw, "query", most=32)
    query = dict(pairs)
    if len(query) != len(pairs):
        raise invalid_request("a query parameter is repeated")
    if set(query) - set(known):
        raise invalid_request(
            f"unknown query parameter; the known ones are: {', '.join(sorted(known)) or 'none'}"
        )
    for name, value in query.items():
        if len(value) > 1000 or _UNPRINTABLE.search(value):
            raise invalid_request(f"{name}: not readable text of at most 1000 characters")
    return query


def read_minor(amount: Any, currency: str, place: str, *, largest: int) -> int:
    """Return an amount in minor units.

    Raises:
        RefusedError: 400 with the place: more decimals than the currency has, or more than `largest` minor units.
    """
    try:
        minor = to_minor(amount, currency)
    except InputError as error:
        raise invalid_request(f"{place}: {error}") from None
    if abs(minor) > largest:
        raise invalid_request(f"{place}: too large")
    return minor
