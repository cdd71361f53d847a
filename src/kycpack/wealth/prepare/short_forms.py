"""Other forms of listed words: listed short forms, words without some vowels such as `salry` or `stlmnt`, and German compounds such as `firmenrente`."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping

_SHORTEST_WHOLE = 5
_SHORTEST = 4
_SHORTEST_WITH_VOWELS = 7  # a shorter word with several vowels is often another word
_FEWEST_CONSONANTS = 3
_SHORTEST_BEFORE_HEAD = 3
MOST_KEPT = 65_536
"""Words of which what was found is kept; when there are more, all of it is looked up again."""
_VOWELS = re.compile("[aeiou]+")
_PARTS = re.compile("[aeiou]+|[^aeiou]")
_DOUBLED = re.compile(r"(.)\1")


class ShortForms(dict[str, str]):
    """Maps a word to its full form; a word that is not a short form, to itself.

    Args:
        listed: Short form -> the word.
        whole: Words that are also recognised without their vowels.
        never: Words that are not short forms, whatever they look like.
        heads: Last part of compounds -> the word with the meaning of all of them.
        says: What words say by themselves: a form of two words that say the same is either of them.
    """

    def __init__(
        self,
        listed: Mapping[str, str],
        whole: Iterable[str],
        never: Container[str],
        heads: Mapping[str, str] | None = None,
        says: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        super().__init__(listed)
        self._says = says or {}
        self.listed = frozenset(listed)
        self._never = never
        self._heads = dict(sorted((heads or {}).items(), key=lambda one: -len(one[0])))
        self._ends = tuple(self._heads)
        self._by_consonants: dict[str, list[str]] = {}
        for word in sorted(set(whole), key=lambda one: (len(one), one)):
            if len(word) >= _SHORTEST_WHOLE and word.isalpha():
                self._by_consonants.setdefault(_consonants(word), []).append(word)

    def __missing__(self, word: str) -> str:
        found = word if len(word) < _SHORTEST or word in self._never else self._whole_of(word)
        if len(self) >= MOST_KEPT:
            for one in [*self]:
                if one not in self.listed:
                    self.pop(one, None)
        self[word] = found
        return found

    def _whole_of(self, word: str) -> str:
        for written in _written(word):
            bare = _consonants(written)
            whole = self._by_consonants.get(bare, ()) if len(bare) >= _FEWEST_CONSONANTS - 1 else ()
            fits = [one for one in whole if _leaves_out_vowels(written, one)]
            # PENSN is "pension", since "pensione" is a form of it; a form that fits two different words stands for neither.
            if fits and (
                all(one.startswith(fits[0][:-1]) for one in fits)
                or (fits[0] in self._says and len({self._says.get(one) for one in fits}) == 1)
            ):
                return fits[0]
        if not word.endswith(self._ends):
            return word
        head = next(one for one in self._heads if word.endswith(one))
        return self._heads[head] if len(word) >= len(head) + _SHORTEST_BEFORE_HEAD else word


def _written(word: str) -> Iterator[str]:
    """Yield a word, and its form without the letter that is dropped together with a vowel: PAYMT, AUSSCHUETTG."""
    yield word
    if word.endswith("mt"):
        yield word[:-1] + "nt"
    elif len(word) >= _SHORTEST_WITH_VOWELS and word.endswith("g"):
        yield word[:-1] + "ng"


def _consonants(word: str) -> str:
    """Return the consonants after the first letter, doubled ones once."""
    return _DOUBLED.sub(r"\1", _VOWELS.sub("", word[1:]))


def _leaves_out_vowels(short: str, word: str) -> bool:
    """Return whether a word is another one without some of its vowels; two vowels in a row are dropped together, and a doubled consonant may be written once."""
    vowels = len(_VOWELS.findall(short[1:]))
    sure = vowels == 0 or (vowels == 1 and len(short) > _SHORTEST) or len(short) >= _SHORTEST_WITH_VOWELS
    if not sure or (vowels and short[:2] != word[:2]):
        return False
    if short == word[:-1] or (short[-1] == "s" and word.startswith(short[:-1])):
        return False  # "STRIP" is not "stripe", "BOOKS" is not "bookies"
    at, before = 0, ""
    for part in _PARTS.findall(word):
        if short.startswith(part, at):
            at += len(part)
        elif not (before and (_VOWELS.fullmatch(part) or part == before)):
            return False
        before = part
    return at == len(short) < len(word)
