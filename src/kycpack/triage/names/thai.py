"""Thai names in Thai script compared with names in Latin letters, which follow the sound or the Sanskrit spelling.

A Thai letter sounds different at the end of a syllable, and some vowels are not written, so a word becomes a pattern over the
sounds of Latin letters.

Source: Royal Thai General System of Transcription (Royal Institute, 1999), and common spellings in passports.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kycpack.triage.names.transliteration import respelled

THAI = re.compile(r"[\u0e00-\u0e7f]")
_REMEMBERED = 4_096
_SILENT = re.compile(r"(?P<letter>[\u0e01-\u0e2e])[\u0e31-\u0e3a]?\u0e4c")
_TONES = re.compile(r"[\u0e47-\u0e4b\u0e4d\u0e4e]")
_AN = re.compile("\u0e23\u0e23(?![\u0e30-\u0e39])")  # a doubled r sounds as an, or as a before a letter
_AM_IN_TWO = "\u0e4d\u0e32"  # the compatibility form, in which words are read
_AN_OR_A = "\ue000"  # placeholder for it
# Vowels written before the letter, or the two letters, after which they are spoken.
_BEFORE = re.compile(
    r"(?P<vowel>[\u0e40-\u0e44])(?P<first>\u0e2b(?=[\u0e07\u0e0d\u0e13\u0e19\u0e21\u0e22\u0e23\u0e25\u0e27])|)(?P<letter>.)"
)
_CLUSTER = re.compile(
    "[\u0e01\u0e02\u0e04\u0e09\u0e15\u0e1b\u0e1c\u0e1e][\u0e40-\u0e44][\u0e23\u0e25\u0e27\u0e29]"
)
_AO, _UA = "\u0e40\u0e32", "\u0e31\u0e27"
_HIGH = frozenset("\u0e34\u0e35\u0e36\u0e37")  # signs that form one vowel with one written before the letter
_AI = frozenset("\u0e43\u0e44")
_MARKED_SILENT = "\u0e4c"
_SONORANTS = frozenset("\u0e07\u0e0d\u0e19\u0e21\u0e22\u0e23\u0e25\u0e27")
# Spellings of one sound in Latin letters, in the order in which they are replaced.
_LATIN = (
    ("tch", "C"), ("ch", "C"), ("j", "C"), ("kh", "k"), ("g", "k"), ("ph", "p"), ("th", "t"), ("bh", "p"), ("dh", "t"),
    ("sh", "S"), ("ck", "k"), ("q", "k"), ("c", "k"), ("v", "w"), ("z", "s"), ("x", "ks"), ("aa", "a"), ("ee", "i"), ("ii", "i"), ("oo", "u"),
    ("ou", "u"), ("ae", "e"), ("ue", "u"), ("eu", "u"), ("oe", "e"), ("y", "i"),
)  # fmt: skip
_SILENT_E = re.compile("(?<=[io])te$")
_DOUBLED = re.compile(r"(.)\1+")
_SOUNDS = {
    **dict.fromkeys("\u0e01\u0e02\u0e04\u0e06", "k"),
    **dict.fromkeys("\u0e08\u0e09\u0e0a\u0e0c", "[CtS]"),
    **dict.fromkeys("\u0e0b\u0e28\u0e29\u0e2a", "(?:ts|[stS])"),
    **dict.fromkeys("\u0e14\u0e0e\u0e0f\u0e10\u0e11\u0e12\u0e15\u0e16\u0e17\u0e18", "[td]"),
    **dict.fromkeys("\u0e19\u0e13", "n"),
    **dict.fromkeys("\u0e1a\u0e1b\u0e1c\u0e1e\u0e20", "[bp]"),
    **dict.fromkeys("\u0e1d\u0e1f", "[fp]"),
    **dict.fromkeys("\u0e25\u0e2c", "[lnr]"),
    "\u0e07": "(?:N|nC?)",
    "\u0e0d": "(?:ni|n|i)",
    "\u0e21": "m",
    "\u0e22": "i",
    "\u0e23": "(?:rn|[rln])",
    "\u0e24": "(?:r[iu]|ru[ea]|re)",
    "\u0e27": "[wuo]",
    "\u0e2b": "h",
    "\u0e2d": "[aou]?",
    "\u0e2e": "h",
}
# Letters that sound different at the end of a syllable: the end sounds, and the sounds at the beginning of a syllable.
_FIRST_SOUNDS = {"[CtS]": "[CS]", "(?:ts|[stS])": "[sS]", "[lnr]": "[lr]", "(?:rn|[rln])": "[rl]"}
# Written vowels, each with its possible sounds; those written before the letter have been moved after it.
_VOWELS = {
    _AN_OR_A: "an?",
    "\u0e30": "[ae]h?",
    "\u0e31": "a",
    "\u0e32": "(?:ar?h?)",
    "\u0e33": "[au]m",
    "\u0e34": "[ie]",
    "\u0e35": "[ie]",
    "\u0e36": "[ue]",
    "\u0e37": "[ue]",
    "\u0e38": "[uo]",
    "\u0e39": "[uo]",
    "\u0e40": "[aeiou]{1,3}",
    "\u0e41": "[ea]{1,2}",
    "\u0e42": "[ou]h?",
    "\u0e43": "(?:[ae]?i)",
    "\u0e44": "(?:[ae]?i)",
}
_UNWRITTEN, _UNWRITTEN_LAST = "[ao]?", "a?"
_MAYBE_SILENT = frozenset("\u0e15\u0e12\u0e18\u0e17\u0e21")  # if they have a short vowel at the end of a word


def thai_alike(raw: str, latin: str) -> bool:
    """Return whether a word in Thai letters may match a word in Latin ones.

    Args:
        raw: A word in Thai letters.
        latin: A word in Latin letters, in lower case.
    """
    return _pattern(raw).fullmatch(_sounds(latin)) is not None


@lru_cache(maxsize=_REMEMBERED)
def _sounds(latin: str) -> str:
    text = respelled(latin, (("ng", "N"), *_LATIN))
    return _DOUBLED.sub(r"\1", _SILENT_E.sub("t", text))


@lru_cache(maxsize=_REMEMBERED)
def _pattern(raw: str) -> re.Pattern[str]:
    raw = raw.replace(_AM_IN_TWO, "\u0e33")
    text = _AN.sub(_AN_OR_A, _TONES.sub("", _SILENT.sub(rf"\g<letter>{_MARKED_SILENT}", raw)))
    text = _BEFORE.sub(r"\g<first>\g<letter>\g<vowel>", text)
    parts = [
        _part(text, place) for place, letter in enumerate(text) if letter in _VOWELS or letter in _SOUNDS
    ]
    return re.compile("".join(parts))


def _part(text: str, place: int) -> str:  # noqa: PLR0911 - one return for each rule
    letter, before, following = text[place], text[:place], text[place + 1 :]
    if letter not in _VOWELS:
        return _consonant(letter, before, following)
    if before.endswith(_AO[0]) and letter == _AO[1]:
        return "[auow]{1,2}"
    if following.startswith(_AO[1]) and letter == _AO[0]:
        return ""
    if _CLUSTER.fullmatch(text[place - 1 : place + 2]):
        return "[aeiou]{0,3}"
    if letter + following[:1] == _UA:
        return "[ua]{0,2}"
    short = letter in "\u0e34\u0e38" and before[-1:] in _MAYBE_SILENT
    short = short and (not following or before.endswith("\u0e32", 0, -1))
    if letter in _HIGH and _AO[0] in before[-2:]:
        return f"(?:{_VOWELS[letter]})?r?"  # a long e, as in Lert
    if letter == "\u0e31" and before.endswith("\u0e25") and following.startswith("\u0e01"):
        return "[au]"  # as in Luck
    return f"(?:{_VOWELS[letter]})?" if short else _VOWELS[letter]


def _consonant(letter: str, before: str, following: str) -> str:
    sound, last, after = _SOUNDS[letter], before[-1:], following[:1]
    if _CLUSTER.fullmatch(before[-2:] + letter):
        return sound + "[aeiou]{0,3}"
    optional = bool(
        after == _MARKED_SILENT
        or _SOUNDS.get(before.rstrip("\u0e2b")[-1:]) == sound
        or (last in _SOUNDS and following[1:2] == _MARKED_SILENT)
        or (letter == "\u0e2b" and after in _SONORANTS)
        or (letter == "\u0e23" and last in {"\u0e28", "\u0e2a", "\u0e08", "\u0e17", "\u0e0a"})
        or (letter == "\u0e23" and last in {"\u0e01", "\u0e15"} and after not in _VOWELS)
        or (letter in "\u0e19\u0e13" and last == "\u0e0d")
        or (letter == "\u0e22" and ((_HIGH | _AI) & {last, after}))
    )
    if letter == "\u0e17" and after == "\u0e23":
        sound = "[tds]"
    if not before or after in _VOWELS:
        sound = "n?" if letter == "\u0e0d" and after in _HIGH else _FIRST_SOUNDS.get(sound, sound)
    vowel = "" if after in _VOWELS else _UNWRITTEN if following else _UNWRITTEN_LAST
    return f"(?:{sound}{vowel})?" if optional else sound + vowel
