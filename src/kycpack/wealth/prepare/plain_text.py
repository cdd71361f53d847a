"""Bank texts as plain words, lower case, without accents and punctuation, single-spaced; and patterns that find words of the lexicon in them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Texts = Sequence[str] | npt.NDArray[np.object_]

_KEPT_TEXTS = 8192
_MOST_NUMERALS, _FEWEST_LETTERS = 3, 2
_PAPERS = "inv|invoice|fact|facture|rg|rechnung|clm|claim|wk|week|kw|mth|mnth|prd|period"
_IS_NUMBERED = re.compile(rf"(?:{_PAPERS})[0-9]+", re.IGNORECASE)
# Words for what a number counts, joined to it or before it, as in `INV1042`, `INV 2026-031` and `INV - 1042`: a document or a week, not part of a name.
# A German `RE 2024-088` is an invoice; an English RE before a date or a word is not.
_NUMBERED = re.compile(
    rf"(?<![^\W_])(?:({_PAPERS})(?:[0-9]+(?![^\W_])|[\W_]{{1,3}}[0-9][^\W_]*)|(re)[\W_]{{1,3}}[0-9]+-[0-9]+)",
    re.IGNORECASE,
)
# A British number plate since 2001, as in `KT15 WXZ`: two letters, the half-year, and three letters that are no month, legal form or word of a bank.
_PLATE = re.compile(
    r"(?<![^\W_])[a-hj-py][a-z](?:0[2-9]|[1267][0-9]|5[1-9])\s+"
    r"(?!jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ltd|plc|llp|inc|pay|sal|ref|inv|div|net|int|the|and|for)[a-hj-pr-z]{3}(?![^\W_])"
)
# Letters joined by an ampersand are one name, as in `L&G` and `NS&I`, not a person's initials.
_JOINED = re.compile(r"(?<![^\W_])([^\W\d_]{1,2})&([^\W\d_]{1,2})(?![^\W_])")
# A name or a word such as bet365, 888sport or alg2, and not a reference: letters with a few digits at one end; and tax forms, and pension plans named after a section of the tax code.
_IS_DIGIT_WORD = re.compile(
    r"[^\W\d_]{2,}\d{1,3}|\d{1,3}[^\W\d_]{2,}|401[kK]|403[bB]|[pP](?:45|50|60|87|800)|[rR](?:40|85)"
)
_WORD = re.compile(r"[^\W_]+")  # letters and numerals in any script: [\pL\pN]+
_APOSTROPHES = str.maketrans("", "", "'\u2019`")
# Letters that do not decompose into a base letter and an accent.
_LETTERS = {"ß": "ss", "ø": "o", "Ø": "o", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ł": "l", "Ł": "l"}
_BASE_LETTERS = str.maketrans(_LETTERS)
_WITHOUT_LETTERS = str.maketrans({**_LETTERS, "&": " and "})
_INITIALS = tuple(
    re.compile(r"(^|[^\w.]|_)" + r"([^\W\d_])\." * (letters - 1) + r"([^\W\d_])(?:\.|$|[^\w.]|_)")
    for letters in (6, 5, 4, 3, 2)
)
# Nobody has as many initials as C.P.A.M. and D.R.F.I.P.
_OF_BODIES = _INITIALS[:3]


def to_plain_text(texts: Texts) -> list[str]:
    """Return texts in lower case, without accents, punctuation and words with digits, single-spaced."""
    return [_plain_text(text) for text in texts]


def to_words(texts: Texts) -> list[str]:
    """Return texts as from `to_plain_text`, but keep words and names with a few digits, such as `bet365`."""
    return [_words(text) for text in texts]


def to_plain_words(texts: Texts) -> list[str]:
    """Return texts in lower case, without accents and punctuation, single-spaced; words with digits are kept.

    An ampersand becomes the word "and", and initials with full stops become one word: `A.B.C.` is `abc`.
    """
    return [_plain_words(text) for text in texts]


def _folded_words(text: str) -> list[str]:
    """Return the words of one text in lower case, without accents and punctuation."""
    if text.isascii():
        text = text.lower()
    else:
        decomposed = unicodedata.normalize("NFKD", text.translate(_BASE_LETTERS))
        # Letter by letter, so that a final sigma becomes the same letter as any other.
        text = "".join(one.lower() for one in decomposed if unicodedata.category(one)[0] != "M")
    return _WORD.findall(text.translate(_APOSTROPHES))


@lru_cache(maxsize=_KEPT_TEXTS)
def _plain_text(text: str) -> str:
    text = _with_joined_initials(text, _OF_BODIES)
    without = _WORD.sub(lambda word: word[0] if word[0].isalpha() else " ", text)
    return " ".join(word for word in _folded_words(without) if word.isalpha())


@lru_cache(maxsize=_KEPT_TEXTS)
def _words(text: str) -> str:
    text = _with_joined_initials(text, _OF_BODIES)
    return _with_digit_words(text) if _has_digit_word(text) or _JOINED.search(text) else _plain_text(text)


@lru_cache(maxsize=_KEPT_TEXTS)
def _plain_words(text: str) -> str:
    return " ".join(_folded_words(_with_joined_initials(text.translate(_WITHOUT_LETTERS), _INITIALS)))


def _with_joined_initials(text: str, patterns: Sequence[re.Pattern[str]]) -> str:
    for pattern in patterns if "." in text else ():
        text = pattern.sub(lambda found: "".join(found.groups()) + " ", text)
    return text


def _has_digit_word(text: str) -> bool:
    return _NUMBERED.search(text) is not None or any(
        not word.isalpha() and is_digit_word(word) for word in _WORD.findall(text)
    )


def keeps_its_words(phrase: str, plain: str) -> bool:
    """Return whether a phrase has all of its words as plain ones from `to_words`; one that lost a word with digits means something else."""
    return len(plain.split()) >= len(_WORD.findall(phrase.replace("'", "")))


def is_digit_word(word: str) -> bool:
    """Return whether a word has a few digits at one end, as in `bet365`, and so is a name or a word and not a reference."""
    if word.isascii():
        return _IS_DIGIT_WORD.fullmatch(word) is not None
    numerals = sum(not letter.isalpha() for letter in word)
    return (
        1 <= numerals <= _MOST_NUMERALS
        and len(word) - numerals >= _FEWEST_LETTERS
        and (word[:-numerals].isalpha() or word[numerals:].isalpha())
    )


def is_numbered(word: str) -> bool:
    """Return whether a word says what its number counts, as in `INV1042`."""
    return _IS_NUMBERED.fullmatch(word) is not None


def _with_digit_words(text: str) -> str:
    """Return one text as plain words, without references; a number plate is the word VRM, as the trade writes it."""
    joined = _JOINED.sub(r"\1and\2", text) if "&" in text else text
    lower = _NUMBERED.sub(_of_a_number, joined).lower()
    folded = lower if lower.isascii() else unicodedata.normalize("NFKD", lower.translate(_BASE_LETTERS))
    bare = folded if folded.isascii() else "".join(one for one in folded if not unicodedata.combining(one))
    words = _WORD.findall(_PLATE.sub("vrm", bare).translate(_APOSTROPHES))
    return " ".join(word for word in words if word.isalpha() or _says_something(word))


def _of_a_number(found: re.Match[str]) -> str:
    return f"{found[1] or 'rechnung'} no "


def _says_something(word: str) -> bool:
    """Return whether a word has no digits, or only a few at one end."""
    return not any(letter.isdigit() for letter in word) or _IS_DIGIT_WORD.fullmatch(word) is not None


def words_pattern(words: Iterable[str]) -> str:
    """Return a pattern for plain texts that contain one of some words."""
    escaped = [re.escape(word) for word in plain_words(words)]
    return r"(?:^| )(?:" + "|".join(escaped) + r")(?: |$)" if escaped else ""


def invoice_pattern_of(words: Iterable[str]) -> str:
    """Return a pattern for an invoice and its number, in a text as the bank wrote it."""
    every, number = "|".join(words), "[0-9][0-9a-z]*(?:[-/][0-9a-z]+)*"
    return rf"(?<![^\W_])(?:{every})[\W_]{{0,3}}(?:(?:no|nr)[\W_]{{1,3}})?(?P<number>{number})(?![^\W_])"


def fragment_pattern_of(months: Iterable[str]) -> str:
    """Return a pattern for a last word that is one letter or the beginning of a month."""
    beginnings = sorted({month[:length] for month in months for length in range(2, len(month))})
    return " (?:" + "|".join(["[^ ]", *beginnings]) + ")$"


def plain_words(words: Iterable[str]) -> list[str]:
    """Return distinct words as they stand in plain texts, the longest first."""
    plain = set(to_words(sorted(set(words))))
    return sorted((word for word in plain if word), key=lambda word: (-len(word), word))
