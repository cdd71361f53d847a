"""Comparing two words in names: the same, an initial, a short form, another spelling or script, or a slip of the pen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from kycpack.assets import asset_yaml
from kycpack.triage.likeness import INITIAL, NICKNAME, PARTICLE, SLIP, TRANSLITERATION
from kycpack.triage.names.indic import INDIC, indic_alike
from kycpack.triage.names.romanisation import (
    ARABIC,
    BY_SOUND,
    INDIAN,
    INDONESIAN,
    plain_letters,
    script_alike,
    sound_alike,
    traditions_of,
)
from kycpack.triage.names.thai import THAI, thai_alike
from kycpack.triage.names.transliteration import (
    Word,
    edits,
    folded,
    given_names,
    name_lexicon,
    passport_spellings,
    respelled,
    skeleton,
)

_TOGETHER = re.compile("\u0578\u0582|.", re.DOTALL)  # two Armenian letters for one vowel

_SHORTEST_SWAP = 3
_SHORTEST_SLIP, _SURE_SLIP, _LONG_SLIP = 4, 5, 8
_MOST_SLIPS = 2
# "Servant of" before the names of God, and "child of" after a name: the rest of the name distinguishes two people.
_COMPOUND = re.compile(
    r"(?P<servant>abd)?(?P<name>.{3,}?)(?P<child>p(?:ou|oo|u)r|zad(?:eh?|a)|n[ei]j?zh?ad)?"
)
_ALL_LENGTHS = frozenset({ARABIC, INDIAN, INDONESIAN})  # traditions that write long vowels in two ways
_COURTESY = frozenset({"bhai", "ben", "behn", "bai", "ji"})
_VOWELS = "aeiouy"
_OTHER_BEGINNINGS = ("ai", "au", "io", "iu", "eu")
_SHORTEST_SKELETON, _LONG_SKELETON = 2, 5
_SHORTEST_FOLDED = 4
_VOWELS_IN_A_ROW, _TWICE = re.compile("[aeiouy]+"), re.compile(r"(.)(?=\1)")
_MUTE = "ane"  # as in the French spelling of men's names in the Maghreb: Rahmane, Slimane
_HIS_AND_HERS = (("wan", "wati"), ("putra", "putri"))
_FEMININE = frozenset({"a", "e", "ia", "ina", "ine", "ette", "elle", "le", "ne", "na", "lle", "nne"})
# Vowel signs at the end of a word in the scripts of India; without one, a final consonant is bare, and in the north
# no vowel follows it, unless it ends a cluster.
_VOWEL_SIGNS = re.compile(
    r"[\u093e-\u094c\u09be-\u09cc\u0a3e-\u0a4c\u0abe-\u0acc\u0bbe-\u0bcc\u0c3e-\u0c4c\u0cbe-\u0ccc\u0d3e-\u0d4c]$"
)
_BARE_CONSONANT = re.compile(
    r"(?<![\u094d\u09cd\u0a4d\u0acd])[\u0915-\u0939\u0995-\u09b9\u0a15-\u0a39\u0a95-\u0ab9]\u09bc?\u093c?$"
)
_BARE_IN_THE_SOUTH = re.compile(
    r"[\u0b15-\u0b39\u0c15-\u0c39\u0c95-\u0cb9\u0d15-\u0d39]$"
)  # where an a follows
_HALF_VOWELS = frozenset("\u092f\u0935\u09af\u09bc\u0a2f\u0a35\u0aaf\u0ab5")  # as in Rai and Rao
_WITH_RULES = re.compile(r"[\u0590-\u06ff\u0900-\u0d7f\u0e00-\u0e7f]")
_CASED = re.compile(r"[\u0370-\u052f]")
_MASCULINE = re.compile(r"(?<=[a-z]{3})[oaiu]s$")
_SLAVIC_FAMILY = re.compile(r"(ov|ev|sk)a$")


@dataclass(frozen=True, slots=True)
class Custom:
    """The rules for comparing the words of a pair of names: the traditions that they come from, and which slips are possible.

    Attributes:
        traditions: The traditions by whose sounds words are compared.
        slips: Whether slips are possible.
        small: Whether only transposed or doubled letters count as a slip.
    """

    traditions: tuple[str, ...] = ()
    slips: bool = True
    small: bool = False


def compare_words(left: Word, right: Word, custom: Custom) -> tuple[float, str] | None:
    """Return how alike two words are, and the kind of likeness; None if they are not alike."""
    if left.text == right.text:
        return 1.0, ""
    if right.text in passport_spellings(left.raw) or left.text in passport_spellings(right.raw):
        return 0.95, TRANSLITERATION
    if left.is_initial or right.is_initial:
        return (0.7, INITIAL) if _begins_alike(left, right) else None
    if left.is_particle or right.is_particle:
        lexicon = name_lexicon()
        return (0.9, NICKNAME) if lexicon.share(lexicon.short_forms, left.text, right.text) else None
    if left.foreign != right.foreign:
        return transliterated(left, right)
    return _spelled(left.text, right.text, custom)


def _begins_alike(left: Word, right: Word) -> bool:
    """Return whether an initial, which may have several letters such as Th or Yu, is the beginning of the other word."""
    shorter, longer = sorted((left.text, right.text), key=len)
    return longer.startswith(shorter)


def _spelled(  # noqa: PLR0911 - one return for each way of being alike
    left: str, right: str, custom: Custom
) -> tuple[float, str] | None:
    lexicon = name_lexicon()
    if lexicon.share(lexicon.spellings, left, right):
        return 0.95, TRANSLITERATION
    if lexicon.share(lexicon.short_forms, left, right):
        return 0.9, NICKNAME
    if _ALL_LENGTHS & {*custom.traditions} and _one_length(left) == _one_length(right):
        return 0.95, TRANSLITERATION
    if lexicon.are_two_names(left, right) or _feminine(left, right, custom):
        return None
    if parts := _names_within(left, right):
        return _spelled(*parts, custom)
    if folded(left) == folded(right) and min(len(left), len(right)) >= _SHORTEST_FOLDED:
        return 0.95, TRANSLITERATION
    if any(sound_alike(left, right, name) for name in custom.traditions):
        return 0.9, TRANSLITERATION
    if INDIAN in custom.traditions and _one_in_courtesy(left, right):
        return 0.9, PARTICLE
    return _slip(left, right, custom) if custom.slips else None


def _names_within(left: str, right: str) -> tuple[str, str] | None:
    """Return the names that two compounds contain, such as Hassan and Hossein in Hassanpour and Hosseinpour."""
    found = _COMPOUND.fullmatch(left), _COMPOUND.fullmatch(right)
    if not found[0] or not found[1]:
        return None
    one, other = found[0], found[1]
    compound = (one["servant"] and other["servant"]) or (one["child"] and other["child"])
    alike = (
        compound
        and bool(one["servant"]) == bool(other["servant"])
        and (one["child"] or "")[:1] == (other["child"] or "")[:1]
    )
    return (one["name"], other["name"]) if alike else None


def _one_length(text: str) -> str:
    """Return a word with the same spelling for a long vowel and a short one."""
    text = respelled(text, (("ee", "i"), ("oo", "u"), ("ou", "u")))
    return text.removesuffix("y") + "i" if text.endswith("y") else text


def _one_in_courtesy(left: str, right: str) -> bool:
    """Return whether one is the other with a courtesy suffix used in the west of India: Ramesh, Rameshbhai."""
    shorter, longer = sorted((left, right), key=len)
    return len(shorter) >= _SHORTEST_SLIP and longer.removeprefix(shorter) in _COURTESY


def transliterated(left: Word, right: Word) -> tuple[float, str] | None:
    """Return how alike two words are if one is in Latin letters and the other is not; None if they are not alike.

    Args:
        left: A word.
        right: A word; in Latin letters if the other is not.
    """
    written, latin = (left, right) if left.foreign else (right, left)
    if _letter_by_letter(written.raw, latin.text):
        return 0.85, TRANSLITERATION
    if _BARE_IN_THE_SOUTH.search(written.raw):
        written = Word(written.text + "a", foreign=True, raw=written.raw)
    left, right = written, latin
    lexicon = name_lexicon()
    names = lexicon.spellings.get(plain_letters(written.raw)), lexicon.spellings.get(latin.text)
    if names[0] and names[1]:
        return (0.85, TRANSLITERATION) if names[0] & names[1] else None
    if _CASED.search(written.raw):
        if lexicon.share(lexicon.short_forms, left.text, right.text):
            return 0.85, NICKNAME
        if lexicon.are_two_names(left.text, right.text):
            return None
    alike = _in_its_script(written, latin.text)
    if alike is None:
        alike = (
            not _feminine(left.text, right.text, Custom())
            and _same_ending(written, latin.text)
            and (
                folded(left.text) == folded(right.text)
                or lexicon.share(lexicon.spellings, left.text, right.text)
                or any(
                    sound_alike(left.text, right.text, name)
                    for name in traditions_of((written,)) & {*BY_SOUND}
                )
                or (_same_consonants(left.text, right.text) and not _repeats_one(left.text, right.text))
            )
        )
    return (0.85, TRANSLITERATION) if alike else None


def has_rules(raw: str) -> bool:
    """Return whether a word is in a script with its own rules for reading: Arabic, Hebrew, Thai, or one of India."""
    return bool(_WITH_RULES.search(raw))


def _in_its_script(written: Word, latin: str) -> bool | None:
    """Return whether a word in a script with its own rules may be the same as a word in Latin letters; None for other scripts."""
    if THAI.search(written.raw):
        return thai_alike(written.raw, latin)
    if INDIC.search(written.raw):
        return indic_alike(written.raw, latin)
    return script_alike(written, latin)


def _same_ending(written: Word, latin: str) -> bool:
    """Return whether both or neither end in an a, which distinguishes a woman's name from a man's in many languages."""
    if _VOWEL_SIGNS.search(written.raw):
        return latin[-1] in "aeiouyh"
    if _BARE_CONSONANT.search(written.raw):
        return latin[-1] not in "aiou" or latin.endswith("va") or written.raw[-1] in _HALF_VOWELS
    return written.text.endswith("a") == latin.endswith("a") or not _CASED.search(written.raw)


def _same_consonants(left: str, right: str) -> bool:
    if "".join(sorted({left[0], right[0]})) in _OTHER_BEGINNINGS:
        return False
    bones, others = skeleton(left), skeleton(right)
    if bones == others:
        return len(bones) >= _SHORTEST_SKELETON or left[0] == right[0]
    # One letter may be written in two ways, such as the Cyrillic G that is an H in Ukrainian.
    return max(len(bones), len(others)) >= _LONG_SKELETON and edits(bones, others) == 1


def _repeats_one(left: str, right: str) -> bool:
    """Return whether the words differ by a syllable that repeats a consonant, as in Shevchunenko and Shevchenko."""
    texts = [_VOWELS_IN_A_ROW.sub("", folded(text)) for text in (left, right)]
    doubled = [len(_TWICE.findall(text)) for text in texts]
    return doubled[0] != doubled[1]


def _feminine(left: str, right: str, custom: Custom) -> bool:
    """Return whether one is the feminine form of the other, which is a different person's name: Martin, Martina."""
    shorter, longer = sorted((left, right), key=len)
    if ARABIC in custom.traditions and longer == shorter + "e" and longer.endswith(_MUTE):
        return False
    if longer == shorter or _SLAVIC_FAMILY.search(longer):
        return False
    if _is_feminine_of(left, right) or _is_feminine_of(right, left):
        return True
    if any(_with_hers(left, *pair) == right or _with_hers(right, *pair) == left for pair in _HIS_AND_HERS):
        return True
    stem = shorter.removesuffix("o").removesuffix("e")
    return any(longer.startswith(start) and longer[len(start) :] in _FEMININE for start in (stem, shorter))


def _with_hers(name: str, his: str, hers: str) -> str:
    return name.removesuffix(his) + hers if name.endswith(his) else ""


def _is_feminine_of(one: str, other: str) -> bool:
    """Return whether the other has an a or i where the masculine form ends in s: Alexandros, Alexandra."""
    stem = _MASCULINE.sub("", one)
    return stem != one and other in {stem + "a", stem + "i"}


def _slip(left: str, right: str, custom: Custom) -> tuple[float, str] | None:
    shorter, longer = sorted((len(left), len(right)))
    if custom.small and shorter == longer == _SHORTEST_SWAP:
        swapped = left[0] == right[0] and sorted(left) == sorted(
            right
        )  # such as Jnu, which is not a syllable
        return (0.67, SLIP) if swapped else None
    # Each extra letter is an edit, so words of very different length need not be compared.
    if shorter < _SHORTEST_SLIP or longer - shorter > _MOST_SLIPS or _is_other_name(left, right, custom):
        return None
    count = edits(left, right)
    if count == 1 and (shorter >= _SURE_SLIP or _is_small(left, right)):
        # The first letter of a name is seldom wrong.
        if left[0] != right[0] and shorter == longer and sorted(left) != sorted(right):
            return None
        return round(1 - count / longer, 2), SLIP
    if count == _MOST_SLIPS and shorter >= _LONG_SLIP and left[0] == right[0]:
        return round(1 - count / longer, 2), SLIP
    return None


def _is_other_name(left: str, right: str, custom: Custom) -> bool:
    """Return whether the difference makes another name rather than a slip.

    Different vowels at the end of a short name do, as in Emile and Emilie, or a different last letter, as in Deepa and Deepak.
    """
    if _is_small(left, right):
        return False if custom.small else _is_other_short_name(left, right)
    return custom.small or {left, right} <= given_names() or _is_other_short_name(left, right)


def _is_other_short_name(left: str, right: str) -> bool:
    return max(len(left), len(right)) < _LONG_SLIP and (
        left.rstrip(_VOWELS) == right.rstrip(_VOWELS) or _differ_at_the_end(left, right)
    )


def _differ_at_the_end(left: str, right: str) -> bool:
    shorter, longer = sorted((left, right), key=len)
    return longer[:-1] in {shorter, shorter[:-1]}


def _is_small(left: str, right: str) -> bool:
    """Return whether two letters were transposed, or one was doubled: a typical slip in a short name."""
    if len(left) == len(right):
        return sorted(left) == sorted(right)
    return re.sub(r"(.)\1", r"\1", left) == re.sub(r"(.)\1", r"\1", right)


def _letter_by_letter(raw: str, latin: str) -> bool:
    """Return whether a word in Latin letters is one in Cyrillic, Georgian or Armenian letters, each read as in any language that uses it.

    The letters of a name are common to several languages, and need not show which one it is in.

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
