"""Comparing names of people."""

from __future__ import annotations

import unicodedata


def plain_words(name: str) -> tuple[str, ...]:
    """Return the words of a name, case folded and without accents."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(c if c.isalnum() else " " for c in decomposed if not unicodedata.combining(c))
    return tuple(kept.split())


def compare_names(left: str, right: str) -> tuple[str, float, str]:
    """Return verdict (equal, similar, different), score and reason for two names."""
    one, other = plain_words(left), plain_words(right)
    if one == other:
        return "equal", 1.0, "the same after folding case and accents"
    if sorted(one) == sorted(other):
        return "similar", 0.95, "the same words in another order"
    shared = len(set(one) & set(other)) / max(len(set(one) | set(other)), 1)
    return "different", round(shared, 2), "words that the other does not have"
