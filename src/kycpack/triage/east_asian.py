"""Chinese, Japanese and Korean names, which are written without spaces, in either order and in several romanisations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from anyascii import anyascii

from kycpack.assets import asset_yaml
from kycpack.triage.hanzi import han_alike
from kycpack.triage.romanisation import sounds, traditions
from kycpack.triage.transliteration import Word

_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")

_FIRST_SYLLABLE, _LAST_SYLLABLE = 0xAC00, 0xD7A3
_FINALS, _VOWELS_AND_FINALS = 28, 588
_MOST_WORDS = 4
_MOST_GIVEN = 3

# Letters of the Korean alphabet in the order of Unicode, as they are romanised.
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
_VOWELS = ["a|ah", "ae|ai|ay|e", "ya|ia", "yae", "eo|u|o|uh", "e", "yeo|yu|you|yo|yuh", "ye", "o|oh", "wa", "wae|woe", "oe|we|oi|oy", "yo", "u|oo|ou|woo", "wo|weo", "we", "wi|wee", "yu|yoo|you", "eu|u|oo", "eui|ui|ee|i", "i|ee|y|yi"]  # fmt: skip
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

_PINYIN = re.compile(
    r"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxzcsryw])?"
    r"(?:iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan|ai|ei|ao|ou|an|en|in|un|ia|ie|iu|ua|uo|ui|ue|er|a|o|e|i|u|v))"
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
_BY_SYLLABLE = ("vietnamese", "chinese", "korean")
_VOICED = {"k": "kg", "s": "sz", "t": "td", "h": "hbp"}


def east_asian_alike(one: tuple[Word, ...], other: tuple[Word, ...]) -> bool:
    """Tell whether two names are one Chinese, Japanese or Korean name in two scripts or romanisations."""
    for left, right in ((one, other), (other, one)):
        raw = "".join(word.raw for word in left)
        latin = [spoken for word in right if (spoken := _spoken(word))]
        if latin and len(latin) == len(right) <= _MOST_WORDS and raw and not raw.isascii():
            if _HANGUL.search(raw) and any(_hangul(raw).fullmatch(text) for text in _turned(latin)):
                return True
            if (_HAN.search(raw) or _KANA.search(raw)) and _japanese_script(left, latin):
                return True
            if han_alike(raw, latin, _coarse):
                return True
            if _HAN.search(raw) and "".join(word.text for word in left) in set(_turned(latin)):
                return True
    if any(word.foreign for word in (*one, *other)):
        return False
    texts, others = [word.text for word in one], [word.text for word in other]
    return _korean(texts, others) or _chinese(texts, others) or _japanese(texts, others)


def _spoken(word: Word) -> str:
    """Return a word in Latin letters; of kana what they say, and nothing of other scripts."""
    if not word.foreign:
        return word.text
    return _latin_of(word.raw) if re.fullmatch(r"[\u3040-\u30ff]+", word.raw) else ""


def has_no_slips(words: tuple[Word, ...]) -> bool:
    """Tell whether the name is one in which another letter makes another name: of Chinese, Vietnamese, Korean or Japanese syllables."""
    texts = [word.text for word in words]
    if not texts:
        return False
    families = {name for name in _BY_SYLLABLE if {texts[0], texts[-1]} & traditions()[name].families.keys()}
    if "vietnamese" in families and all(len(text) <= _MOST_WORDS + 2 for text in texts):
        return True
    if "chinese" in families and all(_is_pinyin(text) for text in texts):
        return True
    if "korean" in families and len("".join(texts)) <= 2 * 6:
        return True
    return all(_ROMAJI.fullmatch(sounds(text, "japanese")) for text in texts)


def _turned(words: list[str]) -> Iterator[str]:
    """Go through the words joined, with the family name first or last."""
    for start in range(len(words)):
        yield "".join(words[start:] + words[:start])


@lru_cache(maxsize=_REMEMBERED)
def _hangul(raw: str) -> re.Pattern[str]:
    syllables = [letter for letter in raw if _FIRST_SYLLABLE <= ord(letter) <= _LAST_SYLLABLE]
    parts = []
    for number, syllable in enumerate(syllables):
        index = ord(syllable) - _FIRST_SYLLABLE
        initial = _INITIALS[index // _VOWELS_AND_FINALS]
        vowel = _VOWELS[index % _VOWELS_AND_FINALS // _FINALS]
        part = f"(?:{initial})(?:{vowel})(?:{_CODAS[index % _FINALS]})"
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


def _korean(texts: list[str], others: list[str]) -> bool:
    families = traditions()["korean"].families
    for family, given in _family_and_given(texts, families):
        for peer, its_given in _family_and_given(others, families):
            if (
                families[family] & families[peer]
                and len(given) > _MOST_GIVEN
                and len(its_given) > _MOST_GIVEN
            ):
                same = sounds(given, "korean") == sounds(its_given, "korean")
                if same and (given != its_given or family != peer):
                    return True
    return False


def _family_and_given(texts: list[str], families: dict[str, frozenset[int]]) -> Iterator[tuple[str, str]]:
    if 1 < len(texts) <= _MOST_GIVEN:
        if texts[0] in families:
            yield texts[0], "".join(texts[1:])
        if texts[-1] in families:
            yield texts[-1], "".join(texts[:-1])


def _chinese(texts: list[str], others: list[str]) -> bool:
    families = traditions()["chinese"].families
    for family, given in _family_and_given(texts, families):
        for peer, its_given in _family_and_given(others, families):
            if not families[family] & families[peer]:
                continue
            if given == its_given:
                return True
            if _is_pinyin(given) != _is_pinyin(its_given) and _coarse(given) == _coarse(its_given):
                return True
    return False


def _is_pinyin(text: str) -> bool:
    return re.fullmatch(f"(?:{_PINYIN.pattern})+", text) is not None


@lru_cache(maxsize=_REMEMBERED)
def _coarse(text: str) -> str:
    """Return a word with one letter for the initials that Pinyin and Wade-Giles write with different ones."""
    if not _is_pinyin(text):
        for spelling, plain in _WADE_GILES:
            text = text.replace(spelling, plain)
        text = re.sub(r"j(?=[aeiou])", "r", text)
    else:
        text = text.replace("j", "C")
    for spelling, sound in _COARSE:
        text = text.replace(spelling, sound)
    return text


def _japanese(texts: list[str], others: list[str]) -> bool:
    one, other = ([sounds(text, "japanese") for text in words] for words in (texts, others))
    if not all(_ROMAJI.fullmatch(text) for text in (*one, *other)):
        return False
    return len(one) > 1 and sorted(one) == sorted(other)


def _japanese_script(written: tuple[Word, ...], latin: list[str]) -> bool:
    pattern = _kanji("".join(word.raw for word in written))
    if pattern is None:
        return False
    # Long vowels within words only: a word may end where the next one begins with the same vowel.
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
    """Return the readings of a name as a pattern; None where a character is not known."""
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
