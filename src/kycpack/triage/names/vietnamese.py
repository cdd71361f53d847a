"""Vietnamese names with diacritics: another tone or vowel makes another name, such as Hoa and Hoà, unless one name leaves the diacritics out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from kycpack.triage.names.romanisation import traditions
from kycpack.triage.names.transliteration import Word


def marks_differ(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Return whether two Vietnamese names of the same letters have different diacritics, so that they are two names.

    If only one of the names has diacritics, or one leaves out those of several words, the names are not shown to differ.

    Args:
        one: The words of a name.
        other: The same words, apart from diacritics.
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
    """Return the diacritics in a word, wherever they are: a tone may be placed on either of two vowels."""
    letters = unicodedata.normalize("NFD", word.raw.lower())
    return tuple(sorted(letter for letter in letters if unicodedata.combining(letter) or letter == "\u0111"))
