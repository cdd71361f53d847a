"""Names in the scripts of India compared with names in Latin letters.

The scripts from Devanagari to Malayalam have corresponding letters at the same positions of their Unicode blocks, so one table,
written in Devanagari, serves all of them. A word becomes a pattern over the sounds of Latin letters: aspirates, long vowels and
doubled letters are not distinguished, and the inherent vowel of a bare consonant may be missing.

Source: the Unicode Standard, chapter 12 (the layout of ISCII 1988); the Hunterian system, and common spellings in passports.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kycpack.triage.names.romanisation import sounds

INDIC = re.compile(r"[\u0900-\u0d7f]")
_BLOCK, _DEVANAGARI = 0x80, 0x0900
_BENGALI, _ORIYA, _TAMIL, _MALAYALAM = 0x0980, 0x0B00, 0x0B80, 0x0D00  # where their blocks begin
_EASTERN = frozenset({_BENGALI, _ORIYA})
# Letters that only one script has, in the form that the others would use; a chillu in Malayalam is a consonant without a vowel.
_OF_ONE_SCRIPT = str.maketrans({
    "\u09ce": "\u09a4\u09cd", "\u09f0": "\u09b0", "\u09f1": "\u09ac", "\u0a70": "\u0a02", "\u0a71": None, "\u0b71": "\u0b35", "\u0b5f": "\u0b2f",
    "\u0d7a": "\u0d23\u0d4d", "\u0d7b": "\u0d28\u0d4d", "\u0d7c": "\u0d30\u0d4d", "\u0d7d": "\u0d32\u0d4d", "\u0d7e": "\u0d33\u0d4d",
    "\u0d7f": "\u0d15\u0d4d",
})  # fmt: skip
_LETTER = re.compile(
    "(?P<consonant>क्ष|ट्चु?|ज्ञ|[क-ह\u0929\u0931\u0934]\u093c?)(?P<sign>[\u093e-\u094c]|\u094d|)|(?P<vowel>[\u0904-\u0914])|(?P<mark>[\u0901-\u0903])"
)
_VIRAMA = "\u094d"
_CONSONANTS = {
    **dict.fromkeys("कख", "k"),
    **dict.fromkeys("गघ", "g"),
    **dict.fromkeys("चछ", "[Cs]"),
    **dict.fromkeys("जझ", "j"),
    **dict.fromkeys("टठतथ", "t"),
    **dict.fromkeys("दध", "d"),
    **dict.fromkeys(("ड", "ढ", "ड\u093c", "ढ\u093c"), "[dr]"),
    **dict.fromkeys("ङणन\u0929", "n"),
    **dict.fromkeys("बभव", "[bv]"),
    **dict.fromkeys("शषस", "s"),
    **dict.fromkeys("लळ\u0934", "l"),
    "ञ": "ni?", "प": "p", "फ": "[pf]", "म": "m", "य": "[ij]", "र": "r", "\u0931": "(?:tr|[rt])", "ह": "h",
    "क्ष": "(?:ks|kC|C|k)", "ज्ञ": "(?:d?ni|gi|j?gn|jn|g)", "ट्च": "(?:ks|kC|tC|C)", "ट्चु": "(?:ks|kC|tC|C)u?",
}  # fmt: skip
# Tamil has one letter for sounds that the others write with several, and writes ksh as t and ch.
_IN_TAMIL = {"क": "[kgh]", "च": "[sCj]", "ट": "[td]", "त": "[td]", "प": "[pbf]", "व": "v"}
_NASALS, _AFTER_NASALS = frozenset("ङञणनम"), {"क": "[kg]", "च": "[Cj]", "ट": "[td]", "त": "[td]", "प": "[pb]"}
_SIGNS = {
    "\u093e": "a", "\u093f": "[ie]", "\u0940": "[ie]", "\u0941": "[uo]", "\u0942": "[uo]", "\u0943": "i?r[iue]?", "\u0945": "[ea]",
    "\u0946": "(?:e|ai)", "\u0947": "(?:ei?|ai)", "\u0948": "(?:[aeo]i|e|i)", "\u0949": "[oa]", "\u094a": "ou?", "\u094b": "(?:ou?|au)",
    "\u094c": "(?:a[uv]|o[uv]?|u)", _VIRAMA: "",
}  # fmt: skip
_VOWELS = {
    "अ": "a", "आ": "a", "इ": "i?[ie]", "ई": "i?[ie]", "उ": "u", "ऊ": "u", "ऋ": "r[iue]?", "ऍ": "e", "ऎ": "i?e", "ए": "(?:i?ei?|ai)",
    "ऐ": "(?:[aeo]i|e|i)", "ऑ": "o", "ऒ": "o", "ओ": "(?:ou?|au)", "औ": "(?:a[uv]|o[uv]?)",
}  # fmt: skip
_NASAL, _ANY_NASAL = "(?:ng?|m)", "\u0902"
_MARKS = {"\u0901": "[nm]?", _ANY_NASAL: _NASAL, "\u0903": "h?"}
_LABIALS = frozenset("पफबभम")
_AFTER_R = f"{_VIRAMA}र"  # as in Subrata
_I, _U_AFTER_R = frozenset("\u093f\u0940\u0948"), re.compile("\u093fरु")
_PUT_IN_BY_TAMIL = re.compile("(?<=[कटतप])\u093f(?=र)")  # as in the Tamil for Chandra


def indic_alike(raw: str, latin: str) -> bool:
    """Return whether a word in a script of India may match a word in Latin letters.

    Args:
        raw: A word in one of the scripts.
        latin: A word in Latin letters, in lower case.
    """
    return _pattern(raw).fullmatch(sounds(latin, "indic")) is not None


@lru_cache(maxsize=4_096)
def _pattern(raw: str) -> re.Pattern[str]:
    script = ord(raw[0]) // _BLOCK * _BLOCK
    text = "".join(
        chr(_DEVANAGARI + ord(letter) % _BLOCK) if INDIC.match(letter) else letter
        for letter in raw.translate(_OF_ONE_SCRIPT)
    )
    if script == _TAMIL:
        text = _U_AFTER_R.sub("\u0943", text).replace("ज\u0946", "ज")
    parts = [_part(text, found, script) for found in _LETTER.finditer(text)]
    return re.compile("".join(parts))


def _part(text: str, found: re.Match[str], script: int) -> str:
    before, after = text[: found.start()], text[found.end() :]
    if vowel := found["vowel"]:
        return "[ao]" if vowel == "अ" and script in _EASTERN else _VOWELS.get(vowel, "a")
    if mark := found["mark"]:
        return _MARKS[mark] if after else f"{_MARKS[mark]}?"
    if (
        found["sign"] == _VIRAMA
        and after
        and _consonant(after[0], script) == _consonant(found["consonant"], script)
    ):
        return ""  # doubled letters are one
    sound = _consonant_here(found["consonant"], found["sign"], before, after, script)
    if found["sign"]:
        return sound + _sign(found["sign"], found["consonant"], after, script)
    return sound + (_unwritten(script) if after else _unwritten_last(text, found.start(), script))


def _consonant_here(consonant: str, sign: str, before: str, after: str, script: int) -> str:
    """Return the sound of a consonant, given what comes before and after it."""
    sound = _consonant(consonant, script, before)
    if consonant in {"न", "ण"} and sign == _VIRAMA and after[:1] in _LABIALS:
        return "[nm]"
    if consonant == "य\u093c":
        return "[ie]?"
    if consonant == "व" and not after:
        return "[bvou]" if sign != "\u0941" else "v?"
    if script == _TAMIL and consonant == "च" and sign == "\u093e" and after.startswith("म"):
        return f"{sound}v?"  # as in Swami
    weak = consonant == "ह" and before and sign in {"", _VIRAMA}
    return f"{sound}?" if weak or _is_often_silent(consonant, sign, before, script) else sound


def _is_often_silent(consonant: str, sign: str, before: str, script: int) -> bool:
    """Return whether a consonant is a y next to an i, or, in Bengali, a y or b after another consonant."""
    return (consonant == "य" and (before[-1:] in _I or sign in _I)) or (
        script == _BENGALI and consonant in {"य", "ब"} and before.endswith(_VIRAMA)
    )


def _consonant(consonant: str, script: int, before: str = "") -> str:
    plain = consonant if consonant in _CONSONANTS else consonant[0]
    if script == _MALAYALAM and before[-2:-1] in _NASALS:
        return _AFTER_NASALS.get(plain, _CONSONANTS.get(plain, ""))
    return (_IN_TAMIL.get(plain) if script == _TAMIL else None) or _CONSONANTS.get(plain, "")


def _sign(sign: str, consonant: str, after: str, script: int) -> str:
    sound = _SIGNS.get(sign, "")
    if sign == "\u093e" and not after:
        return "ah?"
    if sign == _VIRAMA and after.startswith("र"):
        return "[ae]?"  # as in Agarwal and Inder
    if sign == _VIRAMA and len(after) == 1:
        return "a?"  # as in Dharam and Ratan
    if script == _TAMIL and _PUT_IN_BY_TAMIL.search(consonant + sign + after[:1]):
        return f"{sound}?"
    return sound


def _unwritten(script: int) -> str:
    return "[aou]?" if script in _EASTERN else "[aeu]?"


def _unwritten_last(text: str, place: int, script: int) -> str:
    """Return the vowel after a final consonant: in the north, only after two consonants and after y and v."""
    before = text[:place]
    in_cluster = before[-1:] in {_VIRAMA, _ANY_NASAL} or text[place] in "यव"
    if script in _EASTERN:
        return "[ao]?" if in_cluster or before.endswith(_AFTER_R) or script == _ORIYA else ""
    return "(?:ah?)?" if in_cluster or script >= _ORIYA else ""
