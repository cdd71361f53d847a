"""References in texts: nearly every payment has a different one, and the reading of a text does not depend on it.

With each reference replaced by one form for its kind, many texts become equal, and each distinct text is read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kycpack.wealth.prepare.plain_text import is_digit_word, is_numbered
from kycpack.wealth.prepare.tagged_texts import MAY_BE_TAGGED, read_tags

SHORTEST_REFERENCE = 6
"""A word with digits of at least this length is a reference wherever it is."""

_STRING = pa.large_string()
_SHORTEST_BEFORE_NUMBER = 4  # fewer letters before a number are part of a reference
_DIGITS = "0123456789"
_SHORT_NUMBER, _LONG_NUMBER = "0", "0" * SHORTEST_REFERENCE
_DAY, _LONG_DAY = "0jan", "000jan"  # any day of any month, in fewer or more characters
_TO_ZERO = str.maketrans(_DIGITS, "0" * len(_DIGITS))
_WITH_DIGITS = re.compile(r"(?<![^\W_])[^\W\d_]*[0-9][^\W_]*")
# Latin letters and plain punctuation: in other scripts a mark or an apostrophe next to a word may be part of it.
_FOLDABLE = re.compile("[ -&(-_a-~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]*")


class ReferenceFolder:
    """Replaces the references in texts by one form for each kind.

    Args:
        listed: Words with digits that are part of a name, such as `bet365`, or the number in `Trading 212`; they are not changed.
        noise: Words for how or when a payment was made; a number next to them adds nothing, as in `24JUN`.
        payments: Words for what is paid, which a long number may follow without a space, as in `SALARIES0088121`.
    """

    def __init__(self, listed: Iterable[str], noise: Iterable[str], payments: Iterable[str] = ()) -> None:
        self._listed = frozenset(listed)
        self._noise = frozenset(noise)
        self._payments = frozenset(word for word in payments if len(word) >= _SHORTEST_BEFORE_NUMBER)
        self._listed_words = pa.array(sorted(self._listed), _STRING)

    def fold(self, texts: Sequence[str] | npt.NDArray[np.object_]) -> pd.arrays.ArrowStringArray:
        """Return the texts with references replaced, and tagged texts in the order of `read_tags`.

        Args:
            texts: Distinct texts. Words in other than Latin letters, or with apostrophes, are not changed.
        """
        words = pc.split_pattern(_in_order(texts), " ")
        distinct = words.flatten().dictionary_encode()  # each distinct word is processed once
        forms = self._forms_of(distinct.dictionary)
        folded = pa.ListArray.from_arrays(words.offsets, forms.take(distinct.indices))
        return pd.arrays.ArrowStringArray(pc.binary_join(folded, pa.scalar(" ", _STRING)))

    def _forms_of(self, words: pa.Array) -> pa.Array:
        """Return the result of `_form_of` for each word; plain numbers, which are the majority, are handled together."""
        long = pc.greater_equal(pc.binary_length(words), SHORTEST_REFERENCE)
        numbers = pc.if_else(long, _LONG_NUMBER, pa.scalar(_SHORT_NUMBER, _STRING))
        listed = pc.or_(*(pc.is_in(either, self._listed_words) for either in (words, numbers)))
        plain = pc.and_(pc.ascii_is_decimal(words), pc.invert(listed))
        others = pc.invert(pc.or_(plain, pc.ascii_is_alpha(words)))
        made = [self._form_of(word) for word in words.filter(others).to_pylist()]
        return pc.replace_with_mask(pc.if_else(plain, numbers, words), others, pa.array(made, _STRING))

    def _form_of(self, word: str) -> str:
        if word.isalpha():
            return word
        if word.isascii() and word.isalnum():
            return self._form(word)  # nearly all of them, and no pattern is needed to recognise them
        return (
            _WITH_DIGITS.sub(lambda found: self._form(found[0]), word) if _FOLDABLE.fullmatch(word) else word
        )

    def _form(self, word: str) -> str:
        if word.lower() in self._listed:
            return word
        form = self._made(word)
        return word if form.lower() in self._listed else form

    def _made(self, word: str) -> str:
        long = len(word) >= SHORTEST_REFERENCE
        if word.isdecimal():
            return _LONG_NUMBER if long else _SHORT_NUMBER
        if is_numbered(word):
            letters = word.rstrip(_DIGITS)
            return letters + "0" * (max(SHORTEST_REFERENCE - len(letters), 1) if long else 1)
        if not is_digit_word(word):
            letters = word.rstrip(_DIGITS)
            number = _LONG_NUMBER if long else _SHORT_NUMBER
            return f"{letters} {number}" if letters.lower() in self._payments else number
        if word.strip(_DIGITS).lower() not in self._noise:
            return word
        if word[0] not in _DIGITS:
            return word.translate(_TO_ZERO)
        return _LONG_DAY if long else _DAY


def _in_order(texts: Sequence[str] | npt.NDArray[np.object_]) -> pa.Array:
    """Return texts, with tagged texts in the order of `read_tags`."""
    as_written = pa.array(texts, _STRING)
    tagged = pc.match_substring_regex(as_written, MAY_BE_TAGGED)
    read = [read_tags(text) for text in as_written.filter(tagged).to_pylist()]
    return pc.replace_with_mask(as_written, tagged, pa.array(read, _STRING))
