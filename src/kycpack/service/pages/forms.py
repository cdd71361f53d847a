"""Reads submitted forms: fields and files, in memory and within limits.

A form is accepted only with the token of the visit in which it was shown, so that no other site can send it in a person's name.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import Response

from kycpack.service.bodies import read_body, read_pairs
from kycpack.service.links import Links
from kycpack.service.problems import RefusedError, invalid_request

LARGEST_FILE = 8 << 20
"""Largest file that is stored, in bytes; a phone's photo has 2 to 6 MB."""

LARGEST_FORM = 24 << 20
"""Largest form that is read, in bytes; it leaves room for a friendly answer to a file that is too large."""

_MOST_FIELDS = 64
_MOST_FILES = 4
_LONGEST_FIELD = 4_000
_URLENCODED, _MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"


@dataclass(frozen=True, slots=True)
class Form:
    """A submitted form.

    Attributes:
        fields: Values of each field, in order; never shown in a repr.
        files: Bytes of each file; empty file inputs are absent.
    """

    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    def text(self, name: str) -> str:
        """Return a field's first value without surrounding spaces; empty if it is absent."""
        return self.fields.get(name, ("",))[0].strip()

    def values(self, name: str) -> tuple[str, ...]:
        """Return all values of a field, as for checkboxes."""
        return self.fields.get(name, ())


class _FormParser(MultiPartParser):
    """Keeps files in memory: uploads must not be written to a temporary folder."""

    spool_max_size = LARGEST_FORM + 1


async def read_form(request: Request, largest: int = LARGEST_FORM) -> Form:
    """Return the form of a request.

    Args:
        request: The request.
        largest: Largest form that is read, in bytes.

    Raises:
        RefusedError: 413 too large; 415 not a form; 400 it cannot be parsed.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in {_URLENCODED, _MULTIPART}:
        raise RefusedError(415, "unsupported_media_type", "Expected a form")
    body = await read_body(request, largest)
    if kind == _MULTIPART:
        return await _read_multipart(request, body)
    return Form(_collected(read_pairs(body, "form", most=_MOST_FIELDS)))


async def _read_multipart(request: Request, body: bytes) -> Form:
    async def once() -> AsyncGenerator[bytes, None]:
        yield body

    parser = _FormParser(request.headers, once(), max_files=_MOST_FILES, max_fields=_MOST_FIELDS)
    try:
        sent = await parser.parse()
    except (MultiPartException, UnicodeError, ValueError):
        raise invalid_request("the form cannot be parsed") from None
    items = sent.multi_items()
    files = {name: item.file.read() for name, item in items if isinstance(item, UploadFile)}
    await sent.close()
    pairs = [(name, item) for name, item in items if isinstance(item, str)]
    return Form(_collected(pairs), {name: content for name, content in files.items() if content})


def _collected(pairs: list[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    fields: dict[str, tuple[str, ...]] = {}
    for name, value in pairs:
        if len(value) > _LONGEST_FIELD or "\x00" in value:
            raise invalid_request("a field is too long or is not valid text")
        fields[name] = (*fields.get(name, ()), value)
    return fields


FORM_TOKEN = "form_token"  # noqa: S105 - the name of a form's field
_COOKIE = "kycpack_visit"
_FORM = "form"
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Visit:
    """One browser's visit.

    Attributes:
        id: Random id.
        new: Whether the cookie has to be set.
    """

    id: str
    new: bool


def visit_of(request: Request) -> Visit:
    """Return the visit in a request's cookie, or a new one."""
    given = request.cookies.get(_COOKIE, "")
    return Visit(given, new=False) if _ID.fullmatch(given) else Visit(secrets.token_hex(16), new=True)


def remember(visit: Visit, response: Response, *, secure: bool) -> None:
    """Set the cookie of a new visit; it ends with the browser's session."""
    if visit.new:
        response.set_cookie(_COOKIE, visit.id, httponly=True, samesite="lax", secure=secure)


def form_token(visit: Visit, links: Links, form: str = _FORM) -> str:
    """Return the form token of a visit; the forms of the console have one of their own."""
    return links.token(form, visit.id)


def require_form_token(visit: Visit, links: Links, given: str, form: str = _FORM) -> None:
    """Refuse a form that was not shown in this visit.

    Raises:
        RefusedError: 403.
    """
    if visit.new or links.open(form, given) != visit.id:
        raise RefusedError(403, "form_token_invalid", "The form was not sent from this page; open it again")
