"""Vietnamese names with their marks: another tone or vowel makes another name, as Hoa and Hoà, unless one leaves the marks out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from kycpack.triage.romanisation import traditions
from kycpack.triage.transliteration import Word


def marks_differ(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Return whether two Vietnamese names of the same letters have other marks, so that they are two names.

    Where only one of the names is written with marks, nothing is known; nor where one leaves out those of several words.

    Args:
        one: The words of a name.
        other: The same words, apart from marks.
    """
    families = traditions()["vietnamese"].families
    if one[0].text not in families and one[-1].text not in families:
        return False
    pairs = [(_marks(left), _marks(right)) for left, right in zip(_sorted(one), _sorted(other), strict=True)]
    if not any(marks for marks, _ in pairs) or not any(marks for _, marks in pairs):
        return False
    unlike = [(marks, others) for marks, others in pairs if marks != others]
    return any(marks and others for marks, others in unlike) or len(unlike) == 1


def _sorted(words: Sequence[Word]) -> list[Word]:
    return sorted(words, key=lambda word: word.text)


def _marks(word: Word) -> tuple[str, ...]:
    """Return the marks of a word, wherever in it they stand: a tone may be set on either of two vowels."""
    letters = unicodedata.normalize("NFD", word.raw.lower())
    return tuple(sorted(letter for letter in letters if unicodedata.combining(letter) or letter == "\u0111"))
