"""What a person sent with a form: fields and files, read in memory within limits."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from kycpack.service.bodies import read_body
from kycpack.service.problems import RefusedError, invalid_request

LARGEST_FILE = 8 << 20
"""Bytes of the largest file that is kept; a phone's photo has 2 to 6 MB."""

LARGEST_FORM = 24 << 20
"""Bytes of the largest form that is read at all, so that a file that is too large can still be answered kindly."""

_MOST_FIELDS = 64
_MOST_FILES = 4
_LONGEST_FIELD = 4_000
_URLENCODED, _MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"


@dataclass(frozen=True, slots=True)
class Form:
    """A form as it was sent.

    Attributes:
        fields: Values of each field, in their order; never shown in a repr.
        files: Bytes of each file; an empty file input is absent.
    """

    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    def text(self, name: str) -> str:
        """Return a field's first value without space around it; empty where it is absent."""
        return self.fields.get(name, ("",))[0].strip()

    def values(self, name: str) -> tuple[str, ...]:
        """Return all values of a field, as of checkboxes."""
        return self.fields.get(name, ())


class _FormParser(MultiPartParser):
    """Keeps files in memory: what a person uploads is not to lie in a temporary folder."""

    spool_max_size = LARGEST_FORM + 1


async def read_form(request: Request, largest: int = LARGEST_FORM) -> Form:
    """Return the form of a request.

    Args:
        request: What came.
        largest: Bytes of the largest form that is read.

    Raises:
        RefusedError: 413 too large; 415 not a form; 400 it does not parse.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in {_URLENCODED, _MULTIPART}:
        raise RefusedError(415, "unsupported_media_type", "Expected a form")
    body = await read_body(request, largest)
    return _read_urlencoded(body) if kind == _URLENCODED else await _read_multipart(request, body)


def _read_urlencoded(body: bytes) -> Form:
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS
        )
    except ValueError:  # UnicodeDecodeError is one
        raise invalid_request("the form cannot be parsed") from None
    return Form(_collected(pairs))


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
