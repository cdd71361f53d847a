"""Chinese, Japanese and Korean names, which are written without spaces, in either order and in several romanisations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from anyascii import anyascii

from kycpack.assets import asset_yaml
from kycpack.triage.likeness import ORDER, TRANSLITERATION
from kycpack.triage.names.hanzi import han_alike, read_in_cantonese
from kycpack.triage.names.korean import HANGUL, given_alike, hangul_of, hangul_pattern, is_given
from kycpack.triage.names.romanisation import sounds, traditions
from kycpack.triage.names.transliteration import Word, respelled

_HAN = re.compile(r"[\u4e00-\u9fff]")
_KOREAN_HAN = re.compile(r"[\u4e00-\u9fff]{2,4}")
_KANA = re.compile(r"[\u3040-\u30ff]")

_MOST_WORDS = 4

_REPEATED = re.compile("(.)\u3005")
_PINYIN = re.compile(
    r"(?:ang|eng|ai|an|ao|ei|en|er|ou|a|e|o)?"
    r"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxzcsryw])"
    r"(?:iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan|ai|ei|ao|ou|an|en|in|un|ia|ie|iu|ua|uo|ui|ue|a|o|e|i|u|v))*"
)
_VIETNAMESE = re.compile(
    r"(?:ngh|ng|nh|ch|gh|gi|kh|ph|qu|th|tr|[bcdghklmnpqrstvx])?[aeiouy]{1,3}(?:ng|nh|ch|[cmnpt])?"
)
# One syllable, or two, in the spelling of Wade-Giles and Hong Kong.
_SINITIC = re.compile(
    r"(?:(?:ch|ts|tz|hs|sh|sz|kw|gw|ng|[bpmfdtnlgkhjszwyrc])?(?:[aeiou]{1,3}(?:ng|[nmptkh]|rh)?|ng))(?:(?:ch|ts|tz|hs|sh|sz|kw|gw|ng|"
    r"[bpmfdtnlgkhjszwyrc])[aeiou]{1,3}(?:ng|[nmptkh])?)?"
)
_ROMAJI = re.compile(
    r"(?:(?:ky|sy|ty|ny|hy|my|ry|gy|zy|by|py|[kstnhmyrwgzdbp])?[aiueo]|n(?![aiueoy])|(?P<long>[kstp])(?=(?P=long)))+"
)
_WADE_GILES = (
    ("ieh", "ie"), ("ueh", "ue"), ("uei", "ui"), ("ien", "ian"), ("yen", "yan"), ("ung", "ong"), ("ssu", "si"), ("tzu", "zi"), ("szu", "si"), ("ih", "i"), ("eh", "e"),
)  # fmt: skip
_COARSE = (
    ("zh", "C"), ("ch", "C"), ("q", "C"), ("sh", "S"), ("hs", "S"), ("x", "S"), ("ts", "Z"), ("tz", "Z"), ("z", "Z"), ("c", "Z"),
    ("p", "b"), ("t", "d"), ("k", "g"), ("uo", "o"),
)  # fmt: skip
_REMEMBERED = 4_096
_VOICED = {"k": "kg", "s": "sz", "t": "td", "h": "hbp"}


class _Parts(NamedTuple):
    """The family name and the given name, and which comes first."""

    family: str
    given: str
    family_first: bool


def east_asian_kinds(one: tuple[Word, ...], other: tuple[Word, ...]) -> frozenset[str]:
    """Return the kinds of likeness if two names are one Chinese, Japanese or Korean name in two scripts or romanisations; empty if they are not.

    In its own script the family name comes first by custom, so the order counts only between two names in Latin letters.
    """
    if _written_alike(one, other) or _written_alike(other, one):
        return frozenset({TRANSLITERATION})
    if any(word.foreign for word in (*one, *other)):
        return frozenset()
    texts, others = [word.text for word in one], [word.text for word in other]
    in_order = [*_korean(texts, others), *_chinese(texts, others), *_japanese(texts, others)]
    if not in_order:
        return frozenset()
    return frozenset({TRANSLITERATION} if any(in_order) else {TRANSLITERATION, ORDER})


def _written_alike(written: tuple[Word, ...], other: tuple[Word, ...]) -> bool:
    """Return whether a name in an East Asian script matches one in Latin letters, in kana, or one of Chinese characters in Hangul."""
    raw = "".join(word.raw for word in written)
    if _KOREAN_HAN.fullmatch(raw) and hangul_of(raw) == "".join(word.raw for word in other):
        return True
    latin = [spoken for word in other if (spoken := _spoken(word))]
    if not latin or not len(latin) == len(other) <= _MOST_WORDS or raw.isascii():
        return False
    if HANGUL.search(raw) and any(hangul_pattern(raw).fullmatch(text) for text in _turned(latin)):
        return True
    if (_HAN.search(raw) or _KANA.search(raw)) and _japanese_script(written, latin):
        return True
    return (
        _is_hanja(raw, latin)
        or han_alike(raw, latin, _coarse)
        or (bool(_HAN.search(raw)) and "".join(word.text for word in written) in set(_turned(latin)))
    )


def _is_hanja(raw: str, latin: list[str]) -> bool:
    """Return whether a name in Chinese characters, read in Korean, matches one in Latin letters."""
    hangul = hangul_of(raw) if _KOREAN_HAN.fullmatch(raw) else ""
    return bool(hangul) and any(hangul_pattern(hangul).fullmatch(text) for text in _turned(latin))


def _spoken(word: Word) -> str:
    """Return a word in Latin letters; for kana their sound, and empty for other scripts."""
    if not word.foreign:
        return word.text
    return _latin_of(word.raw) if re.fullmatch(r"[\u3040-\u30ff]+", word.raw) else ""


def has_no_slips(words: tuple[Word, ...]) -> bool:
    """Return whether another letter in the name makes another name: names of Chinese, Vietnamese, Korean or Japanese syllables."""
    if any(not word.raw.isascii() and (_HAN.search(word.raw) or HANGUL.search(word.raw)) for word in words):
        return True
    texts = [word.text for word in words]
    if not texts:
        return False
    families = {
        name
        for name in ("vietnamese", "chinese", "korean")
        if {texts[0], texts[-1]} & traditions()[name].families.keys()
    }
    if "vietnamese" in families and all(_VIETNAMESE.fullmatch(text) for text in texts):
        return True
    if "chinese" in families and all(_is_pinyin(text) or _SINITIC.fullmatch(text) for text in texts):
        return True
    if "korean" in families and any(
        is_given(parts.given) for parts in _family_and_given(texts, traditions()["korean"].families)
    ):
        return True
    return all(_ROMAJI.fullmatch(sounds(text, "japanese")) for text in texts)


def _turned(words: list[str]) -> Iterator[str]:
    """Yield the words joined, with the family name first or last."""
    for start in range(len(words)):
        yield "".join(words[start:] + words[:start])


def _korean(texts: list[str], others: list[str]) -> Iterator[bool]:
    """Yield, for each way in which two names are one Korean name, whether the order is the same."""
    for one, other in _same_family(texts, others, "korean"):
        if given_alike(one.given, other.given):
            yield one.family_first == other.family_first


def _same_family(texts: list[str], others: list[str], name: str) -> Iterator[tuple[_Parts, _Parts]]:
    """Yield the ways in which two names share a family name.

    If both begin with one family name, that is the family name, even if the last words could also be one.
    """
    families = traditions()[name].families
    for one in _family_and_given(texts, families):
        for other in _family_and_given(others, families):
            last = (one.family, other.family) == (texts[-1], others[-1])
            shared = families[one.family] & families[other.family]
            if shared and not (last and _begin_with_one_family(texts, others)):
                yield one, other


def _begin_with_one_family(texts: list[str], others: list[str]) -> bool:
    return any(
        tradition.families.get(texts[0], frozenset()) & tradition.families.get(others[0], frozenset())
        for tradition in traditions().values()
    )


def _family_and_given(texts: list[str], families: dict[str, frozenset[int]]) -> Iterator[_Parts]:
    if 1 < len(texts) <= 3:
        if texts[0] in families:
            yield _Parts(texts[0], "".join(texts[1:]), family_first=True)
        if texts[-1] in families:
            yield _Parts(texts[-1], "".join(texts[:-1]), family_first=False)


def _chinese(texts: list[str], others: list[str]) -> Iterator[bool]:
    """Yield, for each way in which two names are one Chinese name, whether the order is the same."""
    for one, other in _same_family(texts, others, "chinese"):
        mandarin = _are_mandarin(one.family, other.family)
        if _chinese_given_alike(one.given, other.given, same=one.family == other.family, mandarin=mandarin):
            yield one.family_first == other.family_first


def _chinese_given_alike(one: str, other: str, *, same: bool, mandarin: bool) -> bool:
    """Return whether given names are alike, if the family name is the same, or two Mandarin ones, or one in two systems."""
    if one == other:
        return same or not mandarin
    two_systems = not same and not mandarin
    if (two_systems or _is_pinyin(one) != _is_pinyin(other)) and _coarse(one) == _coarse(other):
        return True
    return two_systems and (read_in_cantonese(one, other) or read_in_cantonese(other, one))


def _are_mandarin(family: str, peer: str) -> bool:
    """Return whether both are family names in Mandarin, so that one is not another spelling of the other."""
    return {family, peer} <= traditions()["chinese"].first_spellings


def _is_pinyin(text: str) -> bool:
    return _PINYIN.fullmatch(text) is not None


@lru_cache(maxsize=_REMEMBERED)
def _coarse(text: str) -> str:
    """Return a word with one letter for the initials that Pinyin and Wade-Giles write differently."""
    if not _is_pinyin(text):
        text = re.sub(r"j(?=[aeiou])", "r", re.sub("^ing", "ying", respelled(text, _WADE_GILES)))
    else:
        text = text.replace("j", "C")
    return respelled(text, _COARSE)


def _japanese(texts: list[str], others: list[str]) -> Iterator[bool]:
    """Yield, for each way in which two names are one Japanese name, whether the order is the same."""
    if any("ee" in text for text in (*texts, *others)):
        return  # as in Renee: a long vowel in Japanese is never written like this
    one, other = ([sounds(text, "japanese") for text in words] for words in (texts, others))
    if min(len(one), len(other)) < 2 or not all(_ROMAJI.fullmatch(text) for text in (*one, *other)):
        return
    if len(one) == len(other):
        yield from (not start for start in range(len(one)) if one[start:] + one[:start] == other)
    # A given name may be written with a hyphen, as Shin-ichi.
    elif {*_turned(one)} & {*_turned(other)}:
        yield "".join(one) == "".join(other)


def _japanese_script(written: tuple[Word, ...], latin: list[str]) -> bool:
    pattern = _kanji("".join(word.raw for word in written))
    if pattern is None:
        return False
    # Long vowels only within words: a word may end with the vowel with which the next one begins.
    spoken = [sounds(text, "japanese") for text in latin]
    return any(pattern.fullmatch(text) for text in _turned(spoken))


@cache
def _readings() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    known = asset_yaml("names/kanji.yaml")
    tables = []
    for name in ("words", "characters"):
        table = {}
        for entry in known[name].split(";"):
            if entry.strip():
                character, *readings = entry.split()
                table[character] = tuple(sounds(reading, "japanese") for reading in readings)
        tables.append(table)
    return tables[0], tables[1]


@lru_cache(maxsize=_REMEMBERED)
def _kanji(raw: str) -> re.Pattern[str] | None:
    """Return the readings of a name as a pattern; None if a character is not known."""
    raw = _REPEATED.sub(r"\1\1", raw)
    whole, single = _readings()
    parts: list[str] = []
    place = 0
    while place < len(raw):
        for length in (4, 3, 2, 1):
            piece = raw[place : place + length]
            readings = whole.get(piece) or (single.get(piece) if length == 1 else None)
            if readings or (length == 1 and _KANA.match(piece)):
                break
        else:
            return None
        if not readings:
            end = place + 1
            while end < len(raw) and (_KANA.match(raw[end]) or raw[end] == "\u30fc"):
                end += 1
            readings, piece = (sounds(_latin_of(raw[place:end]), "japanese"),), raw[place:end]
        parts.append("(?:" + "|".join(_voiced(one) if place else one for one in readings) + ")")
        place += len(piece)
    return re.compile("".join(parts))


def _voiced(reading: str) -> str:
    first = reading[:1]
    return f"[{_VOICED[first]}]{reading[1:]}" if first in _VOICED else reading


def _latin_of(kana: str) -> str:
    return str(anyascii(kana)).lower().replace("-", "")
