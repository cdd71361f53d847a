"""Addresses where nobody lives: in care of somebody else, mail drops, and prisons."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any, NamedTuple

from kycpack.assets import asset_yaml
from kycpack.triage.names.transliteration import plain_text

_FILE = "countries/mail_drops.yaml"
_HOUSE = "a mail drop"


class _Known(NamedTuple):
    """The content of the file, as patterns of plain words.

    Attributes:
        phrases: Each pattern, with what it stands for.
        houses: First lines of addresses, each with its post code.
    """

    phrases: tuple[tuple[re.Pattern[str], str], ...]
    houses: frozenset[tuple[str, str]]


@lru_cache(maxsize=16_384)
def mail_drop(line: str, postal_code: str) -> str:
    """Return why nobody lives at an address, such as `a mail drop`; empty if nothing says so.

    Args:
        line: All lines, separated by commas.
        postal_code: The code, if it is a separate field.
    """
    said = plain_text(line)
    if found := next((what for pattern, what in _known().phrases if pattern.search(said)), ""):
        return found
    code = postal_code.replace(" ", "").upper()
    return _HOUSE if any(text in said and its == code for text, its in _known().houses) else ""


@cache
def _known() -> _Known:
    known: dict[str, Any] = asset_yaml(_FILE)
    phrases = [
        (re.compile(rf"(?<!\S){re.escape(plain_text(text))}(?!\S)"), what)
        for what, texts in known["phrases"].items()
        for text in texts
    ]
    short = "|".join(known["numbered"])
    phrases.append((re.compile(rf"(?<!\S)(?:{short}) \d+(?!\S)"), _HOUSE))
    houses = frozenset((plain_text(line), code.replace(" ", "")) for line, code in known["houses"])
    return _Known(tuple(phrases), houses)
