"""Estates of the dead as payers: names such as "M HALL DECD", and texts that say that somebody's estate pays out a share of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kycpack.wealth.prepare.parties import (
    GIVEN_NAME,
    IN_PHRASE,
    LEGAL_FORM,
    MARKS_FIRM,
    NOISE,
    STATE_WORD,
    TITLE,
)
from kycpack.wealth.prepare.phrases import STRONG, Hit, PhraseBook

INHERITANCE = "inheritance"
_LONGEST_NAME = 4  # words


@dataclass(frozen=True)
class EstateWords:
    """Words of texts in which an estate pays, as in "EST OF LATE J MURRAY INT DIST".

    Args:
        heads: Words for an estate or those who wind it up, which begin the text.
        joins: Words that join them with the name.
        dead: Words that say that somebody died.
        shares: Words for what is paid out of an estate, and no other payment.
        parts: Words that stand beside these.
    """

    heads: frozenset[str]
    joins: frozenset[str]
    dead: frozenset[str]
    shares: frozenset[str]
    parts: frozenset[str]

    def share_in(self, words: Sequence[str], classes: Sequence[int], *, is_name: bool) -> str:
        """Return the words by which a whole text says that the estate of a person pays; empty if it does not.

        The person has an initial, a first name or a title, or is said to have died: "ESTATE CARS FINAL DIST" is a firm's.

        Args:
            words: Words of the text, or of a payer's name.
            classes: Their classes.
            is_name: Whether it is a name, which need not say what is paid.
        """
        start = next((at for at, word in enumerate(words) if word in self.heads), len(words))
        before = zip(words[:start], classes[:start], strict=True)
        if any(not bits & NOISE and word not in self.joins for word, bits in before):
            return ""
        if any(bits & LEGAL_FORM for bits in classes[1:]):
            return ""
        at = start + 1
        while at < len(words) and words[at] in self.joins | self.dead:
            at += 1
        end = at
        ends = self.dead | self.shares | self.parts
        while end < len(words) and (len(words[end]) == 1 or words[end] not in ends):
            end += 1
        name, tail = range(at, end), words[end:]
        if not 0 < len(name) <= _LONGEST_NAME or not ends.issuperset(tail):
            return ""
        if any(classes[one] & (MARKS_FIRM | STATE_WORD) or not words[one].isalpha() for one in name):
            return ""
        died = not self.dead.isdisjoint((*words[start:at], *tail))
        person = any(len(words[one]) == 1 or classes[one] & (GIVEN_NAME | TITLE) for one in name)
        surname = any(len(words[one]) > 1 for one in name)
        share = not self.shares.isdisjoint(tail)
        # "LATE FEE J SMITH" is late, and nobody died.
        says = share or (words[start] not in self.dead and (is_name or died))
        plain = died or not any(
            classes[one] & IN_PHRASE and not classes[one] & (GIVEN_NAME | TITLE) and len(words[one]) > 1
            for one in name
        )
        shown = surname and (person or died) and says and plain
        return " ".join((words[start], *tail)) if shown else ""


def read_estate_words(document: Mapping[str, Sequence[str]]) -> EstateWords:
    """Return the words that `estates` in `data/lexicon/wealth.yaml` lists."""
    return EstateWords(**{key: frozenset(words) for key, words in document.items()})


def words_of_estate(words: Sequence[str], classes: Sequence[int], phrases: PhraseBook) -> str:
    """Return the words that show that a name is an estate's, as in "EXORS OF M HALL" and "M HALL DECD"; empty for other names and for firms.

    Args:
        words: Words of the name.
        classes: Their classes.
        phrases: Phrases of the lexicon.
    """
    if not any(bits & IN_PHRASE for bits in classes):
        return ""
    hits = [hit for hit in phrases.find(words) if _is_of_estate(hit)]
    covered = {at for hit in hits for at in range(hit.start, hit.end)}
    firm = any(bits & MARKS_FIRM for at, bits in enumerate(classes) if at not in covered)
    return " ".join(words[hits[0].start : hits[0].end]) if hits and not firm else ""


def names_the_dead(hits: Sequence[Hit], words: Sequence[str], classes: Sequence[int]) -> bool:
    """Return whether a text ends with a word for an estate and a name, as in "NACHLASS MUELLER".

    Args:
        hits: Phrases in the text.
        words: Its words.
        classes: Their classes.
    """
    at = next((hit.end for hit in hits if _is_of_estate(hit)), len(words))
    rest = [(word, bits) for word, bits in zip(words[at:], classes[at:], strict=True) if not bits & NOISE]
    return 0 < len(rest) <= _LONGEST_NAME and all(
        word.isalpha() and len(word) > 1 and not bits & ~(GIVEN_NAME | TITLE) for word, bits in rest
    )


def _is_of_estate(hit: Hit) -> bool:
    return any(one.says == INHERITANCE and one.force == STRONG for one in hit.meanings)
