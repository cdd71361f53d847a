"""Several words as one phrase, and a number with its noun."""

from __future__ import annotations

from collections.abc import Sequence


def listed(words: Sequence[str]) -> str:
    """Return words as one phrase, as in `a, b and c`.

    Args:
        words: At least one.
    """
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun, as in `1 credit` and `2,000 credits`.

    Args:
        number: The number.
        noun: The noun for one.
        nouns: The noun for any other number; empty if it only takes an s.
    """
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"
