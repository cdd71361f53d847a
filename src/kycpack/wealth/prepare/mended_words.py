"""Mends the words of texts in which a bank or a payroll leaves out a space, or puts one where a line ends: `WAGES22`, `SALARYNOV`, `HOLTFARMSLTD`, `GEHA LT`."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from kycpack.wealth.prepare.phrases import LOOSE, STRONG, Meaning

_DIGITS = "0123456789"
_MOST_DIGITS = 2  # of a month or a week; `plus500` and `lotto649` are names
_SHORTEST_PAYMENT = 4
_SHORTEST_BEFORE_FORM = 4
_SHORTEST_SPLIT, _SHORTEST_PART = 6, 2
# Legal forms with which no word ends.
_GLUED_FORMS = ("ltd", "plc", "gmbh", "llp", "llc")
_PLAYED_AT = frozenset({"gambling", "crypto"})  # their words with numbers are brands


class MendedWords:
    """Words as they were before they were joined or split.

    Args:
        listed: Phrases of the lexicon with their meaning.
        types: Types of wealth.
        known: Other words with a meaning.
        months: Words for months and days.
    """

    def __init__(
        self,
        listed: Iterable[tuple[str, Meaning]],
        types: Container[str],
        known: Iterable[Iterable[str]],
        months: Iterable[str],
    ) -> None:
        listed = list(listed)
        # No word with a meaning is mended; what a field truncates is none.
        self._known = frozenset(word for words, _ in listed for word in words.split()).union(*known)
        self._payments = frozenset(
            words
            for words, one in listed
            if one.force in (STRONG, LOOSE) and one.says in types and one.says not in _PLAYED_AT
        )
        self._months = frozenset(months)

    def mend(self, text: str, *, is_name: bool = False) -> str:
        """Return a text in plain words with its words mended; in a name no two words are joined, as Sal Aris is not SALARIS."""
        words = [part for word in text.split(" ") for part in self._parts(word)]
        return " ".join(words if is_name else self._joined(words))

    def _parts(self, word: str) -> Sequence[str]:
        """Return the words that were joined into one."""
        if word in self._known or len(word) <= _SHORTEST_PAYMENT:
            return (word,)
        letters = word.rstrip(_DIGITS)
        if 0 < len(word) - len(letters) <= _MOST_DIGITS and self._is_payment(letters):
            return (letters,)
        for at in range(len(letters) - 3, _SHORTEST_PAYMENT - 1, -1):
            if letters[at:] in self._months and self._is_payment(letters[:at]):
                return (letters[:at], letters[at:])
        if not word.endswith(_GLUED_FORMS):
            return (word,)
        form = next(one for one in _GLUED_FORMS if word.endswith(one))
        name = word.removesuffix(form)
        return (name, form) if name.isalpha() and len(name) >= _SHORTEST_BEFORE_FORM else (word,)

    def _joined(self, words: list[str]) -> list[str]:
        """Return words of which two that are one word for what is paid are joined."""
        mended: list[str] = []
        for word in words:
            if mended and mended[-1] + word in self._payments and self._are_one(mended[-1], word):
                mended[-1] += word
            else:
                mended.append(word)
        return mended

    def _are_one(self, before: str, word: str) -> bool:
        """Return whether two words, which are one word together, are long enough for that and are not both words with a meaning of their own."""
        shortest = min(len(before), len(word))
        # Two letters are known as the beginning of a word that a field cuts off: GE of the tax office of Gera.
        both_known = before in self._known and word in self._known and shortest > _SHORTEST_PART
        return shortest >= _SHORTEST_PART and len(before) + len(word) >= _SHORTEST_SPLIT and not both_known

    def _is_payment(self, word: str) -> bool:
        return len(word) >= _SHORTEST_PAYMENT and word in self._payments
