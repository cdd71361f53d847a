"""A customer's own name in a text, however a bank or the customer wrote it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kycpack.assets import asset_yaml

NOT_NAMED, PART, MENTIONED, NAMED = range(4)
"""Not present; nothing but a part of it, as a first name or a surname; present among other words, or in a form that others share; present, with nothing else."""

_FOLDED = (
    ("ae", "a"),
    ("oe", "o"),
    ("ue", "u"),
    ("ß", "ss"),
    ("ø", "o"),
    ("æ", "a"),
    ("œ", "o"),
    ("ł", "l"),
    ("\u0131", "i"),
    ("đ", "d"),
)
_SHORTEST_JOINED = 6  # letters of a name written as one word
_SHORTEST_CUT = 4  # letters of a word that was cut off in a short field
_LONGEST_INITIALS = 3


@dataclass(frozen=True)
class OwnName:
    """A customer's name as plain words.

    Args:
        firsts: First names in order.
        surname: Words of the surname in order.
    """

    firsts: tuple[str, ...]
    surname: tuple[str, ...]

    @property
    def core(self) -> tuple[str, ...]:
        """The words of the surname that are not particles, as in `berg` of `van der berg`."""
        return tuple(word for word in self.surname if word not in _particles()) or self.surname

    @property
    def initials(self) -> str:
        """The first letters of the first names."""
        return "".join(word[0] for word in self.firsts)


def to_own_name(firsts: Sequence[str], surname: Sequence[str]) -> OwnName | None:
    """Return a name from plain words; None if a part is missing."""
    folded = OwnName(
        tuple(fold_spelling(word) for word in firsts), tuple(fold_spelling(word) for word in surname)
    )
    return folded if folded.firsts and folded.surname else None


def find_own_name(words: Sequence[str], name: OwnName, known_words: Container[str]) -> int:
    """Return whether words name a customer: `NOT_NAMED`, `PART`, `MENTIONED` or `NAMED`.

    Args:
        words: Plain words, without titles and words that name nobody.
        name: The customer's name.
        known_words: First names, which cannot be two initials.
    """
    said = [fold_spelling(word) for word in words]
    if _is_turned_round(said, name):
        return MENTIONED
    joined = "".join(said)
    if not any(word[:_SHORTEST_CUT] in joined for word in name.core):
        return PART if _is_part(said, name) else NOT_NAMED
    if _is_whole(said, name, name.core, known_words) or joined in _as_one_word(name):
        return NAMED
    if _is_cut(said, name) or _is_shorter(said, name, known_words) or _is_longer(said, name, known_words):
        return MENTIONED
    longest = len(name.surname) + len(name.firsts) + 1
    windows = (
        said[start : start + size]
        for size in range(2, min(longest, len(said) - 1) + 1)
        for start in range(len(said) - size + 1)
    )
    if any(_is_whole(window, name, name.core, known_words) for window in windows):
        return MENTIONED
    return PART if _is_part(said, name) else NOT_NAMED


def _is_part(said: Sequence[str], name: OwnName) -> bool:
    """Return whether words are first names, words of the surname, or the initials of both, and nothing else: `OLUWASEUN` or `OB` for Oluwaseun Bakare."""
    joined = "".join(said)
    initials = {first + name.core[0][0] for first in (name.initials, name.initials[0])}
    full = any(word in name.firsts or word in name.core for word in said)
    return (full and set(said) <= {*name.firsts, *name.surname}) or (
        joined in initials or joined[1:] + joined[:1] in initials
    )


def _is_whole(said: Sequence[str], name: OwnName, core: Sequence[str], known_words: Container[str]) -> bool:
    """Return whether words are a surname with the first names or initials of one person, and nothing else."""
    rest = list(said)
    for word in core:
        if word not in rest:
            return False
        rest.remove(word)
    particles = [word for word in name.surname if word not in core]
    rest = [word for word in rest if word not in particles]
    first = [word for word in rest if _is_given(word, name, known_words)]
    if not first:
        return False
    short = {word[0] for word in particles}
    # One extra letter is that of a particle, or of a middle name that is not on record.
    return all(word in first or len(word) == 1 or word in short for word in rest)


def _is_turned_round(said: Sequence[str], name: OwnName) -> bool:
    """Return whether words are first names with the surname's initial, before or after them, and nothing else: `B OLUWASEUN` for Oluwaseun Bakare."""
    first = [word for word in said if word in name.firsts and len(word) > 1]
    rest = [word for word in said if word not in first]
    return bool(first) and len(rest) == 1 and rest[0] in (name.surname[0][0], name.core[0][0])


def _is_given(word: str, name: OwnName, known_words: Container[str]) -> bool:
    if word in name.firsts or word in (name.initials[0], name.initials):
        return True
    if len(word) == 1:
        return word in name.initials
    initials = len(word) <= _LONGEST_INITIALS and name.initials.startswith(word)
    middle = len(word) == 2 and len(name.firsts) == 1 and word[0] == name.initials and word not in known_words
    return initials or middle


@lru_cache(maxsize=4096)
def _as_one_word(name: OwnName) -> frozenset[str]:
    """Return the name written without spaces, with the surname first or last."""
    firsts = {name.firsts[0], "".join(name.firsts), name.initials[0], name.initials}
    surnames = {"".join(name.surname), "".join(name.core)}
    both = {one for first in firsts for last in surnames for one in (first + last, last + first)}
    return frozenset(one for one in both if len(one) >= _SHORTEST_JOINED)


def _is_cut(said: Sequence[str], name: OwnName) -> bool:
    """Return whether words are the beginning of first name and surname, in a field too short for them."""
    full = [*name.firsts, *name.surname]
    return (
        len(name.firsts) < len(said) <= len(full)
        and list(said[:-1]) == full[: len(said) - 1]
        and len(said[-1]) >= _SHORTEST_CUT
        and full[len(said) - 1].startswith(said[-1])
    )


def _is_shorter(said: Sequence[str], name: OwnName, known_words: Container[str]) -> bool:
    """Return whether words are the name with one of two surnames, or with a short form of the first name."""
    if len(name.core) > 1 and any(_is_whole(said, name, (word,), known_words) for word in name.core):
        return True
    rest = [word for word in said if word not in name.surname]
    return (
        set(name.core) <= set(said)
        and len(rest) == 1
        and bool(_short_forms(rest[0]) & _short_forms(name.firsts[0]))
    )


def _is_longer(said: Sequence[str], name: OwnName, known_words: Container[str]) -> bool:
    """Return whether words are the only first name on record and the surname in full, with further first names, and nothing else."""
    rest = [word for word in said if word not in (*name.firsts, *name.surname)]
    is_there = len(name.firsts) == 1 and {*name.firsts, *name.core} <= set(said)
    return is_there and all(word in known_words for word in rest)


def fold_spelling(word: str) -> str:
    """Return a word without differences in spelling, as in `mueller` and `muller`."""
    for written, folded in _FOLDED:
        word = word.replace(written, folded)
    return word


@lru_cache(maxsize=1)
def _particles() -> frozenset[str]:
    return frozenset(asset_yaml("names/people.yaml")["particles"])


@lru_cache(maxsize=4096)
def _short_forms(word: str) -> frozenset[int]:
    return _short_form_groups().get(word, frozenset())


@lru_cache(maxsize=1)
def _short_form_groups() -> dict[str, frozenset[int]]:
    lines = [line for text in asset_yaml("names/short_forms.yaml").values() for line in text.splitlines()]
    found: dict[str, set[int]] = {}
    for number, line in enumerate(lines):
        for word in line.split():
            found.setdefault(fold_spelling(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}
