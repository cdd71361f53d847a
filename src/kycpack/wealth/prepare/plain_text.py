"""Texts of banks as plain words: lower case, without accents and punctuation, single-spaced.

Arrow works on many texts at once, but compiling a pattern with classes of Unicode takes it longer than one customer's
texts take in Python. A test holds both to the same words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

FEW_TEXTS = 4_000
"""Below it, compiling a pattern with classes of Unicode costs more than reading each text by itself."""

Texts = Sequence[str] | npt.NDArray[np.object_]

_KEPT_TEXTS = 8192
_MOST_NUMERALS, _FEWEST_LETTERS = 3, 2
# A name or a word such as bet365, 888sport or alg2, and not a reference: few digits at one end of some letters.
_DIGIT_WORD = r"(?:^|[^\pL\pN])(?:\pL{2,}\pN{1,3}|\pN{1,3}\pL{2,}|(?i:inv|invoice|fact|facture|rg|rechnung|clm|claim)[0-9]+)(?:[^\pL\pN]|$)"
_NUMBERED_ANYWHERE = "(?:inv|invoice|fact|facture|rg|rechnung|clm|claim)[0-9]"
# What a number is of, written as one word with it, as in `INV1042`.
_NUMBERED = re.compile(r"(inv|invoice|fact|facture|rg|rechnung|clm|claim)[0-9]+", re.IGNORECASE)
_IS_DIGIT_WORD = re.compile(r"[^\W\d_]{2,}\d{1,3}|\d{1,3}[^\W\d_]{2,}")
_WORD = re.compile(r"[^\W_]+")  # letters and numerals of any script: [\pL\pN]+
_APOSTROPHES = str.maketrans("", "", "'\u2019`")
# Letters that do not decompose into a base letter and an accent.
_LETTERS = {"ß": "ss", "ø": "o", "Ø": "o", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ł": "l", "Ł": "l"}
_WITHOUT_LETTERS = str.maketrans({**_LETTERS, "&": " and "})
_INITIALS = tuple(
    (
        r"(^|[^\pL\pN.])" + r"(\pL)\." * (letters - 1) + r"(\pL)(?:\.|$|[^\pL\pN.])",
        "".join(rf"\{place}" for place in range(1, letters + 2)) + " ",
    )
    for letters in (4, 3, 2)
)
_INITIALS_OF_ONE = tuple(
    re.compile(r"(^|[^\w.]|_)" + r"([^\W\d_])\." * (letters - 1) + r"([^\W\d_])(?:\.|$|[^\w.]|_)")
    for letters in (4, 3, 2)
)


def to_plain_text(texts: Texts) -> list[str]:
    """Return texts in lower case, without accents, punctuation and tokens that hold digits, single-spaced.

    Args:
        texts: Distinct texts; each is worked on once.
    """
    if len(texts) < FEW_TEXTS:
        return [_plain_text(text) for text in texts]
    values = pa.array(texts, type=pa.string())
    # References make nearly every text another one; without them few are left to be worked on.
    values = pc.replace_substring_regex(values, r"[\pL\pN]*\pN[\pL\pN]*", " ")
    encoded = pc.dictionary_encode(values)
    values = _folded(encoded.dictionary)
    values = pc.replace_substring_regex(values, r"[^ ]*\pN[^ ]*", " ")
    values = pc.replace_substring_regex(values, r" +", " ")
    return cast("list[str]", pc.take(pc.utf8_trim_whitespace(values), encoded.indices).to_pylist())


def to_words(texts: Texts) -> list[str]:
    """Return texts as of `to_plain_text`, with the words and names that hold a few digits, as in `bet365`.

    Args:
        texts: Distinct texts; each is worked on once.
    """
    if len(texts) < FEW_TEXTS:
        return _to_words(texts)
    alike, codes = without_references(texts, _MOST_NUMERALS + 1, " ", _NUMBERED_ANYWHERE)
    words = _to_words(alike)
    return [words[code] for code in codes]


def without_references(texts: Texts, digits: int, put: str, kept: str) -> tuple[list[str], list[int]]:
    """Return the texts that are left when references are put out of the way, which make nearly every text another one.

    Args:
        texts: Texts.
        digits: A token of letters and digits with so many digits is a reference.
        put: What stands in its place.
        kept: Pattern of what stays as it is, with the whole of its text.

    Returns:
        Distinct texts, and for each given text the index of its own among them. Texts with accents or apostrophes are left as they are.
    """
    values = pa.array(texts, type=pa.string())
    bare = pc.replace_substring_regex(values, rf"[A-Za-z0-9]*(?:[0-9][A-Za-z0-9]*){{{digits}}}", put)
    whole = pc.match_substring_regex(values, rf"(?i)['`]|[^\x00-\x7f]|{kept}")
    encoded = pc.dictionary_encode(pc.if_else(whole, values, bare))
    return encoded.dictionary.to_pylist(), encoded.indices.to_pylist()


def _to_words(texts: Texts) -> list[str]:
    plain = to_plain_text(texts)
    if len(texts) < FEW_TEXTS:
        found = [place for place, text in enumerate(texts) if _has_digit_word(text)]
    else:
        matched = pc.match_substring_regex(pa.array(texts, type=pa.string()), _DIGIT_WORD)
        found = np.flatnonzero(matched.to_numpy(zero_copy_only=False)).tolist()
    for place in found:
        plain[place] = _with_digit_words(str(texts[place]))
    return plain


def to_plain_words(texts: Texts) -> list[str]:
    """Return texts in lower case, without accents and punctuation, single-spaced; words with digits are kept.

    An ampersand is the word "and", and initials with full stops are one word: `A.B.C.` is `abc`.

    Args:
        texts: Distinct texts; each is worked on once.
    """
    if len(texts) < FEW_TEXTS:
        return [_plain_words(text) for text in texts]
    values = pa.array(texts, type=pa.string())
    if pc.any(pc.match_substring_regex(values, f"[{''.join(_LETTERS)}]")).as_py():
        for letter, plain in _LETTERS.items():
            values = pc.replace_substring(values, letter, plain)
    values = pc.replace_substring(values, "&", " and ")
    for pattern, joined in _INITIALS:
        values = pc.replace_substring_regex(values, pattern, joined)
    values = pc.replace_substring_regex(_folded(values), r" +", " ")
    return cast("list[str]", pc.utf8_trim_whitespace(values).to_pylist())


def _folded(values: pa.Array) -> pa.Array:
    """Return texts in lower case, without accents, with a blank for each run of punctuation."""
    values = pc.utf8_lower(pc.utf8_normalize(values, form="NFKD"))
    values = pc.replace_substring_regex(values, "\\pM+|['\u2019`]", "")
    return pc.replace_substring_regex(values, r"[^\pL\pN]+", " ")


def _folded_words(text: str) -> list[str]:
    """Return the words of one text in lower case, without accents and punctuation."""
    if text.isascii():
        text = text.lower()
    else:
        decomposed = unicodedata.normalize("NFKD", text)
        # Letter by letter, since a sigma is not another letter at the end of a word.
        text = "".join(one.lower() for one in decomposed if unicodedata.category(one)[0] != "M")
    return _WORD.findall(text.translate(_APOSTROPHES))


@lru_cache(maxsize=_KEPT_TEXTS)
def _plain_text(text: str) -> str:
    without = _WORD.sub(lambda word: word[0] if word[0].isalpha() else " ", text)
    return " ".join(word for word in _folded_words(without) if word.isalpha())


@lru_cache(maxsize=_KEPT_TEXTS)
def _plain_words(text: str) -> str:
    text = text.translate(_WITHOUT_LETTERS)
    for pattern in _INITIALS_OF_ONE if "." in text else ():
        text = pattern.sub(lambda found: "".join(found.groups()) + " ", text)
    return " ".join(_folded_words(text))


def _has_digit_word(text: str) -> bool:
    return any(
        not word.isalpha() and (_is_digit_word(word) or _NUMBERED.fullmatch(word) is not None)
        for word in _WORD.findall(text)
    )


def _is_digit_word(word: str) -> bool:
    numerals = sum(not letter.isalpha() for letter in word)
    if not 1 <= numerals <= _MOST_NUMERALS or len(word) - numerals < _FEWEST_LETTERS:
        return False
    return word[:-numerals].isalpha() or word[numerals:].isalpha()


def _with_digit_words(text: str) -> str:
    """Return one text as plain words, references left out."""
    folded = unicodedata.normalize("NFKD", text.lower())
    bare = folded if folded.isascii() else "".join(one for one in folded if not unicodedata.combining(one))
    words = [_unnumbered(word) for word in _WORD.findall(bare.translate(_APOSTROPHES))]
    return " ".join(word for word in words if word.isalpha() or _says_something(word))


def _unnumbered(word: str) -> str:
    numbered = _NUMBERED.fullmatch(word)
    return word if numbered is None else numbered[1]


def _says_something(word: str) -> bool:
    """Tell whether a word has no digit, or only a few at one end."""
    return not any(letter.isdigit() for letter in word) or _IS_DIGIT_WORD.fullmatch(word) is not None
