"""Several words as one phrase."""

from __future__ import annotations

from collections.abc import Sequence


def listed(words: Sequence[str]) -> str:
    """Return words as one phrase, as in `a, b and c`.

    Args:
        words: At least one.
    """
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
