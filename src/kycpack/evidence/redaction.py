"""Removes links that open without a sign-in from a body before it is stored."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

_BEARER_NAMES = frozenset({"downloadurl", "onboardurl", "paylink"})
_SECRET_PARAMETER = re.compile(
    r"sig|token|secret|credential|expires|policy|^key$|^code$|^se$|^st$", re.IGNORECASE
)
_SIGNS = ("http:", "https:", "requiredaction", *_BEARER_NAMES)


@dataclass(frozen=True, slots=True)
class Redaction:
    """A document without its bearer links.

    Attributes:
        document: The document; unchanged parts are the same objects.
        paths: Where something was removed, as in `media[0].downloadUrl`.
    """

    document: Any
    paths: tuple[str, ...]


def may_hold_links(body: bytes) -> bool:
    """Whether `redact_links` may find anything in a document; a quick check for pages with many rows.

    Args:
        body: The document as JSON in UTF-8.
    """
    text = body.decode(errors="replace")
    if "\\" in text:  # escaped characters may hide a link
        return True
    plain = _plain(text)
    return any(word in plain for word in _SIGNS)


def redact_links(document: Any) -> Redaction:
    """Remove the secret from every link that opens without a sign-in; its scheme and host are kept.

    These are `downloadUrl`, `onboardUrl`, `payLink` and `requiredAction.url` wherever they occur, and any other
    web address whose query has a parameter that looks like a signature or token.

    Args:
        document: A parsed JSON document.

    Returns:
        The document without those secrets, and the paths that were redacted.
    """
    paths: list[str] = []
    return Redaction(document=_walk(document, "", "", "", paths), paths=tuple(paths))


def _walk(value: Any, path: str, name: str, parent: str, paths: list[str]) -> Any:
    if isinstance(value, dict):
        return {
            key: _walk(member, f"{path}.{key}" if path else key, _plain(key), name, paths)
            for key, member in value.items()
        }
    if isinstance(value, list):
        return [_walk(member, f"{path}[{n}]", name, parent, paths) for n, member in enumerate(value)]
    if isinstance(value, str) and value and _opens_by_itself(value, name, parent):
        paths.append(path)
        return _origin(value)
    return value


def _plain(name: str) -> str:
    return name.replace("_", "").casefold()


def _opens_by_itself(text: str, name: str, parent: str) -> bool:
    if name in _BEARER_NAMES or (name == "url" and parent == "requiredaction"):
        return True
    if not text[:8].casefold().startswith(("http://", "https://")):
        return False
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        return True
    parameters = parse_qsl(f"{parts.query}&{parts.fragment}", keep_blank_values=True)
    return "@" in parts.netloc or any(_SECRET_PARAMETER.search(key) for key, _ in parameters)


def _origin(text: str) -> str:
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        return "removed"
    if parts.scheme not in {"http", "https"} or not host:
        return "removed"
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}/removed"
