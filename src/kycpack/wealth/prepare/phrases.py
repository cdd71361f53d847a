"""Finds phrases of the lexicon in the words of a text; of overlapping ones the longest counts.

Words in which a bank or a payroll leaves out a space, or puts one where a line ends, are mended first: `WAGES22`, `SALARYNOV`, `HOLTFARMSLTD`, `GEHA LT`.
Listed words have other forms: listed short forms, words without some vowels such as `salry` or `stlmnt`, and German compounds such as `firmenrente`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

_SHORTEST_WHOLE = 5
_SHORTEST_SHORT_FORM = 4
_SHORTEST_WITH_VOWELS = 7  # a shorter word with several vowels is often another word
_FEWEST_CONSONANTS = 3
_SHORTEST_BEFORE_HEAD = 3
MOST_KEPT = 65_536
"""Words of which what was found is kept; when there are more, all of it is looked up again."""
_VOWELS = re.compile("[aeiou]+")
_PARTS = re.compile("[aeiou]+|[^aeiou]")
_DOUBLED = re.compile(r"(.)\1")
STRONG, LOOSE, FIRM, WHOLE, HINT, TRAP = "strong", "loose", "firm", "whole", "hint", "trap"
"""The strength of a phrase; the header of `data/lexicon/wealth.yaml` explains the values."""
_SHORTEST_CUT, _SHORTEST_CUT_OF_A_RUN = 6, 5
# What payrolls and pension offices send in files with narrow fields; of these words two letters may be missing: SALAR, PENSI.
_PAID_BY_RUN = frozenset({"employment", "pension", "state_benefit"})
_MOST_MISSING = 2
_LONGEST_NAME = 5  # of a short form that may be a name as well: ERST, COMPN
_SHARE_OF_CUT = 0.6  # a shorter beginning is often another word
_LONG_BEFORE_CUT = 6
# Endings of German compounds: the rest is a word of its own, such as "eltern" in "elterngeld", and not a truncated one.
_ENDS_OF_COMPOUNDS = ("geld", "zahlung", "gutschrift", "leistung", "hilfe")
_DIGITS = "0123456789"
_MOST_DIGITS = 2  # of a month or a week; `plus500` and `lotto649` are names
_SHORTEST_PAYMENT = 4
_SHORTEST_BEFORE_FORM = 4
_SHORTEST_SPLIT, _SHORTEST_PART = 6, 2
# Legal forms with which no word ends.
_GLUED_FORMS = ("ltd", "plc", "gmbh", "llp", "llc")
_PLAYED_AT = frozenset({"gambling", "crypto"})  # their words with numbers are brands


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
        found = word if len(word) < _SHORTEST_SHORT_FORM or word in self._never else self._whole_of(word)
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
    sure = (
        vowels == 0
        or (vowels == 1 and len(short) > _SHORTEST_SHORT_FORM)
        or len(short) >= _SHORTEST_WITH_VOWELS
    )
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


@dataclass(frozen=True)
class Meaning:
    """A meaning of a phrase.

    Args:
        says: A type of wealth or a mark; empty for a trap.
        force: One of `STRONG`, `LOOSE`, `FIRM`, `WHOLE`, `HINT`, `TRAP`.
        only_at_end: Whether it is a phrase truncated by a narrow field.
    """

    says: str
    force: str
    only_at_end: bool = False


@dataclass(frozen=True)
class Hit:
    """A phrase in a text.

    Args:
        start: Index of its first word.
        end: Index after its last word.
        meanings: Its meanings; several if it stands for both a type and a mark.
    """

    start: int
    end: int
    meanings: tuple[Meaning, ...]


class PhraseBook:
    """Phrases by their first word.

    Args:
        phrases: Plain phrases with their meaning.
        short_forms: The word for each short form: a phrase with the word is also recognised with its short form.
        cut: Strengths of the phrases that are also recognised when a narrow field truncates them.
    """

    def __init__(
        self,
        phrases: Iterable[tuple[str, Meaning]],
        short_forms: ShortForms,
        *,
        cut: Container[str] = (STRONG,),
    ) -> None:
        self._whole_of = short_forms
        meanings: dict[tuple[str, ...], dict[Meaning, None]] = {}
        for phrase, meaning in phrases:
            if phrase:
                meanings.setdefault(self._written_out(phrase.split()), {})[meaning] = None
        for words, beginning in _cut(meanings, cut):
            meanings.setdefault(words, {beginning: None})
        sizes: dict[str, set[int]] = {}
        for words in meanings:
            sizes.setdefault(words[0], set()).add(len(words))
        self._sizes = {word: tuple(sorted(every, reverse=True)) for word, every in sizes.items()}
        self._meanings = {words: tuple(said) for words, said in meanings.items()}
        self.first_words = frozenset(sizes)

    @property
    def words(self) -> frozenset[str]:
        """All words of the phrases."""
        return frozenset(word for phrase in self._meanings for word in phrase)

    def find(self, words: Sequence[str]) -> list[Hit]:
        """Return the phrases in a text, from left to right and without overlaps."""
        whole = self._written_out(words)
        found: list[Hit] = []
        end = 0
        for at, word in enumerate(whole):
            if word in self._sizes and at >= end and (hit := self._at(whole, at)) is not None:
                found.append(hit)
                end = hit.end
        return found

    def may_be_a_name(self, hit: Hit, words: Sequence[str]) -> bool:
        """Return whether a phrase is one listed short form of few letters, which may as well be a name; for cash, the bank itself writes one."""
        word = words[hit.start]
        is_short = hit.end == hit.start + 1 and len(word) <= _LONGEST_NAME and word in self._whole_of.listed
        return is_short and all(one.says != "cash_deposit" for one in hit.meanings)

    def _written_out(self, words: Sequence[str]) -> tuple[str, ...]:
        whole_of = self._whole_of
        return tuple([whole_of[word] for word in words])

    def _at(self, words: tuple[str, ...], at: int) -> Hit | None:
        for size in self._sizes.get(words[at], ()):
            end = at + size
            meanings = self._meanings.get(words[at:end]) if end <= len(words) else None
            if meanings and (not meanings[0].only_at_end or end == len(words)):
                return Hit(at, end, meanings)
        return None


def crossed_phrases(tables: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Iterator[str]:
    """Yield each word of the first list of a table with each of its second list, as the files under `data/lexicon/` write phrases of two parts."""
    for firsts, seconds in tables:
        yield from (f"{first} {second}" for first in firsts for second in seconds)


def _cut(
    meanings: dict[tuple[str, ...], dict[Meaning, None]], forces: Container[str]
) -> Iterable[tuple[tuple[str, ...], Meaning]]:
    """Yield phrases of the given strengths with a truncated last word; one that two types share stands for neither."""
    cut: dict[tuple[str, ...], set[tuple[str, str]]] = {}
    whole = {word for words in meanings for word in words}
    for words, said in meanings.items():
        strong = {(meaning.says, meaning.force) for meaning in said if meaning.force in forces}
        before = " ".join(words[:-1])
        shortest = (
            _shortest_cut(len(words[-1]), strong)
            if not before
            else 1
            if len(before) >= _LONG_BEFORE_CUT
            else 2
        )
        for length in range(shortest, len(words[-1])) if strong else ():
            if words[-1][length:] in _ENDS_OF_COMPOUNDS:
                continue
            cut.setdefault((*words[:-1], words[-1][:length]), set()).update(strong)
    for words, says in cut.items():
        # "money" is a word of its own, not a truncated "moneypak"; likewise "partner pay" and "partner payout".
        if len(says) == 1 and words[-1] not in whole:
            yield words, Meaning(*next(iter(says)), only_at_end=True)


def _shortest_cut(length: int, strong: set[tuple[str, str]]) -> int:
    """Return the number of letters that have to be left of a single word."""
    by_run = {says for says, _ in strong} <= _PAID_BY_RUN and length - _SHORTEST_CUT_OF_A_RUN <= _MOST_MISSING
    return _SHORTEST_CUT_OF_A_RUN if by_run else max(_SHORTEST_CUT, round(_SHARE_OF_CUT * length))


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
