"""Whether a value can be the number or the type of an identity document, or is only a placeholder."""

from __future__ import annotations

import re
from functools import lru_cache

from kycpack.triage.results.vocabulary import Vocabulary, name_words, words_of
from kycpack.triage.results.vocabulary_file import load_vocabulary

_WORDS = words_of("document_forms")
_SPECIMENS = ("TEST", "SPECIMEN", "SAMPLE", "DUMMY", "EXAMPLE")
_SHORTEST_NUMBER = 5
_FEWEST_SHOWN = 2
_MASKED = re.compile(r"[*\u2022\u25cf#]{2}|\b[xX]{3}|\u2026")
_MASK = re.compile(r"[*\u2022\u25cf#\u2026]|[xX]{2,}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{4}")
_ONE_DIGIT = re.compile(r"[A-Z]{1,2}([0-9])\1{5,}")  # a series of letters, then only zeros
_LETTERS = re.compile(r"[^\W\d_]+")
_REMARK = re.compile(r"[()\[\]]|[^\W\d_A-Z]{4}")  # a word in small letters, or brackets around one
_RUNS = ("01234567890123456789", "9876543210987654321")


def number_form(number: str) -> str:  # noqa: PLR0911 - one return for each form
    """Return whether a value can be the number of a document: plausible, masked, empty, too_short, no_digits, date or placeholder.

    A masked number such as `****4821` shows only its end, so whether the whole number is real is not known; it does not count as too short.
    """
    plain = letters_of(number)
    if not plain:
        return "empty"
    if _MASKED.search(number):
        return "masked" if len(letters_of(_MASK.sub("", number))) >= _FEWEST_SHOWN else "empty"
    if _DATE.fullmatch(number.strip()):
        return "date"
    if (
        len(set(plain)) == 1
        or _ONE_DIGIT.fullmatch(plain)
        or plain in _WORDS["placeholders"]
        or plain.startswith(_SPECIMENS)
        or any(plain in run for run in _RUNS)
    ):
        return "placeholder"
    if len(plain) < _SHORTEST_NUMBER:
        return "too_short"
    has_digits = any(character.isdigit() for character in plain)
    if has_digits and _REMARK.search(number):
        return "placeholder"
    return "plausible" if has_digits else "no_digits"


def hides_characters(text: str) -> bool:
    """Return whether a text has masked characters, as in `****4821`."""
    return _MASK.search(text) is not None


@lru_cache(maxsize=1_024)
def type_form(text: str) -> str:
    """Return whether a text can be the type of an identity document: plausible, placeholder, or not_known."""
    plain = letters_of(text)
    if (
        not plain
        or plain in _WORDS["placeholders"]
        or plain.startswith(_SPECIMENS)
        or not re.search(r"[^\W\d_]", plain)
    ):
        return "placeholder"
    return "plausible" if _is_document_type(text, load_vocabulary()) else "not_known"


def _is_document_type(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a word of a text begins like the name of an identity document."""
    parts = [part for word in _LETTERS.findall(text) for part in (name_words(word) or [word.casefold()])]
    wrong = vocabulary["no_document_words"] | vocabulary["verdict_words"]
    return not wrong & {*parts} and any(
        part.startswith(tuple(vocabulary["document_types"])) for part in parts
    )


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, in capitals."""
    return "".join(character for character in text.upper() if character.isalnum())
