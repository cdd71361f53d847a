"""Patterns that find words of the lexicon in plain texts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kycpack.wealth.prepare.plain_text import to_words


def words_pattern(words: Iterable[str]) -> str:
    """Return a pattern for plain texts that contain one of some words."""
    escaped = [re.escape(word) for word in plain_words(words)]
    return r"(?:^| )(?:" + "|".join(escaped) + r")(?: |$)" if escaped else ""


def invoice_pattern_of(words: Iterable[str]) -> str:
    """Return a pattern for an invoice and its number, in a text as the bank wrote it."""
    every, number = "|".join(words), "[0-9][0-9a-z]*(?:[-/][0-9a-z]+)*"
    return rf"(?<![^\W_])(?:{every})[\W_]{{0,3}}(?:(?:no|nr)[\W_]{{1,3}})?(?P<number>{number})(?![^\W_])"


def fragment_pattern_of(months: Iterable[str]) -> str:
    """Return a pattern for a last word that is one letter or the beginning of a month."""
    beginnings = sorted({month[:length] for month in months for length in range(2, len(month))})
    return " (?:" + "|".join(["[^ ]", *beginnings]) + ")$"


def plain_words(words: Iterable[str]) -> list[str]:
    """Return distinct words as they stand in plain texts, the longest first."""
    plain = set(to_words(sorted(set(words))))
    return sorted((word for word in plain if word), key=lambda word: (-len(word), word))
