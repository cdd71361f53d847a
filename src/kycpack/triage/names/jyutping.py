"""The Hong Kong spelling of Chinese characters in Latin letters: their sounds in Jyutping, and the spellings of each sound.

Source: `names/jyutping.yaml`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from kycpack.assets import asset_yaml


def jyutping_spellings(character: str) -> tuple[str, ...]:
    """Return the spellings of a character as patterns; empty if it is not listed.

    Args:
        character: A Chinese character in its simplified form.
    """
    return tuple(_spelling(syllable) for syllable in _syllables().get(character, ()))


@cache
def _known() -> Any:
    return asset_yaml("names/jyutping.yaml")


@cache
def _syllables() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in _known()["readings"].split(";"):
        syllable, characters = entry.split()
        for character in characters:
            found.setdefault(character, []).append(syllable)
    return found


@cache
def _spelling(syllable: str) -> str:
    known = _known()
    if syllable in known["syllables"]:
        return str(known["syllables"][syllable])
    initial = next(
        first
        for first in sorted(known["initials"], key=len, reverse=True)
        if syllable.startswith(first) and syllable.removeprefix(first) in known["finals"]
    )
    return f"(?:{known['initials'][initial]})(?:{known['finals'][syllable.removeprefix(initial)]})"
