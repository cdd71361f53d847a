"""Whether a word in Latin letters is one in Cyrillic, Georgian or Armenian letters, each read as in any language that uses it.

The letters of a name are common to several languages, and need not show which one it is in.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from kycpack.assets import asset_yaml

_TOGETHER = re.compile("\u0578\u0582|.", re.DOTALL)  # two Armenian letters for one vowel


def letter_by_letter(raw: str, latin: str) -> bool:
    """Return whether a word in Latin letters is one in another script, letter by letter.

    Args:
        raw: The word in the other script, as it was written.
        latin: The word in lower case, in Latin letters, without accents.
    """
    pattern = _pattern(raw.lower())
    return pattern is not None and bool(pattern.fullmatch(latin))


@lru_cache(maxsize=16_384)
def _pattern(raw: str) -> re.Pattern[str] | None:
    """Return a word as a pattern over Latin letters; None if it has a letter of no table."""
    letters = _TOGETHER.findall(raw)
    if not _usual().keys() >= {*letters}:
        return None
    return re.compile("".join(f"(?:{_usual()[letter]})" for letter in letters))


@cache
def _usual() -> dict[str, str]:
    """Return the usual spellings of each letter, with bars between them."""
    tables = asset_yaml("names/official_romanisations.yaml")["usual"].values()
    return {letter: spellings for table in tables for letter, spellings in table.items()}
