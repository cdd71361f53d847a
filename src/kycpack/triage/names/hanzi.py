"""Chinese names in characters compared with names in Latin letters: Pinyin, Wade-Giles, and Cantonese in the Hong Kong spelling.

Source of the Hong Kong spelling: `names/jyutping.yaml`, sounds in Jyutping and the spellings of each sound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice, product
from typing import Any, NamedTuple

from anyascii import anyascii

from kycpack.assets import asset_yaml
from kycpack.triage.names.romanisation import traditions
from kycpack.triage.names.transliteration import Word

_HAN = re.compile(r"[\u4e00-\u9fff]+")
_ALL_HAN = re.compile(r"[\u4e00-\u9fff]{2,4}")
_SYLLABLE = re.compile(r"[bcdfghjklmnpqrstwxyz]{0,2}[aeiou]{1,3}(?:ng|[nmptk])?")
_COMPOUND = 2
_FEWEST_LATIN = 2
_MOST_SPELLINGS = 64
_REMEMBERED = 4_096


class _Readings(NamedTuple):
    mandarin: dict[str, tuple[str, ...]]
    cantonese: dict[str, tuple[str, ...]]
    compound: frozenset[str]


@cache
def _readings() -> _Readings:
    known = asset_yaml("names/hanzi.yaml")
    tables = []
    for name in ("mandarin", "cantonese"):
        entries = [entry.split() for entry in known[name].split(";") if entry.strip()]
        tables.append({character: tuple(readings) for character, *readings in entries})
    return _Readings(tables[0], tables[1], frozenset(known["compound"].split()))


def in_characters(words: Sequence[Word]) -> bool:
    """Return whether the whole name is in Chinese characters."""
    return all(_HAN.fullmatch(word.raw) for word in words)


def plain_characters(raw: str) -> str:
    """Return Chinese characters in the simplified form, if there is one, of China or Japan."""
    return raw.translate(_variants())


@cache
def _variants() -> dict[int, str]:
    return {ord(form): plain for form, plain in asset_yaml("names/variants.yaml")["variants"].split()}


def han_alike(raw: str, latin: Sequence[str], coarse: Callable[[str], str]) -> bool:
    """Return whether a name in characters may match one in Latin letters, which may have one extra word, such as a Western given name.

    Args:
        raw: The name in characters, family name first.
        latin: The words of the other name, in any order.
        coarse: Returns what the Pinyin and Wade-Giles spellings of a word have in common.
    """
    if not _ALL_HAN.fullmatch(raw):
        return False
    split = _COMPOUND if raw[:_COMPOUND] in _readings().compound and len(raw) > _COMPOUND else 1
    families = traditions()["chinese"].families
    spellings = _mandarin(raw[:split])
    groups = frozenset().union(*(families.get(one, frozenset()) for one in spellings))
    own = {coarse(one) for one in _mandarin(raw[split:])}
    family_in_cantonese, cantonese = _cantonese(raw[:split]), _cantonese(raw[split:])
    for words in _with_one_left_out(latin, any_word=len(raw) > _COMPOUND):
        for family, given in ((words[0], "".join(words[1:])), (words[-1], "".join(words[:-1]))):
            same_family = (
                family in spellings
                or bool(groups & families.get(family, frozenset()))
                or bool(family_in_cantonese and family_in_cantonese.fullmatch(family))
            )
            if same_family and (coarse(given) in own or (cantonese and cantonese.fullmatch(given))):
                return True
    return False


def _with_one_left_out(latin: Sequence[str], *, any_word: bool) -> Iterator[Sequence[str]]:
    """Yield the words, and the words without one of them; if the name has two characters, a word that may be a Chinese syllable is not left out."""
    if len(latin) >= _FEWEST_LATIN:
        yield latin
    if len(latin) > _FEWEST_LATIN:
        for place, word in enumerate(latin):
            if any_word or not _SYLLABLE.fullmatch(word):
                yield [*latin[:place], *latin[place + 1 :]]


def read_in_cantonese(pinyin: str, latin: str) -> bool:
    """Return whether a given name may be a Cantonese reading of the characters of another given name in Pinyin.

    Args:
        pinyin: A given name of one or two syllables in Pinyin.
        latin: The other given name, in Latin letters.
    """
    pattern = _cantonese_of(pinyin)
    return pattern is not None and pattern.fullmatch(latin) is not None


@lru_cache(maxsize=_REMEMBERED)
def _cantonese_of(pinyin: str) -> re.Pattern[str] | None:
    syllables = _cantonese_by_pinyin()
    ways = [(pinyin,)] + [(pinyin[:place], pinyin[place:]) for place in range(1, len(pinyin))]
    known = [
        "".join(f"(?:{syllables[syllable]})" for syllable in way)
        for way in ways
        if all(syllable in syllables for syllable in way)
    ]
    return re.compile("|".join(known)) if known else None


@cache
def _cantonese_by_pinyin() -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for character, readings in _readings().cantonese.items():
        for pinyin in _mandarin(character):
            found.setdefault(pinyin, set()).update(readings)
    return {pinyin: "|".join(sorted(readings)) for pinyin, readings in found.items()}


@lru_cache(maxsize=_REMEMBERED)
def _mandarin(characters: str) -> tuple[str, ...]:
    known = _readings().mandarin
    each = [known.get(one) or (str(anyascii(one)).strip().lower(),) for one in characters]
    return tuple("".join(parts) for parts in islice(product(*each), _MOST_SPELLINGS))


@lru_cache(maxsize=_REMEMBERED)
def _cantonese(characters: str) -> re.Pattern[str] | None:
    """Return the Cantonese readings as a pattern; None if a character is not listed."""
    parts = [
        [*_readings().cantonese.get(one, ()), *jyutping_spellings(plain_characters(one))]
        for one in characters
    ]
    if not all(parts):
        return None
    return re.compile("".join(f"(?:{'|'.join(part)})" for part in parts))


def jyutping_spellings(character: str) -> tuple[str, ...]:
    """Return the spellings of a character as patterns; empty if it is not listed.

    Args:
        character: A Chinese character in its simplified form.
    """
    return tuple(_spelling(syllable) for syllable in _syllables().get(character, ()))


@cache
def _jyutping() -> Any:
    return asset_yaml("names/jyutping.yaml")


@cache
def _syllables() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in _jyutping()["readings"].split(";"):
        syllable, characters = entry.split()
        for character in characters:
            found.setdefault(character, []).append(syllable)
    return found


@cache
def _spelling(syllable: str) -> str:
    known = _jyutping()
    if syllable in known["syllables"]:
        return str(known["syllables"][syllable])
    initial = next(
        first
        for first in sorted(known["initials"], key=len, reverse=True)
        if syllable.startswith(first) and syllable.removeprefix(first) in known["finals"]
    )
    return f"(?:{known['initials'][initial]})(?:{known['finals'][syllable.removeprefix(initial)]})"
