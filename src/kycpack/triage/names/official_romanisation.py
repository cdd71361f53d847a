"""Whether a name in Latin letters is what an authority makes of it in another script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from kycpack.assets import asset_yaml
from kycpack.triage.likeness import EQUAL, SIMILAR, TRANSLITERATION, WORDS, Likeness, similar
from kycpack.triage.names.hanzi import in_characters
from kycpack.triage.names.transliteration import Word

OF_SEVERAL_NAMES = "equal by transliteration in pinyin, which fits several names in Chinese script"
"""The reason of an equality that does not tell several names apart, so that its score is not shown."""


class _Standard(NamedTuple):
    name: str
    patterns: tuple[tuple[str, str], ...]
    letters: dict[str, str]
    only_with: frozenset[str]  # letters of which a name has one; empty for a name of any


@cache
def _standards() -> tuple[_Standard, ...]:
    return tuple(
        _Standard(
            one["name"],
            tuple(map(tuple, one.get("patterns", ()))),
            one["letters"],
            frozenset(one.get("only_with", "")),
        )
        for one in asset_yaml("names/official_romanisations.yaml")["standards"]
    )


def of_two_scripts(one: Sequence[Word], other: Sequence[Word]) -> Likeness | None:
    """Compare two names of which one is the other in Latin letters, word by word in the same order; None if it is not.

    Args:
        one: The words of a name.
        other: The words of another name.
    """
    written, latin = (one, other) if one[0].foreign else (other, one)
    if not all(word.foreign for word in written) or any(word.foreign for word in latin):
        return None
    texts = [word.text for word in latin]
    seen = {letter for word in written for letter in word.raw.lower()}
    fitting = [one for one in _standards() if [_romanised(word.raw, one) for word in written] == texts]
    for standard in fitting:
        if not standard.only_with or not seen.isdisjoint(standard.only_with):
            return Likeness(
                EQUAL,
                1.0,
                f"the Latin form is the official romanisation of the other script ({standard.name})",
                (TRANSLITERATION,),
            )
    if fitting:
        return Likeness(
            SIMILAR,
            0.97,
            f"another script of the same name, by a romanisation of one of the languages that use it ({fitting[0].name})",
            (TRANSLITERATION,),
        )
    if [word.text for word in written] != texts:
        return None
    return (
        Likeness(EQUAL, 1.0, OF_SEVERAL_NAMES, (TRANSLITERATION,))
        if in_characters(written)
        else similar(0.97, {TRANSLITERATION})
    )


def naming_the_script(found: Likeness, one: Sequence[Word], other: Sequence[Word]) -> Likeness:
    """Return the likeness of two names with the difference of scripts in its reason, if only one of them is in Latin letters.

    Args:
        found: Their likeness.
        one: The words of a name.
        other: The words of the other.
    """
    written, latin = (one, other) if any(word.foreign for word in one) else (other, one)
    if not all(word.foreign for word in written) or any(word.foreign for word in latin):
        return found
    return found._replace(
        reason=found.reason.replace(WORDS[TRANSLITERATION], "the same sounds in another script")
    )


def _romanised(raw: str, standard: _Standard) -> str | None:
    """Return a word as a standard writes it; None if the standard has not all of its letters."""
    text = "".join(one if one in standard.letters else _without_accent(one) for one in raw.lower())
    if not standard.letters.keys() >= {*text}:
        return None
    for pattern, latin in standard.patterns:
        text = re.sub(pattern, latin, text)
    return "".join(standard.letters.get(one, one) for one in text)


def _without_accent(letter: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", letter).replace("\u0301", ""))
