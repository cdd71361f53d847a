"""Korean names in Hangul, and in the many Latin spellings of their syllables.

A syllable in Latin letters has an initial, the vowels that it may stand for, and a final: the u in Jung may be eo, the u in Soo may not.
Two given names are alike if their syllables have a vowel in common: Seong and Sung do, Seong and Seung do not.

Source: Revised Romanisation (National Institute of Korean Language, notice 2000-8), McCune-Reischauer (1939), and common spellings in
passports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from kycpack.assets import asset_yaml
from kycpack.triage.names.romanisation import traditions

HANGUL = re.compile(r"[\uac00-\ud7a3]")
_REMEMBERED = 4_096
_EO, _YEO = "eo|uh", "yeo|yu|you|yuh"
_MOST_LETTERS, _SYLLABLES = 16, 2

_FIRST_SYLLABLE, _LAST_SYLLABLE = 0xAC00, 0xD7A3
_FINALS, _VOWELS_AND_FINALS = 28, 588
# Letters of the Korean alphabet in Unicode order, with their romanisation.
_INITIALS = [
    "k|g",
    "kk|gg|k",
    "n",
    "d|t",
    "tt|dd|t",
    "r|l",
    "m",
    "b|p",
    "pp|bb|p",
    "s|sh",
    "ss|s",
    "",
    "j|ch",
    "jj|j|ch",
    "ch",
    "k|kh",
    "t|th",
    "p|ph",
    "h",
]
_VOWELS = ["a|ah", "ae|ai|ay|e", "ya|ia", "yae", "eo|uh", "e", "yeo|yu|you|yuh", "ye", "o|oh", "wa", "wae|woe", "oe|we|oi|oy", "yo", "u|oo|ou|woo", "wo|weo", "we", "wi|wee", "yu|yoo|you", "eu|u|oo", "eui|ui|ee|i", "i|ee|y|yi"]  # fmt: skip
_CODAS = [
    "",
    "k|g",
    "k|g",
    "k|g",
    "n",
    "n",
    "n",
    "t|d",
    "l|r",
    "k|g|lk",
    "m|lm",
    "l|p|lb",
    "l",
    "l",
    "l|p",
    "l",
    "m",
    "p|b",
    "p|b",
    "t|s",
    "t|s",
    "ng",
    "t|j",
    "t",
    "k",
    "t",
    "p",
    "t|h|",
]

_LATIN_INITIALS = {
    **dict.fromkeys(("k", "g", "kk", "kh"), "k"),
    **dict.fromkeys(("t", "d", "tt", "th"), "t"),
    **dict.fromkeys(("p", "b", "pp", "ph"), "p"),
    **dict.fromkeys(("j", "ch", "jj"), "j"),
    **dict.fromkeys(("s", "sh", "ss"), "s"),
    **dict.fromkeys(("r", "l"), "r"),
    **{letter: letter for letter in ("n", "m", "h", "")},
}
_LATIN_VOWELS = {
    "a": "a", "ah": "a", "ae": "ae", "ai": "ae", "ay": "ae", "e": "e ae", "ya": "ya", "yae": "yae", "ye": "ye",
    "eo": "eo", "uh": "eo", "u": "u eo eu", "oo": "u", "ou": "u eo", "woo": "u", "wu": "u", "eu": "eu",
    "yeo": "yeo", "you": "yeo yu", "yu": "yu yeo", "yuh": "yeo", "yoo": "yu", "yo": "yo",
    "o": "o", "oh": "o", "wa": "wa", "wae": "wae", "oe": "oe", "we": "we oe", "wo": "wo", "weo": "wo", "wi": "wi", "wee": "wi",
    "ui": "ui", "eui": "ui", "i": "i", "ee": "i", "yi": "i ui",
}  # fmt: skip
_LATIN_FINALS = {
    "": "",
    "k": "k",
    "g": "k",
    "n": "n",
    "t": "t",
    "l": "l",
    "m": "m",
    "p": "p",
    "b": "p",
    "ng": "ng",
    "h": "",
}
# Hui is mostly written Hee or Hi; the syllable Hi itself does not occur in names.
_HUI = {"hi", "hee", "hui", "heui"}


@lru_cache(maxsize=_REMEMBERED)
def hangul_pattern(raw: str) -> re.Pattern[str]:
    """Return a pattern of the Latin spellings of a name in Hangul, family name first."""
    syllables = [letter for letter in raw if _FIRST_SYLLABLE <= ord(letter) <= _LAST_SYLLABLE]
    parts = []
    for number, syllable in enumerate(syllables):
        index = ord(syllable) - _FIRST_SYLLABLE
        initial = _INITIALS[index // _VOWELS_AND_FINALS]
        vowel = _VOWELS[index % _VOWELS_AND_FINALS // _FINALS]
        coda = _CODAS[index % _FINALS]
        part = f"(?:{initial})(?:{vowel}{_also(vowel, initial, coda)})(?:{coda})"
        if number == 0:
            families = traditions()["korean"].families
            same = [
                family
                for family in families
                if any(re.fullmatch(part, peer) for peer in families if families[peer] & families[family])
            ]
            part = f"(?:{part}|{'|'.join(sorted(same))})" if same else part
        parts.append(part)
    return re.compile("".join(parts))


def _also(vowel: str, initial: str, coda: str) -> str:
    """Return the additional spellings of eo and yeo: with a u before a final, with an o if that does not make another syllable used in names."""
    if vowel == _YEO:
        return "|yo" if initial else ""
    if vowel != _EO or not coda:
        return ""
    return "|u" if initial.startswith("j") and coda == "ng" else "|u|o"


def hangul_of(characters: str) -> str:
    """Return the Korean reading of a name in Chinese characters, in Hangul; empty if a character is not listed."""
    families, readings = _hanja()
    read = [families.get(characters[0], readings.get(characters[0], ""))]
    read += [readings.get(one, "") for one in characters[1:]]
    return "".join(read) if all(read) else ""


@cache
def _hanja() -> tuple[dict[str, str], dict[str, str]]:
    known = asset_yaml("names/hanja.yaml")
    families = {entry[0]: entry[1] for entry in known["families"].split()}
    return families, {one: entry[0] for entry in known["readings"].split() for one in entry[1:]}


def given_alike(one: str, other: str) -> bool:
    """Return whether two given names in Latin letters may be the same, syllable by syllable."""
    return any(
        len(left) == len(right)
        and all(a[0] == b[0] and a[2] == b[2] and a[1] & b[1] for a, b in zip(left, right, strict=True))
        for left in _syllables(one)
        for right in _syllables(other)
    )


def is_given(text: str) -> bool:
    """Return whether a word in Latin letters can be a given name of two syllables."""
    return bool(_syllables(text))


_Syllable = tuple[str, frozenset[str], str]


@lru_cache(maxsize=_REMEMBERED)
def _syllables(text: str) -> tuple[tuple[_Syllable, ...], ...]:
    """Return the ways to divide a given name into two syllables; empty if it is not Korean."""
    if len(text) > _MOST_LETTERS:
        return ()
    return tuple(way for way in _ways(text, _SYLLABLES) if len(way) == _SYLLABLES)


def _ways(text: str, most: int) -> Iterator[tuple[_Syllable, ...]]:
    if not text:
        yield ()
    if not text or not most:
        return
    for match in _openings(text):
        end = sum(map(len, match))
        initial, vowel, final = match
        read = (_LATIN_INITIALS[initial], _vowels(initial, vowel, final), _LATIN_FINALS[final])
        for rest in _ways(text[end:], most - 1):
            yield (read, *rest)


def _vowels(initial: str, vowel: str, final: str) -> frozenset[str]:
    if initial + vowel in _HUI:
        return frozenset({"ui"})
    found = frozenset(_LATIN_VOWELS[vowel].split())
    # Su is not Seo, whose spelling with a u requires a final; Yun is not Yeon, though Hyun is Hyeon.
    if (vowel == "u" and not final) or (vowel == "yu" and not initial and final != "ng"):
        return found - {"eo", "yeo"}
    return found


def _openings(text: str) -> Iterator[tuple[str, str, str]]:
    for initial in _LATIN_INITIALS:
        if not text.startswith(initial):
            continue
        for vowel in _LATIN_VOWELS:
            if not text.startswith(vowel, len(initial)):
                continue
            for final in _LATIN_FINALS:
                if text.startswith(final, len(initial) + len(vowel)):
                    yield initial, vowel, final
